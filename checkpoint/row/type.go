package row

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Kind is what a type's values are, as far as their bytes go.
type Kind byte

// The kinds of type. Their names in Spark's JSON stand beside them.
const (
	Boolean      Kind = iota + 1 // boolean
	Byte                         // byte
	Short                        // short
	Integer                      // integer
	Long                         // long
	Float                        // float
	Double                       // double
	Date                         // date: days since 1970-01-01
	Timestamp                    // timestamp: microseconds since the epoch, UTC
	TimestampNTZ                 // timestamp_ntz: microseconds since 1970-01-01 00:00 of no zone
	Time                         // time(p): nanoseconds since midnight
	String                       // string, string collate X, char(n), varchar(n)
	Binary                       // binary
	Decimal                      // decimal(p,s)
	Interval                     // interval: months, days and microseconds
	YearMonth                    // interval year to month, and its parts: months
	DayTime                      // interval day to second, and its parts: microseconds
	Void                         // void, or null before 3.2: always null
	Variant                      // variant
	Geo                          // geometry(…), geography(…): a spatial reference id and WKB
	Struct
	Array
	Map
)

// Type is a type of Spark SQL, as a schema file records it.
type Type struct {
	Kind      Kind
	Name      string  // as Spark's JSON has it: "long", "decimal(38,18)"; "struct", "array", "map"
	Precision int     // digits of a decimal, 1 to 38
	Scale     int     // how many of them stand behind the point; below 0 they are zeros before it
	Fields    []Field // of a struct, in order; of an array one, its element; of a map two, key and value
}

// Field is one column of a struct.
type Field struct {
	Name     string
	Label    string // what it is called in JSON: the name, or "sum#2" where a second column has it
	Type     *Type
	Nullable bool // as declared; no byte of a row depends on it
	// Unsaid is true where Nullable is only what is usual: DDL says NOT NULL, or nothing. JSON always says which.
	Unsaid bool
}

// Column is a field as a schema file has it.
type Column struct {
	Name     string
	Type     string // as Spark's JSON has it: "long", "void"; the JSON text of a nested type
	Nullable bool   // as declared; true where it is not said. The schema check of a restart compares it, the bytes do not depend on it
	Timed    bool   // the column had a watermark when the schema was written (spark.watermarkDelayMs in its metadata)
}

// wideDigits is how many digits a decimal can have and still fit 64 bits.
const wideDigits = 18

// kinds are the types without parameters.
var kinds = map[string]Kind{
	"boolean": Boolean, "byte": Byte, "short": Short, "integer": Integer, "long": Long, "float": Float, "double": Double,
	"date": Date, "timestamp": Timestamp, "timestamp_ntz": TimestampNTZ, "string": String, "binary": Binary,
	"interval": Interval, "void": Void, "variant": Variant,
	"interval year": YearMonth, "interval month": YearMonth, "interval year to month": YearMonth,
	"interval day": DayTime, "interval hour": DayTime, "interval minute": DayTime, "interval second": DayTime,
	"interval day to hour": DayTime, "interval day to minute": DayTime, "interval day to second": DayTime,
	"interval hour to minute": DayTime, "interval hour to second": DayTime, "interval minute to second": DayTime,
}

// families are the types with parameters that change no byte of their values, each a pattern of its whole name.
var families = []struct {
	name *regexp.Regexp
	kind Kind
}{
	{regexp.MustCompile(`^string collate \S+$`), String}, {regexp.MustCompile(`^(var)?char\(\s*\d+\s*\)$`), String},
	{regexp.MustCompile(`^time\(\s*\d\s*\)$`), Time}, {regexp.MustCompile(`^geo(metry|graphy)\([^()]*\)$`), Geo},
}

// ParseType reads a type as a schema file has it: a bare name ("long", "decimal(10,2)"), or Spark's JSON.
//
//	{"type":"struct","fields":[{"name":"a","type":"long","nullable":true,"metadata":{}},…]}
//	{"type":"array","elementType":"long","containsNull":true}
//	{"type":"map","keyType":"string","valueType":"long","valueContainsNull":true}
//	{"type":"udt","class":…,"sqlType":…}
//
// A type that is not known here is an error: nothing says how wide its values are.
//
// Written by DataType.json.
func ParseType(text string) (*Type, error) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, `"`) {
		return named(text)
	}
	v, err := decode.ParseJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return typeOf(v)
}

// Columns is the struct of the columns of a key or a value.
func Columns(columns []Column) (*Type, error) {
	fields := make([]Field, len(columns))
	for i, c := range columns {
		t, err := ParseType(c.Type)
		if err != nil {
			return nil, fmt.Errorf("column %d, %q: %w", i+1, c.Name, err)
		}
		fields[i] = Field{Name: c.Name, Type: t, Nullable: c.Nullable}
	}
	return StructOf(fields...), nil
}

// StructOf is the struct of these fields, which it keeps; their labels are given here.
func StructOf(fields ...Field) *Type {
	taken := make(map[string]bool, len(fields))
	for _, f := range fields {
		taken[f.Name] = true
	}
	seen := make(map[string]int, len(fields))
	for i := range fields {
		f := &fields[i]
		f.Label = f.Name
		for seen[f.Name]++; seen[f.Name] > 1; seen[f.Name]++ {
			if f.Label = f.Name + "#" + strconv.Itoa(seen[f.Name]); !taken[f.Label] {
				break
			}
		}
		taken[f.Label] = true
	}
	return &Type{Kind: Struct, Name: "struct", Fields: fields}
}

