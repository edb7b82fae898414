package row

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
)

// ParseValue reads a value that a person typed as JSON, in the form that AppendJSON writes: a struct is
// an object with every field named, and a struct of one field may be that field's value alone. Floats
// are taken as Spark has them in keys, with one NaN and no -0.0. Errors name the field and what was
// expected.
func ParseValue(t *Type, text []byte) (Value, error) {
	v, err := decode.ParseJSON(text)
	if err != nil {
		return Value{Type: t}, err
	}
	if t.Kind == Struct && len(t.Fields) == 1 && v.Kind != decode.Object {
		item, err := parse(t.Fields[0].Type, v)
		if err != nil {
			return Value{Type: t}, fmt.Errorf("%q: %w", t.Fields[0].Label, err)
		}
		return Value{Type: t, Items: []Value{item}}, nil
	}
	return parse(t, v)
}

// parse reads one value of the type t.
func parse(t *Type, j decode.JSON) (Value, error) {
	v := Value{Type: t}
	if j.Kind == decode.Null {
		v.Null = true
		return v, nil
	}
	var err error
	switch t.Kind {
	case Struct:
		return parseStruct(t, j)
	case Array:
		if j.Kind != decode.Array {
			return v, wrong(t, j)
		}
		for _, item := range j.Items {
			one, err := parse(t.Fields[0].Type, item)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, one)
		}
		return v, nil
	case Boolean:
		if j.Kind != decode.Bool {
			return v, wrong(t, j)
		}
		if j.Text == "true" {
			v.Int = 1
		}
		return v, nil
	case Byte, Short, Integer, Long:
		n, ok := j.Int()
		if limit := 64 - 8*t.width(); !ok || n<<limit>>limit != n {
			return v, wrong(t, j)
		}
		v.Int = n
		return v, nil
	case Float, Double:
		return parseFloat(v, j)
	case Decimal:
		if j.Kind != decode.Number && j.Kind != decode.String {
			return v, wrong(t, j)
		}
		return parseDecimal(v, j)
	}
	if j.Kind != decode.String {
		return v, wrong(t, j)
	}
	switch t.Kind {
	case String:
		v.Bytes = []byte(j.Text)
	case Binary:
		v.Bytes, err = base64.StdEncoding.DecodeString(j.Text)
	case Date:
		var day time.Time
		day, err = time.Parse(time.DateOnly, j.Text)
		v.Int = day.Unix() / 86400
	case Timestamp:
		v.Int, err = parseTime(j.Text, "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05",
			"2006-01-02 15:04:05")
	case TimestampNTZ:
		v.Int, err = parseTime(j.Text, "2006-01-02T15:04:05", "2006-01-02 15:04:05")
	case Time:
		var clock time.Time
		clock, err = time.Parse(time.TimeOnly, j.Text)
		v.Int = int64(clock.Sub(clock.Truncate(24 * time.Hour)))
	default:
		return v, fmt.Errorf("a value of type %s cannot be entered", t.DDL())
	}
	if err != nil {
		return v, wrong(t, j)
	}
	return v, nil
}

// wrong says that a typed value is not one of the type.
func wrong(t *Type, j decode.JSON) error {
	switch j.Kind {
	case decode.Array:
		return fmt.Errorf("a list is not a value of type %s", t.DDL())
	case decode.Object:
		return fmt.Errorf("an object is not a value of type %s", t.DDL())
	}
	return fmt.Errorf("%.60q is not a value of type %s", j.Text, t.DDL())
}

func parseStruct(t *Type, j decode.JSON) (Value, error) {
	v := Value{Type: t}
	if j.Kind != decode.Object {
		return v, wrong(t, j)
	}
	for _, f := range t.Fields {
		item, ok := j.Get(f.Label)
		if !ok {
			return v, fmt.Errorf("%q is missing (%s)", f.Label, f.Type.DDL())
		}
		one, err := parse(f.Type, item)
		if err != nil {
			return v, fmt.Errorf("%q: %w", f.Label, err)
		}
		v.Items = append(v.Items, one)
	}
	for _, given := range j.Fields {
		if !t.labeled(given.Name) {
			return v, fmt.Errorf("%q is not one of %s", given.Name, t.labels())
		}
	}
	return v, nil
}

func (t *Type) labeled(name string) bool {
	for _, f := range t.Fields {
		if f.Label == name {
			return true
		}
	}
	return false
}

// labels are the fields of a struct as a person types them.
func (t *Type) labels() string {
	var all []string
	for _, f := range t.Fields {
		all = append(all, strconv.Quote(f.Label))
	}
	return strings.Join(all, ", ")
}

func parseFloat(v Value, j decode.JSON) (Value, error) {
	bits := 64
	if v.Type.Kind == Float {
		bits = 32
	}
	f, err := strconv.ParseFloat(j.Text, bits)
	word := j.Text == "NaN" || j.Text == "Infinity" || j.Text == "-Infinity"
	if err != nil || (j.Kind != decode.Number && !(j.Kind == decode.String && word)) {
		return v, wrong(v.Type, j)
	}
	v.Int = int64(math.Float64bits(f))
	if v.Type.Kind == Float {
		v.Int = int64(int32(math.Float32bits(float32(f))))
	}
	return canonical(v), nil
}

// parseTime reads microseconds since the epoch; a time without a zone is UTC.
func parseTime(text string, layouts ...string) (int64, error) {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			if at.Nanosecond()%1000 != 0 {
				return 0, errors.New("finer than microseconds")
			}
			return at.UnixMicro(), nil
		}
	}
	return 0, errors.New("not a time")
}

// parseDecimal reads a plain number, "-4.00", whose digits the type can hold exactly.
func parseDecimal(v Value, j decode.JSON) (Value, error) {
	t := v.Type
	whole, fraction, _ := strings.Cut(j.Text, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > max(t.Scale, 0) || len(whole) > 64 {
		return v, wrong(t, j)
	}
	digits := whole + fraction + strings.Repeat("0", max(t.Scale, 0)-len(fraction))
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || strings.ContainsAny(digits, "+_") {
		return v, wrong(t, j)
	}
	if t.Scale < 0 {
		rest := new(big.Int)
		if n.QuoRem(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-t.Scale)), nil), rest); rest.Sign() != 0 {
			return v, wrong(t, j)
		}
	}
	if len(new(big.Int).Abs(n).String()) > t.Precision {
		return v, wrong(t, j)
	}
	if t.Precision <= wideDigits {
		v.Int = n.Int64()
		return v, nil
	}
	v.Bytes = twosComplement(n)
	return v, nil
}

// twosComplement is the shortest big-endian two's complement of a number, as BigInteger.toByteArray
// gives it.
func twosComplement(n *big.Int) []byte {
	if n.Sign() >= 0 {
		return n.FillBytes(make([]byte, n.BitLen()/8+1))
	}
	size := new(big.Int).Not(n).BitLen()/8 + 1
	return new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).FillBytes(make([]byte, size))
}
