package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// places is a screen to choose a checkpoint on: those that were opened lately, those below a folder with their
// health as they are found, and the built-in examples. It is the start screen, and what a folder shows that is
// no checkpoint and has folders in it.

// ---- model

// Finder looks for checkpoints below a location: it yields each at once when it is found, and again with its
// health; between them how far it has come. It ends soon after ctx does.
type Finder func(ctx context.Context, location string) iter.Seq2[Found, error]

// Found is one step of a search.
type Found struct {
	Choice         // of a checkpoint; its Location is empty where the step is none
	Health  string // the worst finding in a word: "ok", "critical", "unknown"; "" while it is looked at
	Outcome string // what a restart does: "RE-RUNS batch 120"
	Same    string // another checkpoint of the same query that was found; "" where there is none so far
	Looked  int    // folders that were listed so far
	Unread  string // a folder that could not be listed, and why
	Left    bool   // there was more than was looked at
}

type places struct {
	list
	s    *session
	root string // where it looks; "" for nowhere
	own  bool   // it is the folder that was asked for, and not the start screen

	at      scope
	recents []Recent
	found   []Found
	looked  int
	unread  []string
	left    bool
	looking bool
	err     error // why the search ended early
	rows    []spot
	moved   bool // a person has chosen a row
	typed   ask
}

// spot is a row: a place and what is known of it.
type spot struct {
	kind    string // "recent", "found", "example", "here"
	choice  Choice
	health  string
	outcome string
	same    string    // see Found.Same
	when    time.Time // of the last visit; zero for none
}

func newPlaces(s *session, root string, own bool) *places {
	x := &places{s: s, root: root, own: own, list: list{across: 20, down: 14}}
	x.table.Columns = []widget.Column{{Title: "", Width: 8}, {Title: "checkpoint", Width: 20, Middle: true}, {Title: "health", Width: 10}, {Title: "what a restart does", Width: 24, Grow: true}}
	x.table.Look = s.theme.look()
	x.arrange()
	return x
}

func (x *places) title() string {
	if x.own {
		return "folder"
	}
	return "start"
}

// readBack are the places that were opened lately, read in the background.
type readBack struct {
	to      screenID
	recents []Recent
	err     error
}

func (r readBack) address() screenID { return r.to }

// ---- keys

func (x *places) keys() []key.Binding {
	return listKeys(keys.enter, keys.open, keys.reread)
}

func (x *places) typing() bool { return x.typed.open() || x.list.typing() }

func (x *places) loading() bool { return x.looking }

// ---- update

func (x *places) load(at scope) tea.Cmd {
	x.at, x.found, x.looked, x.unread, x.left, x.err = at, nil, 0, nil, false, nil
	x.looking = x.root != "" && x.s.Find != nil
	x.arrange()
	cmds := []tea.Cmd{x.remember()}
	if x.looking {
		cmds = append(cmds, stream(at.life, at.id, x.s.Find(at.ctx, x.root)))
	}
	return tea.Batch(cmds...)
}

// remember reads what was opened lately. Below a folder that is not of interest.
func (x *places) remember() tea.Cmd {
	m, to := x.s.Memory, x.at.id
	if m == nil || x.own {
		return nil
	}
	return guard(to, func() tea.Msg {
		recents, err := m.Recents()
		return readBack{to, recents, err}
	})
}

func (x *places) resize(w, h int) {
	longest := len("checkpoint")
	for i := range x.rows {
		longest = max(longest, widget.Width(x.label(&x.rows[i])))
	}
	x.table.Columns[1].Width = max(min(longest, w-50), 12)
	x.lay(w, h, len(x.head(w)), x.table.Order.Len(len(x.rows)))
}

func (x *places) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[Found]:
		for _, f := range msg.items {
			x.take(f)
		}
		x.err = errors.Join(x.err, msg.err)
		x.looking = msg.next != nil
		x.follow()
		return nil, msg.next
	case readBack:
		x.recents = msg.recents
		x.follow()
		if msg.err != nil {
			return note{msg.err.Error()}, nil
		}
		return nil, nil
	case uncovered:
		return closePlace{x.folder()}, x.remember()
	}
	if x.typed.open() {
		act := x.typed.hear(msg)
		x.resize(x.w, x.h)
		return act, nil
	}
	switch x.hear(msg, x.table.Order.Len(len(x.rows))) {
	case picked:
		x.moved = true
	case sifted:
		x.follow()
	case left:
		return back{}, nil
	case unheard:
		if k, ok := msg.(tea.KeyPressMsg); ok {
			return x.key(k), nil
		}
	}
	return nil, nil
}

func (x *places) key(k tea.KeyPressMsg) action {
	switch {
	case pressed(k, keys.enter):
		if at := x.selected(); at != nil {
			return openChoice{at.choice, at.kind == kindHere}
		}
	case pressed(k, keys.open) && x.s.OpenAt != nil:
		x.typed.show(ask{
			label: "open",
			hint: func() []string {
				return []string{"a folder, a file: URI, s3://bucket/prefix, dbfs:/path, or a copy in a .zip or .tar; enter opens it"}
			},
			take: func(typed string) (action, error) {
				if typed = strings.TrimSpace(typed); typed == "" {
					return nil, errors.New("a location is missing")
				}
				return openChoice{choice: x.s.OpenAt(typed)}, nil
			},
		})
		x.resize(x.w, x.h)
	}
	return nil
}

// take puts one step of the search to what is known.
func (x *places) take(f Found) {
	x.looked = max(x.looked, f.Looked)
	x.left = x.left || f.Left
	if f.Unread != "" {
		x.unread = append(x.unread, f.Unread)
	}
	if f.Location == "" {
		return
	}
	if i := slices.IndexFunc(x.found, func(o Found) bool { return o.Location == f.Location }); i >= 0 {
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
func (x *places) arrange() {
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
func (x *places) follow() {
	var kept spot
	if at := x.selected(); at != nil && x.moved {
		kept = *at
	}
	x.arrange()
	if x.filter.Pattern == "" {
		x.table.Order.All()
	} else {
		x.table.Order.Set(len(x.rows), func(i int) bool {
			r := &x.rows[i]
			return x.filter.Wants(fmt.Sprintf("%s %s %s %s %s %s", r.kind, r.choice.Label, r.choice.Location, r.choice.Detail, r.health, r.outcome))
		}, nil)
	}
	n := x.table.Order.Len(len(x.rows))
	at := 0
	for i := range n {
		if r := &x.rows[x.table.Order.Row(i)]; r.kind == kept.kind && r.choice.Location == kept.choice.Location {
			at = i
			break
		}
	}
	x.table.Go(at, n)
	x.resize(x.w, x.h)
}

// selected is the row under the cursor; nil where there is none.
func (x *places) selected() *spot {
	if x.table.At >= x.table.Order.Len(len(x.rows)) {
		return nil
	}
	return &x.rows[x.table.Order.Row(x.table.At)]
}

// ---- the lines that open it

// startSpec is the start screen. Opened with a location it is the list of what is below that.
var startSpec = Spec{
	command: "start", title: "start", does: "choose another checkpoint", anywhere: true,
	make: func(s *session) screen { return newPlaces(s, s.Here, false) },
	open: func(s *session, w *words) (screen, error) { return newPlaces(s, w.next(), true), nil },
	do:   always(home{}),
}

func (x *places) command() string { return "start" }

func (x *places) folder() string {
	if x.own {
		return x.root
	}
	return ""
}
