package decode

import (
	"bytes"
	"regexp"
)

// Salvaged is one thing that still reads of a damaged text.
type Salvaged struct {
	Name  string // as the text names it: "id", "batchWatermarkMs"; "source 0" for the line of a source
	Value string // as written, without quotes; no longer than SalvageLength
	Cut   bool   // this is the beginning of a longer value, or may be
	Where Where  // where Value begins
}

// The bounds of what is salvaged of one text: how many values, and how many bytes of each.
const (
	SalvageCount  = 60
	SalvageLength = 400
)

// pairForm is a name and the beginning of its value, if that is a text, a number or a word: the text up to what cannot stand in one.
// Escapes are left as they are.
var pairForm = regexp.MustCompile(`"([\w. -]{1,200})"\s*:\s*(?:"((?:[^"\\\x00-\x1f\x{FFFD}]|\\.)*)("?)|(-?\d[\d.eE+-]*|true|false|null))`)

// SalvagePairs are the names and values that still read of a JSON text, in the order of the text, wherever it is cut or spoilt. Objects
// and lists are passed through: of {"conf":{"a":"b"}} it is a. at is the place of text.
func SalvagePairs(text []byte, at Where) []Salvaged {
	var all []Salvaged
	for _, m := range pairForm.FindAllSubmatchIndex(text, SalvageCount) {
		s := Salvaged{Name: string(text[m[2]:m[3]])}
		from, to := m[4], m[5]
		if from >= 0 {
			s.Cut = m[6] == m[7] // no quote ends it
		} else {
			from, to = m[8], m[9]
			s.Cut = to == len(text) // another digit may have followed
		}
		if s.Value, s.Where = string(text[from:to]), at.In(from); s.Cut && s.Value == "" {
			continue
		}
		all = append(all, s.short())
	}
	return all
}

// uuidPart is part of a UUID, with at least one hyphen.
var uuidPart = regexp.MustCompile(`[0-9a-fA-F]{1,12}(?:-[0-9a-fA-F]{1,12}){1,4}`)

// SalvageUUID is the longest part of a UUID that is in a text; ok is false for none of at least 6 characters.
func SalvageUUID(text []byte, at Where) (s Salvaged, ok bool) {
	var best []int
	for _, m := range uuidPart.FindAllIndex(text, SalvageCount) {
		if best == nil || m[1]-m[0] > best[1]-best[0] {
			best = m
		}
	}
	if best == nil || best[1]-best[0] < 6 {
		return s, false
	}
	value := string(text[best[0]:best[1]])
	return Salvaged{Name: "id", Value: value, Cut: len(value) < len("1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"), Where: at.In(best[0])}, true
}

// SalvageLine is a line as it stands, up to a byte that can stand in no text; ok is false where nothing is left.
func SalvageLine(name string, text []byte, at Where) (s Salvaged, ok bool) {
	end := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '\uFFFD' })
	if end < 0 {
		end = len(text)
	}
	s = Salvaged{Name: name, Value: string(text[:end]), Cut: end < len(text), Where: at}
	if !s.Cut && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		_, err := ParseFields(text)
		s.Cut = err != nil
	}
	return s.short(), end > 0
}

// short bounds a value.
func (s Salvaged) short() Salvaged {
	if len(s.Value) > SalvageLength {
		s.Value, s.Cut = string(bytes.ToValidUTF8([]byte(s.Value[:SalvageLength]), nil)), true
	}
	return s
}
