package state

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The files of the selected row: of a store its state files, of an operator the files that describe it.

const filesID = "files"

// fileRow is one of them, or versions whose files are missing.
type fileRow struct {
	dir, name string
	version   int64
	size      int64  // bytes; -1 if it is not known
	modified  int64  // ms; 0 if it is not known
	whole     bool   // it is a snapshot
	needed    bool   // the version that is shown is rebuilt from it
	passed    bool   // it does not load and an older one is used instead
	bad       string // what is wrong with it, in a word; "" for nothing
	contents  string // of a file that describes an operator
}

// setFiles makes the rows of the panel.
func (x *model) setFiles(r *storeRow) {
	x.files.Columns = []widget.Column{{Title: "version", Width: max(7, x.widths.version), Right: true}, {Title: "file", Width: 14, Grow: true, Middle: true},
		{Title: "size", Width: 9, Right: true}, {Title: "written by", Width: 6 + max(4, x.widths.version)}, {Title: x.neededTitle(), Width: 18}, {Title: "modified"}}
	switch {
	case r.heading:
		x.files.Columns = []widget.Column{{Title: "file", Width: 30, Grow: true, Middle: true}, {Title: "contents", Width: 17}}
		x.list = describing(r)
	case r.store != nil || r.load != nil:
		x.list = x.stateFiles(r)
	}
}

// neededTitle is the head of the column that says which files the version that is shown is rebuilt from.
func (x *model) neededTitle() string {
	if x.past() {
		return "rebuilds " + strconv.FormatInt(x.version(), 10)
	}
	return "a restart reads it"
}

// describing are the files that describe an operator.
func describing(r *storeRow) (list []fileRow) {
	add := func(name, contents string) {
		list = append(list, fileRow{dir: path.Dir(name), name: path.Base(name), size: -1, contents: contents})
	}
	if m := r.op.Metadata; m != nil {
		add(m.File, "operator metadata")
	}
	for _, s := range r.op.Schemas {
		add(s.File, "state schema")
	}
	return list
}

// stateFiles are the state files of a store, newest first, and those that are missing.
func (x *model) stateFiles(r *storeRow) (list []fileRow) {
	links := map[string]*kit.Link{}
	if r.load != nil {
		all := x.linksOf(r)
		for i := range all {
			l := &all[i]
			if l.File == nil {
				list = append(list, fileRow{dir: r.dir, name: missingName(r, l), version: l.To, size: -1, needed: true, bad: l.Bad})
				continue
			}
			links[l.File.Name()] = l
		}
	}
	if r.store != nil {
		flawed := x.flawed(r.dir)
		for i := range r.store.Files {
			f := &r.store.Files[i]
			row := fileRow{dir: r.dir, name: f.Name(), version: f.Version, size: f.Size, modified: f.Modified, whole: f.Role.Whole(), bad: flawed[r.store.Path(*f)]}
			if l := links[row.name]; l != nil {
				row.needed, row.passed = !l.Passed, l.Passed
				row.bad = cmp.Or(row.bad, l.Bad)
			}
			if f.Size == 0 {
				row.bad = "empty"
			}
			list = append(list, row)
		}
	}
	slices.SortStableFunc(list, func(a, b fileRow) int {
		return cmp.Or(cmp.Compare(b.version, a.version), cmp.Compare(order01(b.whole), order01(a.whole)))
	})
	return list
}

func order01(b bool) int { return map[bool]int{true: 1}[b] }

// stepRole is what a store has for each version: deltas, changelogs, or zips where there is no changelog.
func stepRole(r *storeRow) state.Role {
	switch {
	case r.op.Provider != "rocksdb":
		return state.Delta
	case r.store != nil && slices.ContainsFunc(r.store.Files, func(f state.File) bool { return f.Role == state.Changelog }):
		return state.Changelog
	}
	return state.Zip
}

// missingName is the file of a missing version, or of several: "24.delta", "24–26.delta".
func missingName(r *storeRow, l *kit.Link) string {
	if asked := path.Base(r.load.Asked); l.From == l.To && strings.HasPrefix(asked, l.Versions()+".") {
		return asked
	}
	return l.Versions() + "." + stepRole(r).String()
}

// filesPanel is the panel of the files of a row; nil if there is none.
func (x *model) filesPanel(r *storeRow, w, least int) *kit.Panel {
	t := &x.s.Theme
	p := &kit.Panel{ID: filesID, Title: "Files of partition " + strconv.Itoa(r.Partition), Right: t.Dim.Styled(kit.Safe(r.dir)), Rank: 1, Grow: true, Least: least}
	p.Fold = func(int) string { return p.Title + ": " + phrase.Units(int64(len(x.list)), "files") }
	m := x.mark(r)
	if m.Symbol == "✗" || m.Symbol == "!" {
		p.Sign = phrase.Sign{Symbol: m.Symbol, Role: map[bool]phrase.Role{true: phrase.Bad, false: phrase.Warn}[m.Symbol == "✗"]}
	}
	switch {
	case r.heading && len(x.list) == 0:
		return nil
	case r.heading:
		p.Title, p.Sign = "Described in", phrase.Sign{}
	case len(x.list) == 0:
		p.Text = func(w int) []string { return phrase.Wrap("No state file: the folder is empty or missing.", w) }
		return p
	default:
		x.fitFiles(w)
	}
	p.Rows = kit.TableRows(&x.files, fileRows{x})
	p.Rows.ColumnAt = nil
	return p
}

// fitFiles shows when files were modified if there is room for it.
func (x *model) fitFiles(w int) {
	c := x.files.Columns
	used := 4
	for _, column := range c[:5] {
		used += column.Width + 2
	}
	c[5].Width = 0
	if room := w - used; room >= 32 {
		c[5].Width = 32
	}
}

type fileRows struct{ x *model }

func (f fileRows) Len() int { return len(f.x.list) }

func (f fileRows) Row(i int, r *widget.Row) {
	x, t, row := f.x, &f.x.s.Theme, &f.x.list[i]
	if row.contents != "" {
		r.Cells[0].Text, r.Cells[1] = kit.Safe(path.Join(row.dir, row.name)), widget.Cell{Text: row.contents, Style: t.Dim}
		return
	}
	needed := "no"
	switch {
	case row.needed:
		needed = "yes"
	case row.passed:
		needed = "no, skipped"
	}
	if row.bad != "" && row.bad != kit.Missing {
		needed += ", " + row.bad
	}
	size := phrase.Bytes(row.size)
	if row.bad == kit.Missing {
		size = kit.Missing
	}
	for c, text := range []string{strconv.FormatInt(row.version, 10), kit.Safe(row.name), size, phrase.Batch(row.version - 1), needed} {
		r.Cells[c].Text = text
	}
	r.Cells[5].Text = x.s.Clock.Aged(row.modified)
	switch {
	case row.bad != "" && row.needed:
		r.Style = t.Bad
	case row.bad != "":
		r.Cells[4].Style = t.Warn
	case !row.needed:
		r.Cells[4].Style = t.Dim
	}
	r.Cells[5].Style = t.Dim
}
