package ui

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// copying is the explorer with all that copying needs. What it would write is kept in written, and what it sends to
// the clipboard in sent.
type copying struct {
	*driver
	sent    []string // texts for the clipboard
	raw     []string // other bytes for the terminal
	written map[string]string
	refuse  error
}

func copyIn(t *testing.T, fsys fstest.MapFS, w, h int, change func(*kit.Options)) *copying {
	t.Helper()
	x := &copying{written: map[string]string{}}
	o := openTree(fsys)
	o.Reopen = func(location, view string) string { return "tidemark '" + location + "' --view '" + view + "'" }
	o.Write = func(location, name string, data []byte) error {
		if x.refuse != nil {
			return x.refuse
		}
		x.written[name] = string(data)
		return nil
	}
	if change != nil {
		change(&o)
	}
	x.driver = drive(t, o, everything(t, tree()), w, h)
	x.run(x.Init())
	return x
}

// Press presses keys, and keeps what goes to the terminal beside the frame.
func (x *copying) press(names ...string) {
	x.t.Helper()
	for _, name := range names {
		x.hold = true
		x.driver.press(name)
		late := x.late
		x.late, x.hold = nil, false
		for len(late) > 0 {
			cmd := late[0]
			late = late[1:]
			switch msg := cmd().(type) {
			case nil:
			case tea.BatchMsg:
				late = append(late, msg...)
			case tea.RawMsg:
				x.raw = append(x.raw, msg.Msg.(string))
			default:
				switch v := reflect.ValueOf(msg); {
				case v.Type().Name() == "setClipboardMsg":
					x.sent = append(x.sent, v.String())
				case v.Type().Name() == "sequenceMsg":
					for i := range v.Len() {
						late = append(late, v.Index(i).Interface().(tea.Cmd))
					}
				default:
					x.hold = true
					x.send(msg)
					late = append(late, x.late...)
					x.late, x.hold = nil, false
				}
			}
		}
	}
}

// TestWhatCanBeCopied tells, screen by screen, which letters are offered, and what each of them sends.
func TestWhatCanBeCopied(t *testing.T) {
	const at = "s3://lake-prod/checkpoints/orders-by-shop"
	for name, c := range map[string]struct {
		open []string
		want map[string]string // by letter: how what is sent begins
	}{
		"overview": {nil, map[string]string{"p": at, "v": "✗ DO NOT RESTART YET", "n": "1 Keep a copy", "j": "{\n  \"schema\": \"tidemark/check/1\"", "s": `{"orders":{"0":2500,`, "c": "tidemark '" + at + "' --view 'overview'"}},
		"batches":  {[]string{"B", "j"}, map[string]string{"p": at + "/offsets/10", "v": "10\t", "j": `{"batch":10,"planned":true`, "s": `{"orders":{"0":2500,`, "c": "tidemark '" + at + "' --view 'batches 10'"}},
		"a hole":   {[]string{"B", "G", "k", "k", "k", "k", "k"}, map[string]string{"v": "5  missing: offsets/5", "c": "tidemark"}},
		"batch":    {[]string{"B", "j", "enter"}, map[string]string{"p": at + "/offsets/10", "v": "", "j": `{"batch":10`, "s": `{"orders":`, "c": "tidemark '" + at + "' --view 'batch 10'"}},
		"findings": {[]string{"F"}, map[string]string{"p": at + "/offsets/5", "v": "offsets/4 and offsets/6 are there", "j": "{\n  \"code\": \"offset-gap\"", "n": "1 Keep a copy", "c": "tidemark"}},
		"not run":  {[]string{"F", "G"}, map[string]string{"v": "? not run\tsink-ahead", "c": "tidemark"}},
		"tree":     {[]string{"T", "j"}, map[string]string{"p": at + "/", "c": "tidemark"}},
		"bytes":    {[]string{"F", "j", "enter"}, map[string]string{"p": at + "/offsets/8", "v": "", "t": "v1\n{\"batchWatermarkMs\"", "c": "tidemark"}},
		"question": {[]string{"1"}, map[string]string{"v": "intact? no: found: offset-gap", "c": "tidemark '" + at + "' --view 'question 1'"}},
		"plan":     {[]string{":", "p", "l", "a", "n", "enter"}, map[string]string{"v": "No committed batch has a readable offset file", "s": `{"orders"`, "c": "tidemark"}},
		"help":     {[]string{"?"}, map[string]string{"c": "tidemark '" + at + "' --view 'help'"}},
	} {
		t.Run(name, func(t *testing.T) {
			letters := map[string]bool{}
			x := copyIn(t, tree(), 140, 40, nil)
			x.press(c.open...)
			for _, i := range x.copyables() {
				letters[i.Key] = true
			}
			for letter := range letters {
				if _, ok := c.want[letter]; !ok {
					t.Errorf("%q is offered", letter)
				}
			}
			for letter, begins := range c.want {
				x := copyIn(t, tree(), 140, 40, nil)
				x.press(c.open...)
				x.press("y")
				x.shows("Copy to the clipboard")
				x.press(letter)
				if len(x.sent) != 1 || !strings.HasPrefix(x.sent[0], begins) || x.sent[0] == "" {
					t.Errorf("%s sends %q, want %q …\n%s", letter, x.sent, begins, x.screen())
					continue
				}
				x.shows("sent to the terminal's clipboard", "terminals do not confirm")
				if strings.HasPrefix(begins, "{") && !json.Valid([]byte(x.sent[0])) {
					t.Errorf("%s is no JSON: %s", letter, x.sent[0])
				}
			}
		})
	}
}

