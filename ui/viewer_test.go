package ui

import (
	"strings"
	"testing"

	"tidemark/internal/checks/examine"
)

// typed types a line on the command line and presses enter.
func (d *driver) typed(line string) {
	d.press(":")
	for _, c := range line {
		d.press(string(c))
	}
	d.press("enter")
}

// shown is what the screen shows below its crumbs, without the last line: that has the keys.
func (d *driver) shown() string {
	lines := strings.Split(d.screen(), "\n")
	return strings.Join(lines[2:len(lines)-1], "\n")
}

// hides is the reverse of shows.
func (d *driver) hides(text string) {
	d.t.Helper()
	if strings.Contains(d.screen(), text) {
		d.t.Errorf("the screen shows %q:\n%s", text, d.screen())
	}
}

// TestEveryViewOpensAgainByItsLine goes to every screen, in the states that its line tells, and types that
// line elsewhere: what comes must look the same.
func TestEveryViewOpensAgainByItsLine(t *testing.T) {
	t.Setenv("TZ", "UTC")
	incident := func(t *testing.T) *driver { return drive(t, openTree(tree()), everything(t, tree()), 140, 40) }
	spark := func(name string) func(t *testing.T) *driver {
		return func(t *testing.T) *driver {
			d := drive(t, archive(name), nil, 140, 40)
			d.examine = examine.Examine
			return d
		}
	}
	for _, c := range []struct {
		on   func(t *testing.T) *driver
		keys []string
		line string
	}{
		{incident, nil, "overview"},
		{incident, []string{"left", "left"}, "overview 10"},
		{incident, []string{"left", "left", "B"}, "batches 10"},
		{incident, []string{"B"}, "batches"},
		{incident, []string{"B", "j", "j"}, "batches 9"},
		{incident, []string{"B", "/", "1", "enter"}, "batches /1"},
		{incident, []string{"B", "/", "1", "enter", "j", "j"}, "batches 9 /1"},
		{incident, []string{"B", "j", "enter"}, "batch 10"},
		{incident, []string{"F"}, "findings"},
		{incident, []string{"F", "j"}, "finding log-malformed"},
		{incident, []string{"F", "G"}, "finding sink-ahead"},
		{incident, []string{"F", "s", "s", "j"}, "finding log-malformed sort newest"},
		{incident, []string{"F", "/", "c", "u", "t", "enter"}, "findings /cut"},
		{incident, []string{"T", "j", "j", "enter", "j", "j"}, "tree offsets/1"},
		{incident, []string{"T", "/", "o", "f", "enter"}, "tree offsets /of"},
		{incident, []string{"F", "j", "enter"}, "offsets/8:2@70"},
		{incident, []string{"F", "j", "enter", "x"}, "text offsets/8:2@70"},
		{incident, []string{"F", "j", "enter", "x", "x"}, "bytes offsets/8@3"},
		{incident, []string{"B", "enter", "enter", "j"}, "offsets/11:3@141"},
		{incident, []string{"T", "j", "enter", "enter"}, "file metadata"},
		{incident, []string{"U"}, "sources"},
		{incident, []string{"U", "left", "j", "j", "s", "s", "s"}, "sources 0 orders/1 batch 10 sort name"},
		{incident, []string{"U", "/", "2", "enter"}, "sources /2"},
		{incident, []string{"R"}, "replay"},
		{incident, []string{"R", "j"}, "replay \"0 orders/1\""},
		{incident, []string{"W"}, "output"},
		{incident, []string{"1"}, "question 1"},
		{incident, []string{"3"}, "question 3"},
		{incident, []string{"D"}, "drift"},
		{incident, []string{"D", "P"}, "plan"},
		{incident, []string{"?"}, "help"},
		{incident, []string{"B", "space", "j", "="}, "compare 10 11"},
		{spark("state-4.3-rocks-join-inner"), []string{"S"}, "state"},
		{spark("state-4.3-rocks-join-inner"), []string{"S", "g"}, "state 0"},
		{spark("state-4.3-hdfs-damage-missing-delta"), []string{"S", "left", "left", "g"}, "state 0 batch 9"},
		{spark("state-4.3-rocks-join-inner"), []string{"S", "s", "G"}, "state 0/1/right-keyWithIndexToValue sort partition"},
		{spark("state-4.3-rocks-join-inner"), []string{"S", "/", "l", "e", "f", "t", "enter"}, "state /left"},
		{spark("state-4.3-rocks-join-inner"), []string{"S", "g", "j", "enter"}, "rows 0/0 store left-keyToNumValues batch 9"},
		{spark("state-4.3-rocks-join-inner"), []string{"S", "g", "j", "j", "enter", "v"}, ""},
		{spark("state-4.3-rockscl-window-agg"), []string{"S", "g", "enter"}, "rows 0 batch 11"},
		{spark("state-4.3-rockscl-window-agg"), []string{"S", "g", "enter", "=", "8", "enter"}, ""},
		{spark("state-4.3-rockscl-window-agg"), []string{"S", "g", "enter", "/", "a", "n", "n", "enter"}, ""},
		{spark("state-4.3-rocks-tws-ttl-avro"), []string{"S", "g", "enter", "K", "a", "n", "n", "enter"}, ""},
	} {
		name := strings.Join(c.keys, " ")
		t.Run(name, func(t *testing.T) {
			d := c.on(t)
			d.run(d.Init())
			d.press(c.keys...)
			line, want, crumb := d.here(), d.shown(), d.top().Title()
			if c.line != "" && line != c.line {
				t.Errorf("the line is %q, want %q", line, c.line)
			}
			if err := CheckView(line); err != nil {
				t.Errorf("%q is no view before a checkpoint is open: %v", line, err)
			}
			for _, how := range []string{"typed", "first view"} {
				again := c.on(t)
				if how == "first view" {
					again.Options.View = line
				}
				again.run(again.Init())
				if how == "typed" {
					again.typed(line)
				}
				if got := again.shown(); got != want || again.top().Title() != crumb {
					t.Errorf("%s, %q shows\n%s\nwant\n%s", how, line, got, want)
				}
				if again.here() != line {
					t.Errorf("%s, the line of %q is %q", how, line, again.here())
				}
			}
		})
	}
}

// TestEveryScreenHasALine holds the screens that a name opens to the lines that open them again.
func TestEveryScreenHasALine(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 140, 40)
	d.run(d.Init())
	for _, c := range specs {
		name := c.Title
		if name == "" || name != c.Command || name == choose.Title {
			continue
		}
		d.press("O")
		d.typed(name)
		if got := d.here(); got != name || d.top().Title() != name {
			t.Errorf(":%s opens %q, whose line is %q", name, d.top().Title(), got)
		}
	}
}
