package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// ---- view

func (o *overview) view(w, h int) []string {
	s := o.s
	switch {
	case s.err != nil && s.cp == nil:
		return unreachable(s, w)
	case s.cp == nil:
		lines := []string{"", "   Opening " + widget.Middle(safe(s.Location), w-14) + " …", ""}
		return append(lines, styledLines(s.theme.dim, indent(widget.Wrap("Nothing is written, now or later: this program has no way to.", w-6)))...)
	case !s.verdict.Known:
		return []string{"", "   The folders are listed: " + listed(s.cp) + ".", "   The newest files are being read …"}
	}
	if s.asOf >= 0 {
		return o.asOf(w, h)
	}
	if h < 24 {
		return o.tight(w, h)
	}
	restart := o.restart(w, max(h/3, 6))
	questions := o.questions(w)
	stands := o.stands(w, h)
	room := h - len(restart) - len(questions) - len(stands) - 3
	findings := o.findings(w, max(room, 3))
	return join(restart, questions, findings, o.next(w, room-len(findings)-1), stands)
}

// next is what to do about the finding under the cursor, the worst one at first, where there is room.
func (o *overview) next(w, h int) []string {
	if h < 3 || o.cursor >= len(o.s.verdict.Findings) {
		return nil
	}
	f := &o.s.verdict.Findings[o.cursor]
	lines := widget.Wrap(prose(f.NextStep), w-4)
	if len(lines) > h-1 {
		return nil
	}
	if avoid := widget.Wrap(prose(f.Avoid), w-4); f.Avoid != "" && len(lines)+len(avoid) < h {
		lines = append(lines, avoid...)
	}
	return append([]string{o.section("WHAT TO DO ABOUT "+strings.ToUpper(f.Code), "", w)}, indent(lines)...)
}

// tight is the same order where there is no room for empty lines: what does not fit at the end is
// left out before a finding is.
func (o *overview) tight(w, h int) []string {
	questions := o.questions(w)
	least := min(2+len(o.s.verdict.Findings), 4)
	restart := o.restart(w, max(h-len(questions)-least, 3))
	room := h - len(restart) - len(questions)
	stands := o.stands(w, h)
	give := min(max(room-2-max(len(o.s.verdict.Findings), 1), 0), len(stands))
	if give < 2 {
		give = 0
	}
	lines := append(restart, questions...)
	lines = append(lines, o.findings(w, room-give)...)
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

func (o *overview) section(name, key string, w int) string {
	line := " " + o.s.theme.section.Styled(name)
	if key != "" {
		line = widget.Fit(line, w-2-widget.Width(key)) + o.s.theme.key.Styled(key)
	}
	return line
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = "   " + lines[i]
	}
	return lines
}

func (o *overview) restart(w, h int) []string {
	lines := indent(restartLines(o.s, w-4))
	if len(lines) > h-2 {
		lines = lines[:max(h-2, 1)]
	}
	lines = append(lines, indent(rangeLines(o.s, w-4, h-1-len(lines)))...)
	return append([]string{o.section("IF YOU RESTART NOW", "", w)}, lines...)
}

// questionName is one of the three questions in our words.
type questionName struct {
	name  string // as the verdict has it
	title string // of its screen
	short string
	asks  string
}

// questionNames are the three questions in the order of their keys.
var questionNames = []questionName{
	{checks.Intact, "question 1", "intact?", "Is the checkpoint there and whole?"},
	{checks.SameQuery, "question 2", "same query?", "Is it the checkpoint of the query as it is today?"},
	{checks.ReplaySafe, "question 3", "replay safe?", "Does a batch that runs again leave the sink right?"},
}

// questionAnswer is the answer to a question; nil while there is none.
func (s *session) questionAnswer(name string) *checks.Question {
	for i := range s.verdict.Questions {
		if s.verdict.Questions[i].Name == name {
			return &s.verdict.Questions[i]
		}
	}
	return nil
}

