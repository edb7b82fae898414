package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/internal/trace"
	"tidemark/ui/widget"
)

// explaining takes an error of Spark that somebody pastes, and shows it beside what the checkpoint shows now.

// ---- model

type explaining struct {
	s  *session
	at scope

	taking bool   // the paste has the keys
	paste  []byte // what was pasted or typed, of which the last trace.Limit bytes count
	pasted bool   // what came last was a paste, which enter ends
	err    error  // what is wrong with it

	reading bool
	asked   int // counts what was asked for: an answer to an older paste is dropped
	said    *trace.Explanation
	scroll  widget.Cursor // over the first lines in sight
	w, h    int
}

// explained is what came of a paste.
type explained struct {
	to    screenID
	asked int
	said  *trace.Explanation
	err   error
}

func (e explained) address() screenID { return e.to }

func newExplaining(s *session) *explaining { return &explaining{s: s, taking: true} }

func (x *explaining) title() string { return "explain" }

func (x *explaining) typing() bool { return x.taking }

func (x *explaining) loading() bool { return x.reading }

func (x *explaining) command() string { return "explain" }

func (x *explaining) resize(w, h int) { x.w, x.h = w, h }

// load explains anew what was pasted: the checkpoint was read again.
func (x *explaining) load(at scope) tea.Cmd {
	x.at = at
	if x.taking {
		return nil
	}
	return x.explain()
}

// ---- keys

func (x *explaining) keys() []key.Binding {
	return append([]key.Binding{keys.enter, keys.again, keys.back}, moving()...)
}

// ---- update

func (x *explaining) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case explained:
		return nil, x.take(msg)
	case grown:
		if x.s.verdict.Done && x.said != nil && x.said.SoFar && !x.reading {
			return nil, x.explain()
		}
	case tea.PasteMsg:
		if !x.taking {
			x.anew()
		}
		x.add(msg.Content)
		x.pasted = true
	case tea.KeyPressMsg:
		if x.taking {
			return x.typed(msg)
		}
		return x.pressed(msg)
	}
	return nil, nil
}

// anew forgets the paste.
func (x *explaining) anew() {
	x.taking, x.paste, x.pasted, x.err = true, nil, false, nil
	x.asked++
	x.reading = false
}

// add adds a piece of the text; a terminal pastes line ends as carriage returns.
func (x *explaining) add(text string) {
	x.err = nil
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	x.paste = append(x.paste, text...)
	if over := len(x.paste) - trace.Limit; over > 0 {
		x.paste = slices.Clone(x.paste[over:])
	}
}

// typed takes a key while a trace is pasted. A terminal that does not tell a paste from typing sends a key for each
// of its letters, so enter ends only what came as a paste, and else an empty line does.
func (x *explaining) typed(k tea.KeyPressMsg) (action, tea.Cmd) {
	switch name := k.String(); {
	case name == "ctrl+d", name == "enter" && (x.pasted || len(x.paste) == 0 || x.paste[len(x.paste)-1] == '\n'):
		return nil, x.done()
	case name == "enter":
		x.add("\n")
	case name == "tab":
		x.add("\t")
	case name == "esc", name == "backspace" && len(x.paste) == 0:
		if x.said == nil {
			return back{}, nil
		}
		x.taking, x.err = false, nil
	case name == "backspace":
		_, n := utf8.DecodeLastRune(x.paste)
		x.paste = x.paste[:len(x.paste)-n]
		x.pasted = false
	case name == "ctrl+u":
		x.paste, x.pasted = nil, false
	default:
		x.add(k.Text)
		x.pasted = x.pasted && k.Text == ""
	}
	return nil, nil
}

// done ends the paste.
func (x *explaining) done() tea.Cmd {
	if strings.TrimSpace(string(x.paste)) == "" {
		x.err = fmt.Errorf("nothing was pasted yet")
		return nil
	}
	x.taking = false
	return x.explain()
}

// explain holds the paste beside the checkpoint, in the background.
func (x *explaining) explain() tea.Cmd {
	if len(x.paste) == 0 || x.s.cp == nil || x.at.ctx == nil {
		return nil
	}
	x.reading, x.err = true, nil
	x.asked++
	at, asked, cp, text, v := x.at, x.asked, x.s.cp, string(x.paste), copyOf(&x.s.verdict)
	return guard(at.id, func() tea.Msg {
		t, err := trace.Parse(text)
		if err != nil {
			return explained{to: at.id, asked: asked, err: err}
		}
		return explained{to: at.id, asked: asked, said: trace.Explain(at.ctx, t, v, cp)}
	})
}

// copyOf is a verdict as it is now: the one of the session grows meanwhile.
func copyOf(v *checks.Verdict) *checks.Verdict {
	now := *v
	now.Findings, now.Drift, now.NotRun = slices.Clone(v.Findings), slices.Clone(v.Drift), slices.Clone(v.NotRun)
	return &now
}

func (x *explaining) take(e explained) tea.Cmd {
	if e.asked != x.asked {
		return nil
	}
	x.reading = false
	if e.err != nil {
		x.err, x.taking = e.err, true
		return nil
	}
	x.said = e.said
	x.scroll = widget.Cursor{}
	if x.said.SoFar && x.s.verdict.Done {
		return x.explain()
	}
	return nil
}

func (x *explaining) pressed(k tea.KeyPressMsg) (action, tea.Cmd) {
	switch {
	case pressed(k, keys.back):
		return back{}, nil
	case pressed(k, keys.again):
		x.anew()
	case pressed(k, keys.enter):
		return x.target(), nil
	default:
		x.scroll.Height = max(x.h-2, 1)
		moved(k, &x.scroll, max(len(x.lines(x.w))-x.h+1, 1))
	}
	return nil, nil
}

