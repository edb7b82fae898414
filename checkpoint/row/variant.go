package row

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"
)

// A variant in a row is
//
//	u32 length of the value | value | metadata
//
// The low 2 bits of the first byte of a value say what it is, the upper 6 bits more:
//
//	0  primitive     which one (the table below), then its bytes
//	1  short string  its length, then its bytes
//	2  object        bit 4: counts of 4 bytes, not 1; bits 2–3: width of ids − 1; bits 0–1: width of offsets − 1;
//	                 then count | ids | count+1 offsets | values
//	3  array         bit 2: counts of 4 bytes; bits 0–1: width of offsets − 1; then count | count+1 offsets | values
//
// Metadata are the names of fields: u8 (bits 0–3 version 1, bits 6–7 width − 1) | count | count+1 offsets |
// names. All integers are little-endian.
//
// Written by VariantBuilder; read by Variant.toJson.

const (
	variantDepth = 500      // how deep variants may nest
	variantLimit = 16 << 20 // how long the JSON of one may be
)

var errVariantCut = errors.New("a variant ends too early")

// appendVariant writes a variant as JSON; what is none, which Decode does not let through, as null.
func appendVariant(dst, b []byte) []byte {
	text, err := variantJSON(dst, b)
	if err != nil {
		return append(dst, "null"...)
	}
	return text
}

// variantJSON writes a variant as JSON, or says what is wrong with it; dst is not changed then.
func variantJSON(dst, b []byte) ([]byte, error) {
	if len(b) < 4 {
		return dst, errVariantCut
	}
	size, rest := uint64(binary.LittleEndian.Uint32(b)), b[4:]
	if size > uint64(len(rest)) {
		return dst, errVariantCut
	}
	names, err := variantNames(rest[size:])
	if err != nil {
		return dst, err
	}
	w := variantWriter{out: dst, limit: len(dst) + variantLimit, names: names, left: int(size)}
	if err := w.value(rest[:size], 0); err != nil {
		return dst, err
	}
	return w.out, nil
}

// spans are n pieces of data by their offsets.
type spans struct {
	offsets []byte // n+1 of width bytes
	width   int
	data    []byte
}

// number is a little-endian number of up to 4 bytes.
func number(b []byte) int {
	n := 0
	for i, c := range b {
		n |= int(c) << (8 * i)
	}
	return n
}

// cutSpans takes n+1 offsets off b; what follows them is the data.
func cutSpans(b []byte, n, width int) (spans, error) {
	if n < 0 || n >= len(b)/width {
		return spans{}, errVariantCut
	}
	return spans{b[:(n+1)*width], width, b[(n+1)*width:]}, nil
}

// from is the data from the beginning of piece i on; to its end if it is bounded by the next offset.
func (s spans) from(i int, bounded bool) ([]byte, error) {
	start, end := number(s.offsets[i*s.width:][:s.width]), len(s.data)
	if bounded {
		end = number(s.offsets[(i+1)*s.width:][:s.width])
	}
	if start < 0 || start > end || end > len(s.data) {
		return nil, errVariantCut
	}
	return s.data[start:end], nil
}

func variantNames(b []byte) (spans, error) {
	if len(b) == 0 {
		return spans{}, errVariantCut
	}
	if version := b[0] & 15; version != 1 {
		return spans{}, fmt.Errorf("a variant of version %d", version)
	}
	width := int(b[0]>>6) + 1
	if len(b) < 1+width {
		return spans{}, errVariantCut
	}
	return cutSpans(b[1+width:], number(b[1:1+width]), width)
}

type variantWriter struct {
	out   []byte
	limit int
	names spans
	left  int // values that may still come: each takes a byte at least
}

func (w *variantWriter) value(b []byte, depth int) error {
	if len(b) == 0 {
		return errVariantCut
	}
	if w.left--; w.left < 0 || depth > variantDepth || len(w.out) > w.limit {
		return errors.New("a variant that is too large")
	}
	header, rest := int(b[0]>>2), b[1:]
	switch b[0] & 3 {
	case 0:
		return w.primitive(header, rest)
	case 1:
		if header > len(rest) {
			return errVariantCut
		}
		w.out = appendQuoted(w.out, rest[:header])
		return nil
	case 2:
		return w.object(header, rest, depth)
	}
	return w.array(header, rest, depth)
}

// count takes the count of an object or array off b.
func count(large bool, b []byte) (int, []byte, error) {
	width := 1
	if large {
		width = 4
	}
	if len(b) < width {
		return 0, nil, errVariantCut
	}
	return number(b[:width]), b[width:], nil
}