// answerTo is what is known of a question.
func answerTo(s *session, name string) (answer, because string) {
	if q := s.questionAnswer(name); q != nil {
		return q.Answer, q.Because
	}
	if s.verdict.Done {
		return "unknown", "nothing was found out about it"
	}
	return "", "still being looked at"
}

func (o *overview) questions(w int) []string {
	t := &o.s.theme
	head := o.section("THREE QUESTIONS", "", w)
	if a := &o.s.verdict.Advice; a.Way != "" {
		head += widget.Cut("   → "+safe(report.Advice(a)), max(w-widget.Width(head), 0))
	}
	lines := []string{head}
	for i, q := range questionNames {
		answer, because := answerTo(o.s, q.name)
		if a := o.s.questionAnswer(q.name); a != nil {
			because = a.Short()
		}
		symbol, style := t.answer(answer)
		if answer == "" {
			symbol, answer, style = "…", "so far", t.dim
		}
		line := fmt.Sprintf("   %s %-13s %s", style.Styled(symbol), q.short, style.Styled(widget.Fit(answer, 8)))
		room := w - widget.Width(line) - 6
		lines = append(lines, line+" "+widget.Fit(prose(because), room)+"  "+t.key.Styled(o.s.questionKey(i)))
	}
	return lines
}

func (o *overview) findings(w, h int) []string {
	t, found := &o.s.theme, o.s.verdict.Findings
	lines := []string{o.section("FINDINGS", o.s.firstKey(keys.findings), w)}
	if len(found) == 0 {
		switch {
		case !o.s.verdict.Done:
			return append(lines, "   … none so far")
		case o.s.verdict.Open():
			return append(lines, "   "+t.unknown.Styled("? none in what could be looked at"))
		}
		return append(lines, "   "+t.good.Styled("✓ none"))
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
	for i := from; i < min(from+room, len(found)); i++ {
		lines = append(lines, o.finding(&found[i], code, w, i == o.cursor && o.moved))
	}
	if rest := len(found) - min(from+room, len(found)); rest > 0 || from > 0 {
		more := fmt.Sprintf("   … %d more (%s)", rest, o.s.firstKey(keys.findings))
		if from > 0 {
			more = fmt.Sprintf("   … %d before, %d more (%s)", from, rest, o.s.firstKey(keys.findings))
		}
		lines = append(lines, more)
	}
	return lines
}

func (o *overview) finding(f *checks.Finding, code, w int, selected bool) string {
	symbol, style := o.s.theme.severity(f.Severity)
	head := "   "
	if selected {
		head = " ▸ "
	}
	line := fmt.Sprintf("%s  %s  ", widget.Fit(f.Code, code), widget.Fit(batchWord(f.Batch), 12))
	text := o.s.news(f) + safe(f.Evidence)
	if f.Evidence == "" {
		text = o.s.news(f) + prose(f.Title)
	}
	text = widget.Cut(text, w-widget.Width(line)-7)
	if selected {
		return o.s.theme.selected.Styled(widget.Fit(head+symbol+" "+line+text, w))
	}
	return head + style.Styled(symbol) + " " + line + text
}

// batchWord is the batch that a finding is about; "–" for the whole checkpoint.
func batchWord(id int64) string {
	if id < 0 {
		return "–"
	}
	return fmt.Sprintf("batch %d", id)
}

func (o *overview) stands(w, h int) []string {
	v, t := &o.s.verdict, &o.s.theme
	lines := []string{o.section("WHERE IT STANDS", o.s.firstKey(keys.batches), w)}
	say := func(name, text string) {
		lines = append(lines, "   "+t.dim.Styled(fmt.Sprintf("%-11s", name))+" "+widget.Cut(text, w-16))
	}
	say("batches", o.batches())
	lines = append(lines, o.plotLines(w, detailFor(h))...)
	say("sources", sources(v.Sources))
	say("watermark", o.watermark())
	for i, line := range o.s.state {
		if i == 3 && len(o.s.state) > 4 {
			say("", fmt.Sprintf("… %d more operators (%s)", len(o.s.state)-i, o.s.firstKey(keys.state)))
			break
		}
		say([]string{"state", ""}[min(i, 1)], line)
	}
	return lines
}

func (o *overview) batches() string {
	b := &o.s.verdict.Batches
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
		words = append(words, "and "+report.Count(rest)+" more")
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
			name = safe(src.Name)
		}
		words = append(words, fmt.Sprintf("%s: %s, %s", name, safe(strings.Join(src.Kinds, " or ")), plural(int64(src.Parts), "part")))
	}
	return strings.Join(words, " · ")
}

