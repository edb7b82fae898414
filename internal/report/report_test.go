package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// now is the clock of all goldens.
var now = time.Date(2026, 11, 29, 14, 2, 0, 0, time.UTC)

func number(n string, num int64) *source.Position {
	return &source.Position{Text: n, Order: source.Number, Num: num}
}

func records(part string, from, to *source.Position, count int64) source.Range {
	r := source.Range{Part: part, From: from, To: to, Unit: "records"}
	if from != nil && to != nil {
		r.Count, r.Counted, r.CountIs = count, true, "at most"
	}
	return r
}

var lost = &checks.Check{Code: "state-version-missing", Severity: checks.Critical}

var unfinished = &checks.Check{Code: "uncommitted-batch", Severity: checks.Info}

// verdicts are runs as they were recorded, one for each kind of page.
func verdicts() map[string]*checks.Verdict {
	facts := checks.Facts{
		Location: "s3://lake/checkpoints/orders", QueryID: "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2",
		Written:   spark.Span{From: spark.Version{Major: 3, Minor: 4}, Below: spark.Version{Major: 4}, Because: []string{"offsets/120 pins spark.sql.x (since 3.4)"}},
		Spark:     spark.Version{Major: 3, Minor: 5},
		Batches:   checks.Batches{FirstPlanned: 21, LastPlanned: 120, FirstCommitted: 21, LastCommitted: 119, Uncommitted: []int64{120}},
		Sources:   []checks.Source{{Index: 0, Kinds: []string{"kafka", "event-hubs"}, Parts: 3}},
		Operators: []statestore.Operator{{ID: 0, Name: "stateStoreSave", Provider: "rocksdb", Recorded: 200}},
		Standing:  checkpoint.Standing{LastPlanned: 120, LastCommitted: 119, Last: &checkpoint.Batch{ID: 120, Plan: &log.Plan{Timestamp: 1795959667000}}},
	}
	questions := []checks.Question{
		{Name: "intact", Answer: "no", Because: "found: state-version-missing"},
		{Name: "same_query", Answer: "unknown", Because: "no spec was given"},
		{Name: "replay_safe", Answer: "unknown", Because: "no sink was given"},
	}
	incident := &checks.Verdict{Facts: facts, Known: true, Done: true, Complete: true, Questions: questions,
		Restart: checks.Restart{Outcome: checks.Rerun, Batch: 120, Because: "offsets/120 is there, commits/120 is not", StateVersion: 120, Watermark: 1795958520000,
			Ranges: []checks.Range{
				{Source: 0, Range: records("orders/0", number("1200", 1200), number("1350", 1350), 150)},
				{Source: 0, Range: records("orders/1", number("998", 998), number("1100", 1100), 102)},
				{Source: 0, Range: records("orders/2", nil, number("9223372036854775807", math.MaxInt64), 0)},
			}},
		Findings: []checks.Finding{
			{Check: lost, Severity: checks.Critical, Batch: 119, Where: decode.Where{File: "state/0/17"}, Evidence: "119.changelog is missing, and no snapshot stands after 110",
				Title: "a state version cannot be loaded", Meaning: "The tasks of this partition fail when they load their state.\nA clean-up job may have removed the file.",
				NextStep: "Copy the checkpoint, then look for an older version of the object.", Avoid: "Do not delete the checkpoint: the other partitions are whole."},
			{Check: lost, Severity: checks.Critical, Batch: 119, Where: decode.Where{File: "state/0/18"}, Evidence: "118.changelog is missing, and no snapshot stands after 110",
				Title: "a state version cannot be loaded", Meaning: "The tasks of this partition fail when they load their state.\nA clean-up job may have removed the file.",
				NextStep: "Copy the checkpoint, then look for an older version of the object.", Avoid: "Do not delete the checkpoint: the other partitions are whole."},
			{Check: unfinished, Severity: checks.Info, Batch: 120, Where: decode.Where{File: "offsets/120", Line: 3, Offset: 69}, Evidence: "commits/120 is not there", Title: "planned, not committed", Meaning: "It is the normal shape after a crash.", NextStep: "Restart the query."},
		},
		NotRun: []checks.NotRun{{Code: "sink-ahead", Needs: "--sink"}},
	}
	clean := &checks.Verdict{Facts: facts, Known: true, Done: true, Complete: true,
		Questions: []checks.Question{{Name: "intact", Answer: "yes", Because: "all files checked are intact"}},
		Restart: checks.Restart{Outcome: checks.Next, Batch: 121, StateVersion: -1, Because: "offsets/120 and commits/120 are both there",
			Ranges: []checks.Range{{Source: 0, Range: records("orders/0", number("1350", 1350), nil, 0)}, {Source: 1, Range: source.Range{From: &source.Position{Text: "57:-1", Order: source.Pair, Num: 57, Sub: -1}}}}}}
	clean.Sources = append(clean.Sources, checks.Source{Index: 1, Kinds: []string{"delta"}, Parts: 1})
	refuses := &checks.Verdict{Facts: facts, Known: true, Done: true, Err: context.Canceled, Questions: questions,
		Restart: checks.Restart{Outcome: checks.Refuses, Batch: 120, Error: "Incomplete log file", Because: "offsets/120 is empty", StateVersion: -1}}
	all := map[string]*checks.Verdict{
		"incident":    incident,
		"clean":       clean,
		"interrupted": refuses,
		"unreached":   {Facts: checks.Facts{Location: "s3://lake/checkpoints/orders"}, Done: true, Err: errors.New("403 on ListObjects: access denied")},
		"elsewhere": {Facts: checks.Facts{Location: "/tmp"}, Known: true, Done: true, Complete: true, Restart: checks.Restart{Outcome: checks.Unknown, Batch: -1, StateVersion: -1},
			Findings: []checks.Finding{{Check: &checks.Check{Code: "not-a-checkpoint", NoCheckpoint: true}, Batch: -1, Where: decode.Where{File: "."}, Title: "this is no checkpoint", Evidence: "below it: orders", Meaning: "There is no log here.", NextStep: "Open orders."}}},
	}
	for _, v := range all {
		v.Add(checks.Event{Done: &checks.Done{Complete: v.Complete, Questions: v.Questions, Err: v.Err}})
	}
	return all
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, v := range verdicts() {
		for _, f := range Formats {
			t.Run(name+"."+f.Name, func(t *testing.T) {
				var got bytes.Buffer
				if err := f.Write(&got, v, Options{Now: now}); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", name+"."+f.Name), got.String())
			})
		}
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestTextKeepsToItsWidth(t *testing.T) {
	t.Parallel()
	for name, v := range verdicts() {
		for _, width := range []int{60, 80, 100} {
			for _, color := range []bool{false, true} {
				var b bytes.Buffer
				if err := Text(&b, v, Options{Width: width, Color: color, ASCII: true}); err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(b.String()) {
					line = strings.TrimRight(line, "\n")
					// The answer stays on one line, and so does a row of a table.
					if phrase.Width(line) > width && !strings.Contains(line, "restart:") && !strings.Contains(line, "->") {
						t.Errorf("%s at %d: %q has %d columns", name, width, line, phrase.Width(line))
					}
					if !color && !ascii(line) {
						t.Errorf("%s: %q is not plain ASCII", name, line)
					}
				}
			}
		}
	}
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// hostile is a verdict in which every text that can come from a checkpoint tries to drive the terminal.
func hostile(text string) *checks.Verdict {
	c := &checks.Check{Code: "log-malformed", Severity: checks.High}
	return &checks.Verdict{
		Facts: checks.Facts{Location: text, QueryID: text, Written: spark.Span{Because: []string{text}},
			Sources:   []checks.Source{{Name: text, Kinds: []string{text}}},
			Operators: []statestore.Operator{{Name: text, Provider: text}}},
		Known: true, Done: true, Err: errors.New(text),
		Restart:   checks.Restart{Outcome: checks.Refuses, Error: text, Because: text, Ranges: []checks.Range{{Range: source.Range{Part: text, From: &source.Position{Text: text}, To: &source.Position{Text: text, Order: source.Number}, Unit: "records"}}}},
		Questions: []checks.Question{{Name: "intact", Answer: "no", Because: text}},
		Findings:  []checks.Finding{{Check: c, Where: decode.Where{File: text}, Title: text, Evidence: text, Meaning: text, NextStep: text, Avoid: text}},
		NotRun:    []checks.NotRun{{Code: text, Needs: text}},
	}
}

func TestNothingDrivesTheTerminal(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a\x1b]0;owned\x07b", "a\u009b31mb", "x\u202egnp.exe", "a\x7fb\u200bc\u2066d", "\xff\xfe", "a\r\nb\tc", "\U000e0041"} {
		v := hostile(text)
		for _, f := range Formats {
			var b bytes.Buffer
			if err := f.Write(&b, v, Options{}); err != nil {
				t.Fatal(err)
			}
			for _, r := range b.String() {
				if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf)) {
					t.Errorf("%s of %q keeps %U", f.Name, text, r)
				}
			}
			if !utf8.Valid(b.Bytes()) {
				t.Errorf("%s of %q is not UTF-8", f.Name, text)
			}
		}
	}
}

