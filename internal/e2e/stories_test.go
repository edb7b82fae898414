//go:build unix

package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A story is a task that somebody has at three in the morning: from the first screen to the answer, in
// key presses. What is typed counts letter by letter.
type story struct {
	task  string
	args  []string // after "tidemark"
	first []string // what the first screen shows when it is there
	keys  []string // "enter", "ctrl+c", or text that is typed
	most  int      // key presses at most
	shows []string // the answer
}

const goldens, incidents = "testdata/golden/", "testdata/cases/"

var stories = []story{
	{"whether to restart, and what is read again",
		[]string{"demo", "uncommitted"}, []string{"Three questions"}, nil, 0,
		[]string{"RESTART ONLY IF   the sink can take batch 3 twice", "offsets/3 exists, commits/3 does not", "24 → 32", "at most 14 records"}},
	{"any batch by its ID",
		[]string{"demo", "lost-state"}, []string{"Three questions"}, []string{":", "17", "enter"}, 6,
		[]string{"Batch 17", "offsets/17", "settings   as in batch 16"}},
	{"the value of a key",
		[]string{goldens + "state-3.5-hdfs-agg-v1.tar.gz/checkpoint"}, []string{"Three questions"}, []string{"S", "K", "ann", "enter"}, 10,
		[]string{"ann", "7.5"}},
	{"why the answer to intact is no",
		[]string{"demo", "lost-state"}, []string{"Intact?"}, []string{"1"}, 2,
		[]string{"Question 1", "state/0/1/24.delta"}},
	{"what to do, in steps",
		[]string{"demo", "lost-state"}, []string{"Three questions"}, nil, 0,
		[]string{"DO NOT RESTART YET", "1 Stop every run", "2 Look for state/0/1/24.delta", "Never create an empty file"}},
	{"which file is damaged, and its bytes",
		[]string{incidents + "C16-hand-edited-offset.tar.gz/checkpoint"}, []string{"Findings"}, []string{"F", "enter", "x", "x"}, 4,
		[]string{"offsets/6", "687 bytes", "0000000000  ef bb bf 7b"}},
	{"what changed between two batches",
		[]string{"demo", "lost-state"}, []string{"Three questions"}, []string{"B", "space", "down", "space", "="}, 8,
		[]string{"Batches 24 and 25", "Settings"}},
	{"the start offsets of a new query, copied",
		[]string{"demo", "uncommitted"}, []string{"Three questions"}, []string{"y", "s"}, 4,
		[]string{"start positions", "clipboard"}},
	{"how the query differs from its checkpoint",
		[]string{incidents + "C55-dedup-key-added.tar.gz/checkpoint", "--spec", "SPEC"}, []string{"Three questions"}, []string{"D"}, 2,
		[]string{"Differences", "operator 0 · key", "+ shop STRING", "will fail"}},
	{"how the state grows",
		[]string{goldens + "state-3.5-hdfs-dedup.tar.gz/checkpoint"}, []string{"Three questions"}, []string{"S"}, 2,
		[]string{"Growth", "versions 1 to 8"}},
	{"what the keys are",
		[]string{"demo"}, []string{"Three questions"}, []string{"?"}, 1,
		[]string{"Overview: this screen", "Go to", "Signs"}},
}

// TestStories plays every story in a terminal of its own.
func TestStories(t *testing.T) {
	for _, x := range stories {
		t.Run(strings.ReplaceAll(x.task, " ", "-"), func(t *testing.T) {
			args := slices.Clone(x.args)
			if i := slices.Index(args, "SPEC"); i > 0 {
				args[i] = writeSpec(t)
			}
			s := start(t, "program", 120, 40, args...)
			s.waitFor(append(x.first, "read-only")...)
			presses := 0
			for _, k := range x.keys {
				presses += s.typed(k)
			}
			s.waitFor(x.shows...)
			if presses > x.most {
				t.Errorf("%d key presses, want at most %d", presses, x.most)
			}
			if slices.Contains(x.keys, "y") {
				s.copied(`{"orders-u":{`)
			}
			if testing.Verbose() {
				t.Logf("%d key presses\n%s", presses, s.Screen())
			}
			s.press("ctrl+c", "ctrl+c")
			s.ended()
		})
	}
}

