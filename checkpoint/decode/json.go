package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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

// ParseJSON reads one JSON value that fills text, white space around it aside.
// The error, if any, is an *Error whose Where has only the Offset within text set; its Flaw is Cut
// where text ends too early and Malformed otherwise.
func ParseJSON(text []byte) (JSON, error) {
	p := &parser{text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	p.dec.UseNumber()
	v, err := p.value(0)
	if err == nil {
		if rest := bytes.TrimSpace(text[v.End:]); len(rest) > 0 {
			err = &Error{Where{Offset: int64(len(text) - len(bytes.TrimLeft(text[v.End:], " \t\r\n")))}, Malformed, "JSON",
				fmt.Errorf("%.20q follows the value", rest)}
		}
	}
	return v, err
}

type parser struct {
	text []byte
	dec  *json.Decoder
}

func (p *parser) value(depth int) (JSON, error) {
	if depth > depthLimit {
		return JSON{}, p.fail(errors.New("nested too deep"))
	}
	at := p.next()
	tok, err := p.dec.Token()
	if err != nil {
		return JSON{}, p.fail(err)
	}
	v := JSON{At: at, End: int(p.dec.InputOffset())}
	switch t := tok.(type) {
	case nil:
		v.Kind = Null
	case bool:
		v.Kind, v.Text = Bool, strconv.FormatBool(t)
	case json.Number:
		v.Kind, v.Text = Number, t.String()
	case string:
		v.Kind, v.Text = String, t
	case json.Delim:
		if t == '[' {
			v.Kind = Array
			err = p.items(&v, depth)
		} else {
			v.Kind = Object
			err = p.fields(&v, depth)
		}
		v.End = int(p.dec.InputOffset())
	}
	return v, err
}

func (p *parser) items(v *JSON, depth int) error {
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	if _, err := p.dec.Token(); err != nil {
		return p.fail(err)
	}
	return nil
}

func (p *parser) fields(v *JSON, depth int) error {
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return p.fail(err)
		}
		name, ok := tok.(string)
		if !ok {
			return p.fail(fmt.Errorf("%v is not a field name", tok))
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.Fields = append(v.Fields, Field{name, value})
	}
	if _, err := p.dec.Token(); err != nil {
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
	at, flaw := int64(p.next()), Malformed
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(s.Offset-1, at)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, flaw, err = int64(len(p.text)), Cut, errors.New("the text ends inside the value")
	}
	return &Error{Where{Offset: at}, flaw, "JSON", err}
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
