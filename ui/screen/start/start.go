package start

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// model is a screen to choose a checkpoint on: those that were opened lately, those below a folder with their
// health as they are found, and the built-in examples. It is the start screen, and what a folder shows that is
// no checkpoint and has folders in it.

type model struct {
	kit.List
	s    *kit.Session
	root string // where it looks; "" for nowhere
	own  bool   // it is the folder that was asked for, and not the start screen

	at      kit.Scope
	recents []kit.Recent
	found   []kit.Found
	looked  int
	unread  []string
	left    bool
	looking bool
	err     error // why the search ended early
	rows    []spot
	moved   bool // a person has chosen a row
	typed   kit.Ask
}

// spot is a row: a place and what is known of it.
type spot struct {
	kind    string // "recent", "found", "example", "here"
	choice  kit.Choice
	health  string
	outcome string
	same    string    // see Found.Same
	when    time.Time // of the last visit; zero for none
}

func newModel(s *kit.Session, root string, own bool) *model {
	x := &model{s: s, root: root, own: own, List: kit.List{Across: 20, Down: 14}}
	x.Table.Columns = []widget.Column{{Title: "", Width: 8}, {Title: "checkpoint", Width: 20, Middle: true}, {Title: "health", Width: 10}, {Title: "what a restart does", Width: 24, Grow: true}}
	x.Table.Palette = s.Theme.Palette()
	x.arrange()
	return x
}

func (x *model) Title() string {
	if x.own {
		return "folder"
	}
	return "start"
}

// readBack are the places that were opened lately, read in the background.
type readBack struct {
	to      kit.ScreenID
	recents []kit.Recent
	err     error
}

func (r readBack) Address() kit.ScreenID { return r.to }

// ---- keys

func (x *model) Keys() []key.Binding {
	return kit.ListKeys(kit.Keys.Enter, kit.Keys.Open, kit.Keys.Reread)
}

func (x *model) Typing() bool { return x.typed.IsOpen() || x.List.Typing() }

func (x *model) Loading() bool { return x.looking }

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at, x.found, x.looked, x.unread, x.left, x.err = at, nil, 0, nil, false, nil
	x.looking = x.root != "" && x.s.Find != nil
	x.arrange()
	cmds := []tea.Cmd{x.remember()}
	if x.looking {
		cmds = append(cmds, kit.Stream(at.Life, at.ID, x.s.Find(at.Ctx, x.root)))
	}
	return tea.Batch(cmds...)
}

// remember reads what was opened lately. Below a folder that is not of interest.
func (x *model) remember() tea.Cmd {
	m, to := x.s.Memory, x.at.ID
	if m == nil || x.own {
		return nil
	}
	return kit.Guard(to, func() tea.Msg {
		recents, err := m.Recents()
		return readBack{to, recents, err}
	})
}

func (x *model) Resize(w, h int) {
	longest := len("checkpoint")
	for i := range x.rows {
		longest = max(longest, phrase.Width(x.label(&x.rows[i])))
	}
	x.Table.Columns[1].Width = max(min(longest, w-50), 12)
	x.Layout(w, h, len(x.head(w)), x.Table.Order.Len(len(x.rows)))
}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[kit.Found]:
		for _, f := range msg.Items {
			x.take(f)
		}
		x.err = errors.Join(x.err, msg.Err)
		x.looking = msg.Next != nil
		x.follow()
		return nil, msg.Next
	case readBack:
		x.recents = msg.recents
		x.follow()
		if msg.err != nil {
			return kit.Note{Text: msg.err.Error()}, nil
		}
		return nil, nil
	case kit.Uncovered:
		return kit.ClosePlace{Location: x.Folder()}, x.remember()
	}
	if x.typed.IsOpen() {
		act := x.typed.Handle(msg)
		x.Resize(x.W, x.H)
		return act, nil
	}
	switch x.Handle(msg, x.Table.Order.Len(len(x.rows))) {
	case kit.RowSelected:
		x.moved = true
	case kit.FilterChanged:
		x.follow()
	case kit.ListLeft:
		return kit.Back{}, nil
	case kit.NotForList:
		if k, ok := msg.(kit.Input); ok {
			return x.key(k), nil
		}
	}
	return nil, nil
}

