package checkpoint

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
)

// Line is one line of the decoded view of a file: a value, what it is, and where it stands. Both
// texts are as the file has them, nothing in them is escaped.
type Line struct {
	Where   decode.Where
	Label   string // "planned", "source 0 orders/1", "conf spark.sql.shuffle.partitions"
	Value   string
	Problem bool // Value says what would not decode
}

// Describe is the decoded view of a file of a checkpoint, by its name within it: both logs, the query
// id, what sources keep, checksums, operator metadata; any other JSON field by field, any other text
// line by line, and the length of what is no text. Lines come in the order of the file, problems
// where they stand; there is always one.
//
// data is the whole file.
func Describe(name string, data []byte) []Line {
	d := &description{file: name}
	d.describe(data)
	slices.SortStableFunc(d.lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Where.Line, b.Where.Line), cmp.Compare(a.Where.Offset, b.Where.Offset))
	})
	return d.lines
}

// description collects the lines of one file.
type description struct {
	file  string
	lines []Line
}

// describe chooses the decoder by the name of the file; where the name leaves it open, as in the
// folders of sources, by its first bytes.
func (d *description) describe(data []byte) {
	dir, base := path.Split(d.file)
	dir = strings.TrimSuffix(dir, "/")
	n := log.ParseName(base)
	if n.Role == log.Temp {
		d.add(d.at(0), "temporary file", "written and never renamed: Spark does not read it")
		n.Role = log.LogFile
	}
	in := strings.Split(dir, "/")
	switch {
	case len(data) == 0:
		d.add(d.at(0), "size", "0 bytes")
		if dir == "offsets" || dir == "commits" || d.file == "metadata" {
			d.problem(&decode.Error{Where: d.at(0), Flaw: decode.Empty, What: "log", Err: errors.New("the file is empty")})
		}
	case strings.Contains(d.file, "!"): // within a container
		d.anything(data)
	case n.Role == log.HadoopCRC || n.Role == log.TempCRC:
		d.hadoopCRC(data)
	case n.Role == log.SparkCRC:
		d.sparkCRC(data)
	case d.file == "metadata":
		d.queryID(data)
	case dir == "offsets" && n.Role == log.LogFile && !n.Compact:
		d.plan(data)
	case dir == "commits" && n.Role == log.LogFile && !n.Compact:
		d.commit(data)
	case in[0] == "sources":
		d.sourceFile(in[1:], n, data)
	case in[0] == "state" && slices.Contains(in, "_stateSchema"), in[0] == "state" && strings.HasSuffix(d.file, "/_metadata/schema"):
		d.schema(data)
	case in[0] == "state" && slices.Contains(in, "_metadata"):
		d.anything(data)
		d.problem(log.ParseOperatorMetadata(d.file, data).Problems...)
	default:
		d.anything(data)
	}
}

func (d *description) add(where decode.Where, label, value string) {
	d.lines = append(d.lines, Line{Where: where, Label: label, Value: value})
}

func (d *description) problem(problems ...*decode.Error) {
	for _, e := range problems {
		d.lines = append(d.lines, Line{Where: e.Where, Label: string(e.Flaw), Value: fmt.Sprintf("%s: %v", e.What, e.Err), Problem: true})
	}
}

// at is a place in a file that is not text.
func (d *description) at(offset int) decode.Where {
	return decode.Where{File: d.file, Offset: int64(offset)}
}

// line is the text of a line, from 1, without its line end, and where it begins; ok is false past the
// last.
func (d *description) line(data []byte, number int) (text []byte, where decode.Where, ok bool) {
	offset := 0
	for range number - 1 {
		end := bytes.IndexByte(data[offset:], '\n')
		if end < 0 {
			return nil, decode.Where{}, false
		}
		offset += end + 1
	}
	text = data[offset:]
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	return bytes.TrimSuffix(text, []byte("\r")), decode.Where{File: d.file, Line: number, Offset: int64(offset)}, true
}

func (d *description) queryID(data []byte) {
	m := log.ParseMetadata(d.file, data)
	if m.ID != "" {
		d.add(decode.Where{File: d.file, Line: 1}, "query ID", m.ID)
	} else {
		d.anything(data)
	}
	d.problem(m.Problems...)
}

// anything shows a file of unknown form: JSON, a version line and then JSON, text, or neither.
func (d *description) anything(data []byte) {
	if !isText(data) {
		d.add(d.at(0), "binary", fmt.Sprintf("%d bytes", len(data)))
		return
	}
	if v, err := decode.ParseJSON(data); err == nil && (v.Kind == decode.Object || v.Kind == decode.Array) {
		d.flatten(decode.Where{File: d.file, Line: 1}, data, "", v)
		return
	}
	for n := 1; ; n++ {
		text, where, ok := d.line(data, n)
		if !ok || len(text) == 0 && int(where.Offset) == len(data) {
			return
		}
		v, err := decode.ParseJSON(text)
		switch {
		case n == 1 && isVersion(text):
			d.add(where, "version", string(text))
		case err == nil && (v.Kind == decode.Object || v.Kind == decode.Array):
			d.flatten(where, text, "", v)
		default:
			d.add(where, fmt.Sprintf("line %d", n), string(text))
		}
	}
}

// flatten shows every value within v that holds no other, labeled with the way to it:
// "stateStoreInfo[0].storeName". text begins at where and is what v was parsed from.
func (d *description) flatten(where decode.Where, text []byte, label string, v decode.JSON) {
	switch {
	case len(v.Fields) > 0:
		for _, f := range v.Fields {
			d.flatten(where, text, strings.TrimPrefix(label+"."+f.Name, "."), f.Value)
		}
	case len(v.Items) > 0:
		for i, item := range v.Items {
			d.flatten(where, text, fmt.Sprintf("%s[%d]", label, i), item)
		}
	default:
		at := where.In(v.At)
		at.Line += bytes.Count(text[:v.At], []byte("\n"))
		d.add(at, cmp.Or(label, "value"), shown(label, v))
	}
}

// shown is a value that holds no other as a person reads it: a field that holds a time also as one.
func shown(label string, v decode.JSON) string {
	switch v.Kind {
	case decode.Null:
		return "null"
	case decode.Object:
		return "{}"
	case decode.Array:
		return "[]"
	}
	name := label[strings.LastIndexByte(label, '.')+1:]
	if ms, ok := v.Int(); ok && ms > 0 && (strings.HasSuffix(name, "Ms") || strings.EqualFold(name, "timestamp")) {
		return instant(ms)
	}
	return v.Text
}

// latest is the last millisecond of the year 9999, the last that RFC 3339 can write.
const latest = 253402300799999

// instant is a time both as Spark writes it, in ms since the epoch, and as a person reads it.
func instant(ms int64) string {
	if ms < 0 || ms > latest {
		return strconv.FormatInt(ms, 10) + " ms"
	}
	return fmt.Sprintf("%d ms, %s", ms, time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// isVersion reports whether a line is "v" and a number.
func isVersion(text []byte) bool {
	if len(text) < 2 || text[0] != 'v' {
		return false
	}
	_, err := strconv.ParseUint(string(text[1:]), 10, 31)
	return err == nil
}

// isText reports whether data is UTF-8 without control characters other than tabs and line ends.
func isText(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	return !bytes.ContainsFunc(data, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' })
}
