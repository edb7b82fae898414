package ui

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
	"tidemark/internal/testfiles"
	"tidemark/ui/kit"
)

// Every screen in every state, at every size, in every look.

// cellScreen is a screen of the matrix: the keys that lead to it from the overview, and what its last line always holds.
type cellScreen struct {
	name   string
	keys   []string
	footer string
}

var cellScreens = []cellScreen{
	{"overview", nil, "? help"},
	{"overview, finding chosen", []string{"j"}, "? help"},
	{"overview, as of a batch", []string{"left", "left"}, "? help"},
	{"batches", []string{"B"}, "? help"},
	{"batches, filtered", []string{"B", "/", "1", "enter"}, "? help"},
	{"batches, marked", []string{"B", "space", "j"}, "? help"},
	{"compare", []string{"B", "j", "="}, "? help"},
	{"batch", []string{"B", "enter"}, "? help"},
	{"batch, as written", []string{"B", "enter", "tab"}, "? help"},
	{"state", []string{"S"}, "? help"},
	{"state, of an operator", []string{"S", "g"}, "? help"},
	{"rows", []string{"S", "enter"}, "? help"},
	{"rows, compared", []string{"S", "enter", "=", "8", "enter"}, ""},
	{"key, asked for", []string{"S", "K"}, ""},
	{"tree", []string{"T", "j", "enter"}, "? help"},
	{"file, decoded", []string{":", "offsets/8", "enter"}, ""},
	{"file, as text", []string{":", "offsets/8", "enter", "x"}, ""},
	{"file, as bytes", []string{":", "offsets/8", "enter", "x", "x"}, ""},
	{"file that is not there", []string{":", "file offsets/5", "enter"}, ""},
	{"findings", []string{"F"}, "? help"},
	{"findings, the last", []string{"F", "G"}, "? help"},
	{"finding, inside", []string{"F", "tab", "j"}, "? help"},
	{"question 1", []string{"1"}, "? help"},
	{"question 2", []string{"2"}, "? help"},
	{"question 3", []string{"3"}, "? help"},
	{"drift", []string{"D"}, "? help"},
	{"plan", []string{"P"}, ""},
	{"plan, from drift", []string{"D", "P"}, "? help"},
	{"sources", []string{"U"}, "? help"},
	{"output", []string{"W"}, "? help"},
	{"replay", []string{"R"}, "? help"},
	{"explain, asked for", []string{":", "explain", "enter"}, ""},
	{"explain", []string{":", "explain", "enter", "paste", "enter"}, ""},
	{"help", []string{"?"}, "? help"},
	{"help, its end", []string{"?", "G"}, "? help"},
	{"palette", []string{"ctrl+k"}, "esc close"},
	{"palette, narrowed", []string{"ctrl+k", "off"}, "esc close"},
	{"command line", []string{":"}, "esc cancel"},
	{"command line, completed", []string{":", "ba", "tab"}, "esc cancel"},
	{"command that is none", []string{":", "no such thing", "enter"}, "no"},
	{"copy", []string{"y"}, ""},
	{"copy, to a file", []string{"e"}, ""},
	{"bookmarks", []string{"m", "'"}, ""},
	{"stopped", []string{"ctrl+c"}, "ctrl+c again quits"},
	{"tour", nil, "? help"},
}

// cellState is how far the reading is, or what came of it: what opens, what an examination tells, and a few words that the
// banner has then.
type cellState struct {
	name  string
	fsys  fstest.MapFS
	found []checks.Event
	strip string
	open  func(d *driver)    // in place of reading it all; nil for that
	err   error              // of opening
	start func() kit.Options // of a start screen, on which nothing is opened; nil for a checkpoint
}

