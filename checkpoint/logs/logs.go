// Package logs decodes the log files of a checkpoint: the query id, the offset log, the commit log,
// the logs of sources, and the checksums beside them. Bytes in, values and problems out: what was
// read before a bad byte is kept, and the problem says where it stands.
//
// All of Spark's own logs are of the HDFSMetadataLog family: text in UTF-8, lines ended by a line
// feed, no line feed at the end, and a version line first:
//
//	v1
//	{"batchWatermarkMs":0,"batchTimestampMs":1764403267000,"conf":{…}}
//	{"orders":{"0":1042,"1":998}}
package logs

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"tidemark/checkpoint/decode"
)

// Limit is how many bytes of a log file are read whole. An offset line of 10,000 partitions is
// under 1 MiB; only compacted logs grow beyond, and those are read as streams.
const Limit = 64 << 20

// line is one line of a text file, without its line end.
type line struct {
	text  []byte
	where decode.Where
}

var bom = []byte{0xEF, 0xBB, 0xBF}

// split cuts a log file into its version and the lines after it. Line ends of Windows are taken off
// and reported once. Line 1 is judged as Spark's offset reader does: no trimming.
func split(file string, data []byte, what string, newest int) (version int, lines []line, problems []*decode.Error) {
	at := decode.Where{File: file, Line: 1}
	if len(data) == 0 {
		return 0, nil, []*decode.Error{{Where: decode.Where{File: file}, Flaw: decode.Empty, What: what, Err: errors.New("the file has no bytes")}}
	}
	body := data
	if bytes.HasPrefix(body, bom) {
		problems = append(problems, &decode.Error{Where: at, Flaw: decode.ByteOrderMark, What: what,
			Err: errors.New("a byte order mark (EF BB BF) stands before the version line")})
		body = body[len(bom):]
	}
	offset, windows := len(data)-len(body), 0
	for n := 1; ; n++ {
		end := bytes.IndexByte(body, '\n')
		text := body
		if end >= 0 {
			text = body[:end]
		}
		l := line{text, decode.Where{File: file, Line: n, Offset: int64(offset)}}
		if bytes.HasSuffix(text, []byte("\r")) {
			l.text = text[:len(text)-1]
			if windows++; windows == 1 {
				problems = append(problems, &decode.Error{Where: l.where.In(len(l.text)), Flaw: decode.LineEnds, What: what,
					Err: errors.New(`a carriage return (\r, Windows line ends: CRLF) stands before the line feed`)})
			}
		}
		lines = append(lines, l)
		if end < 0 {
			break
		}
		body, offset = body[end+1:], offset+end+1
	}
	version, err := parseVersion(lines[0].text)
	switch {
	case err != nil:
		problems = append(problems, &decode.Error{Where: lines[0].where, Flaw: decode.NoVersion, What: what, Err: err})
		if looksLikeJSON(lines[0].text) {
			return 0, lines, problems // the version line is lost, what follows it may not be
		}
	case version > newest:
		problems = append(problems, &decode.Error{Where: lines[0].where, Flaw: decode.VersionUnknown, What: what,
			Err: fmt.Errorf("v%d is newer than any version known here (v%d)", version, newest)})
	}
	return version, lines[1:], problems
}

func looksLikeJSON(text []byte) bool { return len(text) > 0 && (text[0] == '{' || text[0] == '[') }

// parseVersion reads "v1". Spark asks for "v" and a positive decimal, nothing around it.
func parseVersion(text []byte) (int, error) {
	if len(text) > 1 && text[0] == 'v' {
		if n, err := strconv.ParseInt(string(text[1:]), 10, 32); err == nil && n > 0 {
			return int(n), nil
		}
	}
	return 0, fmt.Errorf("%s is not a version line such as v1", quote(text))
}

// quote shows the start of a text in an error.
func quote(text []byte) string {
	if len(text) > 40 {
		return fmt.Sprintf("%q…", text[:40])
	}
	return fmt.Sprintf("%q", text)
}

// object parses one line that must be a JSON object; an error has its place in the file.
func object(l line, what string) (decode.JSON, *decode.Error) {
	return l.object(what, decode.ParseJSON)
}

// shallow is object of which only the outermost fields are taken apart.
func shallow(l line, what string) (decode.JSON, *decode.Error) {
	return l.object(what, decode.ParseFields)
}

func (l line) object(what string, parse func([]byte) (decode.JSON, error)) (decode.JSON, *decode.Error) {
	v, err := parse(l.text)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return v, &decode.Error{Where: l.where.In(int(e.Offset)), Flaw: e.Flaw, What: what, Err: e.Err}
	}
	if v.Kind != decode.Object {
		return v, &decode.Error{Where: l.where.In(v.At), Flaw: decode.Malformed, What: what, Err: fmt.Errorf("%s is not an object", quote(l.text[v.At:v.End]))}
	}
	return v, nil
}

// part is the place of one value within the line.
func (l line) part(v decode.JSON) line { return line{l.text[v.At:v.End], l.where.In(v.At)} }

// number reads a 64-bit field; absent is 0, as in Spark.
func number(v decode.JSON, name string, l line, what string) (int64, *decode.Error) {
	f, ok := v.Get(name)
	if !ok || f.Kind == decode.Null {
		return 0, nil
	}
	n, ok := f.Int()
	if !ok {
		return 0, &decode.Error{Where: l.where.In(f.At), Flaw: decode.Value, What: what, Err: fmt.Errorf("%s: %s is not a 64-bit number", name, quote(l.text[f.At:f.End]))}
	}
	return n, nil
}
