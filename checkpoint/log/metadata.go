package log

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Metadata is the file metadata at the root: the query id, which survives restarts and under which
// sinks remember the batches of this query. One JSON object, no version line, no line end:
//
//	{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}
//
// Written by StreamMetadata, once, since Spark 2.1.
type Metadata struct {
	File     string
	ID       string          // "" when it does not parse
	Problems []*decode.Error // in the order of the file
}

// ParseMetadata reads the bytes of the metadata file.
func ParseMetadata(file string, data []byte) *Metadata {
	const what = "query metadata"
	m := &Metadata{File: file}
	fail := func(flaw decode.Flaw, at int, err error) *Metadata {
		m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: int64(at)}, Flaw: flaw, What: what,
			Err: err})
		return m
	}
	if len(data) == 0 {
		return fail(decode.Empty, 0, errors.New("the file is empty"))
	}
	body, at := data, 0
	if bytes.HasPrefix(data, bom) {
		fail(decode.ByteOrderMark, 0, errors.New("a byte order mark (EF BB BF) precedes the JSON"))
		body, at = data[len(bom):], len(bom)
	}
	v, err := object(line{body, decode.Where{File: file, Line: 1, Offset: int64(at)}}, what)
	if err != nil {
		m.Problems = append(m.Problems, err)
		if !passedOver(err) {
			return m
		}
	}
	id, ok := v.Get("id")
	switch {
	case !ok:
		return fail(decode.Value, at+v.At, fmt.Errorf("%s has no id", quote(body)))
	case v.Repeats("id"):
		return fail(decode.Value, at+id.At, errors.New("id occurs more than once"))
	case id.Kind != decode.String && id.Kind != decode.Number:
		return fail(decode.Value, at+id.At, fmt.Errorf("id: %s is not a string", quote(body[id.At:id.End])))
	case !isUUID(id.Text):
		fail(decode.NotUUID, at+id.At, fmt.Errorf("id: %s is not a UUID", quote([]byte(id.Text))))
	}
	m.ID = id.Text
	return m
}

// isUUID reports whether Java takes text for a UUID: five hexadecimal numbers with hyphens between them, 36
// characters at most, whatever the length of each.
func isUUID(text string) bool {
	parts := strings.Split(text, "-")
	if len(text) > 36 || len(parts) != 5 {
		return false
	}
	for _, part := range parts {
		if _, err := strconv.ParseInt(part, 16, 64); err != nil {
			return false
		}
	}
	return true
}