// newNames are what types are called since the name beside them went out of use.
var newNames = map[string]string{"calendarinterval": "interval", "null": "void", "decimal": "decimal(10,0)", "timestamp_ltz": "timestamp"}

func named(name string) (*Type, error) {
	if now, ok := newNames[name]; ok {
		name = now
	}
	t := &Type{Name: name, Kind: kinds[name]}
	if t.Kind != 0 {
		return t, nil
	}
	if p, ok := strings.CutPrefix(name, "decimal("); ok {
		p, closed := strings.CutSuffix(p, ")")
		before, after, _ := strings.Cut(p, ",")
		var err1, err2 error
		t.Kind = Decimal
		t.Precision, err1 = strconv.Atoi(strings.TrimSpace(before))
		t.Scale, err2 = strconv.Atoi(strings.TrimSpace(after))
		if closed && err1 == nil && err2 == nil && t.Precision > 0 && t.Precision <= 38 && t.Scale >= -38 && t.Scale <= t.Precision {
			t.Name = fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
			return t, nil
		}
		return nil, fmt.Errorf("%.40q is not a decimal type", name)
	}
	for _, f := range families {
		if f.name.MatchString(name) {
			t.Kind = f.kind
			return t, nil
		}
	}
	return nil, fmt.Errorf("unknown type %.40q", name)
}

// placed is an error that knows where in a JSON text it is.
type placed struct {
	at int
	error
}

func placedAt(v decode.JSON, err error) error {
	if err == nil {
		return nil
	}
	return &placed{v.At, err}
}

func typeOf(v decode.JSON) (*Type, error) {
	if v.Kind == decode.String {
		t, err := named(v.Text)
		return t, placedAt(v, err)
	}
	kind, _ := v.Get("type")
	switch kind.Text {
	case "struct":
		fields, ok := v.Get("fields")
		if !ok || fields.Kind != decode.Array {
			return nil, placedAt(v, errors.New("a struct without fields"))
		}
		all := make([]Field, len(fields.Items))
		for i, f := range fields.Items {
			name, _ := f.Get("name")
			var err error
			if name.Kind != decode.String {
				return nil, placedAt(f, fmt.Errorf("field %d has no name", i+1))
			}
			if all[i], err = fieldOf(f, "type", "nullable"); err != nil {
				return nil, fmt.Errorf("field %q: %w", name.Text, err)
			}
			all[i].Name = name.Text
		}
		return StructOf(all...), nil
	case "array":
		element, err := fieldOf(v, "elementType", "containsNull")
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Array, Name: "array", Fields: []Field{element}}, nil
	case "map":
		key, err := fieldOf(v, "keyType", "")
		if err != nil {
			return nil, err
		}
		value, err := fieldOf(v, "valueType", "valueContainsNull")
		if err != nil {
			return nil, err
		}
		return &Type{Kind: Map, Name: "map", Fields: []Field{key, value}}, nil
	case "udt":
		inner, ok := v.Get("sqlType")
		if !ok {
			return nil, placedAt(v, errors.New("a user-defined type without \"sqlType\""))
		}
		return typeOf(inner)
	}
	return nil, placedAt(v, fmt.Errorf("unknown type %.40q", kind.Text))
}

// fieldOf is the type under one name of a JSON object, with what another name says about nulls.
func fieldOf(v decode.JSON, name, nullable string) (Field, error) {
	inner, ok := v.Get(name)
	if !ok {
		return Field{}, placedAt(v, fmt.Errorf("%q is missing", name))
	}
	t, err := typeOf(inner)
	null, ok := v.Get(nullable)
	return Field{Type: t, Nullable: nullable != "" && !(ok && null.Text == "false")}, err
}

// sqlNames are the types whose name in Spark's JSON is another one than in its SQL.
var sqlNames = map[string]string{"long": "BIGINT", "integer": "INT", "short": "SMALLINT", "byte": "TINYINT"}

// DDL is the type as Spark's SQL writes it: "BIGINT", "STRUCT<a: BIGINT, b: STRING>".
func (t *Type) DDL() string {
	switch t.Kind {
	case Struct:
		all := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			all[i] = f.Name + ": " + f.Type.DDL()
		}
		return "STRUCT<" + strings.Join(all, ", ") + ">"
	case Array:
		return "ARRAY<" + t.Fields[0].Type.DDL() + ">"
	case Map:
		return "MAP<" + t.Fields[0].Type.DDL() + ", " + t.Fields[1].Type.DDL() + ">"
	}
	if name, ok := sqlNames[t.Name]; ok {
		return name
	}
	if collation, ok := strings.CutPrefix(t.Name, "string collate "); ok {
		return "STRING COLLATE " + collation
	}
	if name, system, ok := strings.Cut(t.Name, "("); ok && t.Kind == Geo {
		return strings.ToUpper(name) + "(" + system
	}
	return strings.ToUpper(t.Name)
}
