package kit

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// TestEveryBindingHasAName holds the names for the file of settings to the bindings there are.
func TestEveryBindingHasAName(t *testing.T) {
	var names, marks []string
	for _, n := range namedKeys() {
		names = append(names, n.name)
		if slices.Contains(marks, MarkOf(n.Binding)) {
			t.Errorf("%s has the label of another binding, %q: labels tell bindings apart", n.name, n.Help().Key)
		}
		marks = append(marks, MarkOf(n.Binding))
	}
	fields := reflect.TypeOf(Keys)
	for i := range fields.NumField() {
		var name strings.Builder
		for i, r := range fields.Field(i).Name {
			if unicode.IsUpper(r) && i > 0 {
				name.WriteByte('-')
			}
			name.WriteRune(unicode.ToLower(r))
		}
		if !slices.Contains(names, name.String()) && name.String() != "stop" {
			t.Errorf("the binding %s has no line in namedKeys: {%q, Keys.%s}", fields.Field(i).Name, name.String(), fields.Field(i).Name)
		}
	}
	if len(names) != fields.NumField()-1 {
		t.Errorf("%d names for %d bindings", len(names), fields.NumField()-1)
	}
}

// TestARowBringsItsKey: a screen may have a key that no other has. It is pressed, named and changed like any other.
func TestARowBringsItsKey(t *testing.T) {
	own := Spec{Command: "mine", Title: "mine", Key: Bind("Z", "mine", "Z")}
	press := func(s *Session, key string) bool { return Pressed(s.Input(tea.KeyPressMsg{Text: key}), own.Key) }
	usual := NewSession(Options{}, []Spec{own})
	if !press(&usual, "Z") || press(&usual, "B") {
		t.Error("Z does not stand for the row, or B does")
	}
	keys := map[string][]string{"mine": {"V"}}
	if err := CheckKeys(keys, []Spec{own}); err != nil {
		t.Fatal(err)
	}
	changed := NewSession(Options{Keys: keys}, []Spec{own})
	if press(&changed, "Z") || !press(&changed, "V") || changed.Label(own.Key) != "V" {
		t.Errorf("V does not stand for the row, whose label is %q", changed.Label(own.Key))
	}
	for _, wrong := range []map[string][]string{{"mine": {"B"}}, {"yours": {"V"}}} {
		if CheckKeys(wrong, []Spec{own}) == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
	if CheckKeys(keys, nil) == nil {
		t.Error("the key of a row that does not exist is taken")
	}
}
