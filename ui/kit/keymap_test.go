package kit

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
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
