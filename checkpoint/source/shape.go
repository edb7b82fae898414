package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// has reports whether v is an object with all these fields.
func has(v decode.JSON, names ...string) bool {
	if v.Kind != decode.Object {
		return false
	}
	for _, name := range names {
		if _, ok := v.Get(name); !ok {
			return false
		}
	}
	return true
}

// only reports whether v is an object with these fields and no others.
func only(v decode.JSON, names ...string) bool {
	if !has(v, names...) {
		return false
	}
	for _, f := range v.Fields {
		if !slices.Contains(names, f.Name) {
			return false
		}
	}
	return true
}

// reader reads the fields of a line and keeps the first of them that may not stand there.
type reader struct {
	line decode.JSON
	bad  *decode.Error
}

// reject notes that v may not stand where it does.
func (r *reader) reject(v decode.JSON, format string, args ...any) {
	if r.bad == nil {
		r.bad = &decode.Error{Where: decode.Where{Offset: int64(v.At)}, Flaw: decode.Value, Err: fmt.Errorf(format, args...)}
	}
}

// err returns the noted error, nil for none.
func (r *reader) err() error {
	if r.bad == nil {
		return nil
	}
	return r.bad
}

// field returns a field of the line; one that is not there is noted at the start of the line.
func (r *reader) field(name string) decode.JSON {
	v, ok := r.line.Get(name)
	if !ok {
		r.reject(r.line, "%s is missing", name)
	}
	return v
}

// int returns a field of the line that is a 64-bit integer of at least least.
func (r *reader) int(name string, least int64) (n int64, v decode.JSON) {
	v = r.field(name)
	return r.number(v, name, least), v
}

// number returns v as a 64-bit integer of at least least.
func (r *reader) number(v decode.JSON, what string, least int64) int64 {
	n, ok := v.Int()
	switch {
	case !ok:
		r.reject(v, "%s: %s is not a 64-bit integer", what, shown(v))
	case n < least:
		r.reject(v, "%s: %s is below %d", what, v.Text, least)
	}
	return n
}

// bool wants a field of the line to be true or false.
func (r *reader) bool(name string) {
	v := r.field(name)
	if v.Kind != decode.Bool {
		r.reject(v, "%s: %s is neither true nor false", name, shown(v))
	}
}

// shown returns a value as it may stand in an error: short, strings quoted.
func shown(v decode.JSON) string {
	switch v.Kind {
	case decode.Null:
		return "null"
	case decode.Bool, decode.Number:
		return fmt.Sprintf("%.40s", v.Text)
	case decode.String:
		return fmt.Sprintf("%.40q", v.Text)
	case decode.Array:
		return "an array"
	}
	return "an object"
}

// truth returns a field that is true.
func truth(v decode.JSON, name string) bool {
	f, _ := v.Get(name)
	return f.Kind == decode.Bool && f.Text == "true"
}

// integer returns a field as a number; 0 where it is none.
func integer(v decode.JSON, name string) int64 {
	f, _ := v.Get(name)
	n, _ := f.Int()
	return n
}

// text returns a field that is a string; "" where it is none.
func text(v decode.JSON, name string) string {
	f, _ := v.Get(name)
	if f.Kind != decode.String {
		return ""
	}
	return f.Text
}

// names returns the names of an object's fields, sorted, each once, joined.
func names(fields []decode.Field) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// position returns the part whose position is the number v; ok is false where v is no 64-bit integer.
func position(name string, v decode.JSON) (p Part, ok bool) {
	n, ok := v.Int()
	return Part{Name: name, Position: Position{Text: v.Text, Order: Number, Num: n}, At: v.At}, ok
}

// whole returns the single part of a source whose position is the number v; nil where v is none.
func whole(v decode.JSON) []Part {
	p, ok := position("", v)
	if !ok {
		return nil
	}
	return []Part{p}
}

// composite returns the single part of a source whose position is two numbers; nil where they are not.
func composite(order Order, lead, follow decode.JSON) []Part {
	num, ok := lead.Int()
	sub, ok2 := follow.Int()
	if !ok || !ok2 {
		return nil
	}
	return []Part{{Position: Position{Text: lead.Text + ":" + follow.Text, Order: order, Num: num, Sub: sub}, At: lead.At}}
}

// sameNum counts by Sub where Num is the same: files of one version, splits of one snapshot.
func sameNum(from, to Position) (n int64, ok bool) {
	return to.Sub - from.Sub, from.Num == to.Num && from.Order == to.Order
}

// isPartition reports whether a field is named as a partition is: with a decimal of 31 bits.
func isPartition(name string) bool {
	if len(name) == 0 || len(name) > 10 {
		return false
	}
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	if len(name) < 10 {
		return true
	}
	_, err := strconv.ParseUint(name, 10, 31)
	return err == nil
}

// repeated returns the first field whose name an earlier one has, nil for none. Spark's parser keeps the
// last of them.
func repeated(fields []decode.Field) *decode.Field {
	if ordered(fields) {
		return nil
	}
	seen := make(map[string]struct{}, len(fields))
	for i := range fields {
		if seen[fields[i].Name] = struct{}{}; len(seen) == i {
			return &fields[i]
		}
	}
	return nil
}

// ordered reports whether the names rise or fall throughout, as partitions often do: then none
// repeats, and no set of them is needed to know it.
func ordered(fields []decode.Field) bool {
	rising, falling := true, true
	for i := 1; i < len(fields); i++ {
		a, b := fields[i-1].Name, fields[i].Name
		c := cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		rising, falling = rising && c < 0, falling && c > 0
	}
	return rising || falling
}

// render returns v as compact JSON; numbers stay as they were written.
func render(v decode.JSON) string { return string(appendJSON(nil, v)) }

func appendJSON(b []byte, v decode.JSON) []byte {
	switch v.Kind {
	case decode.Null:
		return append(b, "null"...)
	case decode.Bool, decode.Number:
		return append(b, v.Text...)
	case decode.String:
		return append(b, quoted(v.Text)...)
	case decode.Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, f := range v.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quoted(f.Name)...), ':')
		b = appendJSON(b, f.Value)
	}
	return append(b, '}')
}

// quoted returns s as a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}