func cellStates(t *testing.T) []cellState {
	full := everything(t, tree())
	full = append(append(full[:1:1], declared...), full[1:]...)
	spark := fstest.MapFS{}
	for file, data := range testfiles.In(t, filepath.Join("..", "testdata", "golden", "state-4.3-rockscl-window-agg.tar.gz")) {
		if name, inside := strings.CutPrefix(file.Name, "checkpoint/"); inside && data != nil {
			spark[name] = &fstest.MapFile{Data: data, ModTime: now.Add(-time.Hour)}
		}
	}
	r := rand.New(rand.NewPCG(7, 1))
	return []cellState{
		{name: "loading", fsys: tree(), strip: "STILL READING", open: func(d *driver) { d.hold = true; d.run(d.Init()) }},
		{name: "so far", fsys: tree(), strip: "", open: func(d *driver) {
			d.hold = true
			d.run(d.Init())
			d.send(opened{to: d.reading.ID, cp: mustOpen(d.t, tree())})
			d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: everything(d.t, tree())[:4], Next: func() tea.Msg { return nil }})
		}},
		{name: "full", fsys: tree(), found: full, strip: "DO NOT RESTART YET"},
		{name: "state", fsys: spark, strip: "SAFE TO RESTART"},
		{name: "empty", fsys: fstest.MapFS{}, strip: "NO VERDICT", found: []checks.Event{{Facts: &checks.Facts{}}, {Restart: &checks.Restart{Outcome: checks.Unknown, Batch: -1}}, {Done: &checks.Done{Complete: true}}}},
		{name: "broken", fsys: nastyTree(r), found: nastyFindings(r), strip: "DO NOT RESTART YET"},
		{name: "unreachable", fsys: tree(), strip: "NO VERDICT", err: errors.New("403 on ListObjectsV2: access denied")},
		{name: "start", strip: "2 CHECKPOINTS", start: chooserOptions},
		{name: "folder", found: everything(t, tree()), strip: "2 CHECKPOINTS", start: func() kit.Options {
			o := chooserOptions()
			o.Location, o.Open = "/mnt/cp", o.OpenAt("/mnt/cp").Open
			return o
		}},
	}
}

// cellLooks are the looks of the matrix; the first has no colors, and the others are held against it.
var cellLooks = []struct {
	name string
	set  func(*kit.Options)
}{
	{"no color", func(o *kit.Options) { o.NoColor = true }},
	{"dark", func(*kit.Options) {}},
	{"light", func(o *kit.Options) { o.Light = true }},
	{"ascii", func(o *kit.Options) { o.ASCII, o.NoColor = true, true }},
}

var cellSizes = [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}}

// TestMatrix holds what is true of every screen in every state, at every size, in every look. What the screens look like is
// kept in files that a reviewer can read: testdata/screens.
func TestMatrix(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, state := range cellStates(t) {
		for i := range cellScreens {
			if state.start != nil && (slices.Contains(cellScreens[i].keys, "enter") || cellScreens[i].name == "tour") {
				continue // it would open one of the checkpoints
			}
			t.Run(state.name+"/"+cellScreens[i].name, func(t *testing.T) { draw(t, &state, &cellScreens[i]) })
		}
	}
}

// draw draws a screen in a state at every size and in every look, and holds what is true of it.
func draw(t *testing.T, state *cellState, screen *cellScreen) {
	var bare []string // by size, without colors
	for _, look := range cellLooks {
		d := cell(t, state, screen, look.set)
		ascii := look.name == "ascii"
		for at, size := range cellSizes {
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			frame := d.View().Content
			c := oneCell{t, frame, strings.Split(ansi.Strip(frame), "\n"), size[0], size[1]}
			text := strings.Join(c.lines, "\n")
			c.holds(state.strip, screen.footer, ascii)
			if d := d.Decision(); screen.name == "overview" && !ascii && d.State != checks.StillReading {
				c.saysWhy(d.Because)
			}
			switch {
			case look.name == "no color":
				bare = append(bare, text)
			case !ascii && text != bare[at]:
				t.Errorf("its text is not that without colors, which is\n%s", bare[at])
			}
			if ascii || look.name == "no color" {
				c.uncolored()
			}
			if t.Failed() {
				t.Fatalf("%d×%d, %s:\n%s", size[0], size[1], look.name, text)
			}
		}
	}
}

