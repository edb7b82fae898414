package widget

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/phrase"
)

// numbers is a list of n rows that are made when they are asked for.
type numbers struct {
	n     int
	asked int
}

func (l *numbers) Len() int { return l.n }

func (l *numbers) Row(i int, r *Row) {
	l.asked++
	r.Cells[0].Text = strconv.Itoa(i)
	for c := 1; c < len(r.Cells); c++ {
		r.Cells[c].Text = fmt.Sprintf("c%d/%d", c, i)
	}
}

func columns(n int) []Column {
	c := []Column{{Title: "row", Width: 8, Right: true}}
	for i := 1; i < n; i++ {
		c = append(c, Column{Title: "col " + strconv.Itoa(i), Width: 12})
	}
	return c
}

func TestTableAsksOnlyForTheWindow(t *testing.T) {
	rows := &numbers{n: 1_000_000}
	table := Table{Columns: columns(6), Cursor: Cursor{Height: 20}}
	table.Go(500_000, rows.n)
	view := table.View(rows, 80, 21)
	if rows.asked != 20 || len(view) != 21 {
		t.Fatalf("asked for %d rows and drew %d lines, want 20 and 21", rows.asked, len(view))
	}
	if !strings.Contains(strings.Join(view, "\n"), "▸  500000") {
		t.Errorf("the selected row is not marked:\n%s", strings.Join(view, "\n"))
	}
}

func TestTablePansAndSaysWhatIsHidden(t *testing.T) {
	rows := &numbers{n: 3}
	table := Table{Columns: columns(9), Cursor: Cursor{Height: 3}}
	seen := map[string]bool{}
	for step := range 10 {
		head := ansi.Strip(table.View(rows, 60, 4)[0])
		if !strings.Contains(head, "row") {
			t.Fatalf("step %d: the first column is gone: %q", step, head)
		}
		if phrase.Width(head) > 60 {
			t.Fatalf("step %d: %d cells: %q", step, phrase.Width(head), head)
		}
		for i := 1; i < 9; i++ {
			if strings.Contains(head, "col "+strconv.Itoa(i)) {
				seen[strconv.Itoa(i)] = true
			}
		}
		if hidden := !strings.Contains(head, "col 1"); hidden != strings.Contains(head, "‹") {
			t.Errorf("step %d: left edge is wrong: %q", step, head)
		}
		if hidden := !strings.Contains(head, "col 8"); hidden != strings.Contains(head, "›") {
			t.Errorf("step %d: right edge is wrong: %q", step, head)
		}
		table.Pan(1, 60)
	}
	if len(seen) != 8 {
		t.Errorf("panning showed %d of 8 columns", len(seen))
	}
}

func TestOrder(t *testing.T) {
	var o Order
	o.Set(10, func(i int) bool { return i%2 == 1 }, func(a, b int) int { return b - a })
	var got []int
	for i := range o.Len(10) {
		got = append(got, o.Row(i))
	}
	if want := []int{9, 7, 5, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	o.All()
	if o.Len(10) != 10 || o.Row(4) != 4 {
		t.Error("All does not show every row as it comes")
	}
}

func TestCursorStaysInTheList(t *testing.T) {
	c := Cursor{Height: 5}
	for _, step := range []struct{ by, n, at, top int }{
		{3, 10, 3, 0}, {4, 10, 7, 3}, {100, 10, 9, 5}, {-1, 10, 8, 5}, {-100, 10, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0},
	} {
		c.Move(step.by, step.n)
		if c.At != step.at || c.Top != step.top {
			t.Errorf("by %d of %d: at %d, top %d, want %d, %d", step.by, step.n, c.At, c.Top, step.at, step.top)
		}
	}
}

// padded are lines that are filled up to w cells.
func padded(text string, w int) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = phrase.Fit(lines[i], w)
	}
	return strings.Join(lines, "\n")
}

