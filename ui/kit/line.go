package kit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
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

// Rest takes all that is left as one text: a location may have blanks, and begin with a slash.
func (w *Words) Rest() string {
	var parts []string
	for len(w.List) > 0 {
		parts = append(parts, w.Next())
	}
	return strings.TrimSpace(strings.Join(parts, " "))
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
	if plain && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !strconv.IsPrint(r) ||
			r == unicode.ReplacementChar
	}) {
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

// What stands after ":" to open a view again, screen by screen: what a person hands to a colleague, what
// history and bookmarks keep, and what --view takes. What command writes, set and command.go read.

type (
	// Viewer is a screen that can be opened again by a line.
	Viewer interface {
		// Command is the line after ":" that opens this view: the screen, what is selected, order and filter.
		Command() string
	}
	// Settable is a screen that takes settings from the line that opens it.
	Settable interface {
		// Set takes what stands after the name of the screen. It is called when the screen has loaded
		// what the listing tells; what it does not take stays in w and is an error.
		Set(w *Words) (tea.Cmd, error)
	}
	// Filterer is a screen with something to filter or to search.
	Filterer interface{ SetFilter(pattern string) }
)

func BatchNumber(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, fmt.Errorf("%q is no batch ID", text)
	}
	return id, nil
}

// TakeMoment takes "batch N" out of a line; -1 where it is not there.
func TakeMoment(w *Words) (int64, error) {
	i := slices.IndexFunc(w.List, func(x Word) bool { return x.Text == "batch" })
	if i < 0 {
		return -1, nil
	}
	if i+1 == len(w.List) {
		return -1, errors.New("batch: the batch ID is missing")
	}
	id, err := BatchNumber(w.List[i+1].Text)
	w.List = slices.Delete(w.List, i, i+2)
	return id, err
}

// SortWord is how an order is named on a line: by the first word of its name that tells it, and not at all where
// it is the usual one.
func SortWord(order int, name string) string {
	if order == 0 {
		return ""
	}
	first, rest, _ := strings.Cut(name, " ")
	if first == "by" {
		first = rest
	}
	return "sort " + first
}

// SortName is the word for an order after "sort".
func SortName(name string) string { return strings.TrimPrefix(SortWord(1, name), "sort ") }

// TakeSort takes "sort WORD".
func TakeSort(w *Words, order *int, known []string) error {
	if w.Peek() != "sort" {
		return nil
	}
	w.Next()
	word := w.Next()
	if i := slices.Index(known, word); i >= 0 {
		*order = i
		return nil
	}
	return fmt.Errorf("%q is no sort order; the orders are %s", word, strings.Join(known, ", "))
}

// ParsePlace reads a place as decode.Where writes it: "offsets/120:3@69".
func ParsePlace(text string) decode.Where {
	at := decode.Where{File: text}
	if file, offset, ok := cutLast(at.File, "@"); ok {
		if n, err := strconv.ParseInt(offset, 10, 64); err == nil && n >= 0 {
			at.File, at.Offset = file, n
		}
	}
	if file, line, ok := cutLast(at.File, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil && n > 0 {
			at.File, at.Line = file, n
		}
	}
	return at
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// ValidPlace reads a place in a file within the checkpoint.
func ValidPlace(text string) (decode.Where, error) {
	at := ParsePlace(text)
	if !fs.ValidPath(at.File) || at.File == "." {
		return at, fmt.Errorf("%q is no file of the checkpoint", at.File)
	}
	return at, nil
}
