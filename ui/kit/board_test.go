package kit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// lines is a text of n lines.
func lines(n int) func(int) []string {
	return func(int) (all []string) {
		for i := range n {
			all = append(all, fmt.Sprintf("line %d", i))
		}
		return all
	}
}

// numbers are n rows of a list.
func numbers(c *widget.Cursor, n int) *Rows {
	return &Rows{Cursor: c, Len: n, Head: 1, Draw: func(w, h int, blurred bool) []string {
		out := []string{" head"}
		p := widget.Palette{Blurred: blurred}
		from, to := c.Window(n, h-1)
		for i := from; i < to; i++ {
			out = append(out, p.Row(fmt.Sprintf("row %d", i), w, i == c.At))
		}
		return out
	}}
}

// TestBoardsFitTheirPlace draws boards at every size: never more lines or cells than there are, each panel in its place.
func TestBoardsFitTheirPlace(t *testing.T) {
	th := newTheme(Options{NoColor: true})
	for w := 60; w <= 220; w += 17 {
		for h := 1; h < 60; h++ {
			var b Board
			var c widget.Cursor
			root := Stack(
				Across([]int{1, 1}, &Panel{ID: "why", Title: "Why", Text: lines(5)}, &Panel{ID: "todo", Title: "What to do", Text: lines(7)}),
				&Panel{ID: "list", Title: "Findings", Rows: numbers(&c, 9), Rank: 1, Fold: func(int) string { return "9 findings" }},
				&Panel{ID: "plot", Title: "Timeline", Text: lines(4), Rank: 2},
			)
			drawn := b.View(&th, w, h, root)
			if len(drawn) > h {
				t.Fatalf("%d×%d: %d lines", w, h, len(drawn))
			}
			for _, l := range drawn {
				if n := phrase.Width(l); n != w && strings.TrimSpace(l) != "" {
					t.Fatalf("%d×%d: a line of %d cells: %q", w, h, n, l)
				}
			}
			for _, p := range b.placed {
				if p.x+p.w > w || p.y+p.h > len(drawn) || p.w <= 0 {
					t.Fatalf("%d×%d: %s is at %d, %d with %d×%d", w, h, p.p.ID, p.x, p.y, p.w, p.h)
				}
				first := ansi.Strip(ansi.Cut(drawn[p.y], p.x, p.x+p.w))
				if !p.folded && !strings.Contains(first, p.p.Title) {
					t.Fatalf("%d×%d: the edge of %s is %q", w, h, p.p.ID, first)
				}
			}
		}
	}
}

// TestTheLeastImportantPanelGivesWay holds the order: the plot goes before the list is folded, and the reason stays whole.
func TestTheLeastImportantPanelGivesWay(t *testing.T) {
	th := newTheme(Options{NoColor: true})
	for h, want := range map[int]string{7: "why", 8: "why list-", 13: "why list", 30: "why list plot"} {
		var b Board
		var c widget.Cursor
		b.View(&th, 100, h, Stack(&Panel{ID: "why", Title: "Why", Text: lines(5)},
			&Panel{ID: "list", Title: "Findings", Rows: numbers(&c, 9), Rank: 1, Fold: func(int) string { return "9 findings" }},
			&Panel{ID: "plot", Title: "Timeline", Text: lines(4), Rank: 2}))
		var got []string
		for _, p := range b.placed {
			name := p.p.ID
			if p.folded {
				name += "-"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d lines: %v, want %s", h, got, want)
		}
	}
}

// TestPanelsAnswer moves, scrolls and changes the focus by keys, and finds with the mouse what was drawn where.
func TestPanelsAnswer(t *testing.T) {
	th := newTheme(Options{NoColor: true})
	var b Board
	var c widget.Cursor
	draw := func() []string {
		return b.View(&th, 100, 20, Stack(&Panel{ID: "list", Title: "Rows", Rows: numbers(&c, 50), Least: 8},
			&Panel{ID: "text", Title: "Text", Text: lines(30), Least: 5, Rank: 1}))
	}
	draw()
	if b.Focus() != "list" {
		t.Fatalf("the keys are with %q", b.Focus())
	}
	if b.Handle(PressOf(Keys.Down)) != BoardRow || c.At != 1 {
		t.Errorf("down selects row %d", c.At)
	}
	b.Handle(PressOf(Keys.Pane))
	if draw(); b.Focus() != "text" {
		t.Fatalf("tab gives the keys to %q", b.Focus())
	}
	if b.Handle(PressOf(Keys.Down)) != BoardMoved || c.At != 1 {
		t.Error("a key in the text moves the list")
	}
	if s := strings.Join(draw(), "\n"); strings.Contains(s, "line 0 ") || !strings.Contains(s, "line 1 ") {
		t.Errorf("the text is not scrolled:\n%s", s)
	}
	for range 40 {
		b.Handle(PressOf(Keys.Down))
	}
	if s := strings.Join(draw(), "\n"); !strings.Contains(s, "line 29") || b.Focus() != "text" {
		t.Errorf("the end is not in sight:\n%s", s)
	}
	for i := range b.placed {
		p := &b.placed[i]
		if p.p.ID != "list" {
			continue
		}
		if in, ok := b.Click("list", 5, 4).(Select); !ok || in.Row != c.Top+2 {
			t.Errorf("a click on the third row asks for %#v", b.Click("list", 5, 4))
		}
		if in, ok := b.Drag("list", p.w-1, p.h-2).(Select); !ok || in.Row < 40 {
			t.Errorf("the thumb at the end asks for %#v", b.Drag("list", p.w-1, p.h-2))
		}
	}
	b.Handle(Scroll{Panel: "list", Rows: 3})
	if draw(); b.Focus() != "text" || c.At != 4 {
		t.Errorf("the wheel gives the keys to %q, and selects row %d", b.Focus(), c.At)
	}
}

// TestUnchangedPanelsAreNotDrawnAgain counts boxes.
func TestUnchangedPanelsAreNotDrawnAgain(t *testing.T) {
	th := newTheme(Options{})
	var b Board
	var c widget.Cursor
	draw := func() {
		b.View(&th, 120, 30, Across([]int{1, 1}, &Panel{ID: "list", Title: "Rows", Rows: numbers(&c, 50)}, &Panel{ID: "text", Title: "Text", Text: lines(9)}))
	}
	draw()
	text, list := b.drawn["text"], b.drawn["list"]
	c.Move(1, 50)
	draw()
	if b.drawn["text"] != text {
		t.Error("a panel that did not change was drawn again")
	}
	if b.drawn["list"] == list {
		t.Error("a panel whose cursor moved was not drawn again")
	}
}
