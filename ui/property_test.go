package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

// nasty are bytes that would drive a terminal, mislead the eye or break a measure.
var nasty = []string{
	"\x1b[31mred", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\u009b31m", "a\u202eb", "\u2066x\u2069", "\x00", "\xff\xfe", "\r\n", "\t", "\u200d", "\ufeff",
	"商店商店商店", "e\u0301\u0301", "0\ufe0f\u20e3", "👩‍👩‍👧", "\u0e33\u0e33", strings.Repeat("x", 300), " ", "'\"<>&;`$(x)", "{{.}}", "%s%d%n", "日本\x1b[2Jx", "ｗｉｄｅ", "\u2028", "",
}

func nastyText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(nasty[r.IntN(len(nasty))])
	}
	return b.String()
}

// nastyTree is a checkpoint whose names and values are all like that.
func nastyTree(r *rand.Rand) fstest.MapFS {
	fsys := fstest.MapFS{}
	put := func(name, text string) { fsys[name] = &fstest.MapFile{Data: []byte(text)} }
	put("metadata", `{"id":"`+nastyText(r)+`"}`)
	for id := range 4 {
		topic := fmt.Sprintf("%q", nastyText(r))
		if strings.Contains(topic, `\x`) || strings.Contains(topic, `\a`) || strings.Contains(topic, `\U`) {
			topic = "\"" + strings.Map(func(c rune) rune {
				if c < 0x20 || c == '"' || c == '\\' {
					return '\u202e'
				}
				return c
			}, nastyText(r)) + "\""
		}
		put(fmt.Sprintf("offsets/%d", id), fmt.Sprintf("v1\n{\"batchWatermarkMs\":%d,\"batchTimestampMs\":%d,\"conf\":{\"a\":%s}}\n{%s:{\"0\":%d}}\n%s",
			r.Int64()-r.Int64(), r.Int64(), topic, topic, id, nastyText(r)))
		if r.IntN(3) > 0 {
			put(fmt.Sprintf("commits/%d", id), "v1\n"+nastyText(r))
		}
	}
	for range 3 {
		if name := strings.NewReplacer("/", "_", "\x00", "_").Replace(nastyText(r)); name != "" && name != "." && name != ".." {
			put("sources/"+name+"/0", nastyText(r))
			put("state/0/0/"+name+".delta", nastyText(r))
		}
	}
	return fsys
}

func nastyFindings(r *rand.Rand) []checks.Event {
	check := &checks.Check{Code: "offset-gap", Severity: checks.Critical}
	events := []checks.Event{{Facts: &checks.Facts{QueryID: nastyText(r), Sources: []checks.Source{{Name: nastyText(r), Kinds: []string{nastyText(r)}}}}},
		{Restart: &checks.Restart{Outcome: checks.Refuses, Batch: 2, Error: nastyText(r), Because: nastyText(r)}}}
	for range 5 {
		events = append(events, checks.Event{Finding: &checks.Finding{Check: check, Severity: checks.Severity(r.IntN(5)), Batch: int64(r.IntN(5) - 1),
			Where: decode.Where{File: "offsets/" + nastyText(r), Line: r.IntN(3), Offset: r.Int64N(100)}, Evidence: nastyText(r), Title: nastyText(r), Meaning: nastyText(r), NextStep: nastyText(r), Avoid: nastyText(r)}})
	}
	return append(events, checks.Event{NotRun: &checks.NotRun{Code: "x", Needs: nastyText(r)}},
		checks.Event{Done: &checks.Done{Questions: []checks.Question{{Name: "intact", Answer: "no", Because: nastyText(r)}}}})
}

// TestAnyBytesAtAnySize walks at random through checkpoints full of odd bytes on terminals of every
// size: every frame must be well formed, and nothing may break down.
func TestAnyBytesAtAnySize(t *testing.T) {
	names := []string{"B", "R", "W", "F", "S", "T", "O", "1", "2", "3", "!", "?", "enter", "enter", "enter", "esc", "j", "j", "k", "g", "G", "x", "x", "tab", "/", "n", "N", "<", ">", "[", "]", "t", "r", "left", "right", "pgdown", "ctrl+d", "\u202e", "商", ":", "ctrl+k", "tab", "up", "[", "]", "M", "'", "u", "D", "P", "(", "-"}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := openTree(nastyTree(r))
		o.Location = "s3://" + nastyText(r)
		o.ASCII = seed%4 == 0
		o.NoColor = seed%5 == 0
		o.Traffic = func() kit.Traffic { return kit.Traffic{Requests: 9, Bytes: 1 << 40, Retry: nastyText(r)} }
		found := nastyFindings(r)
		d := drive(t, o, found, 100, 30)
		d.run(d.Init())
		for range 60 {
			key := names[r.IntN(len(names))]
			d.press(key)
			w, h := 1+r.IntN(180), 1+r.IntN(50)
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			frame := d.View().Content
			wellFormed(t, frame, w, h)
			if strings.Contains(frame, "failed") {
				t.Errorf("seed %d: %s", seed, d.screen())
			}
			if o.ASCII {
				for _, c := range frame {
					if c > 0x7e {
						t.Fatalf("seed %d: %q in a frame of plain ASCII", seed, c)
					}
				}
			}
			if t.Failed() {
				t.Fatalf("seed %d, key %q, %d×%d, %s", seed, key, w, h, d.crumbs())
			}
		}
	}
}

func TestEverySmallSize(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
	d.run(d.Init())
	for _, key := range []string{"O", "B", "enter", "F", "S", "T", "1", "?"} {
		d.press(key)
		for w := 1; w <= 101; w += 5 {
			for h := 1; h <= 31; h += 3 {
				d.send(tea.WindowSizeMsg{Width: w, Height: h})
				wellFormed(t, d.View().Content, w, h)
			}
		}
		d.send(tea.WindowSizeMsg{Width: 50, Height: 10})
		d.shows("DO NOT RESTART YET", "needs 60×15")
	}
}
