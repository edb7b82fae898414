package log

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"tidemark/checkpoint/decode"
)

// SourceLog is one file of the log that a file source keeps of the files it has taken,
// sources/<i>/<id> or sources/<i>/<id>.compact:
//
//	v1
//	{"path":"s3a://lake/in/part-0001.json","timestamp":1764403200000,"batchId":41}
//
// One entry a line. The id is the log's own, one for each time that files were found: it lags behind
// the batch ids after the first batch without new files. offsets/N names it as {"logOffset":41}. A
// compact file repeats the entries of all ids before it. A file with no entry is legal.
//
// Written by FileStreamSourceLog (FileEntry), version 1 in every release.
type SourceLog struct {
	File     string
	Version  int             // of the version line; 0 when that does not parse
	Entries  []SourceEntry   // in the order of the file
	Problems []*decode.Error // in the order of the file; an entry that does not parse costs only itself
}

// SourceEntry is one file that a file source has taken.
type SourceEntry struct {
	Path      string // as recorded, URI-encoded: a blank is %20
	Timestamp int64  // when the file was last modified, ms since the epoch, UTC
	BatchID   int64  // id of the log at which the file was first listed; not a batch id
	Where     decode.Where
}

const (
	newestSourceLog = 1
	sourceLogWhat   = "file source log"
	entryLimit      = 1 << 20 // bytes of one line; a path is no longer than a few thousand
)

// ParseSourceLog reads the bytes of one file of a file source's log. It always returns a SourceLog.
func ParseSourceLog(file string, data []byte) *SourceLog {
	l := &SourceLog{File: file}
	for e, err := range l.read(bytes.NewReader(data)) {
		if problem, ok := errors.AsType[*decode.Error](err); ok {
			l.Problems = append(l.Problems, problem)
			continue
		}
		l.Entries = append(l.Entries, e)
	}
	return l
}

// ReadSourceLog reads a file of a file source's log as a stream, for compact files of any length.
// What does not decode comes as a *decode.Error beside an empty entry, and the sequence goes on; any
// other error is about reaching the bytes and ends it. An entry that has something behind it comes after that problem.
func ReadSourceLog(file string, r io.Reader) iter.Seq2[SourceEntry, error] {
	return (&SourceLog{File: file}).read(r)
}

