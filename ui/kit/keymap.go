package kit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// Keys of one's own. The handlers know every action by its binding in keys.go; which keys do it is looked up
// here, once, before a handler sees the key: the app turns a pressed key into the bindings that it stands for (Press).
// So a screen never knows which keys a person uses, and footer, help and palette ask for the label.

// namedKey is a binding by the name that the file of settings has for it.
type namedKey struct {
	name string
	key.Binding
}

// namedKeys are the keys that can be changed. stop is not one of them: ctrl+c always stops.
func namedKeys() []namedKey {
	return []namedKey{
		{"up", Keys.Up}, {"down", Keys.Down}, {"page-up", Keys.pageUp}, {"page-down", Keys.pageDown}, {"half-up", Keys.halfUp},
		{"half-down", Keys.halfDown},
		{"top", Keys.Top}, {"bottom", Keys.Bottom}, {"left", Keys.Left}, {"right", Keys.Right}, {"enter", Keys.Enter}, {"back", Keys.Back},
		{"find", Keys.Find}, {"next", Keys.Next}, {"previous", Keys.Previous},
		{"overview", Keys.Overview}, {"batches", Keys.Batches}, {"findings", Keys.Findings}, {"state", Keys.State}, {"drift", Keys.Drift},
		{"tree", Keys.Tree}, {"sources", Keys.Sources}, {"replay", Keys.Replay}, {"output", Keys.Output},
		{"worst", Keys.Worst}, {"question", Keys.Question}, {"command", Keys.Command}, {"palette", Keys.Palette},
		{"pane", Keys.Pane}, {"hex", Keys.Hex}, {"sort", Keys.Sort}, {"view", Keys.View}, {"older", Keys.Older}, {"newer", Keys.Newer},
		{"lookup", Keys.Lookup}, {"partition", Keys.Partition}, {"at-batch", Keys.AtBatch}, {"compare", Keys.Compare},
		{"tally", Keys.Tally}, {"plan", Keys.Plan},
		{"mark", Keys.Mark}, {"follow", Keys.Follow}, {"again", Keys.Again}, {"open", Keys.Open},
		{"copy", Keys.Copy}, {"export", Keys.Export},
		{"backward", Keys.Backward}, {"forward", Keys.Forward}, {"bookmark", Keys.Bookmark}, {"bookmarks", Keys.Bookmarks},
		{"clock", Keys.Clock}, {"mouse", Keys.Mouse}, {"reread", Keys.Reread}, {"redraw", Keys.Redraw}, {"suspend", Keys.Suspend},
		{"help", Keys.Help}, {"quit", Keys.Quit}, {"quit-all", Keys.QuitAll},
	}
}

// keymap is which keys do what.
type keymap struct {
	does   map[string][]bound // by the name of a key
	labels map[string]string  // by the mark of a binding whose keys were changed
}

// newKeymap returns the keymap of the bindings that there are, and of those of rows. What changed says was checked before.
func newKeymap(changed map[string][]string, rows []Spec) *keymap {
	if len(changed) == 0 && !slices.ContainsFunc(rows, ownsKey) {
		return usualKeymap
	}
	return makeKeymap(changed, namedRows(rows))
}

// ownsKey reports whether a row has a key that is not among Keys.
func ownsKey(c Spec) bool {
	keys := c.Key.Keys()
	return len(keys) > 0 && !slices.ContainsFunc(usualKeymap.does[keys[0]], func(b bound) bool { return b.mark == MarkOf(c.Key) })
}

func makeKeymap(changed map[string][]string, named []namedKey) *keymap {
	m := &keymap{does: map[string][]bound{}, labels: map[string]string{}}
	for _, n := range append(named, namedKey{"stop", Keys.Stop}) {
		now := usualKeys(n.Binding)
		if own, ok := changed[n.name]; ok {
			now = own
			m.labels[MarkOf(n.Binding)] = strings.Join(pretty(own), " ")
		}
		for i, k := range now {
			m.does[k] = append(m.does[k], bound{MarkOf(n.Binding), i})
		}
	}
	return m
}