func TestTreeOpensAndCloses(t *testing.T) {
	var tree Tree[string]
	tree.Height = 10
	tree.Reset([]Node[string]{{Value: "offsets", Branch: true}, {Value: "state", Branch: true}})
	tree.Expand(1, []Node[string]{{Value: "0", Branch: true}})
	tree.Expand(2, []Node[string]{{Value: "1.delta"}, {Value: "2.delta"}})
	tree.Go(4, tree.Len())
	draw := func() string {
		return strings.Join(tree.View(40, 10, func(n *Node[string], w int) (string, Style) { return n.Value, Style{} }), "\n")
	}
	want := " › offsets\n ▾ state\n   ▾ 0\n       1.delta\n▸      2.delta"
	if got := draw(); got != padded(want, 40) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if tree.Parent(4) != 2 || tree.Parent(2) != 1 || tree.Parent(1) != -1 {
		t.Error("parents are wrong")
	}
	tree.Collapse(1)
	if tree.At != 1 || tree.Len() != 2 {
		t.Errorf("closing the branch of the selection: at %d of %d, want 1 of 2", tree.At, tree.Len())
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Bar(5, 10, 10), "█████"},
		{Bar(1, 1000, 10), "█"},
		{Bar(-1, 10, 10), ""},
		{Spark([]int64{0, 5, 10, -1}, 10), "▁▄█·"},
		{Spark([]int64{1, 2, 3}, 2), "▅█"},
		{HexRow(16, []byte("ab\x00"), 8, 17, 18, Style{}, Style{}), "0000000010  61 62 00                 ab."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestFilter(t *testing.T) {
	var f Filter
	f.Begin()
	for _, k := range []tea.KeyPressMsg{{Code: 'O', Text: "O"}, {Code: 'r', Text: "r"}, {Code: 'x', Text: "x"}, {Code: tea.KeyBackspace}} {
		f.Update(k)
	}
	f.Update(tea.PasteMsg{Content: "d\x1b["})
	if f.Pattern != "Ord[" || f.Text() != "/Ord[▏" {
		t.Errorf("got pattern %q, text %q", f.Pattern, f.Text())
	}
	f.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	f.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
	if f.Typing || !f.Wants("my ORDERS") || f.Wants("shops") {
		t.Error("enter should keep the pattern, and it should not mind case")
	}
	f.Begin()
	f.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
	if f.Pattern != "" || f.Typing {
		t.Error("esc should drop the pattern")
	}
}

func TestFilterForms(t *testing.T) {
	rows := []string{"offset-gap offsets/5", "log-malformed offsets/8", "uncommitted-batch 11", "state-version-missing state/0/17"}
	for _, c := range []struct {
		typed, form string
		wants       []int
		bad         string
	}{
		{"", "", []int{0, 1, 2, 3}, ""},
		{"OFFSETS", "", []int{0, 1}, ""},
		{"!offsets", "without", []int{2, 3}, ""},
		{"!", "without", []int{0, 1, 2, 3}, ""},
		{"-f ofgap", "fuzzy", []int{0}, ""},
		{"-f sv miss", "fuzzy", []int{3}, ""},
		{"!-f sv miss", "without fuzzy", []int{0, 1, 2}, ""},
		{"-f", "fuzzy", []int{0, 1, 2, 3}, ""},
		{"-r ^(log|state)-", "regex", []int{1, 3}, ""},
		{"-R ^LOG", "", nil, ""},
		{"/OFFSETS\\/[5-7]/", "regex", []int{0}, ""},
		{"!/[0-9]{2}/", "without regex", []int{0, 1}, ""},
		{"/0/17", "", []int{3}, ""},
		{"//", "", nil, ""},
		{"-r (log", "regex", []int{0, 1, 2, 3}, "missing closing )"},
		{"!-r (log", "without regex", []int{0, 1, 2, 3}, "missing closing )"},
		{"-r ", "regex", []int{0, 1, 2, 3}, ""},
		{"-r a{1001}", "regex", []int{0, 1, 2, 3}, "invalid repeat count"},
	} {
		var f Filter
		f.Set(c.typed)
		var got []int
		for i, r := range rows {
			if f.Wants(r) {
				got = append(got, i)
			}
			if f.Wants(r) != f.WantsBytes([]byte(r)) {
				t.Errorf("%q: Wants and WantsBytes differ on %q", c.typed, r)
			}
		}
		if !slices.Equal(got, c.wants) || f.Form() != c.form {
			t.Errorf("%q: rows %v, form %q, want %v, %q", c.typed, got, f.Form(), c.wants, c.form)
		}
		if (f.Err == nil) != (c.bad == "") || f.Err != nil && !strings.Contains(f.Err.Error(), c.bad) {
			t.Errorf("%q: error %v, want %q", c.typed, f.Err, c.bad)
		}
	}
	var f Filter
	f.Set("!b")
	if f.Wants("a", "b") || !f.Wants("a", "c") || f.WantsIn([]string{"a"}, []string{"b"}) {
		t.Error("with ! a row with several texts is wanted only where none of them is found")
	}
}

func FuzzFilter(f *testing.F) {
	for _, typed := range []string{"a", "!a", "-f a\ufffd", "-r a|(b", "/x/", "!-r ^$"} {
		f.Add(typed, "abc\xff")
	}
	f.Fuzz(func(t *testing.T, typed, text string) {
		var f Filter
		f.Set(typed)
		wants := f.Wants(text)
		if from, to, ok := f.Hit(text); ok && (from < 0 || to <= from || to > len(text) || !wants) {
			t.Errorf("%q is found in %q from %d to %d, wanted: %v", typed, text, from, to, wants)
		}
		if f.Err != nil && !wants {
			t.Errorf("%q is no expression, and %q is hidden", typed, text)
		}
	})
}

func FuzzTextsFit(f *testing.F) {
	f.Add("s3://lake/商店/e\u0301🏳️‍🌈/x", 7)
	f.Add("Ɇ店r̳️''''r̳️''''r̳️", 7)                      // what is left of the end begins with a mark that joins the ellipsis
	f.Add("🌈🏳,,,H,️,,,,️,,️╍00\"\"\" ️╍\"\"\"\"000", 32) // a word begins with a mark that joins the blank before it
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = w & 63
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			return // no printable text
		}
		for name, got := range map[string]string{"Cut": phrase.Cut(s, w), "Middle": phrase.Middle(s, w)} {
			if ansi.StringWidth(got) > w {
				t.Errorf("%s(%q, %d) takes %d cells", name, s, w, ansi.StringWidth(got))
			}
		}
		for _, line := range phrase.Wrap(s, w) {
			if ansi.StringWidth(line) > w {
				t.Errorf("a line of %q takes %d cells, more than %d", line, ansi.StringWidth(line), w)
			}
		}
	})
}

