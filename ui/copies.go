package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/report"
)

// What each screen has to copy: p a path, v the value or the row under the cursor, j the same as JSON, s start
// positions. What a screen does not have is not offered.

func (o *overview) copies() []copyable {
	v := copyOf(&o.s.verdict)
	all := oneLine("p", "path", o.s.Location)
	all = append(all, ready("v", "verdict", verdictText(o.s))...)
	if v.Known {
		all = append(all, asJSON("the whole verdict, as tidemark check --json prints it", func(w *bytes.Buffer) error { return report.JSON(w, v, report.Options{}) })...)
	}
	return append(all, o.s.starts(o.s.asOf)...)
}

// verdictText is the verdict in some lines, to be pasted into a chat.
func verdictText(s *session) string {
	if !s.verdict.Known {
		return ""
	}
	var b bytes.Buffer
	v := copyOf(&s.verdict)
	v.Location = s.Location
	_ = report.Text(&b, v, report.Options{Now: s.Now()}) // a Buffer takes everything
	return b.String()
}

func (t *timeline) copies() []copyable {
	if t.table.At >= t.len() {
		return nil
	}
	r := t.rows[t.table.Order.Row(t.table.At)]
	row := oneLine("v", "row", rowText(t, &t.table))
	if r.missing > 0 {
		return row
	}
	all := append(t.s.batchPath(r.id), row...)
	return append(append(all, t.s.batchJSON(r.id)...), t.s.starts(r.id)...)
}

// batchPath is the file that shows a batch.
func (s *session) batchPath(id int64) []copyable {
	name := fmt.Sprintf("offsets/%d", id)
	if s.cp.Offsets.Find(id) == nil {
		name = fmt.Sprintf("commits/%d", id)
	}
	return oneLine("p", "path", s.pathOf(name))
}

func (b *batchScreen) copies() []copyable {
	if b.s.cp == nil || !b.done || b.b[b.id] == nil {
		return nil
	}
	all := b.s.batchPath(b.id)
	if b.cursor.At < len(b.lines) {
		all = append(all, oneLine("v", "line", strings.TrimSpace(unstyled(b.lines[b.cursor.At].text)))...)
	}
	return append(append(all, b.s.batchJSON(b.id)...), b.s.starts(b.id)...)
}

func (f *findings) copies() []copyable {
	x, skipped := f.selected()
	switch {
	case skipped != nil:
		return oneLine("v", "row", rowText(f, &f.table))
	case x == nil:
		return nil
	}
	var all []copyable
	if x.Where.File != "" {
		all = oneLine("p", "path", f.s.pathOf(x.Where.File))
	}
	all = append(all, oneLine("v", "evidence", x.Evidence)...)
	found := *x
	return append(all, asJSON(found.Code, func(w *bytes.Buffer) error { return report.FindingJSON(w, &found) })...)
}

func (d *drift) copies() []copyable {
	x := d.selected()
	if x == nil {
		return nil
	}
	var all []copyable
	if x.Where.File != "" {
		all = oneLine("p", "path", d.s.pathOf(x.Where.File))
	}
	differs := *x
	all = append(all, oneLine("v", "difference", fmt.Sprintf("%s: declared %s, recorded %s", x.Field, x.Declared, x.Recorded))...)
	return append(all, asJSON(differs.Field, func(w *bytes.Buffer) error { return report.DriftJSON(w, &differs) })...)
}

func (p *plan) copies() []copyable {
	if !p.s.verdict.Done {
		return nil
	}
	var lines []string
	for _, l := range report.Plan(copyOf(&p.s.verdict)) {
		lines = append(lines, l.Text)
	}
	return append(ready("v", "plan", strings.Join(lines, "\n")), p.s.starts(-1)...)
}

func (q *question) copies() []copyable {
	answer, because := answerTo(q.s, questionNames[q.i].name)
	if answer == "" {
		return nil
	}
	return oneLine("v", "answer", fmt.Sprintf("%s %s: %s", questionNames[q.i].short, answer, because))
}

