package log

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

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

// split cuts a log file into its version and the lines after it. A line ends as in Java: with a line feed, a
// carriage return or both; carriage returns are reported once. So are bytes that are not UTF-8, which Spark's
// readers refuse. Line 1 is taken as it stands, or, as the commit reader does, without white space around it.
func split(file string, data []byte, what string, newest int, trims bool) (version int, lines []line, problems []*decode.Error) {
	at := decode.Where{File: file, Line: 1}
	if len(data) == 0 {
		return 0, nil, []*decode.Error{{Where: decode.Where{File: file}, Flaw: decode.Empty, What: what,
			Err: errors.New("the file is empty")}}
	}
	body := data
	if bytes.HasPrefix(body, bom) {
		problems = append(problems, &decode.Error{Where: at, Flaw: decode.ByteOrderMark, What: what,
			Err: errors.New("a byte order mark (EF BB BF) precedes the version line")})
		body = body[len(bom):]
	}
	offset, returns := len(data)-len(body), false
	for n := 1; ; n++ {
		text, end := cutLine(body)
		l := line{text, decode.Where{File: file, Line: n, Offset: int64(offset)}}
		if end := body[len(text):end]; !returns && len(end) > 0 && end[0] == '\r' {
			returns = true
			problems = append(problems, &decode.Error{Where: l.where.In(len(text)), Flaw: decode.LineEnds, What: what,
				Err: carriageReturn(end)})
		}
		if e := encoding(l, what); e != nil {
			problems = append(problems, e)
		}
		lines = append(lines, l)
		if len(text) == end {
			break
		}
		body, offset = body[end:], offset+end
	}
	first := lines[0]
	if trims {
		first = first.trimmed()
	}
	version, err := parseVersion(first.text)
	switch {
	case err != nil:
		problems = append(problems, &decode.Error{Where: lines[0].where, Flaw: decode.NoVersion, What: what, Err: err})
		if looksLikeJSON(lines[0].text) {
			return 0, lines, problems // the version line is lost, what follows it may not be
		}
	case version > newest:
		problems = append(problems, &decode.Error{Where: lines[0].where, Flaw: decode.VersionUnknown, What: what,
			Err: fmt.Errorf("v%d is newer than the newest known version (v%d)", version, newest)})
	}
	return version, lines[1:], problems
}

// trimmed is a line without the white space and the control characters around it, as Scala's
// trim leaves it.
func (l line) trimmed() line {
	text := bytes.TrimLeftFunc(l.text, func(r rune) bool { return r <= ' ' })
	l.where = l.where.In(len(l.text) - len(text))
	l.text = bytes.TrimRightFunc(text, func(r rune) bool { return r <= ' ' })
	return l
}

// cutLine is the first line of a text without its end, and how long it is with it.
func cutLine(text []byte) (line []byte, size int) {
	at := bytes.IndexAny(text, "\r\n")
	switch {
	case at < 0:
		return text, len(text)
	case bytes.HasPrefix(text[at:], []byte("\r\n")):
		return text[:at], at + 2
	}
	return text[:at], at + 1
}

// carriageReturn says which line end stands where a line feed belongs.
func carriageReturn(end []byte) error {
	if len(end) > 1 {
		return errors.New(`a carriage return (\r, Windows line ends: CRLF) precedes the line feed`)
	}
	return errors.New(`a carriage return (\r) replaces a line feed`)
}

// encoding is the first place of a line that is not UTF-8; nil for none.
func encoding(l line, what string) *decode.Error {
	if utf8.Valid(l.text) {
		return nil
	}
	at := 0
	for r, n := utf8.DecodeRune(l.text); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(l.text[at:]) {
		at += n
	}
	return &decode.Error{Where: l.where.In(at), Flaw: decode.Encoding, What: what, Err: fmt.Errorf("byte %#02x is not UTF-8", l.text[at])}
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

// object parses one line that must be a JSON object; an error has its place in the file. Where the error is
// passedOver, the value is what Spark's reader has of it.
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
		return v, &decode.Error{Where: l.where.In(v.At), Flaw: decode.NotObject, What: what,
			Err: fmt.Errorf("%s is not an object", quote(l.text[v.At:v.End]))}
	}
	return v, nil
}

// passedOver reports whether Spark's reader goes on in spite of a problem with a line of JSON: it does not look at what follows a
// value, and finds no field in what is no object.
func passedOver(e *decode.Error) bool {
	return e.Flaw == decode.Trailing || e.Flaw == decode.NotObject
}

// part is the place of one value within the line.
func (l line) part(v decode.JSON) line { return line{l.text[v.At:v.End], l.where.In(v.At)} }

// number reads a 64-bit field; absent is 0, as in Spark. Where the problem is Inexact the number is what Spark
// makes of it.
func number(v decode.JSON, name string, l line, what string) (int64, *decode.Error) {
	f, ok := v.Get(name)
	if v.Repeats(name) {
		return 0, &decode.Error{Where: l.where.In(f.At), Flaw: decode.Value, What: what, Err: fmt.Errorf("%s occurs more than once", name)}
	}
	if !ok || f.Kind == decode.Null {
		return 0, nil
	}
	n, exact, ok := f.Long()
	switch {
	case !ok:
		return 0, &decode.Error{Where: l.where.In(f.At), Flaw: decode.Value, What: what, Err: fmt.Errorf("%s: %s is not a 64-bit number", name, quote(l.text[f.At:f.End]))}
	case !exact:
		return n, &decode.Error{Where: l.where.In(f.At), Flaw: decode.Inexact, What: what, Err: fmt.Errorf("%s: %s is not a 64-bit number; Spark reads it as %d", name, quote(l.text[f.At:f.End]), n)}
	}
	return n, nil
}