// BenchmarkKeyAndFrame is one key and one frame: the cost must not grow with the number of rows.
func BenchmarkKeyAndFrame(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			rows := &numbers{n: n}
			table := Table{Columns: columns(10), Cursor: Cursor{Height: 49}}
			b.ReportAllocs()
			for b.Loop() {
				table.Move(1, n)
				if table.At == n-1 {
					table.Go(0, n)
				}
				table.View(rows, 120, 50)
			}
		})
	}
}

func TestKeyAndFrameCostDoesNotGrowWithRows(t *testing.T) {
	cost := func(n int) float64 {
		rows := &numbers{n: n}
		table := Table{Columns: columns(10), Cursor: Cursor{Height: 49}}
		table.Go(n/2, n)
		return testing.AllocsPerRun(20, func() {
			table.Move(1, n)
			table.View(rows, 120, 50)
		})
	}
	small, large := cost(1_000), cost(1_000_000)
	if large > small*1.1+50 {
		t.Errorf("a key and a frame make %.0f allocations at 1,000 rows and %.0f at 1,000,000", small, large)
	}
}

// TestPlot: what is not known is blank and not 0, what is missing has its own sign, and the axis names the ends and the marked
// column as far as there is room.
func TestPlot(t *testing.T) {
	signs := []Sign{Value, Unknown, Unread, Value, Below, Value}
	p := Plot{Name: 6, At: -1, Lines: []PlotLine{
		{Name: "logs", Signs: []Sign{Normal, Gap, Lost, Normal, Unknown, Open}},
		{Name: "rows", Values: []int64{0, 99, 99, 4, -8, 8}, Signs: signs, Words: "0 to 8 records"},
	}}
	for _, test := range []struct {
		cells, at int
		ends      [2]Tick
		tag       string
		want      []string
	}{
		{1, -1, [2]Tick{}, "", []string{"logs   ━✗✗━ !  ", "rows   ▁ ╌▄↓█  0 to 8 records"}},
		{2, -1, [2]Tick{}, "", []string{"logs   ━━✗✗✗✗━━  !!  ", "rows   ▁▁  ╌╌▄▄↓↓██  0 to 8 records"}},
		{4, 5, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "", []string{"0 08:06     10:11 25 ▲    2026"}},
		{4, 0, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "", []string{" ▲ 0 08:06      10:11 25  2026"}},
		{4, 2, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "12", []string{"0 08:06  ▲ 12   10:11 25  2026"}},
		{4, 3, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "12", []string{"0 08:06      ▲ 12     25  2026"}},
		{1, 5, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "", []string{"0 25 ▲        2026"}},
		{1, 3, [2]Tick{{"0", "08:06"}, {"25", "10:11"}}, "12", []string{"0  ▲ 12       2026"}},
	} {
		p.Cells, p.At, p.Ends, p.Tag, p.Words = test.cells, test.at, test.ends, test.tag, "2026"
		got := p.View(60)
		if test.ends[0].Name != "" {
			got = []string{strings.TrimPrefix(got[2], "       ")}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d cells, marked %d: got\n%s\nwant\n%s", test.cells, test.at, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
	if top, ok := (&PlotLine{Values: []int64{5}, Signs: []Sign{Unknown}}).Top(); ok || top != 0 {
		t.Errorf("the scale of nothing is %d, %v", top, ok)
	}
}
