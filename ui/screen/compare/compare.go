package compare

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// compareScreen is what two batches differ in: positions part by part, settings, times. It says the same as
// "tidemark diff LOCATION --batch A..B".

// ---- model

type model struct {
	kit.Reader
	s     *kit.Session
	a, b  int64 // a is the older one
	lines []string
	apart string // what lies between them
	err   error
	done  bool
}

// compared is the differences as text, or why there are none.
type compared struct {
	to   kit.ScreenID
	text string
	err  error
}

func (c compared) Address() kit.ScreenID { return c.to }

func newModel(s *kit.Session, a, b int64) *model {
	return &model{s: s, a: min(a, b), b: max(a, b)}
}

func (x *model) Title() string { return fmt.Sprintf("batches %d and %d", x.a, x.b) }

// ---- keys

func (x *model) Keys() []key.Binding { return kit.ReaderKeys(kit.Keys.Back) }

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.lines, x.err, x.done = nil, nil, false
	cp, ids := x.s.Checkpoint, []int64{x.a, x.b}
	if cp == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		var both []page.BatchSide
		for b, err := range cp.BatchesOf(at.Ctx, slices.Values(ids)) {
			if err != nil {
				return compared{to: at.ID, err: err}
			}
			if b.Plan == nil {
				return compared{to: at.ID, err: noPlan(cp, b)}
			}
			operators, err := statestore.OperatorsAt(at.Ctx, cp, b.ID)
			if err != nil {
				return compared{to: at.ID, err: err}
			}
			both = append(both, page.BatchSide{Batch: b, Operators: operators})
		}
		var text strings.Builder
		err := report.Batches(&text, cp, both[0], both[1])
		return compared{at.ID, text.String(), err}
	})
}

// noPlan says why a batch has no plan to compare.
func noPlan(cp *checkpoint.Checkpoint, b *checkpoint.Batch) error {
	name := path.Join(cp.Offsets.Name, strconv.FormatInt(b.ID, 10))
	for _, u := range b.Unread {
		if u.Name == name {
			return fmt.Errorf("%s could not be read (%s): %w", name, u.Why(), u.Err)
		}
	}
	return fmt.Errorf("%s is not there: what batch %d was planned to read is not known", name, b.ID)
}

func (x *model) Loading() bool { return !x.done }

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if m, ok := msg.(compared); ok {
		x.done, x.err, x.apart = true, m.err, x.between()
		x.lines = strings.Split(strings.TrimRight(strings.TrimLeft(m.text, "\n"), "\n"), "\n")
		return nil, nil
	}
	return x.Reader.Update(msg)
}

// ---- view

func (x *model) View(w, h int) []string {
	t := &x.s.Theme
	switch {
	case !x.done:
		return []string{"", "   … both batches are being read"}
	case x.err != nil:
		return append([]string{"", " " + t.Section.Styled("THEY CANNOT BE COMPARED")}, kit.Indent(widget.Wrap(kit.Safe(x.err.Error())+".", w-6))...)
	}
	lines := []string{t.Dim.Styled(" " + x.apart)}
	for _, l := range x.lines {
		switch {
		case l == "" || l[0] == ' ':
			lines = append(lines, " "+l)
		default:
			lines = append(lines, " "+t.Section.Styled(l))
		}
	}
	return x.Show(x.s, lines, h)
}

// between says what lies between the two in the logs. It looks at every batch, so it is worked out once.
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
		return "they follow each other"
	case c.Offsets.Err != nil || c.Commits.Err != nil:
		return fmt.Sprintf("%s between them; a log could not be listed to its end", kit.Plural(apart, "number"))
	}
	words := kit.Plural(there, "batch") + " between them"
	if uncommitted > 0 {
		words += fmt.Sprintf(", ✗ %s of them not committed", phrase.Count(uncommitted))
	}
	if missing := apart - there; missing > 0 {
		words += fmt.Sprintf(", ╌ %s missing", phrase.Count(missing))
	}
	return words
}

// ---- the lines that open it

var Spec = kit.Spec{Command: "compare", Args: "N M", Need: true, Does: "what two batches differ in", Open: open, Check: kit.CheckBatch, Complete: kit.CompleteTwoBatches}

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
