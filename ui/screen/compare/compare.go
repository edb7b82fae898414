package compare

import (
	"cmp"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// How two batches differ: offsets partition by partition, settings, times, state. It says the same as
// "tidemark diff LOCATION --batch A..B".

// ---- model

type model struct {
	kit.List // of the offsets
	s        *kit.Session
	a, b     int64 // a is the older one
	page     page.Page
	apart    string // what is between them
	err      error
	done     bool
	rows     []row
	same     int // partitions with the same offset in both
}

// compared is how the batches differ, or why that is not known.
type compared struct {
	to   kit.ScreenID
	page page.Page
	err  error
}

func (c compared) Address() kit.ScreenID { return c.to }

func newModel(s *kit.Session, a, b int64) *model {
	x := &model{s: s, a: min(a, b), b: max(a, b), List: kit.List{Name: "Offsets"}}
	x.Table.Palette = s.Theme.Palette()
	return x
}

func (x *model) Title() string { return fmt.Sprintf("batches %d and %d", x.a, x.b) }

// Within is the place below the tab of all batches.
func (x *model) Within() string { return fmt.Sprintf("%d and %d", x.a, x.b) }

// ---- keys

func (x *model) Keys() []key.Binding {
	own := []key.Binding{kit.Keys.Older, kit.Keys.Newer}
	if len(x.rows) == 0 {
		return kit.PanelKeys(own...)
	}
	enter := kit.Keys.Enter
	enter.SetHelp("enter", fmt.Sprintf("open batch %d", x.b))
	return kit.ListKeys(append([]key.Binding{enter}, own...)...)
}

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.page, x.rows, x.err, x.done = page.Page{}, nil, nil, false
	cp := x.s.Checkpoint
	if cp == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		both, err := statestore.ReadBatches(at.Ctx, cp, x.a, x.b)
		if err != nil {
			return compared{to: at.ID, err: err}
		}
		return compared{to: at.ID, page: page.Batches(cp, both[0], both[1])}
	})
}

func (x *model) Loading() bool { return !x.done }

func (x *model) Resize(_, h int) {
	if x.Table.Height == 0 {
		x.Table.Height = max(h, 1)
	}
}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case compared:
		x.done, x.err, x.apart, x.page = true, msg.err, x.between(), msg.page
		x.setRows()
	case tea.KeyPressMsg, tea.PasteMsg, kit.Input:
		if in, ok := msg.(kit.Input); ok && !x.Filter.Typing {
			switch {
			case kit.Pressed(in, kit.Keys.Older):
				return x.step(-1), nil
			case kit.Pressed(in, kit.Keys.Newer):
				return x.step(1), nil
			}
		}
		_, act := x.Answer(msg, x.Table.Order.Len(len(x.rows)), x.arrange, func(in kit.Input) kit.Action {
			if kit.Pressed(in, kit.Keys.Enter) && len(x.rows) > 0 {
				return kit.GoBatch(x.b)
			}
			return nil
		})
		return act, nil
	}
	return nil, nil
}

// step compares with the batch before or after the newer one.
func (x *model) step(by int64) kit.Action {
	to, ok := x.s.Step(x.b, by)
	if ok && to == x.a {
		to, ok = x.s.Step(to, by)
	}
	if !ok {
		return nil
	}
	x.a, x.b = min(x.a, to), max(x.a, to)
	return kit.Reload{}
}

// between says what is between the two in the logs. It looks at every batch, so it is worked out once.
func (x *model) between() string {
	c := x.s.Checkpoint
	there, uncommitted := int64(0), int64(0)
	for id := range c.IDs() {
		if id > x.a && id < x.b {
			there++
			if c.Commits.Find(id) == nil {
				uncommitted++
			}
		}
	}
	apart := x.b - x.a - 1
	switch {
	case apart <= 0:
		return "none"
	case c.Offsets.Err != nil || c.Commits.Err != nil:
		return phrase.Units(apart, "batch IDs") + "; a log could not be listed"
	}
	words := phrase.Units(there, "batches")
	if uncommitted > 0 {
		words += fmt.Sprintf(", ! %s uncommitted", phrase.Count(uncommitted))
	}
	if missing := apart - there; missing > 0 {
		words += fmt.Sprintf(", ✗ %s missing", phrase.Count(missing))
	}
	return words
}

// ---- the lines that open it

var Spec = kit.Spec{Command: "compare", Home: "batches", Args: "N M", Need: true, Does: "how two batches differ", Open: open,
	Check: kit.CheckBatch, Complete: kit.CompleteTwoBatches}

func open(s *kit.Session, w *kit.Words) (kit.Screen, error) {
	var ids [2]int64
	for i := range ids {
		id, err := kit.BatchNumber(w.Next())
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return newModel(s, ids[0], ids[1]), cmp.Or(s.WantBatch(w, ids[0]), s.WantBatch(w, ids[1]))
}
