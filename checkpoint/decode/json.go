package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what a JSON value is.
type Kind byte

// The kinds of JSON value.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// JSON is a value with the place where it stands. Numbers are kept as written: a 64-bit position or
// a snapshot id never passes through a float.
type JSON struct {
	Kind   Kind
	At     int     // bytes from the start of the text to the first byte of the value
	End    int     // bytes from the start of the text to the first byte after the value
	Text   string  // a string unquoted, a number or bool as written
	Fields []Field // of an object, in the order written; a name may repeat
	Items  []JSON  // of an array
}

// Field is one member of a JSON object.
type Field struct {
	Name  string
	Value JSON
}

// depthLimit is how deep values may nest; no log file nests deeper than five.
const depthLimit = 100

// valuesLimit is how many values are taken apart, at every depth together: each takes many times the bytes
// that it has in the text. They are enough for the files of 50 000 tables, or the offsets of as many partitions.
const valuesLimit = 1 << 18

// ParseJSON reads one JSON value that fills text, white space around it aside.
// The error, if any, is an *Error whose Where has only the Offset within text set; its Flaw is Cut
// where text ends too early, Blank where it holds nothing, TooLarge where it has too many values, Trailing where
// something follows the value, and Malformed otherwise. What was read before it comes back beside it; with
// Trailing that is the whole value, and Jackson, which reads for Spark, looks no further.
func ParseJSON(text []byte) (JSON, error) { return parse(text, depthLimit) }

// ParseFields is ParseJSON of which only the outermost fields or items are taken apart: arrays and
// objects within have a place, and neither Fields nor Items. It is for values that often stay the same.
func ParseFields(text []byte) (JSON, error) { return parse(text, 1) }

func parse(text []byte, depth int) (JSON, error) {
	p := parsers.Get().(*parser)
	defer func() {
		p.text, p.buf = nil, bytes.Buffer{}
		parsers.Put(p)
	}()
	p.text, p.deepest, p.left, p.buf = text, depth, valuesLimit, *bytes.NewBuffer(text)
	p.dec.Reset(&p.buf, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := p.value(0)
	if err == nil {
		if rest := bytes.TrimLeft(text[v.End:], " \t\r\n"); len(rest) > 0 {
			err = &Error{Where{Offset: int64(len(text) - len(rest))}, Trailing, "JSON", fmt.Errorf("%.20q follows the value", rest)}
		}
	}
	return v, err
}

// parsers are used again: a log has a hundred thousand short lines.
var parsers = sync.Pool{New: func() any { return new(parser) }}

type parser struct {
	text    []byte
	deepest int // values nested deeper are not taken apart
	left    int // values that may still come
	buf     bytes.Buffer
	dec     jsontext.Decoder
}

func (p *parser) value(depth int) (JSON, error) {
	at := p.next()
	if p.left--; p.left < 0 {
		return JSON{At: at, End: at}, &Error{Where{Offset: int64(at)}, TooLarge, "JSON", fmt.Errorf("more than %d values", valuesLimit)}
	}
	if kind := p.dec.PeekKind(); depth >= p.deepest && (kind == '{' || kind == '[') {
		return p.skip(at, kind)
	}
	tok, err := p.dec.ReadToken()
	if err != nil {
		return JSON{At: at, End: at}, p.fail(err)
	}
	v := JSON{At: at}
	switch tok.Kind() {
	case 'n':
		v.Kind = Null
	case 't', 'f':
		v.Kind, v.Text = Bool, tok.String()
	case '0':
		v.Kind, v.Text = Number, tok.String()
	case '"':
		v.Kind, v.Text = String, tok.String()
	case '[':
		v.Kind = Array
		err = p.items(&v, depth)
	case '{':
		v.Kind = Object
		err = p.fields(&v, depth)
	}
	v.End = int(p.dec.InputOffset())
	return v, err
}

// skip passes over an array or object.
func (p *parser) skip(at int, kind jsontext.Kind) (JSON, error) {
	if p.deepest == depthLimit {
		return JSON{}, p.fail(errors.New("nested too deeply"))
	}
	v := JSON{At: at, Kind: Array}
	if kind == '{' {
		v.Kind = Object
	}
	if err := p.dec.SkipValue(); err != nil {
		return v, p.fail(err)
	}
	v.End = int(p.dec.InputOffset())
	return v, nil
}

func (p *parser) items(v *JSON, depth int) error {
	for p.dec.PeekKind() != ']' {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(doubled(v.Items), item)
	}
	return p.end()
}

func (p *parser) fields(v *JSON, depth int) error {
	for p.dec.PeekKind() != '}' {
		tok, err := p.dec.ReadToken()
		if err != nil {
			return p.fail(err)
		}
		name := tok.String()
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Fields = append(doubled(v.Fields), Field{name, value})
	}
	return p.end()
}

// doubled has room for one more: a long list that grows by less would be copied more often than it is long.
func doubled[T any](s []T) []T {
	if len(s) < cap(s) {
		return s
	}
	return slices.Grow(s, max(len(s), 4))
}

// end reads the bracket that ends an array or object.
func (p *parser) end() error {
	if _, err := p.dec.ReadToken(); err != nil {
		return p.fail(err)
	}
	return nil
}

// next is where the next token begins.
func (p *parser) next() int {
	at := int(p.dec.InputOffset())
	for at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n:,"), p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *parser) fail(err error) error {
	if len(bytes.TrimLeft(p.text, " \t\r\n")) == 0 {
		return &Error{Where{}, Blank, "JSON", errors.New("the value is missing")}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Where{Offset: int64(len(p.text))}, Cut, "JSON", errors.New("the text ends inside the value")}
	}
	at := int64(p.next())
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at, err = max(s.ByteOffset, at), s.Err
	}
	return &Error{Where{Offset: at}, Malformed, "JSON", err}
}

// Get is the value of the last field called name, as a JSON parser in Spark would keep it.
func (v JSON) Get(name string) (JSON, bool) {
	for i := len(v.Fields) - 1; i >= 0; i-- {
		if v.Fields[i].Name == name {
			return v.Fields[i].Value, true
		}
	}
	return JSON{}, false
}

// Int is the value as a signed 64-bit integer; false if it is not one.
func (v JSON) Int() (int64, bool) {
	if v.Kind != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// Long is the value as json4s, which reads Spark's logs, makes a 64-bit integer of it: a number with a
// fraction or an exponent loses its fraction, one of more than 64 bits its upper bits. exact is false where it
// did; ok is false where json4s takes no such value, as it does not take a string.
func (v JSON) Long() (n int64, exact, ok bool) {
	if n, exact = v.Int(); exact || v.Kind != Number {
		return n, exact, exact
	}
	if whole, isInteger := new(big.Int).SetString(v.Text, 10); isInteger {
		return int64(new(big.Int).And(whole, mask64).Uint64()), false, true
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false, false
	}
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64, false, true
	case f <= math.MinInt64:
		return math.MinInt64, false, true
	}
	return int64(f), false, true
}

// mask64 are the bits that are left of a longer integer.
var mask64 = new(big.Int).SetUint64(math.MaxUint64)

// Repeats reports whether more than one field is called name. json4s then takes the values for a list, and
// finds none of the type that it looks for.
func (v JSON) Repeats(name string) bool {
	n := 0
	for _, f := range v.Fields {
		if f.Name == name {
			n++
		}
	}
	return n > 1
}
