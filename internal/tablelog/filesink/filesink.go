package filesink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/tablelog"
)

// Log is the folder _spark_metadata of an output folder, as it was listed. Each batch has a file of its own
// there, named with its batch id, or has its entries in a later compact file:
//
//	_spark_metadata/<id>           the files that batch <id> wrote
//	_spark_metadata/<id>.compact   those of all batches up to <id>
//
//	v1
//	{"path":"s3a://lake/out/part-00000-8c1d.c000.snappy.parquet","size":1843,"isDir":false,
//	 "modificationTime":1764403200000,"blockReplication":1,"blockSize":33554432,"action":"add"}
//
// (the entry is one line). The id is the batch id, and nothing else: no query id is in it. A batch that wrote
// nothing has a file with the version line alone. The sink skips every batch whose id is not higher than the
// highest one that is here.
//
// Written by FileStreamSinkLog through ManifestFileCommitProtocol, as the last write of a batch.
type Log struct {
	Dir string // "_spark_metadata", or "." where that folder itself was given
	log.Compactible
	Files map[string]tablelog.File // those that Compactible names, by name
}

// Folder is the name of the log within the output folder.
const Folder = "_spark_metadata"

// filesKept bounds a listing: a log is compacted long before.
const filesKept = 1 << 20

// List lists the log in dir, with one request a page. Where there is none, it is empty.
func List(ctx context.Context, f tablelog.Files, dir string) (*Log, error) {
	l := &Log{Dir: dir, Files: map[string]tablelog.File{}}
	var names []string
	for e, err := range f.List(ctx, dir, "") {
		if err != nil {
			return l, err
		}
		if n := log.ParseName(e.Name); e.Dir || n.Role != log.LogFile || e.Name != log.FileName(n.ID, n.Compact) {
			continue
		}
		if len(names) == filesKept {
			return l, fmt.Errorf("%s has more than %d files", path.Join(f.String(), dir), filesKept)
		}
		names, l.Files[e.Name] = append(names, e.Name), e
	}
	l.Compactible = log.NewCompactible(names)
	return l, nil
}

// Name is the name of one of its files from the root of the output folder.
func (l *Log) Name(base string) string { return path.Join(l.Dir, base) }

// Entry is one file that a batch wrote.
type Entry struct {
	Path     string // as recorded, URI-encoded and absolute
	Size     int64  // bytes
	Modified int64  // ms since the epoch, UTC
	Deleted  bool   // action "delete": very old releases wrote it where an entry was to be taken out
	Where    decode.Where
}

const (
	what      = "file sink log"
	lineLimit = 1 << 20 // bytes of one line; a path is no longer than a few thousand
)

// Read reads one file of the log as a stream: a compact file can have a million lines. What does not decode
// comes as a *decode.Error beside an empty entry, and the sequence goes on; any other error ends it.
func Read(file string, r io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for line, err := range decode.Lines(r, file, what, lineLimit) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			e := Entry{Where: line.Where}
			if line.Where.Line == 1 {
				err = version(line.Text, line.Where)
			} else {
				e, err = entry(line.Text, line.Where)
			}
			if (line.Where.Line > 1 || err != nil) && !yield(e, err) {
				return
			}
		}
	}
}

func version(text []byte, where decode.Where) error {
	switch string(text) {
	case "v1":
		return nil
	case "v1\r":
		return &decode.Error{Where: where, Flaw: decode.LineEnds, What: what, Err: errors.New("a carriage return precedes the line feed")}
	}
	return &decode.Error{Where: where, Flaw: decode.NoVersion, What: what, Err: fmt.Errorf("%.40q is not the version line v1", text)}
}

func entry(text []byte, where decode.Where) (Entry, error) {
	e := Entry{Where: where}
	fail := func(flaw decode.Flaw, err error) (Entry, error) {
		return Entry{}, &decode.Error{Where: where, Flaw: flaw, What: what, Err: err}
	}
	v, err := decode.ParseFields(text)
	if err != nil {
		return fail(decode.Malformed, fmt.Errorf("%.80q: %w", text, err))
	}
	name, ok := v.Get("path")
	if !ok || name.Kind != decode.String {
		return fail(decode.Value, fmt.Errorf("%.80q has no path", text))
	}
	e.Path = name.Text
	for key, to := range map[string]*int64{"size": &e.Size, "modificationTime": &e.Modified} {
		n, _ := v.Get(key)
		if *to, ok = n.Int(); !ok {
			return fail(decode.Value, fmt.Errorf("%.80q has no %s", text, key))
		}
	}
	action, _ := v.Get("action")
	e.Deleted = action.Text == "delete"
	return e, nil
}