func (x *stateScreen) copies() []copyable {
	r := x.selected()
	if r == nil {
		return nil
	}
	return append(oneLine("p", "path", x.s.pathOf(x.place())), ready("v", "row", rowText(x, &x.table))...)
}

func (x *rowsScreen) copies() []copyable {
	all := oneLine("p", "path", x.s.pathOf(x.dir()))
	r := x.selected()
	if r == nil || r.err != nil {
		return all
	}
	all = append(all, oneLine("v", "row", strings.Join(safely(r.cells), "\t"))...)
	titles, cells := columnTitles(x.columns), slices.Clone(r.cells)
	return append(all, asJSON("the row, its columns as text", func(w *bytes.Buffer) error { return rowJSON(w, titles, cells) })...)
}

func safely(cells []string) []string {
	out := make([]string, len(cells))
	for i := range cells {
		out[i] = safe(cells[i])
	}
	return out
}

func columnTitles(columns []rowColumn) []string {
	titles := make([]string, len(columns))
	for i := range columns {
		titles[i] = columns[i].title
	}
	return titles
}

// rowJSON writes a row as one object, in the order of its columns.
func rowJSON(w *bytes.Buffer, titles, cells []string) error {
	w.WriteByte('{')
	for i := range min(len(titles), len(cells)) {
		if i > 0 {
			w.WriteByte(',')
		}
		for _, part := range []struct{ text, after string }{{titles[i], ":"}, {cells[i], ""}} {
			text, err := json.Marshal(part.text)
			if err != nil {
				return err
			}
			w.Write(text)
			w.WriteString(part.after)
		}
	}
	w.WriteByte('}')
	return nil
}

func (x *sourcesScreen) copies() []copyable {
	all := oneLine("v", "row", rowText(x, &x.table))
	return append(all, x.s.starts(x.s.asOf)...)
}

func (f *files) copies() []copyable {
	n := f.tree.Node(f.tree.At)
	if n == nil {
		return nil
	}
	return oneLine("p", "path", f.s.pathOf(n.Value.path))
}

func (b *bytesScreen) copies() []copyable {
	all := oneLine("p", "path", b.s.pathOf(b.name))
	if !b.done || b.err != nil {
		return all
	}
	all = append(all, oneLine("v", "value", b.value())...)
	if b.whole {
		all = append(all, ready("t", "text", string(b.data))...)
	}
	return all
}

// value is what is under the cursor: a decoded value, or a line of text.
func (b *bytesScreen) value() string {
	switch {
	case b.mode == decoded && b.table.At < len(b.lines):
		return b.lines[b.table.At].Value
	case b.mode == asText && b.cursor.At < len(b.rows):
		r := b.rows[b.cursor.At]
		return strings.TrimRight(string(b.data[r.from:r.to]), "\n")
	}
	return ""
}

func (x *explaining) copies() []copyable {
	if x.said == nil || x.taking {
		return nil
	}
	said := x.said
	var b bytes.Buffer
	_ = report.WriteExplanation(&b, said, report.Options{}) // a Buffer takes everything
	var all []copyable
	if len(said.Files) > 0 {
		all = oneLine("p", "path", x.s.pathOf(said.Files[0].Name))
	}
	all = append(all, ready("v", "explanation", b.String())...)
	return append(all, asJSON("the explanation, as tidemark explain --json prints it", func(w *bytes.Buffer) error { return report.ExplanationJSON(w, said) })...)
}

func (x *compareScreen) copies() []copyable {
	if !x.done || x.err != nil {
		return nil
	}
	return ready("v", "differences", unstyled(strings.Join(x.lines, "\n")))
}

func (x *replay) copies() []copyable {
	return append(oneLine("v", "row", rowText(x, &x.table)), x.s.starts(-1)...)
}

func (x *outputView) copies() []copyable {
	return oneLine("v", "row", rowText(x, &x.table))
}
