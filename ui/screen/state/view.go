package state

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// View draws the list of stores, and below it what is known of the selected one.
func (x *model) View(w, h int) []string { return x.Board.View(&x.s.Theme, w, h, x.root(w, h)) }

func (x *model) root(w, h int) kit.Node {
	say := func(lines ...string) kit.Node { return x.textPanel("State", phrase.Sign{}, lines...) }
	switch {
	case x.s.Checkpoint == nil:
		return say("… the checkpoint is being opened")
	case !x.built && x.s.Verdict.Done:
		return say(x.s.WithKeys("? The state folders were not listed: reading ended before. %s reads again.", kit.Keys.Reread))
	case !x.built:
		return say("… the state folders are being listed")
	case len(x.rows) == 0:
		return x.empty()
	}
	return x.layout(w, h)
}

// textPanel is a panel of paragraphs in the place of the list.
func (x *model) textPanel(title string, sign phrase.Sign, paragraphs ...string) *kit.Panel {
	return &kit.Panel{ID: kit.ListID, Title: title, Sign: sign, Text: func(w int) (lines []string) {
		for _, p := range paragraphs {
			lines = append(lines, phrase.Wrap(p, min(w, measure))...)
		}
		return lines
	}}
}

// measure is how many cells a line of text has at most.
const measure = 100

// layout puts the panels below and next to each other.
func (x *model) layout(w, h int) kit.Node {
	x.fit(w - 2)
	x.Name = x.listTitle()
	list := x.Panel(&x.s.Theme, x, "")
	if !x.Filtering() {
		list.Right = x.summary(w)
	}
	r := x.selected()
	if r == nil {
		list.Grow = true
		return list
	}
	const rowsShown = 8
	list.Least = max(min(h/3, rowsShown), 4)
	least := max(min(h-14, rowsShown), 2)
	if x.Focus() != kit.ListID { // the panel that has the keys gets room
		list.Least = 4
	}
	about, todo, growth, notes := x.aboutPanel(r), x.todoPanel(r), x.growthPanel(r), x.notesPanel()
	if todo != nil && h >= 30 {
		todo.Least = 0 // all steps, or none
	}
	switch {
	case w < kit.TwoColumns:
		files := x.filesPanel(r, w, least)
		x.unfold(files, about, todo, notes, growth)
		if r.heading {
			return kit.Stack(list, about, files, growth, notes)
		}
		return kit.Stack(list, files, about, todo, notes, growth)
	case r.heading:
		return kit.Stack(list, kit.Across([]int{3, 2}, about, kit.Stack(x.filesPanel(r, w*2/5, least), growth, notes)))
	case w >= kit.ThreeColumns:
		return kit.Stack(list, kit.Across([]int{5, 4, 3}, x.filesPanel(r, w*5/12, least), kit.Stack(about, todo, notes), kit.Stack(growth, x.operatorPanel(r))))
	case w >= kit.Wide:
		return kit.Stack(list, kit.Across([]int{66, 34}, x.filesPanel(r, w*66/100, least), kit.Stack(about, todo, notes, growth)))
	}
	return kit.Stack(list, kit.Across([]int{3, 2}, x.filesPanel(r, w*3/5, least), kit.Stack(about, todo, notes, growth)))
}

// unfold gives room to the panel that has the keys, if there is too little for all of them.
func (x *model) unfold(files *kit.Panel, others ...*kit.Panel) {
	for _, p := range append(others, files) {
		if p == nil {
			continue
		}
		p.Unfolds = true
		if p.ID == x.Focus() && p != files {
			p.Rank = 1
			if files != nil {
				files.Rank = 5
			}
		}
	}
}

// ---- the edge of the list

// listTitle is what the list shows, in a few words.
func (x *model) listTitle() string {
	switch {
	case x.past():
		return fmt.Sprintf("State after batch %d", x.s.AsOf)
	case len(x.s.Verdict.Loads) > 0:
		return fmt.Sprintf("Restart loads version %d", x.version())
	}
	return "State stores"
}

