package overview

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- view

func (o *model) View(w, h int) []string {
	s := o.Session
	o.zone = kit.Zone{}
	switch {
	case s.Err != nil && s.Checkpoint == nil:
		return unreachable(s, w)
	case s.Checkpoint == nil:
		lines := []string{"", "   Opening " + phrase.Middle(kit.Safe(s.Location), w-14) + " …", ""}
		return append(lines, kit.StyledLines(s.Theme.Dim, kit.Indent(phrase.Wrap("Nothing is written, now or later: this program has no way to.", w-6)))...)
	case !s.Verdict.Known:
		return []string{"", "   The folders are listed: " + listed(s.Checkpoint) + ".", "   The newest files are being read …"}
	}
	if s.AsOf >= 0 {
		return o.asOf(w, h)
	}
	if h < 24 {
		return o.tight(w, h)
	}
	restart := o.restartPart(w, max(h/3, 6))
	questions := o.questions(w)
	stands := o.stands(w, h)
	room := h - len(restart) - len(questions) - len(stands) - 3
	findings := o.findings(w, max(room, 3))
	o.zone.Top += len(join(restart, questions)) + 1
	return join(restart, questions, findings, o.next(w, room-len(findings)-1), stands)
}

// next is what to do, where there is room: in steps, and once a person has moved the cursor, about the finding under it.
func (o *model) next(w, h int) []string {
	v := &o.Session.Verdict
	if steps := page.StepsOf(&v.Advice); !o.moved && len(steps.Items) > 0 {
		lines := o.Session.Theme.Say(w-1, page.Section{Title: "WHAT TO DO", Blocks: []page.Block{steps}})
		if len(lines) <= h {
			return lines
		}
		return nil
	}
	if h < 3 || o.cursor >= len(v.Findings) {
		return nil
	}
	f := &v.Findings[o.cursor]
	lines := phrase.Wrap(kit.Prose(f.NextStep), w-4)
	if len(lines) > h-1 {
		return nil
	}
	if avoid := phrase.Wrap(kit.Prose(f.Avoid), w-4); f.Avoid != "" && len(lines)+len(avoid) < h {
		lines = append(lines, avoid...)
	}
	return append([]string{o.section("WHAT TO DO ABOUT "+strings.ToUpper(f.Code), "", w)}, kit.Indent(lines)...)
}

// tight is the same order where there is no room for empty lines: what does not fit at the end is
// left out before a finding is.
func (o *model) tight(w, h int) []string {
	questions := o.questions(w)
	least := min(2+len(o.Session.Verdict.Findings), 4)
	restart := o.restartPart(w, max(h-len(questions)-least, 3))
	room := h - len(restart) - len(questions)
	stands := o.stands(w, h)
	give := min(max(room-2-max(len(o.Session.Verdict.Findings), 1), 0), len(stands))
	if give < 2 {
		give = 0
	}
	lines := append(restart, questions...)
	above := len(lines)
	lines = append(lines, o.findings(w, room-give)...)
	o.zone.Top += above
	return append(lines, stands[:give]...)
}

// join puts an empty line between blocks.
func join(blocks ...[]string) []string {
	var out []string
	for i, b := range blocks {
		if i > 0 && len(b) > 0 {
			out = append(out, "")
		}
		out = append(out, b...)
	}
	return out
}

func (o *model) section(name, key string, w int) string {
	line := " " + o.Session.Theme.Strong.Styled(name)
	if key != "" {
		line = phrase.Fit(line, w-2-phrase.Width(key)) + o.Session.Theme.Accent.Styled(key)
	}
	return line
}

func (o *model) questions(w int) []string {
	t := &o.Session.Theme
	head := o.section("THREE QUESTIONS", "", w)
	if a := &o.Session.Verdict.Advice; a.Way != "" {
		head += phrase.Cut("   → "+page.AdviceLine(a).String(), max(w-phrase.Width(head), 0))
	}
	lines := []string{head}
	for i, q := range page.QuestionNames {
		a := page.Answer(&o.Session.Verdict, q.Name)
		sign := phrase.Answers.Of(a.Answer)
		line := fmt.Sprintf("   %s %-13s %s", t.Paint(sign.Role, sign.Symbol), q.Short, t.Paint(sign.Role, phrase.Fit(sign.Word, 8)))
		room := w - phrase.Width(line) - 6
		lines = append(lines, line+" "+phrase.Fit(kit.Prose(a.Short()), room)+"  "+t.Accent.Styled(o.Session.QuestionKey(i)))
	}
	return lines
}

