package hudi

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Folder is where a table keeps its timeline.
const Folder = ".hoodie"

// Timeline is the folder .hoodie as it was listed.
//
//	20261129101500123.commit               a finished write of a copy-on-write table
//	20261129101500123.deltacommit          of a merge-on-read table
//	20261129101500123.replacecommit        one that replaces file groups
//	20261129101500123.commit.requested, .inflight    not finished
type Timeline struct {
	Instants []Instant // finished writes, newest first
	Newer    bool      // there is a folder timeline: table version 8, whose commits are Avro
}

// Instant is one finished write.
type Instant struct {
	Time string // as named: digits, year first, in the zone of the writer
	Name string // base name
	Size int64  // bytes
	// Modified is when the file was written, ms since the epoch, UTC.
	Modified int64
}

var writes = []string{"commit", "deltacommit", "replacecommit"}

// List lists the timeline: one request a page.
func List(ctx context.Context, f tablelog.Files) (*Timeline, error) {
	t := &Timeline{}
	for e, err := range f.List(ctx, Folder, "") {
		if err != nil {
			return t, err
		}
		at, action, _ := strings.Cut(e.Name, ".")
		switch {
		case e.Dir:
			t.Newer = t.Newer || e.Name == "timeline"
		case slices.Contains(writes, action) && digits(at):
			t.Instants = append(t.Instants, Instant{at, e.Name, e.Size, e.Modified})
		}
	}
	slices.SortFunc(t.Instants, func(a, b Instant) int { return strings.Compare(b.Time, a.Time) })
	return t, nil
}

func digits(s string) bool {
	return len(s) >= 14 && strings.Trim(s, "0123456789") == ""
}

// Key is where a streaming query leaves its batch id in the extra metadata of a commit: JSON as text, with the
// batch id by the identifier of the writer. No query id is in it.
//
// Written by HoodieStreamingSink.
const Key = "_hudi_streaming_sink_checkpoint"

const commitLimit = 128 << 20 // bytes: a commit lists every file that it wrote

// Batches are the batch ids that a commit records, by identifier; nil where it records none.
func Batches(ctx context.Context, f tablelog.Files, i Instant) (map[string]int64, decode.Where, error) {
	name := path.Join(Folder, i.Name)
	at := decode.Where{File: strings.TrimSuffix(f.String(), "/") + "/" + name}
	data, err := tablelog.Read(ctx, f, name, commitLimit)
	if err != nil {
		return nil, at, err
	}
	fail := func(err error) (map[string]int64, decode.Where, error) {
		return nil, at, &decode.Error{Where: at, Flaw: decode.Malformed, What: "hudi commit", Err: err}
	}
	if len(data) == 0 {
		return nil, at, nil // a commit without content is legal
	}
	outer, err := decode.ParseFields(data)
	if err != nil {
		return fail(err)
	}
	extra, ok := outer.Get("extraMetadata")
	if !ok || extra.Kind != decode.Object {
		return nil, at, nil
	}
	v, err := decode.ParseJSON(data[extra.At:extra.End])
	if err != nil {
		return fail(err)
	}
	text, ok := v.Get(Key)
	if !ok || text.Kind != decode.String || text.Text == "" {
		return nil, at, nil
	}
	at = at.In(extra.At + text.At)
	ids, err := decode.ParseJSON([]byte(text.Text))
	if err != nil || ids.Kind != decode.Object {
		return fail(errors.Join(err, errors.New(Key+" is not a JSON object")))
	}
	all := map[string]int64{}
	for _, field := range ids.Fields {
		n, err := strconv.ParseInt(field.Value.Text, 10, 64)
		if err != nil {
			return fail(err)
		}
		all[field.Name] = n
	}
	return all, at, nil
}
