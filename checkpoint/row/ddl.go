package row

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// ParseSchema reads the columns of a schema as a person writes them, in one of three forms:
//
//	shop_id STRING NOT NULL COMMENT 'who sold it', w STRUCT<start: TIMESTAMP, end: TIMESTAMP>
//	STRUCT<shop_id: STRING NOT NULL, w: STRUCT<start: TIMESTAMP, end: TIMESTAMP>>
//	{"type":"struct","fields":[{"name":"shop_id","type":"string","nullable":false,"metadata":{}},…]}
//
// The first is Spark's DDL: words in any case, names in backquotes where they are no plain words, -- and /* */
// comments; a colon after a name may be left out or not. A name may come twice, as it does in aggregation buffers.
// Not read: DEFAULT and GENERATED, which are about tables.
//
// The error is a *decode.Error whose Where has only the Offset within text set; its Flaw is Cut where text ends
// too early. Its Err is an *UnknownTypeError where a word stands in the place of a type.
//
// Read by StructType.fromDDL and DataType.fromJson.
func ParseSchema(text string) (*Type, error) {
	p := &ddl{text: text}
	p.next()
	var t *Type
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return jsonSchema(text)
	case p.is("struct") && strings.HasPrefix(strings.TrimLeft(text[p.end:], " \t\r\n"), "<"):
		t = p.typ(0)
	default:
		t = StructOf(p.columns(0, "")...)
	}
	if p.err == nil && p.kind != endOfText {
		p.fail("%s follows the end of the schema", p.found())
	}
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}

// jsonSchema reads a schema as DataType.json writes it.
func jsonSchema(text string) (*Type, error) {
	v, err := decode.ParseJSON([]byte(text))
	if err != nil {
		if e, ok := errors.AsType[*decode.Error](err); ok {
			e.What = schemaWhat
		}
		return nil, err
	}
	t, err := typeOf(v)
	if err == nil && t.Kind != Struct {
		err = fmt.Errorf("expected a struct of columns, not the type %q", t.Name)
	}
	if err != nil {
		at := v.At
		if e, ok := errors.AsType[*placed](err); ok {
			at = e.at
		}
		return nil, &decode.Error{Where: decode.Where{Offset: int64(at)}, Flaw: decode.Malformed, What: schemaWhat, Err: err}
	}
	return t, nil
}

const schemaWhat = "schema"

// tokenKind is what a piece of DDL is.
type tokenKind byte

const (
	endOfText tokenKind = iota
	word                // letters, digits and _
	quoted              // `a name`, its backquotes taken off
	literal             // 'a text', as written
	sign                // one character
)

// ddl reads DDL token by token; the token at hand is text[at:end]. After its first error it finds only the end.
type ddl struct {
	text    string
	at, end int
	kind    tokenKind
	name    string // of a word as written, of a quoted one without its quotes
	err     error
}

// typeDepth is how deep types may nest.
const typeDepth = 100

func (p *ddl) fail(format string, args ...any) { p.failAt(p.at, format, args...) }

func (p *ddl) failAt(at int, format string, args ...any) { p.failWith(at, fmt.Errorf(format, args...)) }

func (p *ddl) failWith(at int, err error) {
	if p.err == nil {
		flaw := decode.Malformed
		if at >= len(p.text) {
			flaw = decode.Cut
		}
		p.err = &decode.Error{Where: decode.Where{Offset: int64(at)}, Flaw: flaw, What: schemaWhat, Err: err}
	}
	p.kind, p.at, p.end = endOfText, len(p.text), len(p.text)
}

// found is the token at hand, for a message.
func (p *ddl) found() string {
	if p.kind == endOfText {
		return "the end of the text"
	}
	return fmt.Sprintf("%.40q", p.text[p.at:p.end])
}

// is reports whether the token at hand is this word, in any case.
func (p *ddl) is(name string) bool { return p.kind == word && strings.EqualFold(p.name, name) }

func (p *ddl) isSign(c byte) bool { return p.kind == sign && p.text[p.at] == c }

// take goes on to the next token where the one at hand is this sign.
func (p *ddl) take(c byte) bool {
	if !p.isSign(c) {
		return false
	}
	p.next()
	return true
}

func (p *ddl) expect(c byte, where string) {
	if p.err == nil && !p.take(c) {
		p.fail("expected %q %s, not %s", string(c), where, p.found())
	}
}

