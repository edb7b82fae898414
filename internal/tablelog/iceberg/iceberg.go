package iceberg

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Folder is where a table keeps its metadata.
const Folder = "metadata"

// The keys that a streaming query writes into the summary of a snapshot: its id, and the batch id as text.
//
// Written by SparkWrite (StreamingAppend, StreamingOverwrite) of the Iceberg connector for Spark.
const (
	QueryID = "spark.sql.streaming.queryId"
	EpochID = "spark.sql.streaming.epochId"
)

// Metadata is a table at one moment.
//
//	{"format-version":2,"table-uuid":"…","current-snapshot-id":8358106974146857158,
//	 "snapshots":[{"snapshot-id":…,"parent-snapshot-id":…,"timestamp-ms":…,"summary":{"operation":"append",…}}],
//	 "refs":{"main":{"snapshot-id":…,"type":"branch"}},"schemas":[…],"current-schema-id":0,…}
type Metadata struct {
	File      string // from the root of the table: "metadata/v3.metadata.json"
	UUID      string
	Current   int64 // id of the current snapshot of the branch main; -1 for none
	Snapshots map[int64]*Snapshot
	Refs      map[string]int64 // branches and tags, and the snapshots they name
	Schema    string           // of the current schema, as DDL of Spark; "" where it has a type that Spark does not
	Assumed   bool             // the file with the highest number was taken: only the catalog knows which is current

	Problems []*decode.Error // what would not decode
}

// Snapshot is one state of the table.
type Snapshot struct {
	ID       int64
	Parent   int64 // -1 for none
	Sequence int64 // 0 in format 1
	Time     int64 // ms since the epoch, UTC
	Summary  map[string]string
	Where    decode.Where
}

// ErrNoMetadata is a location without a metadata file.
var ErrNoMetadata = errors.New("this folder has no metadata file of an Iceberg table")

const fileLimit = 256 << 20 // bytes, unpacked: ten thousand snapshots are some 20 MB

// Open reads the newest metadata of the table in f: two requests for a path table, one more where the names
// are those that a catalog gives.
//
// A path table (HadoopTableOperations) has v<number>.metadata.json, and the highest number is the newest. A
// catalog has <number>-<uuid>.metadata.json, and keeps the name of the newest itself.
func Open(ctx context.Context, f tablelog.Files) (*Metadata, error) {
	best, err := newest(ctx, f, "v", func(name string) (int64, bool) {
		return number(strings.TrimPrefix(name, "v"), name[0] == 'v')
	})
	assumed := false
	if err == nil && best == "" {
		assumed = true
		best, err = newest(ctx, f, "", func(name string) (int64, bool) {
			digits, _, ok := strings.Cut(name, "-")
			return number(digits, ok)
		})
	}
	switch {
	case err != nil:
		return nil, err
	case best == "":
		return nil, ErrNoMetadata
	}
	m, err := Read(ctx, f, path.Join(Folder, best))
	if m != nil {
		m.Assumed = assumed
	}
	return m, err
}

// IsMetadata reports whether a file has the name of a metadata file.
func IsMetadata(name string) bool {
	return strings.HasSuffix(name, ".metadata.json") || strings.HasSuffix(name, ".metadata.json.gz")
}

func newest(ctx context.Context, f tablelog.Files, after string, numbered func(string) (int64, bool)) (best string, err error) {
	highest := int64(-1)
	for e, err := range f.List(ctx, Folder, after) {
		if err != nil {
			return "", err
		}
		if e.Dir || !IsMetadata(e.Name) {
			continue
		}
		if n, ok := numbered(e.Name); ok && n > highest {
			highest, best = n, e.Name
		}
	}
	return best, nil
}

// number is what a name begins with, up to its first dot.
func number(name string, ok bool) (int64, bool) {
	digits, _, _ := strings.Cut(name, ".")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n >= 0
}

