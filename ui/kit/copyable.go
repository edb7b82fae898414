package kit

import (
	"bytes"
	"context"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Copier is a screen with something to copy.
type Copier interface{ Copies() []Copyable }

// Copyable is one thing that can be copied.
type Copyable struct {
	Key, Label string // the letter in the menu, and what it is
	Detail     string // which one, or how it begins; printable
	// Text is what is copied, and what a person should know of it; it may read. Its control characters are
	// escaped before anything is done with it.
	Text func(ctx context.Context) (text string, notes []string, err error)
}

// Ready is a thing to copy that is known already; it is none where the text is empty.
func Ready(key, label, text string) []Copyable {
	if text == "" {
		return nil
	}
	return []Copyable{{Key: key, Label: label, Detail: phrase.Cut(Prose(text), 300),
		Text: func(context.Context) (string, []string, error) { return text, nil, nil }}}
}

// OneLine is ready for what is one line: a name with a line feed in it would end the line where it is pasted, and a shell
// would run it.
func OneLine(key, label, text string) []Copyable {
	cells := strings.Split(text, "\t") // of a row
	for i := range cells {
		cells[i] = phrase.Printable(cells[i])
	}
	return Ready(key, label, strings.Join(cells, "\t"))
}

// RowText is the selected row of a table as it is shown, its cells between tabs.
func RowText(rows widget.Rows, t *widget.Table) string {
	if t.At >= t.Order.Len(rows.Len()) {
		return ""
	}
	r := widget.Row{Cells: make([]widget.Cell, len(t.Columns)), To: len(t.Columns)}
	rows.Row(t.Order.Row(t.At), &r)
	if r.Note != "" {
		return Unstyled(r.Note)
	}
	cells := make([]string, len(r.Cells))
	for i := range r.Cells {
		cells[i] = strings.TrimSpace(Unstyled(r.Cells[i].Text))
	}
	return strings.Join(cells, "\t")
}

// AsJSON is something that is written as JSON.
func AsJSON(detail string, write func(w *bytes.Buffer) error) []Copyable {
	return []Copyable{{Key: "j", Label: "JSON", Detail: detail, Text: func(context.Context) (string, []string, error) {
		var b bytes.Buffer
		err := write(&b)
		return b.String(), nil, err
	}}}
}