// columns are those of a table or struct; end is the sign behind the last one, "" for the end of the text.
func (p *ddl) columns(depth int, end string) []Field {
	fields := []Field{}
	if end != "" && p.isSign(end[0]) {
		return fields
	}
	for p.err == nil {
		f := Field{Nullable: true}
		if p.kind != word && p.kind != quoted {
			p.fail("expected a column name, not %s", p.found())
			break
		}
		if f.Name = p.name; p.kind == quoted && f.Name == "" {
			p.fail("expected a name between the backquotes")
		}
		p.next()
		p.take(':')
		f.Type = p.typeOf(f.Name, depth+1)
		f.Nullable = !p.notNull()
		f.Unsaid = f.Nullable
		p.comment()
		fields = append(fields, f)
		if p.take(',') {
			continue
		}
		if p.kind != endOfText && (end == "" || !p.isSign(end[0])) {
			p.fail("expected a comma before the next column, not %s%s", p.found(), p.hint())
		}
		break
	}
	return fields
}

// hint says how a name with odd characters is written.
func (p *ddl) hint() string {
	if p.kind == sign && strings.ContainsRune("-.()$@#/ ", rune(p.text[p.at])) {
		return " (write a name with characters other than letters, digits and _ in `backquotes`)"
	}
	return ""
}

func (p *ddl) typeOf(column string, depth int) *Type {
	switch {
	case p.err != nil:
	case p.kind == endOfText || p.isSign(',') || p.isSign('>'):
		p.fail("column %q has no type", column)
	case p.kind != word:
		p.fail("expected the type of column %q, not %s%s", column, p.found(), p.hint())
	}
	return p.typ(depth)
}

func (p *ddl) notNull() bool {
	if !p.is("not") {
		return false
	}
	p.next()
	if !p.is("null") {
		p.fail("expected NULL after NOT, not %s", p.found())
	}
	p.next()
	return true
}

func (p *ddl) comment() {
	if !p.is("comment") {
		return
	}
	p.next()
	if p.kind != literal {
		p.fail("expected a text in quotes after COMMENT, not %s", p.found())
	}
	p.next()
}

// typ reads one type. It is never nil.
func (p *ddl) typ(depth int) *Type {
	if depth > typeDepth {
		p.fail("types are nested more than %d levels deep", typeDepth)
	}
	at, name := p.at, strings.ToLower(p.name)
	if p.err == nil && p.kind != word {
		p.fail("expected a type, not %s", p.found())
	}
	if p.err != nil {
		return &Type{Kind: Void, Name: "void"}
	}
	p.next()
	switch name {
	case "struct":
		p.expect('<', "after STRUCT")
		fields := p.columns(depth, ">")
		p.expect('>', "at the end of the STRUCT")
		return StructOf(fields...)
	case "array":
		p.expect('<', "after ARRAY")
		element := p.typ(depth + 1)
		p.expect('>', "after the element type")
		return &Type{Kind: Array, Name: "array", Fields: []Field{{Type: element, Nullable: true, Unsaid: true}}}
	case "map":
		p.expect('<', "after MAP")
		key := p.typ(depth + 1)
		p.expect(',', "after the key type")
		value := p.typ(depth + 1)
		p.expect('>', "after the value type")
		return &Type{Kind: Map, Name: "map", Fields: []Field{{Type: key}, {Type: value, Nullable: true, Unsaid: true}}}
	}
	return p.simple(at, name)
}

// ddlNames are the names of types in DDL that are others than in Spark's JSON.
var ddlNames = map[string]string{
	"tinyint": "byte", "smallint": "short", "int": "integer", "bigint": "long", "real": "float", "timestamp_ltz": "timestamp",
	"dec": "decimal", "numeric": "decimal", "character": "char",
}

// plainTypes are the types that take nothing after their name.
var plainTypes = []string{"boolean", "byte", "short", "integer", "long", "float", "double", "date", "timestamp", "timestamp_ntz", "binary", "void", "variant"}

// UnknownTypeError is a word of a schema that is no type of Spark.
type UnknownTypeError struct {
	Name  string   // as it stands in the schema
	Known []string // the names of types in DDL, upper case
}

func (e *UnknownTypeError) Error() string { return fmt.Sprintf("%.40q is not a Spark type", e.Name) }

// allTypes are the names that DDL knows.
var allTypes = []string{
	"BOOLEAN", "TINYINT", "BYTE", "SMALLINT", "SHORT", "INT", "INTEGER", "BIGINT", "LONG", "FLOAT", "REAL", "DOUBLE", "DECIMAL", "DEC",
	"NUMERIC",
	"STRING", "CHAR", "CHARACTER", "VARCHAR", "BINARY", "DATE", "TIMESTAMP", "TIMESTAMP_LTZ", "TIMESTAMP_NTZ", "TIME", "INTERVAL", "VOID",
	"VARIANT",
	"GEOMETRY", "GEOGRAPHY", "STRUCT", "ARRAY", "MAP",
}