// TestBytesForAKey counts what the explorer writes for a key press at 120×40: little enough for a slow line.
func TestBytesForAKey(t *testing.T) {
	const moved, opened = 1 << 10, 16 << 10
	s := start(t, "program", 120, 40, "demo", "lost-state")
	s.waitFor("Three questions", "read-only", "0 or 1 per batch")
	written := func(do func()) int {
		before := len(s.Written())
		do()
		return len(s.Written()) - before
	}
	for _, screen := range []struct{ key, shows string }{{"F", "what was found"}, {"S", "Restart loads version 26"}, {"T", "offsets"}, {"D", "spec"}, {"U", "Sources"}, {"B", "newest first"}} {
		if n := written(func() { s.press(screen.key); s.waitFor(screen.shows) }); n > opened {
			t.Errorf("%s writes %d bytes for a new screen, want at most %d", screen.key, n, opened)
		}
	}
	s.waitFor("25  ✓ yes", "11 → 12")
	moves := written(func() {
		for batch := 24; batch > 4; batch-- {
			s.press("down")
			s.waitFor(fmt.Sprintf("▸%5d", batch))
		}
	})
	t.Logf("%d bytes for a move of the cursor", moves/20)
	if moves/20 > moved {
		t.Errorf("a move of the cursor writes %d bytes, want at most %d", moves/20, moved)
	}
}

var (
	tourStep = regexp.MustCompile(`Tour: example \d+ of \d+, step \d+ of \d+`)
	tourKey  = regexp.MustCompile(` (\S+) continue `)
)

// TestTour goes through the tour on a small terminal twice: by the keys that it names, and by n alone. Both
// show the same screens.
func TestTour(t *testing.T) {
	goThrough := func(byKeys bool) (shown []string) {
		s := start(t, "program", 80, 24, "demo", "--tour")
		for at := ""; ; {
			if err := s.Wait(s.ctx, "shows the next step", func(screen string) bool {
				next := tourStep.FindString(screen)
				reads := strings.Contains(screen, "STILL READING") || strings.Contains(screen, "… reading")
				return next != "" && next != at && !reads && strings.Contains(screen, "RESTART")
			}); err != nil {
				t.Fatal(err)
			}
			screen := s.Screen()
			at = tourStep.FindString(screen)
			shown = append(shown, strings.Join(strings.Split(screen, "\n")[2:5], "\n"))
			named := tourKey.FindStringSubmatch(screen)
			switch {
			case strings.HasSuffix(at, "example 4 of 4, step 2 of 2"):
				s.press("p")
				s.waitFor("step 1 of 2")
				s.press("ctrl+c", "ctrl+c")
				s.ended()
				return shown
			case byKeys && named != nil:
				s.press(named[1])
			default:
				s.press("n")
			}
		}
	}
	byKeys, byN := goThrough(true), goThrough(false)
	if len(byKeys) != len(byN) {
		t.Fatalf("%d steps by keys and %d by n", len(byKeys), len(byN))
	}
	for i := range byKeys {
		if byKeys[i] != byN[i] {
			t.Errorf("step %d shows %q by its key and %q by n", i+1, byKeys[i], byN[i])
		}
	}
}

// writeSpec is the file of a spec whose key has one column more than the state.
func writeSpec(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "orders.spec.yaml")
	if err := os.WriteFile(name, []byte("spec: 1\noperators:\n  - name: dedupe\n    key: order_id STRING, shop STRING\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// typed presses a key by its name, or types text, and is how many presses that takes.
func (s *session) typed(text string) int {
	s.t.Helper()
	if len(text) > 1 && !isKey(text) {
		letters := strings.Split(text, "")
		s.press(letters...)
		return len(letters)
	}
	s.press(text)
	return 1
}

// copied waits for the escape that gives a text to the terminal's clipboard, and holds what it begins with.
func (s *session) copied(begins string) {
	s.t.Helper()
	var text string
	if err := s.Wait(s.ctx, "is given something to copy", func(string) bool {
		_, rest, found := strings.Cut(s.Written(), "\x1b]52;c;")
		payload, _, whole := strings.Cut(rest, "\a")
		data, err := base64.StdEncoding.DecodeString(payload)
		text = string(data)
		return found && whole && err == nil
	}); err != nil {
		s.t.Fatal(err)
	}
	if !strings.HasPrefix(text, begins) {
		s.t.Errorf("%q is copied, want a text that begins with %q", text, begins)
	}
}

func isKey(text string) bool {
	return strings.HasPrefix(text, "ctrl+") || strings.Contains(" enter esc tab space up down left right backspace pgup pgdown ", " "+text+" ")
}
