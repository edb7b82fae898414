package state

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What the screen of state stores says of the selected row, beside or below the list.

// detail is the selected row in no more than h lines of w cells.
func (x *model) detail(w, h int) []string {
	r := x.selected()
	if r == nil {
		return []string{"", x.s.WithKeys("Nothing matches. %s shows all again.", kit.Keys.Back)}
	}
	lines := x.text(w)
	switch {
	case r.heading && x.Inside:
		return x.pointed(lines, w, h)
	case len(x.chain) == 0:
		return kit.Scrolled(lines, 0, h, x.s, false)
	}
	if least := min(5, len(x.chain)+1, max(h/2, 3)); len(lines) > h-least {
		more := "… more on a larger terminal"
		if len(x.flaws[r.dir]) > 0 {
			more = x.s.WithKeys("… %s has the rest", kit.Keys.Findings)
		}
		lines = append(lines[:max(h-least-1, 0)], x.s.Theme.Dim.Styled(more))
	}
	links := x.links
	links.Palette.Blurred = !x.Inside
	links.Height = max(h-len(lines)-1, 1)
	links.Go(links.At, len(x.chain))
	if !x.Inside {
		links.At = -1
	}
	return append(lines, links.View(chainRows{x}, w, h-len(lines))...)
}

// pointed are lines with a cursor on one of them.
func (x *model) pointed(lines []string, w, h int) []string {
	from, to := x.links.Window(len(lines), h)
	shown := slices.Clone(lines[from:to])
	if i := x.links.At - from; i < len(shown) {
		shown[i] = x.s.Theme.Selection.Styled(phrase.Fit(kit.Unstyled(shown[i]), w))
	}
	return shown
}

// files are those that say what an operator is.
func (r *storeRow) files() (names []string) {
	if m := r.op.Metadata; m != nil {
		names = append(names, m.File)
	}
	for _, s := range r.op.Schemas {
		names = append(names, s.File)
	}
	return names
}

// described is the file that says what the operator is on whose line the cursor is; "" on other lines.
func (x *model) described() string {
	files := x.selected().files()
	if i := x.links.At - (x.reach - len(files)); i >= 0 && i < len(files) {
		return files[i]
	}
	return ""
}

// text is what there is to say of the selected row above its files.
func (x *model) text(w int) []string {
	r := x.selected()
	switch {
	case r == nil:
		return nil
	case r.heading:
		return x.operatorWords(r, w)
	}
	t := &x.s.Theme
	title := fmt.Sprintf("operator %d · partition %d", r.Operator, r.Partition)
	if r.Name != "default" && r.Name != "" {
		title += " · " + kit.Safe(r.Name)
	}
	m := x.mark(r)
	lines := []string{m.Style.Styled(m.Symbol) + " " + t.Strong.Styled(phrase.Middle(title, w-2))}
	lines = append(lines, phrase.Wrap(x.judgement(r), w)...)
	if r.load != nil && len(x.chain) > 0 {
		if x.W >= kit.WideFrom {
			lines = append(lines, "", t.Strong.Styled(fmt.Sprintf("CHAIN FOR VERSION %d", r.load.Version)))
		}
		lines = append(lines, kit.DrawChain(x.chain, w, t.Bad))
	}
	for i := range x.flaws[r.dir] {
		f := &x.flaws[r.dir][i]
		symbol, style := t.Severity(f.Severity)
		all := phrase.Wrap(symbol+" "+f.Code+": "+evidence(f.Finding), w)
		all[0] = style.Styled(all[0])
		lines = append(lines, all...)
	}
	if r.store != nil {
		lines = append(lines, kit.Wrapped(t, "rows", x.counts.words(x.s, r, &x.held), w)...)
	}
	if also := x.also(r); also != "" {
		lines = append(lines, kit.StyledLines(t.Dim, phrase.Wrap(also, w))...)
	}
	_, h := x.Words(1 + len(x.notes(x.W)))
	if g := x.growth.words(t, r, &x.lags, w); len(lines)+len(g)+min(len(x.chain)+1, 8) < h {
		lines = append(append(lines, g...), "")
	}
	return lines
}

