package explain

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/trace"
	"tidemark/ui/kit"
)

// ---- model

// model takes an error of Spark that a person pastes, and shows it next to what the checkpoint shows now.
type model struct {
	kit.Board
	s  *kit.Session
	at kit.Scope

	taking bool   // the paste has the keys
	paste  []byte // what was pasted or typed, of which the last trace.Limit bytes count
	pasted bool   // what came last was a paste, which enter ends
	err    error  // what is wrong with it

	reading bool
	asked   int // counts what was asked for: an answer to an older paste is dropped
	said    *trace.Explanation
	text    string // that it is about
}

// explained is what came of a paste.
type explained struct {
	to    kit.ScreenID
	asked int
	said  *trace.Explanation
	text  string
	err   error
}

func (e explained) Address() kit.ScreenID { return e.to }

func newModel(s *kit.Session) *model {
	x := &model{s: s, taking: true}
	x.SetFocus(meansID)
	return x
}

func (x *model) Title() string { return "explain" }

func (x *model) Typing() bool { return x.taking }

func (x *model) Loading() bool { return x.reading }

func (x *model) Command() string { return "explain" }

func (x *model) Resize(w, h int) {}

// Load explains again what was pasted: the checkpoint was read again.
func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at = at
	if x.taking {
		return nil
	}
	return x.explain()
}

// ---- keys

func (x *model) Keys() []key.Binding {
	open, again, back := kit.Keys.Enter, kit.Keys.Again, kit.Keys.Back
	again.SetHelp(again.Help().Key, "paste another")
	back.SetHelp(back.Help().Key, "back")
	open.SetEnabled(x.target() != nil)
	return kit.PanelKeys(open, again, kit.Keys.Copy, back)
}

// ---- update

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case explained:
		return nil, x.take(msg)
	case kit.Grown:
		if x.s.Verdict.Done && x.said != nil && x.said.SoFar && !x.reading {
			return nil, x.explain()
		}
	case tea.PasteMsg:
		if !x.taking {
			x.reset()
		}
		x.add(msg.Content)
		x.pasted = true
	case tea.KeyPressMsg:
		return x.typed(msg)
	case kit.Input:
		if !x.taking {
			return x.pressed(msg)
		}
	}
	return nil, nil
}

// reset forgets the paste.
func (x *model) reset() {
	x.taking, x.paste, x.pasted, x.err = true, nil, false, nil
	x.asked++
	x.reading = false
}

// add adds a piece of the text; a terminal pastes line ends as carriage returns.
func (x *model) add(text string) {
	x.err = nil
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	x.paste = append(x.paste, text...)
	if over := len(x.paste) - trace.Limit; over > 0 {
		x.paste = slices.Clone(x.paste[over:])
	}
}

// typed takes a key while a trace is pasted. A terminal that does not tell a paste from typing sends a key for each
// of its letters, so enter ends only what came as a paste, and else an empty line does.
func (x *model) typed(k tea.KeyPressMsg) (kit.Action, tea.Cmd) {
	switch name := k.String(); {
	case name == "ctrl+d", name == "enter" && (x.pasted || len(x.paste) == 0 || x.paste[len(x.paste)-1] == '\n'):
		return nil, x.done()
	case name == "enter":
		x.add("\n")
	case name == "tab":
		x.add("\t")
	case name == "esc", name == "backspace" && len(x.paste) == 0:
		if x.said == nil {
			return kit.Back{}, nil
		}
		x.taking, x.err, x.paste = false, nil, []byte(x.text)
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
func (x *model) done() tea.Cmd {
	if strings.TrimSpace(string(x.paste)) == "" {
		x.err = errors.New("paste an error first")
		return nil
	}
	x.taking = false
	return x.explain()
}

// explain compares the paste with the checkpoint, in the background.
func (x *model) explain() tea.Cmd {
	if len(x.paste) == 0 || x.s.Checkpoint == nil || x.at.Ctx == nil {
		return nil
	}
	x.reading, x.err = true, nil
	x.asked++
	at, asked, cp, text, v := x.at, x.asked, x.s.Checkpoint, string(x.paste), kit.CopyOf(&x.s.Verdict)
	return kit.Guard(at.ID, func() tea.Msg {
		t, err := trace.Parse(text)
		if err != nil {
			return explained{to: at.ID, asked: asked, err: err}
		}
		return explained{to: at.ID, asked: asked, said: trace.Explain(at.Ctx, t, v, cp), text: text}
	})
}

func (x *model) take(e explained) tea.Cmd {
	if e.asked != x.asked {
		return nil
	}
	x.reading = false
	if e.err != nil {
		x.err, x.taking = e.err, true
		return nil
	}
	x.said, x.text = e.said, e.text
	for _, id := range []string{pastedID, meansID, kit.StepsID, behindID} {
		x.ScrollHome(id)
	}
	if x.said.SoFar && x.s.Verdict.Done {
		return x.explain()
	}
	return nil
}

func (x *model) pressed(k kit.Input) (kit.Action, tea.Cmd) {
	switch {
	case kit.Pressed(k, kit.Keys.Back):
		return kit.Back{}, nil
	case kit.Pressed(k, kit.Keys.Again):
		x.reset()
	case kit.Pressed(k, kit.Keys.Enter):
		return x.target(), nil
	default:
		x.Handle(k)
	}
	return nil, nil
}

// target is the first place that the trace names and that can be opened; nil for none.
func (x *model) target() kit.Action {
	if x.said == nil || x.s.Checkpoint == nil {
		return nil
	}
	for _, f := range x.said.Files {
		for i := range x.said.Places {
			if p := &x.said.Places[i]; p.Name == f.Name && p.State == trace.There && p.Size > 0 {
				return kit.GoFile(decode.Where{File: f.Name}, p.Size)
			}
		}
	}
	if id := x.said.Batch; id >= 0 && x.has(id) {
		return kit.GoBatch(id)
	}
	for i := range x.said.Findings {
		if f := &x.said.Findings[i]; f.Batch >= 0 && x.has(f.Batch) {
			return kit.GoBatch(f.Batch)
		}
	}
	return nil
}

func (x *model) has(id int64) bool {
	return slices.ContainsFunc([]*checkpoint.LogDir{&x.s.Checkpoint.Offsets, &x.s.Checkpoint.Commits},
		func(d *checkpoint.LogDir) bool { return d.Find(id) != nil })
}

// looksLikeTrace is a first guess at a paste; explain finds out what it is.
func looksLikeTrace(text string) bool {
	text = text[:min(len(text), trace.Limit)]
	return strings.Contains(text, "Exception") || strings.Contains(text, "Error:") || strings.Contains(text, "SQLSTATE")
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "explain", Does: "explain an error of Spark from this checkpoint",
	Open:  func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return newModel(s), nil },
	Paste: paste,
}

// paste explains what is pasted if that looks like a stack trace.
func paste(s *kit.Session, text string) kit.Screen {
	if s.Checkpoint == nil || !looksLikeTrace(text) {
		return nil
	}
	x := newModel(s)
	x.add(text)
	x.taking = false
	return x
}
