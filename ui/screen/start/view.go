package start

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

// Banner says how many checkpoints were found, and how many of each state.
func (x *model) Banner() (phrase.Sign, string) {
	sign := phrase.Sign{Symbol: "i", Role: phrase.Info, Word: strings.ToUpper(phrase.Units(int64(len(x.found)), "checkpoints"))}
	t := &x.s.Theme
	var parts []string
	switch {
	case x.root == "" || x.s.Find == nil:
		return phrase.Sign{Symbol: "i", Role: phrase.Info, Word: "CHOOSE A CHECKPOINT"}, ""
	case x.around != "":
		sign.Word = "NOT A CHECKPOINT"
		return sign, "part of the checkpoint " + phrase.Middle(kit.Safe(x.around), 50)
	case x.looking:
		sign.Symbol = "…"
		parts = append(parts, "so far, "+phrase.Units(int64(x.looked), "folders")+" searched")
	case len(x.found) == 0 && x.own:
		sign.Word = "NOT A CHECKPOINT"
		parts = append(parts, "no checkpoint found below it")
	case len(x.found) == 0:
		sign.Word = "CHOOSE A CHECKPOINT"
		parts = append(parts, "none found below this folder")
	}
	if !x.looking && (x.err != nil || x.left || len(x.unread) > 0) {
		parts = append(parts, t.Unknown.Styled("?")+" not everything was searched")
	}
	for _, g := range groups {
		n := 0
		for i := range x.found {
			if x.found[i].State == g.state {
				n++
			}
		}
		if n > 0 {
			sign := phrase.Verdicts.Of(string(g.state))
			if g.state == "" {
				sign = phrase.Sign{Symbol: "…", Role: phrase.Dim}
			}
			parts = append(parts, t.Role(sign.Role).Styled(sign.Symbol)+" "+phrase.Count(int64(n))+" "+g.short)
		}
	}
	return sign, strings.Join(parts, "   ")
}

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	list := x.list()
	about := &kit.Panel{ID: "about", Title: "Nothing matches", Rank: 1, Least: 4, Text: func(int) []string {
		return []string{x.s.WithKeys("%s shows all places again.", kit.Keys.Back)}
	}}
	at := x.selected()
	if len(x.rows) == 0 && !x.Filtering() {
		return x.Board.View(t, w, h, list)
	}
	var steps *kit.Panel
	if at != nil {
		about.Title = phrase.Middle(x.name(at), 40)
		about.Text = func(w int) []string { return x.about(at, min(w, kit.Measure), h >= kit.Roomy, steps == nil) }
		if w >= kit.TwoColumns && len(at.Steps.Items) > 0 {
			steps = x.s.StepsPanel(at.Steps, "")
			steps.Rank = 2
		}
	}
	search := x.search()
	switch {
	case w >= kit.ThreeColumns:
		return x.Board.View(t, w, h, kit.Across([]int{5, 3, 3}, list, kit.Stack(about, search), steps))
	case w >= kit.TwoColumns:
		return x.Board.View(t, w, h, kit.Across([]int{3, 2}, list, kit.Stack(about, steps, search)))
	}
	return x.Board.View(t, w, h, kit.Stack(list, about, search))
}

// list is the panel of the places.
func (x *model) list() *kit.Panel {
	t := &x.s.Theme
	right := orders[x.order].name
	if x.back {
		right += ", reversed"
	}
	if !x.own && x.root != "" && len(x.found) > 0 {
		right = "below " + phrase.Middle(kit.Safe(x.root), 24) + " · " + right
	}
	if len(x.found) == 0 {
		right = ""
	}
	p := x.Panel(t, x, right)
	p.Grow = true
	if x.Filtering() {
		p.Right = kit.FilterEdge(t, &x.Filter, x.places(), len(x.spots))
	}
	if len(x.rows) == 0 && !x.Filtering() {
		return &kit.Panel{ID: kit.ListID, Title: x.Name, Text: func(w int) []string {
			return phrase.Wrap("There is nothing to choose. Start tidemark with the location of a checkpoint: tidemark LOCATION", min(w, kit.Measure))
		}}
	}
	p.Rows.More = x.looking
	if at := x.selected(); at != nil {
		p.Rows.Position = phrase.Count(int64(x.rows[x.Table.At].nth)) + "/" + phrase.Count(int64(x.places()))
	}
	return p
}

// name is the title of what is known of a place.
func (x *model) name(at *spot) string {
	switch at.kind {
	case example:
		return kit.Safe(at.choice.Label)
	case here:
		return "This location"
	}
	label := strings.TrimRight(x.label(at), "/")
	return label[strings.LastIndex(label, "/")+1:]
}