// TestCopyInTmux sends the same to the terminal around tmux, behind what tmux itself takes.
func TestCopyInTmux(t *testing.T) {
	x := copyIn(t, tree(), 140, 40, func(o *kit.Options) { o.Tmux = true })
	x.press("y", "p")
	want := "\x1bPtmux;\x1b\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("s3://lake-prod/checkpoints/orders-by-shop")) + "\x07\x1b\\"
	if len(x.sent) != 1 || !slices.Equal(x.raw, []string{want}) {
		t.Errorf("sent %q, raw %q, want %q", x.sent, x.raw, want)
	}
	x.shows("path sent to tmux and its terminal, 41 bytes; neither confirms")
	plain := copyIn(t, tree(), 140, 40, nil)
	plain.press("y", "p")
	if len(plain.raw) > 0 {
		t.Errorf("without tmux %q goes to the terminal", plain.raw)
	}
}

// TestCopyTooLong offers a file in place of the clipboard: terminals drop what is longer, without a word.
func TestCopyTooLong(t *testing.T) {
	x := copyIn(t, tree(), 140, 40, nil)
	long := func(n int) copied {
		return copied{what: kit.Copyable{Label: "JSON"}, text: strings.Repeat("x", n)}
	}
	most := clipboardLimit / 4 * 3
	x.takeCopy(long(most))
	x.shows("JSON sent to the terminal's clipboard")
	if cmd := x.takeCopy(long(most + 1)); cmd != nil {
		t.Error("a text that is too long is sent")
	}
	x.shows("Write JSON to", "not copied: 74,996 bytes of base64", "at most 74,994")
	x.press("x", "enter")
	if got := x.written["x"]; len(got) != most+2 {
		t.Errorf("%d bytes are written", len(got))
	}
	x.shows("JSON written to x")
	none := copyIn(t, tree(), 140, 40, func(o *kit.Options) { o.Write = nil })
	none.takeCopy(long(most + 1))
	none.shows("not copied: 74,996 bytes of base64")
}

// TestWriteToAFile goes both ways to a file, and meets one that may not be written.
func TestWriteToAFile(t *testing.T) {
	for _, way := range [][]string{{"e", "j"}, {"y", "w", "j"}} {
		x := copyIn(t, tree(), 80, 24, nil)
		x.press("F")
		x.press(way...)
		x.shows("Write JSON to", "tidemark overwrites nothing")
		x.press("enter")
		x.shows("name a file")
		x.refuse = errors.New("gap.json exists: choose another name")
		for _, r := range "gap.json" {
			x.press(string(r))
		}
		x.press("enter")
		x.shows("Write JSON to", "not written: gap.json exists")
		x.refuse = nil
		x.press("2", "enter")
		if got := x.written["gap.json2"]; !json.Valid([]byte(got)) || !strings.HasSuffix(got, "}\n") {
			t.Errorf("written: %q", x.written)
		}
		x.shows("JSON written to gap.json2")
		if len(x.sent) > 0 {
			t.Errorf("%q is sent to the clipboard too", x.sent)
		}
		x.press(way...)
		x.press("esc")
		if len(x.written) != 1 || x.saving.IsOpen() {
			t.Error("esc does not drop the file")
		}
	}
	none := copyIn(t, tree(), 80, 24, func(o *kit.Options) { o.Write = nil })
	none.press("e")
	none.shows("No file can be written here")
	none.press("y")
	if strings.Contains(none.screen(), "to a file") {
		t.Errorf("a file is offered:\n%s", none.screen())
	}
}

