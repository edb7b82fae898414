package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
)

// What stands after ":" to open a view again, screen by screen: what a person hands to a colleague, what
// history and bookmarks keep, and what --view takes. What command writes, set and command.go read.

type (
	// viewer is a screen that can be opened again by a line.
	viewer interface {
		// command is the line after ":" that opens this view: the screen, what is selected, order and filter.
		command() string
	}
	// settable is a screen that takes settings from the line that opens it.
	settable interface {
		// set takes what stands after the name of the screen. It is called when the screen has loaded
		// what the listing tells; what it does not take stays in w and is an error.
		set(w *words) (tea.Cmd, error)
	}
	// sifter is a screen with something to filter or to search.
	sifter interface{ sift(pattern string) }
)

func (o *overview) command() string {
	if o.s.asOf >= 0 {
		return fmt.Sprintf("overview %d", o.s.asOf)
	}
	return "overview"
}

// set goes to the moment of a batch.
func (o *overview) set(w *words) (tea.Cmd, error) {
	id, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	if len(o.rows) == 0 || id < o.rows[len(o.rows)-1].id || id > o.rows[0].id {
		return nil, fmt.Errorf("batch %d is not among the batches that have files", id)
	}
	o.s.asOf = id
	o.point()
	return o.readOn(), nil
}

func (x *help) command() string { return lineOf(x.filter.Typed(), "help") }

func (p *plan) command() string { return lineOf(p.filter.Typed(), "plan") }

func (q *question) command() string {
	return lineOf(q.filter.Typed(), fmt.Sprintf("question %d", q.i+1))
}

func (b *batchScreen) command() string { return fmt.Sprintf("batch %d", b.id) }

func (x *compareScreen) command() string {
	return lineOf(x.filter.Typed(), fmt.Sprintf("compare %d %d", x.a, x.b))
}

// ---- batches

func (t *timeline) command() string {
	id := ""
	if (t.table.At > 0 || t.s.asOf >= 0) && t.table.At < t.len() {
		id = strconv.FormatInt(t.rows[t.table.Order.Row(t.table.At)].id, 10)
	}
	return lineOf(t.filter.Typed(), "batches", id)
}

func (t *timeline) set(w *words) (tea.Cmd, error) {
	id, err := batchNumber(w.next())
	if err != nil {
		return nil, err
	}
	for i := range t.len() {
		if r := t.rows[t.table.Order.Row(i)]; id >= r.id && id < r.id+max(r.missing, 1) {
			t.table.Go(i, t.len())
			t.point()
			return t.readOn(), nil
		}
	}
	return nil, fmt.Errorf("batch %d is not among the batches shown", id)
}

func (t *timeline) sift(pattern string) {
	t.filter.Set(pattern)
	t.arrange()
}

func batchNumber(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, fmt.Errorf("%q is no number of a batch", text)
	}
	return id, nil
}

// moment is the batch that is looked at, as a line has it; "" for now.
func (s *session) moment() string {
	if s.asOf < 0 {
		return ""
	}
	return fmt.Sprintf("batch %d", s.asOf)
}

// takeMoment takes "batch N" out of a line; -1 where it is not there.
func takeMoment(w *words) (int64, error) {
	i := slices.IndexFunc(w.list, func(x word) bool { return x.text == "batch" })
	if i < 0 {
		return -1, nil
	}
	if i+1 == len(w.list) {
		return -1, errors.New("batch: its number is missing")
	}
	id, err := batchNumber(w.list[i+1].text)
	w.list = slices.Delete(w.list, i, i+2)
	return id, err
}

// ---- sources

func (x *sourcesScreen) command() string {
	source, part := "", ""
	if x.moved {
		source = strconv.Itoa(x.kept.source)
		if name, ok := strings.CutPrefix(x.kept.name, "/"); ok {
			part = quote(name)
		}
	}
	return lineOf(x.filter.Typed(), "sources", source, part, x.s.moment(), sortWord(x.order, sourceOrders[x.order].name))
}

func sourceOrderNames() (names []string) {
	for _, o := range sourceOrders {
		names = append(names, sortName(o.name))
	}
	return names
}

// set chooses a source, or a part of one; what there is may still be read.
func (x *sourcesScreen) set(w *words) (tea.Cmd, error) {
	if len(w.list) > 0 && w.peek() != "sort" {
		number := w.next()
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 {
			return nil, fmt.Errorf("%q is no source: its number is asked for, then the name of a part", number)
		}
		x.kept, x.moved = partColumn{source: i}, true
		if len(w.list) > 0 && w.peek() != "sort" {
			x.kept.name = "/" + w.next()
		}
	}
	if err := takeSort(w, &x.order, sourceOrderNames()); err != nil {
		return nil, err
	}
	if x.times != nil {
		x.arrange()
	}
	return nil, nil
}

func (x *sourcesScreen) sift(pattern string) {
	x.filter.Set(pattern)
	if x.times != nil {
		x.arrange()
	}
}

// ---- findings