// TestJSONIsRead reads the JSON back: what was escaped for the terminal is the same text to a program.
func TestJSONIsRead(t *testing.T) {
	t.Parallel()
	const text = "x\u202e\u009b\x1b\U000e0041<&>"
	var b bytes.Buffer
	if err := JSON(&b, hostile(text), Options{}); err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Location != text || d.Findings[0].Evidence != text || d.Restart.Ranges[0].Part != text {
		t.Errorf("got %q, want %q", d.Location, text)
	}
}

func TestPositions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   *source.Position
		want string
	}{
		{nil, "null"},
		{number("9223372036854775807", math.MaxInt64), "9223372036854775807"},
		{number("-2", -2), "-2"},
		{&source.Position{Text: "57:-1", Order: source.Pair}, `"57:-1"`},
		{&source.Position{Text: "8236465713390021201"}, `"8236465713390021201"`}, // a snapshot id: no order, no number
		{&source.Position{Text: "49605240428200006291917297020490128157480794051565322242", Order: source.BigNumber}, "49605240428200006291917297020490128157480794051565322242"},
		{&source.Position{Text: "0042", Order: source.Number, Num: 42}, `"0042"`}, // no JSON number
		{&source.Position{Text: "TRIM_HORIZON"}, `"TRIM_HORIZON"`},
	} {
		got, err := json.Marshal(position(c.at))
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: got %s (%v), want %s", c.at, got, err, c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	finding := func(code string, s checks.Severity) checks.Finding {
		return checks.Finding{Check: &checks.Check{Code: code, NoCheckpoint: code == "not-a-checkpoint"}, Severity: s}
	}
	whole := func(f ...checks.Finding) *checks.Verdict {
		return &checks.Verdict{Known: true, Done: true, Complete: true, Findings: f}
	}
	part := func(f ...checks.Finding) *checks.Verdict {
		return &checks.Verdict{Known: true, Done: true, Findings: f}
	}
	for name, c := range map[string]struct {
		v      *checks.Verdict
		failOn checks.Severity
		want   int
	}{
		"nothing found":                        {whole(), checks.High, Clean},
		"below the asked severity":             {whole(finding("log-growing", checks.Medium)), checks.High, Clean},
		"at the asked severity":                {whole(finding("log-growing", checks.Medium)), checks.Medium, Found},
		"above it":                             {whole(finding("offset-gap", checks.Critical)), checks.High, Found},
		"not everything was looked at":         {part(), checks.High, Unread},
		"nor, and something milder was found":  {part(finding("leftover-temp-file", checks.Low)), checks.High, Unread},
		"nor, and something was found":         {part(finding("access-denied", checks.High)), checks.High, Found},
		"a run that has not come to its end":   {&checks.Verdict{}, checks.Info, Unread},
		"not a checkpoint":                     {whole(finding("not-a-checkpoint", checks.Info)), checks.High, NotCheckpoint},
		"not a checkpoint, and info is enough": {whole(finding("not-a-checkpoint", checks.Info)), checks.Info, NotCheckpoint},
	} {
		if got := Status(c.v, c.failOn); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
