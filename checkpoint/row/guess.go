package row

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"tidemark/checkpoint/decode"
)

// Guess is what can be told of the columns of UnsafeRows where no schema is recorded: how many there seem
// to be, and which are of variable length. An UnsafeRow stores neither, but values of variable length fill
// the bytes behind the slots without a gap, in the order of their columns, so that few numbers of columns
// fit a row:
//
//	00 00 00 00 00 00 00 00   null bits
//	04 00 00 00 10 00 00 00   4 bytes at 16: as one column it ends where the row does
//	6b 65 79 30 00 00 00 00   "key0" and padding
//
// What the 8 bytes of any other column mean, nothing tells: an integer, a fraction, a time, a boolean.
type Guess struct {
	Columns int

	seen  []seen // by column
	whole bool   // no number of columns fits: the bytes of a row stand for it
}

// seen is what some row has in a column that is not null there.
type seen struct{ word, variable bool }

// loose reports whether a column is of variable length, or always null.
func (s seen) loose() bool { return s.variable || !s.word }

// The types of guessed columns. They have no name of SQL: none is known.
var (
	wordType  = &Type{Kind: Long, Name: "8 bytes"}
	bytesType = &Type{Kind: String, Name: "bytes"}
)

// guessedColumns is how many columns are told apart; rows of more are shown whole.
const guessedColumns = 4096

// GuessColumns looks at some rows of one store. The number that fits the most rows wins, and of those the
// least.
func GuessColumns(rows [][]byte) Guess {
	fits := map[int]int{}
	for _, row := range rows {
		for _, n := range possible(row) {
			if _, ok := slotsOf(row, n); ok {
				fits[n]++
			}
		}
	}
	switch {
	case len(rows) == 0:
		return Guess{}
	case len(fits) == 0:
		return WholeBytes()
	}
	best := slices.MaxFunc(slices.Collect(maps.Keys(fits)), func(a,
		b int) int {
		return cmp.Or(cmp.Compare(fits[a], fits[b]), cmp.Compare(b, a))
	})
	g := Guess{Columns: best, seen: make([]seen, best)}
	for _, row := range rows {
		slots, ok := slotsOf(row, best)
		for i, s := range slots {
			if ok && !s.null {
				g.seen[i].word, g.seen[i].variable = g.seen[i].word || !s.variable, g.seen[i].variable || s.variable
			}
		}
	}
	return g
}

// Alike is the guess with what another one saw in the same columns: the first ones of both, which hold the same values of
// the query.
func (g Guess) Alike(other Guess) Guess {
	g.seen = slices.Clone(g.seen)
	for i := range min(len(g.seen), len(other.seen)) {
		g.seen[i].word, g.seen[i].variable = g.seen[i].word || other.seen[i].word, g.seen[i].variable || other.seen[i].variable
	}
	return g
}

// WholeBytes is the guess of rows that are shown as one column, which is all their bytes.
func WholeBytes() Guess { return Guess{Columns: 1, whole: true} }

// Whole reports whether no columns can be told.
func (g Guess) Whole() bool { return g.whole }

// AlwaysNull reports whether the rows have one column, which is null in all of them: dropDuplicates keeps
// such values.
func (g Guess) AlwaysNull() bool { return g.Columns == 1 && !g.whole && g.seen[0] == seen{} }

// IsWord reports whether some row has 8 bytes in a column, and none a value of variable length.
func (g Guess) IsWord(column int) bool {
	return column < len(g.seen) && g.seen[column] == seen{word: true}
}

// Type is a struct of the columns, "column1" and so on. Columns of variable length and those that are
// always null have the kind String, the others Long.
func (g Guess) Type() *Type {
	fields := make([]Field, g.Columns)
	for i := range fields {
		fields[i] = Field{Name: "column" + strconv.Itoa(i+1), Type: wordType, Nullable: true}
		if g.whole || g.seen[i].loose() {
			fields[i].Type = bytesType
		}
	}
	return StructOf(fields...)
}