func (o *overview) watermark() string {
	last := o.s.verdict.Standing.Last
	if last == nil || last.Plan == nil {
		return "–"
	}
	mark := last.Plan.Watermark
	if mark == 0 {
		return "none"
	}
	text := o.s.clock.full(mark)
	if planned := last.Timestamp(); planned > mark {
		text += ", " + span(planned-mark) + " behind its batch"
	} else if planned != 0 && planned < mark {
		text += ", " + span(mark-planned) + " ahead of its batch"
	}
	return text
}

// operators are the stateful operators, a line each. It looks at every file of state, so it is worked
// out once.
func operators(list []statestore.Operator) []string {
	if len(list) == 0 {
		return []string{"none: no folder in state"}
	}
	var lines []string
	for i := range list {
		op := &list[i]
		parts := []string{fmt.Sprintf("operator %d", op.ID)}
		if op.Name != "" {
			parts[0] += " " + safe(op.Name)
		}
		if op.Guessed {
			parts[0] += " (guessed)"
		}
		if op.Provider != "" {
			parts = append(parts, safe(op.Provider))
		}
		var bytes int64
		for _, p := range op.Partitions {
			for _, s := range p.Stores {
				for _, f := range s.Files {
					bytes += f.Size
				}
			}
		}
		parts = append(parts, plural(int64(len(op.Partitions)), "partition"), size(bytes))
		if key, _ := report.Schema(op); key != "" {
			parts = append(parts, "key "+safe(key))
		}
		if op.Err != nil {
			parts = append(parts, "? not listed to its end: "+safe(op.Err.Error()))
		}
		lines = append(lines, strings.Join(parts, ", "))
	}
	return lines
}

// listed is what the listing alone tells.
func listed(c *checkpoint.Checkpoint) string {
	return fmt.Sprintf("%s in offsets, %s in commits", plural(int64(len(c.Offsets.Files)), "file"), plural(int64(len(c.Commits.Files)), "file"))
}

// unreachable says what stood in the way of opening, what that may mean and what to do.
func unreachable(s *session, w int) []string {
	next := s.withKeys("Check the location, and that this machine can reach it. %s tries again.", keys.reread)
	switch {
	case errors.Is(s.err, fs.ErrNotExist):
		next = s.withKeys("Check the spelling of the location. %s tries again.", keys.reread)
	case checkpoint.Why(s.err) == "not logged in":
		next = s.withKeys("Sign in again, or choose another profile. %s tries again.", keys.reread)
	case checkpoint.Why(s.err) == "denied":
		next = s.withKeys("Ask for the right to list and read this location. What this identity may do says nothing about what the job's own may do. %s tries again.", keys.reread)
	case checkpoint.Why(s.err) == "archived":
		next = "Have the objects restored from the archive first: a read of them fails for Spark too."
	case checkpoint.Why(s.err) == "stopped":
		next = s.withKeys("%s reads on.", keys.reread)
	}
	lines := []string{"", " " + s.theme.section.Styled("IT CANNOT BE OPENED")}
	for _, p := range []string{safe(s.err.Error()), "Nothing is known about the checkpoint: this is about reaching it, not about what it holds.", next} {
		lines = append(lines, indent(widget.Wrap(p, w-4))...)
	}
	return lines
}
