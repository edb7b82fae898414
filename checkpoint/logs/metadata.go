package logs

import (
	"bytes"
	"errors"
	"fmt"

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
		m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: int64(at)}, Flaw: flaw, What: what, Err: err})
		return m
	}
	if len(data) == 0 {
		return fail(decode.Empty, 0, errors.New("the file has no bytes"))
	}
	body, at := data, 0
	if bytes.HasPrefix(data, bom) {
		fail(decode.ByteOrderMark, 0, errors.New("a byte order mark (EF BB BF) stands before the JSON"))
		body, at = data[len(bom):], len(bom)
	}
	v, err := object(line{body, decode.Where{File: file, Line: 1, Offset: int64(at)}}, what)
	if err != nil {
		m.Problems = append(m.Problems, err)
		return m
	}
	id, ok := v.Get("id")
	if !ok || id.Kind != decode.String || id.Text == "" {
		return fail(decode.Value, at+v.At, fmt.Errorf("%s has no id", quote(body)))
	}
	m.ID = id.Text
	return m
}