// about is what is known of a place, in lines of w cells. Its first lines count most: on a small screen there are no others.
func (x *model) about(at *spot, w int, roomy, steps bool) []string {
	t := &x.s.Theme
	say := func(text string) []string { return phrase.Wrap(text, w) }
	switch at.kind {
	case here:
		return say("Open this location itself: why it is not a checkpoint, and its files.")
	case whole:
		return say(kit.Safe(x.root) + " is a part of this checkpoint. enter opens the checkpoint.")
	case example:
		return append(say(phrase.Sentence(kit.Safe(at.choice.Detail))),
			say("A checkpoint inside the program, to learn from. The guided tour: tidemark demo --tour")...)
	case recent:
		return append(t.Draw(w, page.Paragraph{Text: page.Text{{Role: phrase.Strong, Text: kit.Safe(at.choice.Location)}}}), say(x.visit(at))...)
	}
	if at.State == "" {
		return []string{t.Dim.Styled("… being checked")}
	}
	var blocks []page.Block
	gap := func() {
		if roomy {
			blocks = append(blocks, page.Blank{})
		}
	}
	sign := phrase.Verdicts.Of(string(at.State))
	mark := page.Span{Role: sign.Role, Text: sign.Symbol}
	if roomy {
		blocks = append(blocks, page.Paragraph{Mark: mark, Text: page.Text{{Role: sign.Role, Text: groups[rankOf(at.State)].head}}},
			page.Paragraph{Text: page.Plain(phrase.Sentence(at.Does))})
		gap()
		mark = page.Span{}
	}
	if at.Because != "" {
		blocks = append(blocks, page.Paragraph{Mark: mark, Text: page.Plain(at.Because)})
	} else if !roomy {
		blocks = append(blocks, page.Paragraph{Mark: mark, Text: page.Plain(phrase.Sentence(at.Does))})
	}
	if at.same != "" {
		blocks = append(blocks, page.Paragraph{Mark: page.Span{Role: phrase.Warn, Text: "!"},
			Text: page.Plain("Same query as " + kit.Safe(at.same) + ": one is a copy. Never start both: the second repeats what the first wrote.")})
	}
	if steps && !roomy && len(at.Steps.Items) > 0 {
		step := at.Steps.Items[0]
		text := phrase.Sentence(strings.TrimPrefix(step.If+": ", ": ") + step.Do)
		blocks = append(blocks, page.Paragraph{Mark: page.Span{Role: phrase.Key, Text: "1"}, Text: page.Plain(text)})
	}
	gap()
	facts := at.Facts
	if at.Newest != 0 {
		when := page.Text{{Text: x.s.Clock.Age(at.Newest)}, {Role: phrase.Dim, Text: " " + x.s.Clock.Clocked(at.Newest)}}
		facts.Rows = append(slices.Clone(facts.Rows), page.Fact{Name: "newest", Text: when})
	}
	blocks = append(blocks, facts)
	if steps && roomy && len(at.Steps.Items) > 0 {
		gap()
		blocks = append(blocks, at.Steps)
	}
	return t.Draw(w, blocks...)
}

// visit is when a place was opened, and what was known of it then.
func (x *model) visit(at *spot) string {
	text := "Opened " + x.s.Clock.Age(at.when.UnixMilli()) + ". "
	if at.when.IsZero() || x.s.Clock.Now == nil {
		text = ""
	}
	switch at.worst {
	case "folder":
		return text + "It was a folder with checkpoints below it."
	case "":
		return text + "You left before the check ended."
	case "ok":
		return text + "The check then found no problem."
	case "unknown":
		return text + "Not everything could be checked then."
	}
	return text + "The worst finding then: " + at.worst + "."
}

// search is a panel with what was not searched; nil where everything was.
func (x *model) search() *kit.Panel {
	var texts []string
	if x.left {
		texts = append(texts, fmt.Sprintf("The search ended after %s. tidemark find searches deeper.", phrase.Units(int64(x.looked), "folders")))
	}
	if x.err != nil {
		texts = append(texts, "The search ended early: "+phrase.Sentence(kit.Prose(x.err.Error()))+x.s.WithKeys(" %s starts it again.", kit.Keys.Reread))
	}
	for _, u := range x.unread {
		texts = append(texts, "Not listed: "+kit.Safe(u))
	}
	if len(texts) == 0 {
		return nil
	}
	return &kit.Panel{ID: "search", Title: "Not searched", Sign: phrase.NotRun, Rank: 3, Least: 1,
		Fold: func(int) string { return x.s.Theme.Unknown.Styled("?") + " " + texts[0] },
		Text: func(w int) (lines []string) {
			for _, text := range texts {
				lines = append(lines, phrase.Wrap(text, min(w, kit.Measure))...)
			}
			return lines
		}}
}