// judgement is what the files of a row allow a restart, in a sentence or two.
func (x *model) judgement(r *storeRow) string {
	l := r.load
	switch {
	case r.err != nil:
		return "It could not be listed: " + kit.Safe(r.err.Error()) + ". Nothing is known of it."
	case l == nil && x.fromNothing():
		return "No batch is committed: a start begins with version 0, the empty one, and loads none of these files."
	case l == nil:
		return "A restart does not load it, or the logs do not tell which version."
	case x.past():
		return pastJudgement(r)
	}
	can := fmt.Sprintf("Version %d is the newest before it that can.", l.Loadable)
	if l.Loadable == 0 {
		can = "No version before it can."
	}
	switch {
	case r.store == nil || len(r.store.Files) == 0:
		return fmt.Sprintf("A restart loads version %d, and there is no state file here.", l.Version)
	case len(l.Missing) > 0:
		return fmt.Sprintf("Version %d cannot be rebuilt: %s is not there. %s", l.Version, kit.Safe(l.Asked), can)
	case len(l.Empty) > 0:
		return fmt.Sprintf("Version %d cannot be rebuilt: %s has no bytes. %s", l.Version, kit.Safe(l.Empty[0].Name()), can)
	}
	c := l.Chain()
	text := fmt.Sprintf("The state files that version %d is rebuilt from are there: %s, %s.", l.Version, phrase.Units(int64(len(c.Files)), "files"), phrase.Bytes(c.Bytes()))
	if len(c.Files) > 0 && c.Files[0].Role == state.Zip {
		text += fmt.Sprintf(" %s names table files in SSTs beside them.", kit.Safe(c.Files[0].Name()))
	}
	if x.broken(r) {
		text += " It cannot be rebuilt all the same:"
	}
	return text
}

// also says what lies here beside the chain.
func (x *model) also(r *storeRow) string {
	if r.store == nil {
		return ""
	}
	var parts []string
	if n := len(r.store.Files) - countFiles(x.chain); n > 0 {
		parts = append(parts, phrase.Units(int64(n), "files")+" of other versions")
	}
	if r.tables != "" {
		switch t, ok := x.sizes[r.tables]; {
		case t.err != nil:
			parts = append(parts, "SSTs could not be listed: "+kit.Safe(t.err.Error()))
		case ok:
			parts = append(parts, fmt.Sprintf("%s in SSTs, %s, which the zips share", phrase.Units(int64(t.files), "table files"), phrase.Bytes(t.bytes)))
		}
	}
	n := 0
	for _, e := range r.store.Others {
		if !e.Dir {
			n++
		}
	}
	if n > 0 {
		parts = append(parts, phrase.Units(int64(n), "files")+" that Spark does not load")
	}
	if len(parts) == 0 {
		return ""
	}
	return "Beside it: " + strings.Join(parts, " · ")
}

func countFiles(links []kit.Link) (n int) {
	for i := range links {
		if links[i].File != nil {
			n++
		}
	}
	return n
}

// operatorWords are what there is to say of an operator.
func (x *model) operatorWords(r *storeRow, w int) []string {
	t, op := &x.s.Theme, r.op
	lines := []string{t.Strong.Styled(fmt.Sprintf("operator %d", op.ID)), t.Dim.Styled(op.Dir)}
	lines = append(lines, t.Draw(w, page.Operator(op))...)
	lines = append(lines, kit.Wrapped(t, "rows", x.counts.words(x.s, r, &x.held), w)...)
	lines = append(lines, x.skew(r, w)...)
	lines = append(lines, x.growth.words(t, r, &x.lags, w)...)
	lines = append(lines, t.Draw(w, page.OperatorProblems(op)...)...)
	for i := range x.flaws[r.dir] {
		f := &x.flaws[r.dir][i]
		symbol, style := t.Severity(f.Severity)
		lines = append(lines, kit.StyledLines(style, phrase.Wrap(symbol+" "+f.Code+": "+evidence(f.Finding), w))...)
	}
	if len(r.files()) > 0 {
		lines = append(lines, t.Strong.Styled("DESCRIBED IN")+t.Dim.Styled(x.s.WithKeys("  %s, then %s opens one", kit.Keys.Pane, kit.Keys.Enter)))
	}
	for _, name := range r.files() { // the last lines: the cursor finds them so
		lines = append(lines, "  "+phrase.Middle(kit.Safe(name), w-2))
	}
	return lines
}

// skew says how the sizes of the stores of an operator differ, each name for itself.
func (x *model) skew(head *storeRow, w int) []string {
	t := &x.s.Theme
	var total int64
	var lines []string
	for _, s := range x.spreads {
		if s.operator != head.Operator {
			continue
		}
		total += s.total
		if s.stores < 2 {
			continue
		}
		text := fmt.Sprintf("%s to %s, half of them up to %s", phrase.Bytes(s.least), phrase.Bytes(s.most), phrase.Bytes(s.median))
		if s.median > 0 && s.most >= 4*s.median {
			text += fmt.Sprintf("; the largest is %d × that", s.most/s.median)
		}
		if s.name != "default" {
			text = kit.Safe(s.name) + ": " + text
		}
		lines = append(lines, kit.Wrapped(t, "a store", text, w)...)
	}
	return append(kit.Wrapped(t, "size", phrase.Bytes(total)+" with all versions that are kept", w), lines...)
}
