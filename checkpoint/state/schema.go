package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
)

// Schema is the schema file of a state store: the columns of its keys and values. All integers are
// big-endian; a text is a u16 byte length and modified UTF-8 (DataOutput.writeUTF); chunks are an i32
// count and that many texts, put together.
//
//	00 02 76 32                 text "v2"
//	00 00 00 01 | 00 a8 7b 22…  chunks: key schema, Spark's StructType as JSON
//	00 00 00 01 | 01 ed 7b 22…  chunks: value schema
//
// Version 1 (3.1.0) has plain texts in place of chunks. Version 3 (4.0 on) has an i32 count of column
// families after "v3", and for each: text name, i16 key schema id, chunks key schema, i16 value schema
// id, chunks value schema, chunks key encoder JSON, chunks user key schema ("{    }" for none).
//
// Written by SchemaHelper (SchemaV1Writer, V2, V3), once, below partition 0 only.
type Schema struct {
	File     string
	Version  int // 0 when that does not parse
	Families []Family
	Problems []*decode.Error // the first byte that does not decode; what stands before it is kept
}

// Family is the keys and values of one column family; versions 1 and 2 have one, "default".
type Family struct {
	Name       string
	Key, Value []Field
	// KeyID and ValueID number the schemas of a family among all that it had: Avro blocks begin with
	// them. 0 before version 3.
	KeyID, ValueID int16
	Encoder        string // key encoder as JSON; "" before version 3
}

// Field is one column of a key or value, by position.
type Field = row.Column

// SchemaWhat is what problems of a schema file call it.
const SchemaWhat = "state schema"

const (
	schemaLimit = 10_000  // column families in one file
	fieldLimit  = 100_000 // columns in one schema
	chunkLimit  = 1 << 20 // chunks of one text
)

// ParseSchema reads the bytes of a schema file. It always returns a Schema.
func ParseSchema(file string, data []byte) *Schema {
	s := &Schema{File: file}
	if len(data) == 0 {
		s.fail(0, decode.Empty, errors.New("the file is empty"))
		return s
	}
	r := &reader{data: data}
	version := r.text()
	if r.err == nil {
		switch version {
		case "v1", "v2", "v3":
			s.Version = int(version[1] - '0')
		default:
			if n, err := strconv.Atoi(strings.TrimPrefix(version, "v")); err != nil || n <= 0 || version[0] != 'v' {
				s.fail(0, decode.NoVersion, fmt.Errorf("%.20q is not a version such as v2", version))
				return s
			}
			s.fail(0, decode.VersionUnknown, fmt.Errorf("unknown version %.20q (known: v1 to v3)", version))
			return s
		}
	}
	families := 1
	if s.Version == 3 {
		if families = int(r.int32()); r.err == nil && (families < 0 || families > schemaLimit) {
			r.fail(decode.Value, fmt.Errorf("%d column families", families))
		}
	}
	for range families {
		if r.err != nil {
			break
		}
		f := r.family(s.Version)
		if r.err == nil {
			s.Families = append(s.Families, f)
		}
	}
	if e, ok := errors.AsType[*decode.Error](r.err); ok {
		s.fail(e.Offset, e.Flaw, e.Err)
	}
	return s
}

func (s *Schema) fail(at int64, flaw decode.Flaw, err error) {
	s.Problems = append(s.Problems, &decode.Error{Where: decode.Where{File: s.File, Offset: at}, Flaw: flaw, What: SchemaWhat, Err: err})
}

func (r *reader) family(version int) Family {
	f := Family{Name: "default"}
	switch version {
	case 1:
		f.Key, f.Value = r.columns(r.text), r.columns(r.text)
	case 2:
		f.Key, f.Value = r.columns(r.chunks), r.columns(r.chunks)
	case 3:
		f.Name = r.text()
		f.KeyID = r.int16()
		f.Key = r.columns(r.chunks)
		f.ValueID = r.int16()
		f.Value = r.columns(r.chunks)
		start := r.at
		f.Encoder = r.chunks()
		if err := f.encoderFlaw(); err != nil && r.err == nil {
			r.at = start
			r.fail(decode.Malformed, fmt.Errorf("the key encoder of %.40q: %w", f.Name, err))
		}
		r.chunks()
	}
	return f
}

