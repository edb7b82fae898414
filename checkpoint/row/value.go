package row

import "math"

// Value is one value with its type. Which field holds it depends on the kind of type.
type Value struct {
	Type *Type
	Null bool // nothing else is set
	// integers, 0 or 1 of a boolean, dates, times, intervals of one part, decimals to 18 digits; the IEEE bits of a float or double
	Int   int64
	Bytes []byte  // strings, binaries, variants, intervals, and longer decimals (big-endian two's complement)
	Items []Value // fields of a struct, elements of an array; of a map key, value, key, value, …
}

// Float is a float or a double as a number.
func (v Value) Float() float64 {
	if v.Type.Kind == Float {
		return float64(math.Float32frombits(uint32(v.Int)))
	}
	return math.Float64frombits(uint64(v.Int))
}

// Field is the first field of a struct with that name; false where there is none, and in what is no struct.
func (v Value) Field(name string) (Value, bool) {
	if v.Type != nil && v.Type.Kind == Struct {
		for i := range v.Items {
			if v.Type.Fields[i].Name == name {
				return v.Items[i], true
			}
		}
	}
	return Value{}, false
}
