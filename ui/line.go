package ui

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

// words are the words of a line that have not been looked at yet.
type words struct {
	list   []word
	filter string // what stands after the slash; "" for no filter
	anew   bool   // a screen of its own is wanted, not the one that is open
	with   any    // what the screen that asks hands over beside the line; nil for nothing
}

// word is one of them: what it says, and as it was typed.
type word struct{ text, raw string }

// parseWords cuts a line into words.
func parseWords(line string) *words {
	w := &words{}
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case line == "":
			return w
		case line[0] == '/':
			w.filter = line[1:]
			return w
		}
		next := cutWord(line)
		w.list = append(w.list, next)
		line = line[len(next.raw):]
	}
}

// cutWord is the first word of a line that begins with one.
func cutWord(line string) word {
	switch line[0] {
	case '"':
		if raw, err := strconv.QuotedPrefix(line); err == nil {
			if text, err := strconv.Unquote(raw); err == nil {
				return word{text, raw}
			}
		}
	case '{', '[':
		d := json.NewDecoder(strings.NewReader(line))
		var v json.RawMessage
		if d.Decode(&v) == nil {
			raw := line[:d.InputOffset()]
			return word{raw, raw}
		}
		return word{line, line} // what is wrong with it is told where it is used
	}
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	return word{line[:end], line[:end]}
}

// next takes the next word; "" where there is none.
func (w *words) next() string { return w.nextWord().text }

func (w *words) nextWord() word {
	if len(w.list) == 0 {
		return word{}
	}
	first := w.list[0]
	w.list = w.list[1:]
	return first
}

// peek is the next word, which stays.
func (w *words) peek() string {
	if len(w.list) == 0 {
		return ""
	}
	return w.list[0].text
}

// empty reports whether nothing is left, neither a word nor a filter.
func (w *words) empty() bool { return len(w.list) == 0 && w.filter == "" }

// quote is a text as one word of a line.
func quote(text string) string {
	plain := text != "" && text[0] != '/' && text[0] != '{' && text[0] != '[' && text[0] != '"'
	if plain && !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !strconv.IsPrint(r) || r == unicode.ReplacementChar }) {
		return text
	}
	return strconv.Quote(text)
}

// lineOf is a line of these parts, those that are empty left out, with the filter at its end.
func lineOf(filter string, parts ...string) string {
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