// target is the first place that the trace is about and that can be looked at; nil for none.
func (x *explaining) target() action {
	if x.said == nil || x.s.cp == nil {
		return nil
	}
	for _, f := range x.said.Files {
		for i := range x.said.Places {
			if p := &x.said.Places[i]; p.Name == f.Name && p.State == trace.There && p.Size > 0 {
				return goFile(decode.Where{File: f.Name}, p.Size)
			}
		}
	}
	if id := x.said.Batch; id >= 0 && x.has(id) {
		return goBatch(id)
	}
	for i := range x.said.Findings {
		if f := &x.said.Findings[i]; f.Batch >= 0 && x.has(f.Batch) {
			return goBatch(f.Batch)
		}
	}
	return nil
}

func (x *explaining) has(id int64) bool {
	return slices.ContainsFunc([]*checkpoint.LogDir{&x.s.cp.Offsets, &x.s.cp.Commits}, func(d *checkpoint.LogDir) bool { return d.Find(id) != nil })
}

// looksLikeTrace is a first look at a paste; what it really is explain tells.
func looksLikeTrace(text string) bool {
	text = text[:min(len(text), trace.Limit)]
	return strings.Contains(text, "Exception") || strings.Contains(text, "Error:") || strings.Contains(text, "SQLSTATE")
}

// ---- view

func (x *explaining) view(w, h int) []string {
	if x.taking {
		return x.pasteView(w, h)
	}
	if x.said == nil {
		return []string{"", " … being held beside the checkpoint"}
	}
	lines := x.lines(w)
	return scrolled(lines, x.scroll.At, h, x.s, true)
}

// pasteView is where the trace is pasted: what is wanted, and the end of what is there.
func (x *explaining) pasteView(w, h int) []string {
	t := &x.s.theme
	lines := []string{" " + t.section.Styled("EXPLAIN AN ERROR OF SPARK")}
	for _, text := range []string{
		"Paste a stack trace, the part of a log that holds one, or the message alone. It is held beside what the checkpoint shows now; nothing in it is believed.",
		"enter ends a paste. Of what is typed ctrl+d is the end, or an empty line. ctrl+u begins anew, esc leaves.",
	} {
		lines = append(lines, indent1(widget.Wrap(text, w-2))...)
	}
	if x.err != nil {
		lines = append(lines, indent1(styledLines(t.critical, most(widget.Wrap("✗ "+safe(x.err.Error()), w-2), 4)))...)
	}
	lines = append(lines, t.dim.Styled(ruler(w)))
	text := string(x.paste)
	all := strings.Split(text, "\n")
	count := plural(int64(len(all)), "line") + ", " + plural(int64(len(text)), "byte")
	if text == "" {
		count = "nothing yet"
	}
	room := max(h-len(lines)-1, 1)
	for _, line := range all[max(len(all)-room, 0):] {
		lines = append(lines, " "+widget.Cut(safe(strings.ReplaceAll(line, "\t", "  ")), w-3))
	}
	lines[len(lines)-1] += "▏"
	return append(lines, " "+t.dim.Styled(count))
}

// explainLabel is how many cells a label has; a longer one has a line of its own.
const explainLabel = 12

// lines is the explanation, w cells wide.
func (x *explaining) lines(w int) []string {
	if x.said == nil {
		return nil
	}
	t := &x.s.theme
	var lines []string
	for _, part := range report.Explanation(x.said) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, " "+t.section.Styled(part.Title))
		for _, l := range part.Lines {
			lines = append(lines, explainLine(t, l, w)...)
		}
	}
	return lines
}

func explainLine(t *theme, l report.ExplainLine, w int) []string {
	mark, style := "  ", ansi.Style{}
	switch l.Tone {
	case report.Good:
		mark, style = "✓ ", t.good
	case report.Bad:
		mark, style = "✗ ", t.critical
	case report.Open:
		mark, style = "? ", t.unknown
	case report.Strong:
		style = t.strong
	}
	label, text := safe(l.Label), prose(l.Text)
	head := "   " + style.Styled(mark)
	if label == "" {
		return hung(head, 5, widget.Wrap(text, w-6))
	}
	if widget.Width(label) > explainLabel {
		lines := []string{head + style.Styled(widget.Middle(label, w-6))}
		return append(lines, hung(strings.Repeat(" ", explainLabel+6), explainLabel+6, widget.Wrap(text, w-explainLabel-7))...)
	}
	wrapped := widget.Wrap(text, w-explainLabel-7)
	if l.Tone == report.Strong {
		wrapped = styledLines(t.strong, wrapped)
	}
	return hung(head+t.dim.Styled(widget.Fit(label, explainLabel))+" ", explainLabel+6, wrapped)
}

// hung is text behind a head of some cells: its further lines stand as far in.
func hung(head string, cells int, text []string) []string {
	if len(text) == 0 {
		return []string{head}
	}
	lines := []string{head + text[0]}
	for _, l := range text[1:] {
		lines = append(lines, strings.Repeat(" ", cells)+l)
	}
	return lines
}

// ---- the lines that open it

var explainSpec = Spec{
	command: "explain", does: "paste an error of Spark, and see what the checkpoint shows there",
	open:  func(s *session, _ *words) (screen, error) { return newExplaining(s), nil },
	paste: pasteTrace,
}

// pasteTrace explains what is pasted, where that looks like a stack trace.
func pasteTrace(s *session, text string) screen {
	if s.cp == nil || !looksLikeTrace(text) {
		return nil
	}
	x := newExplaining(s)
	x.add(text)
	x.taking = false
	return x
}
