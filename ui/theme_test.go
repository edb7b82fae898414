package ui

import (
	"strings"
	"testing"

	"tidemark/ui/kit"
)

// TestLooks draws the verdict and the findings with their styles, on a dark and on a light background and without colors.
// An escape shows as ␛.
func TestLooks(t *testing.T) {
	for name, o := range map[string]kit.Options{"dark": {}, "light": {Light: true}, "no-color": {NoColor: true}} {
		t.Run(name, func(t *testing.T) {
			opened := openTree(tree())
			o.Location, o.Open = opened.Location, opened.Open
			d := drive(t, o, everything(t, tree()), 100, 40)
			d.run(d.Init())
			d.press("F")
			drawn := strings.Join(append([]string{d.banner(100)}, d.body(100, 20)...), "\n")
			golden(t, "look-"+name+".txt", strings.ReplaceAll(drawn, "\x1b", "␛"))
		})
	}
}