// Decode reads a row of the struct t, which is that of Type but for the names of its fields: 8 bytes as a
// number, bytes as text where they are UTF-8 that prints, and else in hexadecimal with their number.
func (g Guess) Decode(t *Type, data []byte) (Value, error) {
	v := Value{Type: t}
	if g.whole {
		v.Items = []Value{{Type: bytesType, Bytes: hexText(data)}}
		return v, nil
	}
	slots, ok := slotsOf(data, g.Columns)
	if !ok {
		return v, flaw(0, decode.Malformed, "%d bytes do not match the %d columns other rows seem to have", len(data), g.Columns)
	}
	v.Items = make([]Value, g.Columns)
	for i, s := range slots {
		item := &v.Items[i]
		switch item.Type = t.Fields[i].Type; {
		case s.null:
			item.Null = true
		case s.variable && g.seen[i].loose():
			item.Bytes = readable(data[s.at : s.at+s.size])
		case s.variable:
			v.Items = v.Items[:i]
			return v, flaw(s.at, decode.Malformed, "column %d has variable length, and in other rows it seems fixed", i+1)
		case g.seen[i].loose():
			item.Bytes = strconv.AppendInt(nil, int64(binary.LittleEndian.Uint64(data[s.at:])), 10)
		default:
			item.Int = int64(binary.LittleEndian.Uint64(data[s.at:]))
		}
	}
	return v, nil
}

// columnsIn is how many columns have null bits and slots of exactly so many bytes; -1 where no number has.
func columnsIn(size int) int {
	words := size / 8
	n := words - (words+64)/65
	if size%8 != 0 || bitset(n)+8*n != size {
		return -1
	}
	return n
}

// possible are the numbers of columns that a row may have, ascending: the one that fills it, and those behind
// whose slots the first value of variable length begins.
func possible(row []byte) []int {
	size := len(row) &^ 7
	var all []int
	add := func(n int) {
		if n >= 0 && n <= guessedColumns && !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	add(columnsIn(size))
	for at := 8; at < min(size, 9*guessedColumns); at += 8 {
		if offset := binary.LittleEndian.Uint64(row[at:]) >> 32; offset > uint64(at) && offset <= uint64(size) {
			add(columnsIn(int(offset)))
		}
	}
	slices.Sort(all)
	return all
}

// slot is what stands in one slot of a row.
type slot struct {
	null     bool
	variable bool
	at, size int // of a value of variable length where it stands; else the slot
}

// slotsOf reads a row as one of n columns; ok is false where it can be none: where values do not lie one behind
// the other from the slots to the end, or padding is not zero. Decimals of more than 18 digits and
// intervals take 16 bytes however short they are, nulls of them too.
func slotsOf(row []byte, n int) (slots []slot, ok bool) {
	size := len(row) &^ 7
	bits := bitset(n)
	next := bits + 8*n
	if next > size {
		return nil, false
	}
	for bit := n; bit < 8*bits; bit++ {
		if row[bit/8]>>(bit%8)&1 == 1 {
			return nil, false
		}
	}
	slots = make([]slot, n)
	slack := false // the value before may take 8 bytes more
	for i := range slots {
		at := bits + 8*i
		word := binary.LittleEndian.Uint64(row[at:])
		length, offset := int(uint32(word)), int(word>>32)
		here := (offset == next || slack && offset == next+8) && offset <= size && length <= size-offset
		switch null := row[i/8]>>(i%8)&1 == 1; {
		case null && word == 0:
			slots[i].null = true
		case null:
			if !here || length != 0 && length != 16 || offset+16 > size {
				return nil, false
			}
			slots[i].null = true
			next, slack = offset+16, false
		case here:
			padded := (length + 7) &^ 7
			if !zero(row[offset+length : min(offset+padded, size)]) {
				return nil, false
			}
			slots[i] = slot{variable: true, at: offset, size: length}
			next, slack = offset+padded, padded == 8
		default:
			slots[i].at = at
		}
	}
	return slots, next == size || slack && next+8 == size && zero(row[next:size])
}

func zero(data []byte) bool { return !slices.ContainsFunc(data, func(b byte) bool { return b != 0 }) }

// readable is data as text where it is UTF-8 that prints, else in hexadecimal.
func readable(data []byte) []byte {
	for rest := data; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			return hexText(data)
		}
		rest = rest[n:]
	}
	return data
}

// hexShown is how many bytes are written in hexadecimal.
const hexShown = 4096

// hexText is "0x0102 (2 bytes)".
func hexText(data []byte) []byte {
	more := ""
	if len(data) > hexShown {
		more = "…"
	}
	return fmt.Appendf(nil, "0x%x%s (%d bytes)", data[:min(len(data), hexShown)], more, len(data))
}