func (o *model) findings(w, h int) []string {
	t, found := &o.Session.Theme, o.Session.Verdict.Findings
	lines := []string{o.section("FINDINGS", o.Session.FirstKey(kit.Keys.Findings), w)}
	if len(found) == 0 {
		switch {
		case !o.Session.Verdict.Done:
			return append(lines, "   … none so far")
		case o.Session.Verdict.Open():
			return append(lines, "   "+t.Unknown.Styled("? none in what could be looked at"))
		}
		return append(lines, "   "+t.Good.Styled("✓ none"))
	}
	room := max(h-1, 1)
	from := 0
	if len(found) > room {
		room = max(room-1, 1)
		from = max(min(o.cursor-room+1, len(found)-room), 0)
	}
	code := 0
	for _, f := range found[from:min(from+room, len(found))] {
		code = max(code, len(f.Code))
	}
	code = min(code, 24)
	o.zone = kit.Zone{Top: len(lines), Width: w, From: from, To: min(from+room, len(found))}
	for i := from; i < min(from+room, len(found)); i++ {
		lines = append(lines, o.finding(&found[i], code, w, i == o.cursor && o.moved))
	}
	if rest := len(found) - min(from+room, len(found)); rest > 0 || from > 0 {
		more := fmt.Sprintf("   … %d more (%s)", rest, o.Session.FirstKey(kit.Keys.Findings))
		if from > 0 {
			more = fmt.Sprintf("   … %d before, %d more (%s)", from, rest, o.Session.FirstKey(kit.Keys.Findings))
		}
		lines = append(lines, more)
	}
	return lines
}

func (o *model) finding(f *checks.Finding, code, w int, selected bool) string {
	symbol, style := o.Session.Theme.Severity(f.Severity)
	head := "   "
	if selected {
		head = " ▸ "
	}
	line := fmt.Sprintf("%s  %s  ", phrase.Fit(f.Code, code), phrase.Fit(phrase.Batch(f.Batch), 12))
	text := o.Session.News(f) + kit.Safe(f.Evidence)
	if f.Evidence == "" {
		text = o.Session.News(f) + kit.Prose(f.Title)
	}
	text = phrase.Cut(text, w-phrase.Width(line)-7)
	if selected {
		return o.Session.Theme.Selection.Styled(phrase.Fit(head+symbol+" "+line+text, w))
	}
	return head + style.Styled(symbol) + " " + line + text
}

func (o *model) stands(w, h int) []string {
	v, t := &o.Session.Verdict, &o.Session.Theme
	lines := []string{o.section("WHERE IT STANDS", o.Session.FirstKey(kit.Keys.Batches), w)}
	say := func(name, text string) {
		lines = append(lines, "   "+t.Dim.Styled(fmt.Sprintf("%-11s", name))+" "+phrase.Cut(text, w-16))
	}
	say("batches", o.batches())
	lines = append(lines, o.plotLines(w, plotSize(h))...)
	say("sources", sources(v.Sources))
	say("watermark", o.watermark())
	for i, line := range o.Session.StateWords {
		if i == 3 && len(o.Session.StateWords) > 4 {
			say("", fmt.Sprintf("… %d more operators (%s)", len(o.Session.StateWords)-i, o.Session.FirstKey(kit.Keys.State)))
			break
		}
		say([]string{"state", ""}[min(i, 1)], line)
	}
	return lines
}