// command names the selected finding by its code, and where it is not the first of that code, by its number.
func (f *findings) command() string {
	head, number := "findings", ""
	switch x, skipped := f.selected(); {
	case !f.moved:
	case x != nil:
		head = "finding " + quote(x.Code)
		nth := 0
		for i := range f.s.verdict.Findings {
			y := &f.s.verdict.Findings[i]
			if y.Code == x.Code {
				nth++
			}
			if y == x {
				break
			}
		}
		if nth > 1 {
			number = strconv.Itoa(nth)
		}
	case skipped != nil:
		head = "finding " + quote(skipped.Code)
	}
	return lineOf(f.filter.Typed(), head, number, sortWord(f.order, orders[f.order].name))
}

// sortWord is how an order is named on a line: by the first word of its name that tells it, and not at all where
// it is the usual one.
func sortWord(order int, name string) string {
	if order == 0 {
		return ""
	}
	first, rest, _ := strings.Cut(name, " ")
	if first == "by" {
		first = rest
	}
	return "sort " + first
}

// sortName is the word for an order after "sort".
func sortName(name string) string { return strings.TrimPrefix(sortWord(1, name), "sort ") }

// takeSort takes "sort WORD".
func takeSort(w *words, order *int, known []string) error {
	if w.peek() != "sort" {
		return nil
	}
	w.next()
	word := w.next()
	if i := slices.Index(known, word); i >= 0 {
		*order = i
		return nil
	}
	return fmt.Errorf("%q is no order: there are %s", word, strings.Join(known, ", "))
}

// findingAt is the place of the nth finding of a code in the verdict, or else of what did not run.
func findingAt(s *session, code string, nth int) (int, error) {
	n := 0
	for i := range s.verdict.Findings {
		if s.verdict.Findings[i].Code == code {
			if n++; n == nth {
				return i, nil
			}
		}
	}
	i := slices.IndexFunc(s.verdict.NotRun, func(x checks.NotRun) bool { return x.Code == code })
	switch {
	case i >= 0 && n == 0:
		return len(s.verdict.Findings) + i, nil
	case !s.verdict.Done:
		return 0, errNotYet
	case n == 0:
		return 0, fmt.Errorf("there is no finding %q here", code)
	}
	return 0, fmt.Errorf("there is no finding %s number %d, only %d", code, nth, n)
}

func findingOrders() (names []string) {
	for _, o := range orders {
		names = append(names, sortName(o.name))
	}
	return names
}

func (f *findings) set(w *words) (tea.Cmd, error) {
	at := -1
	if w.peek() != "sort" && len(w.list) > 0 {
		code, nth := w.next(), 1
		if n, err := strconv.Atoi(w.peek()); err == nil {
			nth = n
			w.next()
		}
		var err error
		if at, err = findingAt(f.s, code, nth); err != nil {
			return nil, err
		}
	}
	order := f.order
	if err := takeSort(w, &order, findingOrders()); err != nil {
		return nil, err
	}
	if at >= 0 {
		f.choose(at)
	}
	f.order = order
	f.follow()
	return nil, nil
}

func (f *findings) sift(pattern string) {
	f.filter.Set(pattern)
	f.follow()
}

// ---- drift

func (d *drift) command() string {
	field := ""
	if x := d.selected(); x != nil && d.table.At > 0 {
		field = quote(x.Field)
	}
	return lineOf(d.filter.Typed(), "drift", field)
}

func (d *drift) set(w *words) (tea.Cmd, error) {
	field := w.next()
	for i := range d.len() {
		if d.rows[d.table.Order.Row(i)].Field == field {
			d.table.Go(i, d.len())
			return nil, nil
		}
	}
	if !d.s.verdict.Done {
		return nil, errNotYet
	}
	return nil, fmt.Errorf("nothing is said of %q here", field)
}

func (d *drift) sift(pattern string) {
	d.filter.Set(pattern)
	d.arrange()
}

// ---- files and bytes

func (f *files) command() string {
	at := ""
	if n := f.tree.Node(f.tree.At); n != nil && f.tree.At > 0 {
		at = quote(n.Value.path)
	}
	return lineOf(f.filter.Typed(), "tree", at)
}

// set opens the folders down to a path, and puts the cursor on it.
func (f *files) set(w *words) (tea.Cmd, error) {
	at, err := validPlace(w.next())
	if err != nil {
		return nil, err
	}
	f.target = at.File
	return f.approach(), nil
}

func (f *files) sift(pattern string) {
	f.filter.Set(pattern)
	f.search(0, 1)
}

// command names the byte under the cursor, and how the file is shown where that is not the usual way.
func (b *bytesScreen) command() string {
	at := b.where
	if b.moved && !strings.Contains(at.File, "!") {
		at = b.here()
	}
	name := quote(at.String())
	how := [...]string{decoded: "file", asText: "text", asBytes: "bytes"}[b.mode]
	if how == "file" && name == at.String() && strings.Contains(at.File, "/") && parsePlace(name) == at {
		how = "" // a place alone is enough
	}
	return lineOf(b.filter.Typed(), how, name)
}

func (b *bytesScreen) sift(pattern string) {
	b.filter.Set(pattern)
	b.search(0, 1)
}

// parsePlace reads a place as decode.Where writes it: "offsets/120:3@69".
func parsePlace(text string) decode.Where {
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

// validPlace reads a place in a file within the checkpoint.
func validPlace(text string) (decode.Where, error) {
	at := parsePlace(text)
	if !fs.ValidPath(at.File) || at.File == "." {
		return at, fmt.Errorf("%q is no file within the checkpoint", at.File)
	}
	return at, nil
}
