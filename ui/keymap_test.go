package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestKeysOfOnesOwn(t *testing.T) {
	start := func(t *testing.T, keys map[string][]string) *driver {
		if err := CheckKeys(keys); err != nil {
			t.Fatal(err)
		}
		o := openTree(tree())
		o.Keys = keys
		d := drive(t, o, everything(t, tree()), 120, 40)
		d.run(d.Init())
		return d
	}
	t.Run("another key does it, and the usual one no more", func(t *testing.T) {
		d := start(t, map[string][]string{"batches": {"w", "alt+b"}})
		d.press("B")
		if d.crumbs() != "overview" {
			t.Errorf("the usual key goes to %q", d.crumbs())
		}
		d.press("w")
		if d.crumbs() != "overview › batches" {
			t.Errorf("the new key goes to %q", d.crumbs())
		}
		d.press("?")
		d.shows("w alt+b")
	})
	t.Run("a key that is shared with another action loses only one", func(t *testing.T) {
		d := start(t, map[string][]string{"back": {"esc"}})
		d.press("left")
		if d.AsOf != 11 {
			t.Errorf("left goes to batch %d, want 11: it still goes through the batches", d.AsOf)
		}
		d.press("esc", "B", "h")
		if d.crumbs() != "overview › batches" {
			t.Errorf("h goes to %q, and should do nothing", d.crumbs())
		}
		d.press("esc")
		if d.crumbs() != "overview" {
			t.Errorf("esc goes to %q", d.crumbs())
		}
	})
	t.Run("two actions change places", func(t *testing.T) {
		d := start(t, map[string][]string{"findings": {"B"}, "batches": {"F"}})
		d.press("F")
		if d.crumbs() != "overview › batches" {
			t.Errorf("F goes to %q", d.crumbs())
		}
		d.press("B")
		if d.crumbs() != "overview › findings" {
			t.Errorf("B goes to %q", d.crumbs())
		}
	})
	t.Run("sentences name the new keys", func(t *testing.T) {
		d := start(t, map[string][]string{"question": {"7", "8", "9"}, "findings": {"ctrl+w", "L"}, "reread": {"J"}, "back": {"esc", "X"}, "compare": {"C"}, "mark": {"i"}, "pane": {"Y"}})
		for line, key := range map[string]string{"Intact?": "7", "─ Findings ": "ctrl+w"} {
			if at := strings.Index(d.screen(), line); at < 0 || !strings.HasSuffix(strings.TrimRight(strings.Split(d.screen()[at:], "\n")[0], " │─╮"), " "+key) {
				t.Errorf("the line of %q does not end with its key %q:\n%s", line, key, d.screen())
			}
		}
		d.press("B", "i")
		d.shows("C compare", "i mark")
		d.press("/", "z", "z", "enter", "ctrl+w", "/", "z", "z", "enter")
		d.shows("Nothing matches. esc shows all again.")
		d.press("esc")
		d.press("ctrl+c")
		d.shows("nothing is being read")
	})
	t.Run("questions", func(t *testing.T) {
		d := start(t, map[string][]string{"question": {"7", "8", "9"}})
		d.press("8")
		if d.crumbs() != "overview › question 2" {
			t.Errorf("8 goes to %q", d.crumbs())
		}
		d.press("1")
		if d.crumbs() != "overview › question 2" {
			t.Errorf("1 goes to %q", d.crumbs())
		}
	})
	t.Run("what is typed stays what it is", func(t *testing.T) {
		d := start(t, map[string][]string{"findings": {"B"}, "batches": {"F"}, "down": {"Y"}})
		d.press("F", "/")
		d.letters("YBF")
		d.shows("/YBF")
		d.press("esc", "Y")
		if at := d.selected(); !strings.HasPrefix(at, "10 ") {
			t.Errorf("Y moves to %q, want batch 10", at)
		}
	})
	t.Run("the palette does it all the same", func(t *testing.T) {
		d := start(t, map[string][]string{"clock": {"Z"}, "palette": {"ctrl+p"}})
		d.press("ctrl+p")
		d.letters("utc")
		d.shows("Z")
		d.press("enter")
		if !d.Clock.Local {
			t.Error("the palette does not switch to local time")
		}
	})
	t.Run("on a Russian keyboard", func(t *testing.T) {
		d := start(t, map[string][]string{"batches": {"w"}})
		d.send(tea.KeyPressMsg{Code: 'ц', Text: "ц"})
		if d.crumbs() != "overview › batches" {
			t.Errorf("the key in the place of w goes to %q", d.crumbs())
		}
	})
}

func TestKeysThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		keys map[string][]string
		want string // "" for nothing wrong
	}{
		{nil, ""},
		{map[string][]string{"batches": {"w"}}, ""},
		{map[string][]string{"back": {"esc", "left"}}, `the key "left" has several actions: back, older`},
		{map[string][]string{"batchs": {"w"}}, `"batchs" is no action; did you mean "batches"?`},
		{map[string][]string{"zzzzzzzz": {"w"}}, "the actions are up, down,"},
		{map[string][]string{"stop": {"x"}}, "stop cannot be changed"},
		{map[string][]string{"quit": {"ctrl+c"}}, "quit: ctrl+c always stops"},
		{map[string][]string{"quit": {}}, "quit: no key is given"},
		{map[string][]string{"quit": {"w", "w"}}, `quit: "w" is given twice`},
		{map[string][]string{"quit": {"escp"}}, `"escp" is no key; did you mean "esc"?`},
		{map[string][]string{"quit": {"ctrl+entr"}}, `did you mean "ctrl+enter"?`},
		{map[string][]string{"quit": {"shift+q"}}, `write the letter it types, such as "Q"`},
		{map[string][]string{"quit": {"ctrl+Q"}}, `write "ctrl+q"`},
		{map[string][]string{"quit": {" "}}, `write "space"`},
		{map[string][]string{"quit": {""}}, `"" is no key`},
		{map[string][]string{"quit": {"\x1b"}}, `"\x1b" is no key`},
		{map[string][]string{"quit": {"ctrl+i"}}, `"ctrl+i" is the same as tab`},
		{map[string][]string{"quit": {"+"}}, ""},
		{map[string][]string{"quit": {"ctrl++", "f10", "alt+q", "ctrl+alt+delete"}}, ""},
		{map[string][]string{"batches": {"F"}}, `the key "F" has several actions: batches, findings`},
		{map[string][]string{"question": {"7"}}, "question: 1 keys are given, and there are 3 questions"},
	} {
		err := CheckKeys(c.keys)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v, want %q", c.keys, err, c.want)
		}
	}
}

// TestRussianKeyboards presses keys by their place, with what terminals tell of them and without.
func TestRussianKeyboards(t *testing.T) {
	for _, c := range []struct {
		msg  tea.KeyPressMsg
		want string
	}{
		{tea.KeyPressMsg{Code: 'и', Text: "И", BaseCode: 'b', Mod: tea.ModShift}, "overview › batches"},
		{tea.KeyPressMsg{Code: 'И', Text: "И"}, "overview › batches"},
		{tea.KeyPressMsg{Code: 'и', Text: "И", Mod: tea.ModShift}, "overview › batches"},
		{tea.KeyPressMsg{Code: 'г', Text: "Г", Mod: tea.ModShift}, "overview › sources"},
		{tea.KeyPressMsg{Code: 'ы', Text: "Ы", Mod: tea.ModShift}, "overview › state"},
		{tea.KeyPressMsg{Code: '商', Text: "商"}, "overview"},
		{tea.KeyPressMsg{Code: 'é', Text: "é"}, "overview"},
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
		d.run(d.Init())
		d.send(c.msg)
		if d.crumbs() != c.want {
			t.Errorf("%+v goes to %q, want %q", c.msg, d.crumbs(), c.want)
		}
	}
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.send(tea.KeyPressMsg{Code: 'Ж', Text: "Ж"})
	if !d.prompt.Typing {
		t.Error("shift and the key in the place of ; does not open the command line")
	}
	d.send(tea.KeyPressMsg{Code: 'ы', Text: "ы"})
	if d.prompt.Typed() != "ы" {
		t.Errorf("what is typed becomes %q", d.prompt.Typed())
	}
	d.press("esc")
	d.send(tea.KeyPressMsg{Code: 'л', BaseCode: 'k', Mod: tea.ModCtrl})
	if d.menu == nil {
		t.Error("ctrl and the key in the place of k does not open the palette")
	}
}