func (o *model) batches() string {
	b := &o.Session.Verdict.Batches
	if b.LastPlanned < 0 && b.LastCommitted < 0 {
		return "none were planned"
	}
	log := func(first, last int64, word string) string {
		switch {
		case last < 0:
			return "none " + word
		case first == last:
			return fmt.Sprintf("%d %s", last, word)
		}
		return fmt.Sprintf("%d … %d %s", first, last, word)
	}
	out := log(b.FirstPlanned, b.LastPlanned, "planned") + " · " + log(b.FirstCommitted, b.LastCommitted, "committed")
	type list struct {
		ids  []int64
		more int64
		word string
	}
	lists := []list{{b.Uncommitted, b.More.Uncommitted, "not committed"}, {b.MissingOffsets, b.More.MissingOffsets, "missing in offsets"}, {b.MissingCommits, b.More.MissingCommits, "missing in commits"}}
	if slices.Equal(b.MissingOffsets, b.MissingCommits) && b.More.MissingOffsets == b.More.MissingCommits {
		lists = append(lists[:1], list{b.MissingOffsets, b.More.MissingOffsets, "missing in both logs"})
	}
	for _, list := range lists {
		if len(list.ids) > 0 {
			out += " · " + someIDs(list.ids, list.more) + " " + list.word
		}
	}
	return out
}

// someIDs writes the first of a list of batches.
func someIDs(ids []int64, more int64) string {
	var words []string
	for _, id := range ids[:min(len(ids), 4)] {
		words = append(words, fmt.Sprint(id))
	}
	if rest := int64(len(ids)-len(words)) + more; rest > 0 {
		words = append(words, "and "+phrase.Count(rest)+" more")
	}
	return strings.Join(words, ", ")
}

func sources(list []checks.Source) string {
	if len(list) == 0 {
		return "none recorded"
	}
	var words []string
	for _, src := range list {
		name := fmt.Sprint(src.Index)
		if src.Name != "" {
			name = kit.Safe(src.Name)
		}
		words = append(words, fmt.Sprintf("%s: %s, %s", name, kit.Safe(strings.Join(src.Kinds, " or ")), phrase.Units(int64(src.Parts), "parts")))
	}
	return strings.Join(words, " · ")
}

func (o *model) watermark() string {
	last := o.Session.Verdict.Standing.Last
	if last == nil || last.Plan == nil {
		return "–"
	}
	mark := last.Plan.Watermark
	if mark == 0 {
		return "none"
	}
	text := o.Session.Clock.Full(mark)
	if planned := last.Timestamp(); planned > mark {
		text += ", " + phrase.Span(planned-mark) + " behind its batch"
	} else if planned != 0 && planned < mark {
		text += ", " + phrase.Span(mark-planned) + " ahead of its batch"
	}
	return text
}

// listed is what the listing alone tells.
func listed(c *checkpoint.Checkpoint) string {
	return fmt.Sprintf("%s in offsets, %s in commits", phrase.Units(int64(len(c.Offsets.Files)), "files"), phrase.Units(int64(len(c.Commits.Files)), "files"))
}

// unreachable says what stood in the way of opening, what that may mean and what to do.
func unreachable(s *kit.Session, w int) []string {
	next := s.WithKeys("Check the location, and that this machine can reach it. %s tries again.", kit.Keys.Reread)
	switch {
	case errors.Is(s.Err, fs.ErrNotExist):
		next = s.WithKeys("Check the spelling of the location. %s tries again.", kit.Keys.Reread)
	case checkpoint.Why(s.Err) == "not logged in":
		next = s.WithKeys("Sign in again, or choose another profile. %s tries again.", kit.Keys.Reread)
	case checkpoint.Why(s.Err) == "denied":
		next = s.WithKeys("Ask for the right to list and read this location. What this identity may do says nothing about what the job's own may do. %s tries again.", kit.Keys.Reread)
	case checkpoint.Why(s.Err) == "archived":
		next = "Have the objects restored from the archive first: a read of them fails for Spark too."
	case checkpoint.Why(s.Err) == "stopped":
		next = s.WithKeys("%s reads on.", kit.Keys.Reread)
	}
	lines := []string{"", " " + s.Theme.Strong.Styled("IT CANNOT BE OPENED")}
	for _, p := range []string{kit.Safe(s.Err.Error()), "Nothing is known about the checkpoint: this is about reaching it, not about what it holds.", next} {
		lines = append(lines, kit.Indent(phrase.Wrap(p, w-4))...)
	}
	return lines
}

// RowAt returns the finding at a cell and a line of the screen.
func (o *model) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = o.zone.RowAt(x, y)
	return row, row == o.cursor && o.moved, ok
}