// cell is the explorer on a screen, in a state.
func cell(t *testing.T, state *cellState, screen *cellScreen, look func(*kit.Options)) *driver {
	o := openTree(state.fsys)
	if state.start != nil {
		o = state.start()
	}
	if state.err != nil {
		o.Open = func(context.Context) (*checkpoint.Checkpoint, error) { return nil, state.err }
	}
	o.Reopen = func(location, view string) string { return "tidemark " + location + " --view '" + view + "'" }
	o.Examine.Spec, o.Examine.Sink = &spec.Spec{From: "orders.yaml"}, outputUpTo{11}
	if screen.name == "tour" {
		o.Tour = []kit.Chapter{{Choice: kit.Choice{Label: "uncommitted", Location: o.Location, Open: o.Open}, Now: now, Steps: []kit.Step{{View: "overview", Text: "A batch was planned, and never committed.", Key: "B"}, {View: "batches", Text: "Here it is."}}}}
	}
	look(&o)
	d := drive(t, o, state.found, 120, 40)
	if state.open != nil {
		state.open(d)
	} else {
		d.run(d.Init())
	}
	for _, k := range screen.keys {
		switch {
		case k == "paste":
			d.send(tea.PasteMsg{Content: gone})
		case len(k) > 1 && (d.prompt.Typing || d.menu != nil) && k != "enter" && k != "tab":
			d.letters(k)
		default:
			d.press(k)
		}
		d.View() // a text knows its lines once it was drawn
	}
	return d
}

// oneCell is a frame, and its lines without styles.
type oneCell struct {
	t     *testing.T
	frame string
	lines []string
	w, h  int
}

func (c *oneCell) holds(strip, footer string, ascii bool) {
	wellFormed(c.t, c.frame, c.w, c.h)
	if c.t.Failed() {
		return
	}
	last := c.lines[len(c.lines)-1]
	if ascii {
		th := kit.Theme{Ascii: true}
		strip, footer = th.Plain(strip), th.Plain(footer)
		for _, r := range c.frame {
			if r > 0x7e {
				c.t.Errorf("%q stands in a frame of plain ASCII", r)
				return
			}
		}
	}
	if banner := c.lines[1] + c.lines[2]; !strings.Contains(banner, strip) { // in the place of the tabs while a checkpoint is chosen
		c.t.Errorf("the banner does not say %q: %q", strip, banner)
	}
	if strings.TrimSpace(last) == "" || !strings.Contains(last, footer) {
		c.t.Errorf("the footer does not say %q: %q", footer, last)
	}
	for _, line := range strings.Split(c.frame, "\n") {
		if all := styling.FindAllStringSubmatch(line, -1); len(all) > 0 && all[len(all)-1][1] != "" && all[len(all)-1][1] != "0" {
			c.t.Errorf("a style is left open at the end of %q", line)
		}
	}
}

// saysWhy holds that the reason for what a restart does is there as a whole, however it is broken into lines.
func (c *oneCell) saysWhy(reason string) {
	squeeze := func(s string) string {
		return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, "▌", " ")), " "))
	}
	if want := squeeze(kit.Prose(reason)); !strings.Contains(squeeze(strings.Join(c.lines, " ")), want) {
		c.t.Errorf("the reason is cut: %q", want)
	}
}

var styling = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// uncolored holds that nothing sets a color: bold, faint, underlined and reversed are none.
func (c *oneCell) uncolored() {
	for _, s := range styling.FindAllStringSubmatch(c.frame, -1) {
		for p := range strings.SplitSeq(s[1], ";") {
			if n, err := strconv.Atoi(p); err == nil && n >= 30 {
				c.t.Errorf("%q sets a color", s[0])
				return
			}
		}
	}
}