func (w *variantWriter) object(header int, b []byte, depth int) error {
	n, b, err := count(header>>4&1 == 1, b)
	if err != nil {
		return err
	}
	width := header>>2&3 + 1
	if n < 0 || n > len(b)/width {
		return errVariantCut
	}
	ids := b[:n*width]
	values, err := cutSpans(b[n*width:], n, header&3+1)
	if err != nil {
		return err
	}
	w.out = append(w.out, '{')
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		id := number(ids[i*width:][:width])
		if id < 0 || id >= len(w.names.offsets)/w.names.width-1 {
			return fmt.Errorf("field name %d of %d in a variant", id, len(w.names.offsets)/w.names.width-1)
		}
		name, err := w.names.from(id, true)
		if err != nil {
			return err
		}
		w.out = append(appendQuoted(w.out, name), ':')
		value, err := values.from(i, false)
		if err != nil {
			return err
		}
		if err := w.value(value, depth+1); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *variantWriter) array(header int, b []byte, depth int) error {
	n, b, err := count(header>>2&1 == 1, b)
	if err != nil {
		return err
	}
	values, err := cutSpans(b, n, header&3+1)
	if err != nil {
		return err
	}
	w.out = append(w.out, '[')
	for i := range n {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		value, err := values.from(i, false)
		if err != nil {
			return err
		}
		if err := w.value(value, depth+1); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

// variantWidths is how many bytes each primitive takes after its first byte; those with a length of
// their own take 4 and that many.
var variantWidths = map[int]int{0: 0, 1: 0, 2: 0, 3: 1, 4: 2, 5: 4, 6: 8, 7: 8, 8: 5, 9: 9, 10: 17, 11: 4, 12: 8, 13: 8, 14: 4, 15: 4, 16: 4, 20: 16}

func (w *variantWriter) primitive(id int, b []byte) error {
	width, ok := variantWidths[id]
	switch {
	case !ok:
		return fmt.Errorf("a variant of unknown type %d", id)
	case len(b) < width:
		return errVariantCut
	}
	put := func(v Value) { w.out = v.AppendJSON(w.out) }
	switch id {
	case 0:
		w.out = append(w.out, "null"...)
	case 1, 2:
		put(Value{Type: &Type{Kind: Boolean}, Int: int64(2 - id)})
	case 3:
		put(Value{Type: &Type{Kind: Long}, Int: int64(int8(b[0]))})
	case 4:
		put(Value{Type: &Type{Kind: Long}, Int: int64(int16(binary.LittleEndian.Uint16(b)))})
	case 5:
		put(Value{Type: &Type{Kind: Long}, Int: int64(int32(binary.LittleEndian.Uint32(b)))})
	case 6:
		put(Value{Type: &Type{Kind: Long}, Int: int64(binary.LittleEndian.Uint64(b))})
	case 7:
		put(Value{Type: &Type{Kind: Double}, Int: int64(binary.LittleEndian.Uint64(b))})
	case 14:
		put(Value{Type: &Type{Kind: Float}, Int: int64(binary.LittleEndian.Uint32(b))})
	case 8, 9, 10:
		return w.decimal(b[:width])
	case 11:
		w.out = append(appendDate(append(w.out, '"'), time.Unix(int64(int32(binary.LittleEndian.Uint32(b)))*86400, 0).UTC()), '"')
	case 12:
		put(Value{Type: &Type{Kind: Timestamp}, Int: int64(binary.LittleEndian.Uint64(b))})
	case 13:
		put(Value{Type: &Type{Kind: TimestampNTZ}, Int: int64(binary.LittleEndian.Uint64(b))})
	case 15, 16:
		n := binary.LittleEndian.Uint32(b)
		if uint64(n) > uint64(len(b)-4) || n > math.MaxInt32 {
			return errVariantCut
		}
		if text := b[4 : 4+n]; id == 16 {
			w.out = appendQuoted(w.out, text)
		} else {
			w.out = append(base64.StdEncoding.AppendEncode(append(w.out, '"'), text), '"')
		}
	case 20:
		u := hex.EncodeToString(b[:16])
		w.out = appendQuoted(w.out, u[:8]+"-"+u[8:12]+"-"+u[12:16]+"-"+u[16:20]+"-"+u[20:])
	}
	return nil
}

// decimal is u8 scale and a little-endian integer. In JSON it is a number with all its digits.
func (w *variantWriter) decimal(b []byte) error {
	scale := int(b[0])
	if scale > 38 {
		return fmt.Errorf("a variant decimal of scale %d", scale)
	}
	digits := make([]byte, len(b)-1)
	for i, c := range b[1:] {
		digits[len(digits)-1-i] = c
	}
	w.out = appendDecimal(w.out, Value{Type: &Type{Kind: Decimal, Precision: 38, Scale: scale}, Bytes: digits})
	return nil
}
