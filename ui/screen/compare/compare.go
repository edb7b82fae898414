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

// compareScreen is what two batches differ in: positions part by part, settings, times. It says the same as
// "tidemark diff LOCATION --batch A..B".

// ---- model

type model struct {
	kit.Reader
	s     *kit.Session
	a, b  int64 // a is the older one
	page  page.Page
	apart string // what lies between them
	err   error
	done  bool
	lines []string // the page, as it is drawn
	width int      // for which it is drawn; 0: it is not
}

// compared is what the batches differ in, or why that is not known.
type compared struct {
	to   kit.ScreenID
	page page.Page
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
	x.page, x.width, x.err, x.done = page.Page{}, 0, nil, false
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

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if m, ok := msg.(compared); ok {
		x.done, x.err, x.apart = true, m.err, x.between()
		x.page, x.width = m.page, 0
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
		why := page.Paragraph{Text: page.Plain(phrase.Sentence(kit.Safe(x.err.Error())))}
		return append([]string{""}, t.Say(w, page.Section{Title: "THEY CANNOT BE COMPARED", Blocks: []page.Block{why}})...)
	}
	if x.width != w {
		x.lines, x.width = []string{t.Dim.Styled(" " + x.apart)}, w
		for i, section := range x.page.Sections {
			if i > 0 {
				x.lines = append(x.lines, "")
			}
			x.lines = append(x.lines, t.Say(w, section)...)
		}
	}
	return x.Show(x.s, x.lines, h)
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
		return fmt.Sprintf("%s between them; a log could not be listed to its end", phrase.Units(apart, "numbers"))
	}
	words := phrase.Units(there, "batches") + " between them"
	if uncommitted > 0 {
		words += fmt.Sprintf(", ✗ %s of them not committed", phrase.Count(uncommitted))
	}
	if missing := apart - there; missing > 0 {
		words += fmt.Sprintf(", ╌ %s missing", phrase.Count(missing))
	}
	return words
}

// ---- the lines that open it

var Spec = kit.Spec{Command: "compare", Home: "batches", Args: "N M", Need: true, Does: "what two batches differ in", Open: open, Check: kit.CheckBatch, Complete: kit.CompleteTwoBatches}

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
