package start

import (
	"errors"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// model is a screen to choose a checkpoint on: those below a folder, by what a restart does, those that were opened lately,
// and the built-in examples. It is the start screen, and what is shown of a folder that is not a checkpoint and has folders
// in it.
type model struct {
	kit.List
	w      int // cells of the screen
	s      *kit.Session
	root   string // where it searches; "" for nowhere
	own    bool   // it is the folder that was asked for, and not the start screen
	around string // the checkpoint that the folder is a part of; "" for none. Nothing is searched then.

	at      kit.Scope
	recents []kit.Recent
	found   []kit.Found
	looked  int
	unread  []string
	left    bool
	looking bool
	err     error // why the search ended early
	spots   []spot
	rows    []row
	order   int // the column that found checkpoints are sorted by
	back    bool
	moved   bool // a person has chosen a row
	typed   kit.Ask
}

// spot is a place and what is known of it.
type spot struct {
	kind   kind
	choice kit.Choice
	kit.Summary
	worst string    // a recent one: the worst finding in a word; see kit.Recent
	same  string    // see Found.Same
	when  time.Time // of the last visit; zero for none
}

// kind is what a spot is.
type kind byte

const (
	found kind = iota
	whole      // the checkpoint around the folder
	recent
	example
	here // the folder itself, as if it were a checkpoint
)

func newModel(s *kit.Session, root string, own bool, around string) *model {
	x := &model{s: s, root: root, own: own, around: around, List: kit.List{Name: "Checkpoints"}}
	x.Table.Columns = []widget.Column{{Title: "  restart", Width: 24}, {Title: "checkpoint", Width: 20, Middle: true, Grow: true},
		{Title: "newest", Width: 8, Right: true}, {Title: "same query as"}}
	x.Table.Palette = s.Theme.Palette()
	x.follow()
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
	own := []key.Binding{kit.Keys.Enter, kit.Keys.Sort}
	if x.s.OpenAt != nil {
		own = append(own, kit.Keys.Open)
	}
	return kit.FilterKeys(own...)
}

func (x *model) Typing() bool { return x.typed.IsOpen() || x.List.Typing() }

// Asked is the location that a person types.
func (x *model) Asked() *kit.Ask { return &x.typed }

func (x *model) Loading() bool { return x.looking }

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at, x.found, x.looked, x.unread, x.left, x.err = at, nil, 0, nil, false, nil
	x.looking = x.root != "" && x.s.Find != nil && x.around == ""
	x.follow()
	cmds := []tea.Cmd{x.remember()}
	if x.looking {
		cmds = append(cmds, kit.Stream(at.Life, at.ID, x.s.Find(at.Ctx, x.root)))
	}
	return tea.Batch(cmds...)
}

// remember reads what was opened lately. The list of a folder does not show that.
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

func (x *model) Resize(w, _ int) {
	x.w = w
	x.Table.Go(x.Table.At, len(x.rows))
	x.fit()
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
		return x.typed.Handle(msg), nil
	}
	was := x.Table.At
	did := x.Handle(msg, len(x.rows))
	x.offHead(was)
	switch did {
	case kit.RowSelected:
		x.moved = true
	case kit.FilterChanged:
		x.follow()
	case kit.SortChosen:
		if x.Column < len(orders) {
			x.order, x.back = x.Column, x.order == x.Column && !x.back
		}
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
			return kit.OpenChoice{Choice: at.choice, AsIs: at.kind == here}
		}
	case kit.Pressed(k, kit.Keys.Sort):
		x.order, x.back = (x.order+1)%len(orders), false
		x.follow()
	case kit.Pressed(k, kit.Keys.Open) && x.s.OpenAt != nil:
		x.typed.Show(kit.Ask{
			Label: "Open a location",
			Hint: func() []string {
				return []string{"A folder, a file: URI, s3://bucket/prefix, dbfs:/path, or a .zip or .tar of a checkpoint."}
			},
			Take: func(typed string) (kit.Action, error) {
				if typed = strings.TrimSpace(typed); typed == "" {
					return nil, errors.New("type a location, or press esc")
				}
				return kit.OpenChoice{Choice: x.s.OpenAt(typed)}, nil
			},
		})
	}
	return nil
}

// take adds one step of the search to what is known.
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

// ---- the lines that open it

// Spec is the start screen. Opened with a location it is the list of what is below that.
var Spec = kit.Spec{
	Command: "start", Title: "start", Does: "choose another checkpoint", Anywhere: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s, s.Here, false, "") },
	Open: func(s *kit.Session, w *kit.Words) (kit.Screen, error) {
		return newModel(s, w.Next(), true, w.Next()), nil
	},
	Do: kit.Always(kit.Home{}),
}

func (x *model) Command() string { return "start" }

func (x *model) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.follow()
}

func (x *model) Folder() string {
	if x.own {
		return x.root
	}
	return ""
}