// Read reads one metadata file, packed with gzip where its name or its first bytes say so.
func Read(ctx context.Context, f tablelog.Files, name string) (*Metadata, error) {
	data, err := tablelog.Read(ctx, f, name, fileLimit)
	if err != nil {
		return nil, err
	}
	place := strings.TrimSuffix(f.String(), "/") + "/" + name
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if data, err = inflate(data); err != nil {
			return nil, &decode.Error{Where: decode.Where{File: place}, Flaw: decode.Malformed, What: what, Err: err}
		}
	}
	m, err := Parse(place, data)
	m.File = name
	return m, err
}

func inflate(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, fileLimit+1))
	if err == nil && len(out) > fileLimit {
		err = fmt.Errorf("it unpacks to more than %d bytes", fileLimit)
	}
	return out, err
}

const what = "iceberg metadata"

// Parse reads the bytes of a metadata file. It always returns a Metadata; the error is about the file as a
// whole.
func Parse(place string, data []byte) (*Metadata, error) {
	m := &Metadata{Current: -1, Snapshots: map[int64]*Snapshot{}, Refs: map[string]int64{}}
	outer, err := decode.ParseFields(data)
	if err != nil || outer.Kind != decode.Object {
		if err == nil {
			err = errors.New("it is not a JSON object")
		}
		return m, &decode.Error{Where: decode.Where{File: place}, Flaw: decode.Malformed, What: what, Err: err}
	}
	id, _ := outer.Get("table-uuid")
	m.UUID = id.Text
	if current, ok := outer.Get("current-snapshot-id"); ok {
		if n, ok := current.Int(); ok {
			m.Current = n
		}
	}
	m.snapshots(place, data, outer)
	m.refs(data, outer)
	m.Schema = schema(data, outer)
	return m, nil
}

// snapshots takes them apart one by one: together they can have more values than are taken apart at once.
func (m *Metadata) snapshots(place string, data []byte, outer decode.JSON) {
	all, ok := outer.Get("snapshots")
	if !ok || all.Kind != decode.Array {
		return
	}
	list, err := decode.ParseFields(data[all.At:all.End])
	if err != nil {
		m.problem(place, int64(all.At), err)
		return
	}
	for _, item := range list.Items {
		at := all.At + item.At
		v, err := decode.ParseJSON(data[at : all.At+item.End])
		if err != nil {
			m.problem(place, int64(at), err)
			continue
		}
		s := &Snapshot{ID: -1, Parent: -1, Summary: map[string]string{}, Where: decode.Where{File: place, Offset: int64(at)}}
		for name, to := range map[string]*int64{"snapshot-id": &s.ID, "parent-snapshot-id": &s.Parent, "sequence-number": &s.Sequence,
			"timestamp-ms": &s.Time} {
			if n, ok := v.Get(name); ok && n.Kind == decode.Number {
				*to, _ = n.Int()
			}
		}
		summary, _ := v.Get("summary")
		for _, f := range summary.Fields {
			s.Summary[f.Name] = f.Value.Text
		}
		m.Snapshots[s.ID] = s
	}
}

func (m *Metadata) refs(data []byte, outer decode.JSON) {
	all, ok := outer.Get("refs")
	if !ok || all.Kind != decode.Object {
		return
	}
	refs, err := decode.ParseJSON(data[all.At:all.End])
	if err != nil {
		return
	}
	for _, f := range refs.Fields {
		if id, ok := f.Value.Get("snapshot-id"); ok {
			if n, ok := id.Int(); ok {
				m.Refs[f.Name] = n
			}
		}
	}
}

func (m *Metadata) problem(place string, at int64, err error) {
	m.Problems = append(m.Problems, &decode.Error{Where: decode.Where{File: place, Offset: at}, Flaw: decode.Malformed, What: what,
		Err: err})
}

// Ancestors are a snapshot and those that it was made from, newest first. cut is true where the line ends at
// a snapshot that has a parent: older ones were expired.
func (m *Metadata) Ancestors(id int64) (line []*Snapshot, cut bool) {
	for range len(m.Snapshots) {
		s := m.Snapshots[id]
		if s == nil {
			return line, id >= 0
		}
		line = append(line, s)
		id = s.Parent
	}
	return line, m.Snapshots[id] == nil && id >= 0
}