// read yields entries and problems, and keeps the version in l.
func (l *SourceLog) read(r io.Reader) iter.Seq2[SourceEntry, error] {
	return func(yield func(SourceEntry, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		where := decode.Where{File: l.File, Line: 1}
		windows, empty := false, decode.Where{}
		for {
			text, size, long, err := nextLine(in)
			if err != nil && err != io.EOF {
				yield(SourceEntry{}, fmt.Errorf("%s: %w", l.File, err))
				return
			}
			last := err == io.EOF
			if last && size == 0 {
				break // after the last line feed
			}
			if cut := bytes.TrimSuffix(text, []byte("\r")); len(cut) < len(text) && !long {
				if !windows && !yield(SourceEntry{}, &decode.Error{Where: where.In(len(cut)), Flaw: decode.LineEnds, What: sourceLogWhat,
					Err: carriageReturn([]byte("\r\n"))}) {
					return
				}
				text, windows = cut, true
			}
			if e := encoding(line{text, where}, sourceLogWhat); e != nil && !yield(SourceEntry{}, e) {
				return
			}
			e, problem := SourceEntry{Where: where}, error(nil)
			switch {
			case long:
				problem = &decode.Error{Where: where, Flaw: decode.TooLarge, What: sourceLogWhat,
					Err: fmt.Errorf("a line is longer than %d bytes", entryLimit)}
			case where.Line == 1:
				problem = l.version(text, where)
			case len(text) == 0:
				problem = &decode.Error{Where: where, Flaw: decode.ExtraLine, What: sourceLogWhat,
					Err: fmt.Errorf("line %d is empty", where.Line)}
			default:
				e, problem = parseSourceEntry(text, where)
				if odd, ok := problem.(*decode.Error); ok && odd.Flaw == decode.Trailing {
					if !yield(SourceEntry{}, problem) {
						return
					}
					problem = nil // Spark takes the entry
				}
			}
			if (where.Line > 1 || problem != nil) && !yield(e, problem) {
				return
			}
			where.Line, where.Offset = where.Line+1, where.Offset+size
			if last {
				return
			}
		}
		if where.Line == 1 {
			empty.File = l.File
			yield(SourceEntry{}, &decode.Error{Where: empty, Flaw: decode.Empty, What: sourceLogWhat,
				Err: errors.New("the file is empty")})
		}
	}
}

// nextLine reads one line: its text without the line feed, and its size in the file with it. A line
// beyond entryLimit is read over, and long. The error is io.EOF where no line feed ends the line.
func nextLine(in *bufio.Reader) (text []byte, size int64, long bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		size += int64(len(piece))
		switch {
		case long:
		case len(text) == 0 && err != bufio.ErrBufferFull:
			text = piece // the usual case: no copy
		case len(text)+len(piece) > entryLimit:
			text, long = nil, true
		default:
			text = append(text, piece...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(text, []byte("\n")), size, long, err
		}
	}
}

func (l *SourceLog) version(text []byte, where decode.Where) error {
	if bytes.HasPrefix(text, bom) {
		return &decode.Error{Where: where, Flaw: decode.ByteOrderMark, What: sourceLogWhat, Err: errors.New("a byte order mark (EF BB BF) precedes the version line")}
	}
	var err error
	if l.Version, err = parseVersion(text); err != nil {
		return &decode.Error{Where: where, Flaw: decode.NoVersion, What: sourceLogWhat, Err: err}
	}
	if l.Version > newestSourceLog {
		return &decode.Error{Where: where, Flaw: decode.VersionUnknown, What: sourceLogWhat,
			Err: fmt.Errorf("v%d is newer than the newest known version (v%d)", l.Version, newestSourceLog)}
	}
	return nil
}

func parseSourceEntry(text []byte, where decode.Where) (SourceEntry, error) {
	if e, ok := plainEntry(text); ok {
		e.Where = where
		return e, nil
	}
	e := SourceEntry{Where: where}
	v, problem := object(line{text, where}, sourceLogWhat)
	if problem != nil && !passedOver(problem) {
		return e, problem
	}
	path, ok := v.Get("path")
	if !ok || path.Kind != decode.String && path.Kind != decode.Number || v.Repeats("path") {
		return e, &decode.Error{Where: where.In(v.At), Flaw: decode.Value, What: sourceLogWhat,
			Err: fmt.Errorf("%s has no path", quote(text))}
	}
	e.Path = path.Text
	for name, to := range map[string]*int64{"timestamp": &e.Timestamp, "batchId": &e.BatchID} {
		f, _ := v.Get(name)
		if *to, _, ok = f.Long(); !ok || v.Repeats(name) {
			return e, &decode.Error{Where: where.In(v.At), Flaw: decode.Value, What: sourceLogWhat,
				Err: fmt.Errorf("%s: no 64-bit number in %s", name, quote(text))}
		}
	}
	if problem != nil {
		return e, problem
	}
	return e, nil
}

// plainEntry reads an entry that stands exactly as Spark writes it, ten times as fast as JSON: a
// compact file can hold a million of them. It declines all else.
func plainEntry(text []byte) (e SourceEntry, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(`{"path":"`))
	if !ok {
		return e, false
	}
	end := bytes.IndexByte(rest, '"')
	if end < 0 {
		return e, false
	}
	for _, c := range rest[:end] {
		if c < 0x20 || c >= 0x80 || c == '\\' {
			return e, false
		}
	}
	path := rest[:end]
	if e.Timestamp, rest, ok = plainNumber(rest[end:], `","timestamp":`); !ok {
		return e, false
	}
	if e.BatchID, rest, ok = plainNumber(rest, `,"batchId":`); !ok || string(rest) != "}" {
		return e, false
	}
	e.Path = string(path)
	return e, true
}

// plainNumber takes name and the decimal after it off text.
func plainNumber(text []byte, name string) (n int64, rest []byte, ok bool) {
	text, ok = bytes.CutPrefix(text, []byte(name))
	if !ok {
		return 0, nil, false
	}
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 1 && text[0] == '0' {
		return 0, nil, false
	}
	n, err := strconv.ParseInt(string(text[:digits]), 10, 64)
	return n, text[digits:], err == nil
}