// namedRows are the keys that can be changed, those of rows that have a key of their own among them.
func namedRows(rows []Spec) []namedKey {
	all := namedKeys()
	for _, c := range rows {
		if ownsKey(c) {
			all = append(all, namedKey{c.Command, c.Key})
		}
	}
	return all
}

// press returns what a pressed key stands for.
func (m *keymap) press(msg tea.KeyPressMsg) Press {
	does := m.does[msg.String()]
	if l, ok := latin(msg); ok && does == nil {
		does = m.does[l.String()]
	}
	return Press{does}
}

// markPrefix begins the mark of a binding, which no key of a keyboard is.
const markPrefix = "\x00"

// MarkOf is what tells a binding from others: it stands behind its keys, however it is labeled.
func MarkOf(b key.Binding) string {
	all := b.Keys()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// usualKeys are the keys of a binding as it comes, without its mark.
func usualKeys(b key.Binding) []string {
	return slices.DeleteFunc(slices.Clone(b.Keys()), func(k string) bool { return strings.HasPrefix(k, markPrefix) })
}

// pretty are names of keys as labels have them.
func pretty(names []string) []string {
	signs := map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = cmp.Or(signs[n], n)
	}
	return out
}

// ---- what can be wrong with it

// CheckKeys says what is wrong with keys of one's own: names of actions, each with its keys. rows are the list of the
// explorer, for the keys of its screens.
func CheckKeys(changed map[string][]string, rows []Spec) error {
	var names []string
	for _, n := range namedRows(rows) {
		names = append(names, n.name)
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		own := changed[name]
		switch {
		case name == "stop":
			return fmt.Errorf("stop cannot be changed: ctrl+c always stops reading, and twice quits")
		case !slices.Contains(names, name):
			if near := phrase.Nearest(name, names); near != "" {
				return fmt.Errorf("%q is no action; did you mean %q?", name, near)
			}
			return fmt.Errorf("%q is no action; the actions are %s", name, strings.Join(names, ", "))
		case len(own) == 0:
			return fmt.Errorf("%s: no key is given", name)
		case name == "question" && len(own) != len(page.QuestionNames):
			return fmt.Errorf("question: %d keys are given, and there are %d questions", len(own), len(page.QuestionNames))
		}
		for i, k := range own {
			if err := checkKey(k); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if slices.Contains(own[:i], k) {
				return fmt.Errorf("%s: %q is given twice", name, k)
			}
		}
	}
	return checkConflicts(changed, rows)
}

// checkConflicts says which two actions want one key. Some share one as they come, on different screens.
func checkConflicts(changed map[string][]string, rows []Spec) error {
	usual, wanted := marksByKey(newKeymap(nil, rows)), marksByKey(newKeymap(changed, rows))
	byMark := map[string]string{}
	for _, n := range namedRows(rows) {
		byMark[MarkOf(n.Binding)] = n.name
	}
	shared := slices.Collect(maps.Values(usual))
	for _, k := range slices.Sorted(maps.Keys(wanted)) {
		does := wanted[k]
		if len(does) < 2 || slices.ContainsFunc(shared, func(marks []string) bool { return slices.Equal(marks, does) }) {
			continue
		}
		var who []string
		for _, mark := range does {
			who = append(who, byMark[mark])
		}
		return fmt.Errorf("the key %q has several actions: %s; give all but one another key", k, strings.Join(who, ", "))
	}
	return nil
}

// marksByKey are the marks of what each key stands for.
func marksByKey(m *keymap) map[string][]string {
	all := map[string][]string{}
	for k, does := range m.does {
		for _, b := range does {
			all[k] = append(all[k], b.mark)
		}
	}
	return all
}

// keyNames are the keys that have a name and no letter.
var keyNames = []string{"up", "down", "left", "right", "enter", "esc", "tab", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "space",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12"}

// sameToTerminals are pairs that most terminals do not tell apart.
var sameToTerminals = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}

