package kit

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
)

// What stands after ":" to open a view again, screen by screen: what a person hands to a colleague, what
// history and bookmarks keep, and what --view takes. What command writes, set and command.go read.

type (
	// Viewer is a screen that can be opened again by a line.
	Viewer interface {
		// command is the line after ":" that opens this view: the screen, what is selected, order and filter.
		Command() string
	}
	// Settable is a screen that takes settings from the line that opens it.
	Settable interface {
		// set takes what stands after the name of the screen. It is called when the screen has loaded
		// what the listing tells; what it does not take stays in w and is an error.
		Set(w *Words) (tea.Cmd, error)
	}
	// Filterer is a screen with something to filter or to search.
	Filterer interface{ SetFilter(pattern string) }
)

func BatchNumber(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, fmt.Errorf("%q is no number of a batch", text)
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
		return -1, errors.New("batch: its number is missing")
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
	return fmt.Errorf("%q is no order: there are %s", word, strings.Join(known, ", "))
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
		return at, fmt.Errorf("%q is no file within the checkpoint", at.File)
	}
	return at, nil
}