// summary says how many of the stores that a restart loads have their files.
func (x *model) summary(w int) string {
	t, v, n := &x.s.Theme, &x.s.Verdict, x.sums
	if len(v.Loads) == 0 && v.MoreLoads == 0 {
		return x.noLoads()
	}
	var parts []string
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, phrase.Count(int64(n))))
		}
	}
	if x.past() {
		return t.Dim.Styled(fmt.Sprintf("version %d · %s of %s have all files · a restart loads %d", x.version(), phrase.Count(int64(n.whole)),
			phrase.Units(int64(n.loads), "stores"), x.restartVersion()))
	}
	if w >= kit.TwoColumns {
		parts = append(parts, t.Dim.Styled(phrase.Units(int64(n.loads), x.unit())))
	}
	add(n.flawed, t.Bad.Styled("✗ %s broken"))
	add(v.MoreLoads, t.Bad.Styled("✗ %s without a folder"))
	add(n.unlisted, t.Unknown.Styled("? %s not listed"))
	m := x.fine()
	switch {
	case m.Symbol == "✓" && n.whole == 1:
		add(n.whole, t.Good.Styled("✓ %s loads"))
	case m.Symbol == "✓":
		add(n.whole, t.Good.Styled("✓ %s load"))
	default:
		add(n.whole, t.Dim.Styled("%s with all files"))
	}
	switch {
	case x.counts.running > 0:
		parts = append(parts, t.Dim.Styled("… counting rows: "+phrase.Units(int64(len(x.counts.by)), "stores")+" done"))
	case x.adding:
		parts = append(parts, t.Dim.Styled(fmt.Sprintf("… %s listed", phrase.Units(int64(len(x.sizes)), "folders"))))
	}
	return strings.Join(parts, t.Dim.Styled(" · "))
}

// unit is what a row of the list is: a partition, or one store of several in each.
func (x *model) unit() string {
	if x.widths.name > 0 {
		return "stores"
	}
	return "partitions"
}

// noLoads is why no version is loaded.
func (x *model) noLoads() string {
	t, v := &x.s.Theme, &x.s.Verdict
	switch {
	case x.fromNothing():
		return t.Dim.Styled("no batch is committed: a restart begins with empty state")
	case v.Known && v.Restart.Outcome == checks.Unknown:
		return t.Unknown.Styled("? which version a restart loads: " + kit.Prose(v.Restart.Because))
	}
	return t.Unknown.Styled("? the logs do not show which version a restart loads")
}

// fromNothing reports whether a restart begins with version 0, which is empty and has no file.
func (x *model) fromNothing() bool {
	b := &x.s.Verdict.Batches
	return b.LastPlanned < 0 || b.LastPlanned == 0 && b.LastCommitted < 0
}

func (x *model) version() int64 {
	if x.past() {
		return x.s.AsOf + 1
	}
	return x.restartVersion()
}

// restartVersion is the version that a restart loads.
func (x *model) restartVersion() int64 {
	if l := x.s.Verdict.Loads; len(l) > 0 {
		return l[0].Version
	}
	return x.s.Verdict.Restart.StateVersion
}

// ---- what no row is about

// empty says that there is no state, and what that may mean.
func (x *model) empty() kit.Node {
	c := x.s.Checkpoint
	s := page.NoState(c)
	texts := []string{}
	for _, b := range s.Blocks {
		if p, ok := b.(page.Paragraph); ok {
			texts = append(texts, p.Text.String())
		}
	}
	if len(x.outside) == 0 && c.State.Err == nil {
		more := "No file checked shows that this query has kept state. Only its code shows whether it is stateful."
		if !x.s.Verdict.Done {
			more = "… checking whether the logs show state"
		}
		texts = append(texts, more)
	}
	var todo *kit.Panel
	if len(x.outside) > 0 && x.outside[0].Severity == checks.Critical {
		todo = x.stepsPanel()
	}
	return kit.Stack(x.textPanel("No state", phrase.Sign{}, texts...), x.notesPanel(), todo)
}

// notesPanel has the findings about state that no row is about; nil if there are none.
func (x *model) notesPanel() *kit.Panel {
	if len(x.outside) == 0 {
		return nil
	}
	worst := x.outside[0]
	p := &kit.Panel{ID: "notes", Title: "Other findings", Sign: phrase.Severities.Of(worst.Severity.String()), Opens: kit.Keys.Findings, Rank: 2, Least: 3}
	p.Text = func(w int) (lines []string) {
		for _, f := range x.outside {
			lines = append(lines, x.findingLines(f, w)...)
		}
		return lines
	}
	p.Fold = func(int) string { return x.foldOf(worst) }
	return p
}

// foldOf is a finding in one line.
func (x *model) foldOf(f *checks.Finding) string {
	symbol, style := x.s.Theme.Severity(f.Severity)
	return style.Styled(symbol) + " " + kit.Prose(f.Title) + ": " + evidence(f)
}

// findingLines are a finding with its evidence.
func (x *model) findingLines(f *checks.Finding, w int) []string {
	sign := phrase.Severities.Of(f.Severity.String())
	text := page.Text{{Role: phrase.Strong, Text: phrase.Sentence(kit.Prose(f.Title))}}
	if f.Evidence != "" {
		text = append(text, page.Span{Text: " " + phrase.Sentence(evidence(f))})
	}
	return x.s.Theme.Draw(w, page.Paragraph{Mark: page.Span{Role: sign.Role, Text: sign.Symbol}, Text: text})
}

func evidence(f *checks.Finding) string {
	if f.Evidence == "" {
		return kit.Prose(f.Title)
	}
	return kit.Prose(f.Evidence)
}