// TestNotesOfStartPositions keeps what a person should know of a position that is copied.
func TestNotesOfStartPositions(t *testing.T) {
	x := copyIn(t, tree(), 200, 40, nil)
	x.press("B", "y", "s")
	if len(x.sent) != 1 || !strings.HasPrefix(x.sent[0], `{"orders":{"0":2650,`) {
		t.Errorf("sent %q", x.sent)
	}
	x.shows("batch 11 is not committed")
}

// TestCopiesAreHarmless copies all that there is of a hostile checkpoint: no control character reaches the clipboard,
// where a paste would hand it to a shell, nor the screen.
func TestCopiesAreHarmless(t *testing.T) {
	evil := "x\x1b[201~\r\x07\u202egnp\u009b31m"
	fsys := tree()
	fsys["offsets/11"] = &fstest.MapFile{Data: []byte("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":0,\"conf\":{\"a\":\"" + evil + "\"}}\n{\"" + evil + "\":{\"0\":1}}")}
	fsys[evil+"/x"] = &fstest.MapFile{Data: []byte(evil)}
	change := func(o *kit.Options) { o.Location += evil }
	for _, open := range [][]string{nil, {"B"}, {"B", "enter"}, {"B", "enter", "enter"}, {"F"}, {"T", "j", "j", "j"}, {"T", "G"}, {"S"}, {"u"}, {"1"}} {
		x := copyIn(t, fsys, 120, 40, change)
		x.press(open...)
		var letters []string
		for _, c := range x.copyables() {
			letters = append(letters, c.Key)
		}
		for _, letter := range letters {
			x.press("y")
			wellFormed(t, x.View().Content, 120, 40)
			x.press(letter)
			wellFormed(t, x.View().Content, 120, 40)
		}
		for _, text := range x.sent {
			for line := range strings.Lines(text) {
				for cell := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "\t") {
					if phrase.Printable(cell) != cell {
						t.Errorf("%v: %q is sent", open, cell)
					}
				}
			}
		}
		if len(letters) > 0 && len(x.sent) == 0 {
			t.Errorf("%v: nothing is sent of %v:\n%s", open, letters, x.screen())
		}
	}
}

// TestCopyScreens compares the menus with their golden files.
func TestCopyScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, size := range []struct {
		w, h int
		name string
	}{{80, 24, "80x24"}, {140, 40, "140x40"}} {
		for name, keys := range map[string][]string{"copy": {"F", "y"}, "copy-file": {"F", "e"}, "copy-name": {"F", "e", "j", "g", "a", "p"}, "copy-sent": {"F", "y", "v"}} {
			t.Run(name+"-"+size.name, func(t *testing.T) {
				x := copyIn(t, tree(), size.w, size.h, nil)
				x.press(keys...)
				wellFormed(t, x.View().Content, size.w, size.h)
				golden(t, name+"-"+size.name+".txt", x.screen())
			})
		}
	}
}

// TestCopyOfALineIsOne: a name with a line feed is copied as one line, to the clipboard and to a file.
func TestCopyOfALineIsOne(t *testing.T) {
	t.Parallel()
	s := &kit.Session{Options: kit.Options{Location: "/cp\nrm -rf ~"}}
	for _, c := range append(kit.OneLine("p", "path", s.PathOf("offsets/1\r\n\x1b]52;x")), kit.OneLine("v", "row", "a\nb\tc")...) {
		text, _, err := c.Text(t.Context())
		if err != nil || strings.ContainsAny(harmless(text), "\n\r\x1b") {
			t.Errorf("%s: %q (%v)", c.Label, harmless(text), err)
		}
	}
	files, err := filepath.Glob("screen/*/*.go")
	if err != nil || len(files) < 18 {
		t.Fatalf("%d files of screens (%v)", len(files), err)
	}
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(code), `Ready("p", "path"`) {
			t.Errorf("%s copies a path that is not one line (%v)", name, err)
		}
	}
}
