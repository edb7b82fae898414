package kit

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

// The line after ":" in its parts. A word in double quotes may hold anything, a JSON object is one word,
// and a word that begins with a slash is the filter of the screen and goes on to the end of the line:
//
//	state 0/3 sort worst /missing
//	key 1 {"shop_id": 7}
//	file "an odd name"

// Words are the words of a line that have not been looked at yet.
type Words struct {
	List   []Word
	Filter string // what stands after the slash; "" for no filter
	Fresh  bool   // a screen of its own is wanted, not the one that is open
	With   any    // what the screen that asks hands over beside the line; nil for nothing
}

// Word is one of them: what it says, and as it was typed.
type Word struct{ Text, Raw string }

// ParseWords cuts a line into words.
func ParseWords(line string) *Words {
	w := &Words{}
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case line == "":
			return w
		case line[0] == '/':
			w.Filter = line[1:]
			return w
		}
		next := cutWord(line)
		w.List = append(w.List, next)
		line = line[len(next.Raw):]
	}
}

// cutWord is the first word of a line that begins with one.
func cutWord(line string) Word {
	switch line[0] {
	case '"':
		if raw, err := strconv.QuotedPrefix(line); err == nil {
			if text, err := strconv.Unquote(raw); err == nil {
				return Word{text, raw}
			}
		}
	case '{', '[':
		d := json.NewDecoder(strings.NewReader(line))
		var v json.RawMessage
		if d.Decode(&v) == nil {
			raw := line[:d.InputOffset()]
			return Word{raw, raw}
		}
		return Word{line, line} // what is wrong with it is told where it is used
	}
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	return Word{line[:end], line[:end]}
}

// Next takes the next word; "" where there is none.
func (w *Words) Next() string { return w.NextWord().Text }

func (w *Words) NextWord() Word {
	if len(w.List) == 0 {
		return Word{}
	}
	first := w.List[0]
	w.List = w.List[1:]
	return first
}

// Peek is the next word, which stays.
func (w *Words) Peek() string {
	if len(w.List) == 0 {
		return ""
	}
	return w.List[0].Text
}

// Empty reports whether nothing is left, neither a word nor a filter.
func (w *Words) Empty() bool { return len(w.List) == 0 && w.Filter == "" }

// Quote is a text as one word of a line.
func Quote(text string) string {
	plain := text != "" && text[0] != '/' && text[0] != '{' && text[0] != '[' && text[0] != '"'
	if plain && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !strconv.IsPrint(r) || r == unicode.ReplacementChar }) {
		return text
	}
	return strconv.Quote(text)
}

// LineOf is a line of these parts, those that are empty left out, with the filter at its end.
func LineOf(filter string, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	if filter != "" {
		b.WriteString(" /" + filter)
	}
	return b.String()
}