func checkKey(name string) error {
	if name == "ctrl+c" {
		return fmt.Errorf("ctrl+c always stops reading")
	}
	if same, ok := sameToTerminals[name]; ok {
		return fmt.Errorf("%q is the same as %s to most terminals", name, same)
	}
	rest, mods := name, []string{}
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} {
		if after, ok := strings.CutPrefix(rest, mod); ok && after != "" {
			rest, mods = after, append(mods, mod)
		}
	}
	r, n := utf8.DecodeRuneInString(rest)
	switch letter := n == len(rest) && n > 0; {
	case rest == " ":
		return fmt.Errorf("%q is no key; write %q", name, "space")
	case letter && !unicode.IsPrint(r):
		return fmt.Errorf("%q is no key", name)
	case letter && slices.Contains(mods, "shift+"):
		return fmt.Errorf("%q is no key; write the letter it types, such as %q", name, strings.ToUpper(rest))
	case letter && len(mods) > 0 && unicode.IsUpper(r):
		return fmt.Errorf("%q is no key; write %q", name, strings.ToLower(name))
	case letter || slices.Contains(keyNames, rest):
		return nil
	}
	near := phrase.Nearest(strings.ToLower(rest), keyNames)
	if near != "" {
		return fmt.Errorf("%q is no key; did you mean %q?", name, strings.Join(mods, "")+near)
	}
	return fmt.Errorf("%q is no key: a key is a letter, or one of %s, with ctrl+, alt+ or shift+ before it", name, strings.Join(keyNames, ", "))
}

// ---- other keyboards

// latin is the key that stands in the same place of a Latin keyboard: where the terminal tells it, else of the
// letters of a Russian one.
func latin(msg tea.KeyPressMsg) (tea.KeyPressMsg, bool) {
	r := msg.Code
	if msg.Text != "" {
		r, _ = utf8.DecodeRuneInString(msg.Text)
	}
	if r < utf8.RuneSelf {
		return msg, false
	}
	if base := msg.BaseCode; base != 0 && base != msg.Code {
		if msg.Mod.Contains(tea.ModShift) {
			base = unicode.ToUpper(base)
		}
		return pressRune(base, msg.Mod), true
	}
	if place, ok := russian[unicode.ToLower(r)]; ok {
		if unicode.IsUpper(r) {
			place = cmp.Or(shifted[place], unicode.ToUpper(place))
		}
		return pressRune(place, msg.Mod), true
	}
	return msg, false
}

// pressRune is a press of a letter, with ctrl and alt where they are held.
func pressRune(r rune, mod tea.KeyMod) tea.KeyPressMsg {
	if mod &= tea.ModCtrl | tea.ModAlt; mod != 0 {
		return tea.KeyPressMsg{Code: unicode.ToLower(r), Mod: mod}
	}
	return tea.KeyPressMsg{Code: r, Text: string(r)}
}

// russian is where a letter of a Russian keyboard stands on a Latin one.
var russian = map[rune]rune{
	'й': 'q', 'ц': 'w', 'у': 'e', 'к': 'r', 'е': 't', 'н': 'y', 'г': 'u', 'ш': 'i', 'щ': 'o', 'з': 'p', 'х': '[', 'ъ': ']',
	'ф': 'a', 'ы': 's', 'в': 'd', 'а': 'f', 'п': 'g', 'р': 'h', 'о': 'j', 'л': 'k', 'д': 'l', 'ж': ';', 'э': '\'',
	'я': 'z', 'ч': 'x', 'с': 'c', 'м': 'v', 'и': 'b', 'т': 'n', 'ь': 'm', 'б': ',', 'ю': '.', 'ё': '`',
}

// shifted is what shift makes of the keys of a Latin keyboard that are no letters.
var shifted = map[rune]rune{'[': '{', ']': '}', ';': ':', '\'': '"', ',': '<', '.': '>', '`': '~'}