func (x *model) key(k kit.Input) kit.Action {
	switch {
	case kit.Pressed(k, kit.Keys.Enter):
		if at := x.selected(); at != nil {
			return kit.OpenChoice{Choice: at.choice, AsIs: at.kind == kindHere}
		}
	case kit.Pressed(k, kit.Keys.Open) && x.s.OpenAt != nil:
		x.typed.Show(kit.Ask{
			Label: "open",
			Hint: func() []string {
				return []string{"a folder, a file: URI, s3://bucket/prefix, dbfs:/path, or a copy in a .zip or .tar; enter opens it"}
			},
			Take: func(typed string) (kit.Action, error) {
				if typed = strings.TrimSpace(typed); typed == "" {
					return nil, errors.New("a location is missing")
				}
				return kit.OpenChoice{Choice: x.s.OpenAt(typed)}, nil
			},
		})
		x.Resize(x.W, x.H)
	}
	return nil
}

// take puts one step of the search to what is known.
func (x *model) take(f kit.Found) {
	x.looked = max(x.looked, f.Looked)
	x.left = x.left || f.Left
	if f.Unread != "" {
		x.unread = append(x.unread, f.Unread)
	}
	if f.Location == "" {
		return
	}
	if i := slices.IndexFunc(x.found, func(o kit.Found) bool { return o.Location == f.Location }); i >= 0 {
		x.found[i] = f
		return
	}
	x.found = append(x.found, f)
}

const (
	kindRecent  = "recent"
	kindFound   = "found"
	kindExample = "example"
	kindHere    = "as it is"
)

// mostRecents is how many of the places that were opened lately stand on the start screen.
const mostRecents = 10

// arrange makes the rows: what was found first where a folder was asked for, else what was opened lately.
func (x *model) arrange() {
	x.rows = x.rows[:0]
	if !x.own {
		for _, r := range x.recents[:min(len(x.recents), mostRecents)] {
			if x.s.OpenAt == nil {
				break
			}
			x.rows = append(x.rows, spot{kind: kindRecent, choice: x.s.OpenAt(r.Location), health: r.Verdict, when: r.When})
		}
	}
	for _, f := range x.found {
		health := f.Health
		if health == "" {
			health = "…"
		}
		x.rows = append(x.rows, spot{kind: kindFound, choice: f.Choice, health: health, outcome: f.Outcome, same: f.Same})
	}
	if x.own {
		c := x.s.OpenAt(x.root)
		c.Detail = "the folder itself, as if it were a checkpoint"
		x.rows = append(x.rows, spot{kind: kindHere, choice: c})
		return
	}
	for _, c := range x.s.Choices {
		x.rows = append(x.rows, spot{kind: kindExample, choice: c})
	}
}

// follow arranges the rows anew and keeps the selection on its row.
func (x *model) follow() {
	var kept spot
	if at := x.selected(); at != nil && x.moved {
		kept = *at
	}
	x.arrange()
	if x.Filter.Pattern == "" {
		x.Table.Order.All()
	} else {
		x.Table.Order.Set(len(x.rows), func(i int) bool {
			r := &x.rows[i]
			return x.Filter.Wants(fmt.Sprintf("%s %s %s %s %s %s", r.kind, r.choice.Label, r.choice.Location, r.choice.Detail, r.health, r.outcome))
		}, nil)
	}
	n := x.Table.Order.Len(len(x.rows))
	at := 0
	for i := range n {
		if r := &x.rows[x.Table.Order.Row(i)]; r.kind == kept.kind && r.choice.Location == kept.choice.Location {
			at = i
			break
		}
	}
	x.Table.Go(at, n)
	x.Resize(x.W, x.H)
}

// selected is the row under the cursor; nil where there is none.
func (x *model) selected() *spot {
	if x.Table.At >= x.Table.Order.Len(len(x.rows)) {
		return nil
	}
	return &x.rows[x.Table.Order.Row(x.Table.At)]
}

// ---- the lines that open it

// Spec is the start screen. Opened with a location it is the list of what is below that.
var Spec = kit.Spec{
	Command: "start", Title: "start", Does: "choose another checkpoint", Anywhere: true,
	New:  func(s *kit.Session) kit.Screen { return newModel(s, s.Here, false) },
	Open: func(s *kit.Session, w *kit.Words) (kit.Screen, error) { return newModel(s, w.Next(), true), nil },
	Do:   kit.Always(kit.Home{}),
}

func (x *model) Command() string { return "start" }

func (x *model) Folder() string {
	if x.own {
		return x.root
	}
	return ""
}