// encoderFlaw is why the key encoder of a family cannot write its keys; nil where it can. Spark makes the encoder as it reads the schema
// (KeyStateEncoderSpec.fromJson).
func (f *Family) encoderFlaw() error {
	e, err := row.ParseKeyEncoder(f.Encoder)
	if err != nil {
		return err
	}
	key, err := row.Columns(f.Key)
	if err != nil {
		return err
	}
	_, err = row.NewKeys(key, e, row.Unsafe)
	return err
}

// reader goes through the bytes; after its first error it gives zeros.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(flaw decode.Flaw, err error) {
	if r.err == nil {
		r.err = &decode.Error{Where: decode.Where{Offset: int64(r.at)}, Flaw: flaw, Err: err}
	}
}

func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if rest := len(r.data) - r.at; n > rest {
		r.fail(decode.Cut, fmt.Errorf("%d bytes are needed and %d are left", n, rest))
		return nil
	}
	b := r.data[r.at : r.at+n]
	r.at += n
	return b
}

func (r *reader) int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) int16() int16 {
	if b := r.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) text() string {
	b := r.take(2)
	if b == nil {
		return ""
	}
	text := r.take(int(binary.BigEndian.Uint16(b)))
	if at := notModifiedUTF8(text); at >= 0 {
		r.at -= len(text) - at
		r.fail(decode.Encoding, fmt.Errorf("byte %#02x is not Java's UTF-8", text[at]))
	}
	return modifiedUTF8(text)
}

// notModifiedUTF8 is the first byte of a text that Java's readUTF does not take; -1 for none. A character has one,
// two or three bytes.
func notModifiedUTF8(b []byte) int {
	for at := 0; at < len(b); {
		size := 1
		switch c := b[at]; {
		case c >= 0xF0, c >= 0x80 && c < 0xC0:
			return at
		case c >= 0xE0:
			size = 3
		case c >= 0xC0:
			size = 2
		}
		for i := 1; i < size; i++ {
			if at+i >= len(b) || b[at+i]&0xC0 != 0x80 {
				return at
			}
		}
		at += size
	}
	return -1
}

func (r *reader) chunks() string {
	n := int(r.int32())
	if n < 0 || n > chunkLimit {
		r.fail(decode.Value, fmt.Errorf("%d chunks", n))
	}
	var b strings.Builder
	for range n {
		b.WriteString(r.text())
		if r.err != nil {
			return ""
		}
	}
	return b.String()
}

// columns reads a schema as JSON: {"type":"struct","fields":[{"name":"k","type":"string",…},…]}.
func (r *reader) columns(read func() string) []Field {
	start := r.at
	text := read()
	if r.err != nil {
		return nil
	}
	head := r.at - start - len(text) // what stands before the text, where it is one piece
	flaw := row.StructFlaw(text)
	v, _ := decode.ParseJSON([]byte(text))
	fields, _ := v.Get("fields")
	if flaw == nil && len(fields.Items) > fieldLimit {
		flaw = &decode.Error{Err: fmt.Errorf("%d columns", len(fields.Items))}
	}
	if flaw != nil {
		r.at = start
		if head <= 6 {
			r.at = min(start+head+int(flaw.Offset), len(r.data))
		}
		r.fail(decode.Malformed, flaw.Err)
		return nil
	}
	var columns []Field
	for _, f := range fields.Items {
		name, _ := f.Get("name")
		typ, _ := f.Get("type")
		nullable, ok := f.Get("nullable")
		c := Field{Name: name.Text, Type: typ.Text, Nullable: !ok || nullable.Text != "false"}
		if typ.Kind == decode.Object {
			c.Type = text[typ.At:typ.End]
		}
		metadata, _ := f.Get("metadata")
		_, c.Timed = metadata.Get("spark.watermarkDelayMs")
		columns = append(columns, c)
	}
	return columns
}

