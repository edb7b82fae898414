package page

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// tags shows roles as tags, so that a test sees where a style begins and ends.
type tags struct{}

func (tags) Paint(role phrase.Role, text string) string {
	name := map[phrase.Role]string{phrase.Strong: "b", phrase.Bad: "bad", phrase.Good: "good", phrase.Dim: "dim", phrase.Title: "h", phrase.Key: "key"}[role]
	if name == "" {
		return text
	}
	return "<" + name + ">" + text + "</" + name + ">"
}

// every is a page with every kind of block.
func every() Page {
	return Page{Title: "s3://lake/商店", Subtitle: "query 1f0c · judged for Spark 3.5", Sections: []Section{
		{Key: "answer", Blocks: []Block{Paragraph{Text: Text{{phrase.Bad, "✗ 1 critical"}, {phrase.Plain, "  · restart"}}, Whole: true}}},
		{Key: "all", Title: "EVERY KIND → OF BLOCK", Blocks: []Block{
			Paragraph{Text: Text{{phrase.Bad, "✗ critical"}, {phrase.Plain, " "}, {phrase.Strong, "state-version-missing"}, {phrase.Plain, ": a version cannot be loaded"}}},
			Paragraph{Mark: Span{phrase.Strong, "→"}, Text: Plain("look into 商店 and 李雷 and then somewhere else"), Level: 1},
			Facts{Rows: []Fact{{Mark: Span{phrase.Good, "✓"}, Name: "intact?", Value: Span{phrase.Good, "yes"}, Text: Plain("all files checked are intact")}, {Name: "商店", Text: Plain("a wide name")}, {Name: "state/0/1/24.delta", Text: Plain("a long name")}}},
			Table{Columns: []Column{{Title: "part", Path: true}, {Title: "head", Right: true}, {Title: "left"}}, Rows: [][]Cell{{{Text: "订单-orders/0"}, {Text: "8"}, {"✓", "all", phrase.Good}}, {{Text: "b/1"}, {Text: "1,217"}, {"✗", "400 gone", phrase.Bad}}}, More: "… 3 more"},
			Ranges{Rows: []Range{{Name: "订单/0", From: "6", To: "8", Amount: "≤ 2 records"}, {Name: "b/1", From: "1200", To: "–", Amount: "–"}}, Sum: "2 records in all"},
			Steps{Items: []Step{{Do: "stop every run"}, {If: "Found", Do: "put it back"}}, Never: "delete it"},
			Code{Text: `{"orders":{"0":1234567890123456789}}`, Level: 1},
			Blank{},
		}},
	}}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	want := `<b>s3://lake/商店</b>
query 1f0c · judged for Spark 3.5

<bad>✗ 1 critical</bad>  · restart

<h>EVERY KIND → OF BLOCK</h>
  <bad>✗ critical</bad> <b>state-version-missing</b>: a
  version cannot be loaded
    <b>→</b> look into 商店 and 李雷 and then
      somewhere else
  <good>✓</good> <dim>intact?</dim>  <good>yes</good>  all files checked are
                  intact
    <dim>商店</dim>          a wide name
    <dim>state/0/1/24.delta</dim>
                  a long name
  <dim>part</dim>            <dim>head</dim>  <dim>left</dim>
  订单-orders/0      8  <good>✓ all</good>
  b/1            1,217  <bad>✗ 400 gone</bad>
  … 3 more
  订单/0     6 → 8  ≤ 2 records
  b/1     1200 → –            –
  <b>2 records in all</b>
  <key>1</key> Stop every run.
  <key>2</key> <b>Found:</b> put it back.
  <bad>✗</bad> <bad>Never</bad> delete it.
    {"orders":{"0":1234567890123456789}}

`
	got := strings.Join(Layout{Style: tags{}, Width: 42, Indent: 2}.Lines(every()), "\n") + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTablesAreInCells: what stands in a column begins at the same cell in every row, however wide the characters
// before it are.
func TestTablesAreInCells(t *testing.T) {
	t.Parallel()
	table := Rows([][]string{{"who", ">n", "what"}, {"李雷", ">7", "x"}, {"e\u0301", ">1234", "x"}, {"Zoë", ">1", "x"}, {"🏳️‍🌈", ">12", "x"}})
	for _, line := range (Layout{Width: 80}.Blocks(table))[1:] {
		if at := strings.LastIndex(line, "x"); ansi.StringWidth(line[:at]) != len("who")+1+2+4+2 {
			t.Errorf("%q: the last column begins at cell %d", line, ansi.StringWidth(line[:at]))
		}
	}
}

func TestClippedLinesFit(t *testing.T) {
	t.Parallel()
	p := every()
	p.Sections = p.Sections[1:] // a whole line is never broken
	for width := 24; width <= 120; width++ {
		for _, ascii := range []bool{false, true} {
			for _, line := range (Layout{Width: width, Margin: 1, Indent: 3, Clip: true, ASCII: ascii}).Lines(Page{Sections: p.Sections}) {
				if ansi.StringWidth(line) > width && !strings.Contains(line, "EVERY KIND") {
					t.Errorf("at %d: %q takes %d cells", width, line, ansi.StringWidth(line))
				}
				if ascii && strings.ContainsAny(line, "✗✓→…≤–") {
					t.Errorf("%q is not plain", line)
				}
			}
		}
	}
}

func TestRangesFirst(t *testing.T) {
	t.Parallel()
	r := Ranges{Rows: make([]Range, 5)}
	if got := r.First(5, "B"); len(got.Rows) != 5 || got.More != "" {
		t.Errorf("all fit: %+v", got)
	}
	if got := r.First(3, "B"); len(got.Rows) != 2 || got.More != "… 3 more (B)" {
		t.Errorf("3 lines: %d rows, %q", len(got.Rows), got.More)
	}
	if got := r.First(0, ""); len(got.Rows) != 0 || got.More != "… 5 more" {
		t.Errorf("no line: %d rows, %q", len(got.Rows), got.More)
	}
}

// TestEveryValueHasASign: a value without a row would be shown as not known.
func TestEveryValueHasASign(t *testing.T) {
	t.Parallel()
	check := func(name string, signs phrase.Signs, values ...string) {
		for _, v := range values {
			if _, ok := signs[v]; !ok {
				t.Errorf("%s: %q has no sign", name, v)
			}
		}
		if len(signs) < len(values) {
			t.Errorf("%s: a value is named twice", name)
		}
	}
	check("severities", phrase.Severities, checks.Severities...)
	check("answers", phrase.Answers, "yes", "no", "unknown", "")
	check("outcomes", phrase.Outcomes, texts(checks.Fresh, checks.Next, checks.Rerun, checks.Refuses, checks.Unknown)...)
	check("effects", phrase.Effects, texts(checks.Misreads, checks.RefusesDrift, checks.KeepsRecorded, checks.Allowed)...)
	check("situations", phrase.Situations, texts(checks.InStep, checks.NotInSink, checks.Unacknowledged, checks.Running, checks.NothingYet, checks.Ahead, checks.Replanned,
		checks.OldOutput, checks.SetBack, checks.Behind, checks.OtherID, checks.NoTrace, checks.Forgotten, checks.NotTold)...)
	check("remains", phrase.Remains, texts(checks.Complete, checks.PartlyGone, checks.AllGone, checks.MaybeGone, checks.Beyond, checks.Another, checks.NotThere, checks.Joins, checks.NotJudged)...)
	check("fates", phrase.Fates, texts(checks.FateSafe, checks.Replayed, checks.ToRead, checks.Merged, checks.Doubled, checks.Skipped, checks.Lost, checks.FateOpen)...)
}

func texts[T ~string](values ...T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// TestLongTextsAreCutWhereTheLayoutClips: a value of megabytes costs no more than what is worth drawing of it.
func TestLongTextsAreCutWhereTheLayoutClips(t *testing.T) {
	t.Parallel()
	p := Paragraph{Text: Plain(strings.Repeat("é", 1<<20))}
	lines := (Layout{Width: 80, Clip: true}).Blocks(p)
	if text := strings.Join(lines, ""); text != strings.Repeat("é", enough/2)+"…" {
		t.Errorf("%d lines, %d bytes", len(lines), len(text))
	}
	if lines := (Layout{Width: 80}).Blocks(p); len(lines) != 1 || len(lines[0]) != 2<<20 {
		t.Errorf("paper: %d lines of %d bytes", len(lines), len(lines[0]))
	}
}
