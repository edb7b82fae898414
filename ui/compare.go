package ui

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// compareScreen is what two batches differ in: positions part by part, settings, times. It says the same as
// "tidemark diff LOCATION --batch A..B".

// ---- model

type compareScreen struct {
	text
	s     *session
	a, b  int64 // a is the older one
	lines []string
	apart string // what lies between them
	err   error
	done  bool
}

// compared is the differences as text, or why there are none.
type compared struct {
	to   screenID
	text string
	err  error
}

func (c compared) address() screenID { return c.to }

func newCompare(s *session, a, b int64) *compareScreen {
	return &compareScreen{s: s, a: min(a, b), b: max(a, b)}
}

func (x *compareScreen) title() string { return fmt.Sprintf("batches %d and %d", x.a, x.b) }

// ---- keys

func (x *compareScreen) keys() []key.Binding { return textKeys(keys.back) }

// ---- update

func (x *compareScreen) load(at scope) tea.Cmd {
	x.lines, x.err, x.done = nil, nil, false
	cp, ids := x.s.cp, []int64{x.a, x.b}
	if cp == nil {
		return nil
	}
	return guard(at.id, func() tea.Msg {
		var both []report.BatchSide
		for b, err := range cp.BatchesOf(at.ctx, slices.Values(ids)) {
			if err != nil {
				return compared{to: at.id, err: err}
			}
			if b.Plan == nil {
				return compared{to: at.id, err: noPlan(cp, b)}
			}
			operators, err := statestore.OperatorsAt(at.ctx, cp, b.ID)
			if err != nil {
				return compared{to: at.id, err: err}
			}
			both = append(both, report.BatchSide{Batch: b, Operators: operators})
		}
		var text strings.Builder
		err := report.Batches(&text, cp, both[0], both[1])
		return compared{at.id, text.String(), err}
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

func (x *compareScreen) loading() bool { return !x.done }

func (x *compareScreen) update(msg tea.Msg) (action, tea.Cmd) {
	if m, ok := msg.(compared); ok {
		x.done, x.err, x.apart = true, m.err, x.between()
		x.lines = strings.Split(strings.TrimRight(strings.TrimLeft(m.text, "\n"), "\n"), "\n")
		return nil, nil
	}
	return x.text.update(msg)
}

// ---- view

func (x *compareScreen) view(w, h int) []string {
	t := &x.s.theme
	switch {
	case !x.done:
		return []string{"", "   … both batches are being read"}
	case x.err != nil:
		return append([]string{"", " " + t.section.Styled("THEY CANNOT BE COMPARED")}, indent(widget.Wrap(safe(x.err.Error())+".", w-6))...)
	}
	lines := []string{t.dim.Styled(" " + x.apart)}
	for _, l := range x.lines {
		switch {
		case l == "" || l[0] == ' ':
			lines = append(lines, " "+l)
		default:
			lines = append(lines, " "+t.section.Styled(l))
		}
	}
	return x.show(x.s, lines, h)
}

// between says what lies between the two in the logs. It looks at every batch, so it is worked out once.
func (x *compareScreen) between() string {
	c := x.s.cp
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
		return fmt.Sprintf("%s between them; a log could not be listed to its end", plural(apart, "number"))
	}
	words := plural(there, "batch") + " between them"
	if uncommitted > 0 {
		words += fmt.Sprintf(", ✗ %s of them not committed", report.Count(uncommitted))
	}
	if missing := apart - there; missing > 0 {
		words += fmt.Sprintf(", ╌ %s missing", report.Count(missing))
	}
	return words
}