// modifiedUTF8 is Java's: NUL as C0 80, and a pair of surrogates, each in three bytes, for what lies
// beyond 16 bits.
func modifiedUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		if len(b) > 1 && b[0] == 0xC0 && b[1] == 0x80 {
			s.WriteByte(0)
			b = b[2:]
			continue
		}
		if hi, lo := surrogate(b), rune(-1); hi >= 0 {
			if len(b) >= 6 {
				lo = surrogate(b[3:])
			}
			if r := utf16.DecodeRune(hi, lo); r != utf8.RuneError {
				s.WriteRune(r)
				b = b[6:]
				continue
			}
		}
		r, n := utf8.DecodeRune(b)
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// surrogate is the surrogate that b begins with; -1 if there is none.
func surrogate(b []byte) rune {
	if len(b) < 3 || b[0] != 0xED || b[1] < 0xA0 || b[1]&0xC0 != 0x80 || b[2]&0xC0 != 0x80 {
		return -1
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F)
}

// Guess is the operator that writes such a store, by the name that Spark gives it in its metadata
// since 4.0. Before that nothing records it; the shapes of key and value tell. Where nothing else
// fits it is an aggregation. "" where the schema did not decode.
func (s *Schema) Guess() string {
	if len(s.Families) == 0 {
		return ""
	}
	key, value := s.Families[0].Key, s.Families[0].Value
	is := func(fields []Field, name, typ string) bool {
		return len(fields) == 1 && fields[0].Name == name && (typ == "" || fields[0].Type == typ)
	}
	switch {
	case is(value, "__dummy__", "void"), is(value, "__dummy__", "null"):
		return "dedupe"
	case is(value, "expiresAtMicros", ""):
		return "dedupeWithinWatermark"
	case len(value) > 0 && value[0].Name == "groupState", timesOut(key, value):
		return "flatMapGroupsWithState"
	case len(key) > 0 && key[len(key)-1].Name == "sessionStartTime":
		return "sessionWindowStateStoreSaveExec"
	case is(key, "key", "void") && is(value, "value", "long"), is(key, "key", "null") && is(value, "value", "long"):
		return "globalLimit"
	}
	return "stateStoreSave"
}

// RepeatsKey reports whether all columns of the key are columns of the value too. Two operators write such a schema: an
// aggregation with format 1, and a deduplication of 3.1.0 to 3.2.1 and 3.3.0, whose schema file has the whole input row as
// the value, which its rows lack (StreamingDeduplicateExec, SPARK-39650).
func (s *Schema) RepeatsKey() bool {
	if len(s.Problems) > 0 || len(s.Families) != 1 || len(s.Families[0].Key) == 0 {
		return false
	}
	for _, k := range s.Families[0].Key {
		if !slices.ContainsFunc(s.Families[0].Value, func(v Field) bool { return v.Name == k.Name && v.Type == k.Type }) {
			return false
		}
	}
	return true
}

// WithValue is the schema with other columns in its value.
func (s *Schema) WithValue(value ...Field) *Schema {
	other := *s
	other.Families = slices.Clone(s.Families)
	other.Families[0].Value = value
	return &other
}

// Timeout is the column, last in a value of flatMapGroupsWithState, that says when a group times out.
const Timeout = "timeoutTimestamp"

// timesOut reports whether a value is of format 1 of flatMapGroupsWithState: the columns of the state, and
// the timeout behind them. Without a timeout, nothing tells it from an aggregation.
func timesOut(key, value []Field) bool {
	n := len(value)
	return n > 0 && value[n-1].Name == Timeout && value[n-1].Type == "integer" &&
		!slices.ContainsFunc(key, func(f Field) bool { return f.Name == Timeout })
}

// OnePartition reports whether only partition 0 can hold keys: an aggregation over everything, or a
// global limit. Their other partitions have no folder.
func (s *Schema) OnePartition() bool {
	return len(s.Families) > 0 && (len(s.Families[0].Key) == 0 || s.Guess() == "globalLimit")
}
