package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// overviewOf is the overview of an archive that was examined.
func overviewOf(t *testing.T, o kit.Options, w, h int) *driver {
	d := drive(t, o, nil, w, h)
	d.examine = examine.Examine
	d.run(d.Init())
	return d
}

// bodyWords are the words in columns from to to of the screen, without what boxes are drawn with.
func (d *driver) bodyWords(from, to int) string {
	var words []string
	for _, line := range strings.Split(d.screen(), "\n") {
		cells := []rune(line)
		line = string(cells[min(from, len(cells)):min(to, len(cells))])
		line = strings.Map(func(r rune) rune {
			if strings.ContainsRune("│╭╮╰╯─┃▌", r) {
				return ' '
			}
			return r
		}, line)
		words = append(words, strings.Fields(line)...)
	}
	return strings.ToLower(strings.Join(words, " "))
}

// spaced is a text with its words as bodyWords has them.
func spaced(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// TestReasonAndSteps: from 60×15 up the reason is on the screen to its last word, and so are the steps from 80×24 up; where there is less room
// they scroll.
func TestReasonAndSteps(t *testing.T) {
	for _, name := range []string{"state-4.3-hdfs-damage-missing-delta", "incident-two-writers", "kafka-uncommitted", "incident-offsets-hole",
		"incident-no-metadata", "kafka-clean-3.5"} {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
			w, h := size[0], size[1]
			d := overviewOf(t, archive(name), w, h)
			wellFormed(t, d.View().Content, w, h)
			if all, because := d.bodyWords(0, w), spaced(d.Decision().Because); !strings.Contains(all, because) {
				t.Errorf("%s at %d×%d: the reason %q is cut:\n%s", name, w, h, because, d.screen())
			}
			if h < 24 {
				continue
			}
			from, to := map[int]int{80: 0, 120: 60, 200: 66}[w], map[int]int{80: 80, 120: 120, 200: 132}[w]
			all := d.bodyWords(from, to)
			steps := page.StepsOf(&d.Verdict.Advice)
			if len(steps.Items) == 0 {
				t.Errorf("%s: there are no steps", name)
			}
			for _, step := range steps.Items {
				if !strings.Contains(all, spaced(strings.TrimSuffix(step.Do, "."))) {
					t.Errorf("%s at %d×%d: the step %q is cut:\n%s", name, w, h, step.Do, d.screen())
				}
			}
			if !strings.Contains(all, spaced("Never "+strings.TrimSuffix(steps.Never, "."))) {
				t.Errorf("%s at %d×%d: %q is cut:\n%s", name, w, h, steps.Never, d.screen())
			}
		}
	}
}

// TestWhyItFails: the reason has the facts of its kind.
func TestWhyItFails(t *testing.T) {
	for name, want := range map[string][]string{
		"state-4.3-hdfs-damage-missing-delta": {"✗ Why it fails", "needs   version ", "─ [7] ─", "intact  version 6, written by batch 5"},
		"incident-two-writers":                {"✗ Why not yet", "file   offsets/4", "shows  batch 4 was planned at"},
		"../cases/C01-two-writers-offset-log": {"✗ Why not yet", "3952, planned twice", "first   offsets/3952", "second  offsets/.3952.", "commit  none"},
		"../cases/C03-offset-log-gap":         {"✗ Why it fails", "finding  offset-gap", "error    Spark: "},
		"kafka-uncommitted":                   {"What the restart does", "Re-runs batch 3", "orders-u/0    24  32  ≤ 8 records", "at most 14 records in all"},
		"kafka-clean-3.5":                     {"What the restart does", "Starts batch ", "re-reads", "nothing", "Before you restart"},
	} {
		d := overviewOf(t, archive(name), 120, 40)
		d.shows(want...)
	}
}

// TestFilterFindings: / leaves the findings that match, by any of their columns; esc shows all.
func TestFilterFindings(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	rows := []string{"critical  offset-gap ", "high      log-malformed ", "info      uncommitted-batch "}
	for typed, left := range map[string]int{"log-malf": 1, "batch 5": 0, "critical": 0, "commits/11": 2} {
		d.press("/")
		d.letters(typed)
		d.press("enter")
		d.shows(rows[left], "filter /"+typed+" ", "1 of 3")
		for i, row := range rows {
			if i != left && strings.Contains(d.screen(), row) {
				t.Errorf("/%s leaves %s", typed, row)
			}
		}
		d.press("esc")
		d.shows(rows...)
	}
	d.press("/")
	d.letters("malformed")
	d.press("enter", "enter")
	if d.crumbs() != "overview › findings" {
		t.Errorf("enter on a finding goes to %q", d.crumbs())
	}
	d.shows("the JSON ends within line 2")
}

// TestFocusOfOverview: the worst row has the keys at first; tab goes on to the other lists, and what enter opens is the row of the one in focus.
func TestFocusOfOverview(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 44)
	d.run(d.Init())
	var order []string
	for range 4 {
		order = append(order, d.overviewFocus())
		d.press("tab")
	}
	if got := fmt.Sprint(order); !strings.HasPrefix(got, "[findings ") || !strings.Contains(got, "questions") || !strings.Contains(got, "batches") {
		t.Errorf("tab goes %s", got)
	}
	for d.overviewFocus() != "batches" {
		d.press("tab")
	}
	d.press("j", "enter")
	if d.crumbs() != "overview › batch 10" {
		t.Errorf("enter on the second of the newest batches goes to %q", d.crumbs())
	}
}

// TestScrubbedRows: as of another batch the cursor among the newest batches is that batch, and moves it.
func TestScrubbedRows(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 44)
	d.run(d.Init())
	d.press("left", "left")
	for d.overviewFocus() != "batches" {
		d.press("tab")
	}
	d.press("j", "j")
	d.shows("Batch 8 ─", "as of batch 8")
	d.press("enter")
	if d.crumbs() != "overview › batch 8" {
		t.Errorf("enter goes to %q", d.crumbs())
	}
}

// TestNoVerdict: a checkpoint that cannot be opened says what failed, what that likely means and what to do, and never that it is being opened.
func TestNoVerdict(t *testing.T) {
	denied := errors.New("403 on ListObjectsV2 s3://lake-prod/checkpoints/orders: permission denied")
	o := kit.Options{Location: "s3://lake-prod/checkpoints/orders", Open: func(context.Context) (*checkpoint.Checkpoint, error) {
		return nil, fmt.Errorf("%w: %w", denied, fs.ErrPermission)
	}}
	d := drive(t, o, nil, 120, 40)
	d.run(d.Init())
	d.shows("NO VERDICT", "What happened", "failed  403 on ListObjectsV2", "likely", "says nothing about the rights of the job", "What to do", "Press r to try again", "✗ Never open", "no file could be read")
	if d.Decision().State != checks.NoVerdict || strings.Contains(d.screen(), "being opened") {
		t.Errorf("the decision is %+v:\n%s", d.Decision(), d.screen())
	}
	d.send(tea.WindowSizeMsg{Width: 60, Height: 15})
	wellFormed(t, d.View().Content, 60, 15)
}