// simple reads what follows the name of a type that is not made of others.
func (p *ddl) simple(at int, name string) *Type {
	if other, ok := ddlNames[name]; ok {
		name = other
	}
	if slices.Contains(plainTypes, name) {
		return &Type{Kind: kinds[name], Name: name}
	}
	switch name {
	case "string":
		return p.collated()
	case "char", "varchar":
		n := p.numbers(at, name, 1, 1)
		return p.checked(at, &Type{Kind: String, Name: fmt.Sprintf("%s(%d)", name, n[0])}, n[0] > 0)
	case "decimal":
		n := append(p.numbers(at, name, 0, 2), 10, 0)
		if n[0] > 0 && len(n) == 3 {
			n[1] = 0 // DECIMAL(12)
		}
		t := &Type{Kind: Decimal, Name: fmt.Sprintf("decimal(%d,%d)", n[0], n[1]), Precision: n[0], Scale: n[1]}
		return p.checked(at, t, n[0] > 0 && n[0] <= 38 && n[1] <= n[0])
	case "time":
		n := append(p.numbers(at, name, 0, 1), 6)
		return p.checked(at, &Type{Kind: Time, Name: fmt.Sprintf("time(%d)", n[0])}, n[0] <= 9)
	case "interval":
		return p.interval(at)
	case "geometry", "geography":
		return &Type{Kind: Geo, Name: name + "(" + p.parenthesis(name) + ")"}
	}
	p.failWith(at, &UnknownTypeError{Name: p.text[at : at+len(name)], Known: allTypes})
	return &Type{Kind: Void, Name: "void"}
}

func (p *ddl) checked(at int, t *Type, ok bool) *Type {
	if !ok {
		p.failAt(at, "%s is not a Spark type", strings.ToUpper(t.Name))
	}
	return t
}

// numbers are those in parentheses behind a type's name. Without an error there are between least and most.
func (p *ddl) numbers(at int, name string, least, most int) []int {
	var all []int
	if p.take('(') {
		for {
			n, err := strconv.ParseUint(p.name, 10, 16)
			if p.err == nil && (p.kind != word || err != nil) {
				p.fail("expected a number in the parentheses of %s, not %s", strings.ToUpper(name), p.found())
			}
			all = append(all, int(n))
			p.next()
			if len(all) == most || !p.take(',') {
				break
			}
		}
		p.expect(')', "after the numbers of "+strings.ToUpper(name))
	}
	if len(all) < least {
		p.failAt(at, "%s needs a length in parentheses", strings.ToUpper(name))
		return make([]int, least)
	}
	return all
}

// collated is STRING, or STRING COLLATE and a name that may have dots.
func (p *ddl) collated() *Type {
	t := &Type{Kind: String, Name: "string"}
	if !p.is("collate") {
		return t
	}
	p.next()
	name := ""
	for p.err == nil {
		if p.kind != word && p.kind != quoted {
			p.fail("expected a collation name, not %s", p.found())
			break
		}
		name += p.name
		p.next()
		if !p.take('.') {
			break
		}
		name += "."
	}
	if !strings.EqualFold(name, "UTF8_BINARY") { // that of a plain string
		t.Name = "string collate " + name
	}
	return t
}

func (p *ddl) interval(at int) *Type {
	name := "interval"
	unit := func() bool { return kinds["interval "+strings.ToLower(p.name)] != 0 && p.kind == word }
	if unit() {
		name += " " + strings.ToLower(p.name)
		p.next()
		if p.is("to") {
			p.next()
			name += " to " + strings.ToLower(p.name)
			p.next()
		}
	}
	return p.checked(at, &Type{Kind: kinds[name], Name: name}, kinds[name] != 0)
}

// parenthesis is the text in parentheses behind the name of a type.
func (p *ddl) parenthesis(name string) string {
	p.expect('(', "after "+strings.ToUpper(name))
	from := p.at
	for p.err == nil && !p.isSign(')') {
		if p.kind == endOfText {
			p.fail("expected %q, but the text ends", ")")
		}
		p.next()
	}
	if p.err != nil {
		return ""
	}
	inner := p.text[from:p.at]
	p.next()
	return strings.TrimSpace(inner)
}
