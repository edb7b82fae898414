//go:build unix

package ui

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestCopyReachesTheTerminal runs the real program on a terminal: what a key sends is OSC 52 with just the text, and
// inside tmux also what tmux hands through; and no other control sequence comes of a hostile name.
func TestCopyReachesTheTerminal(t *testing.T) {
	const evil = "\x1b]0;owned\x07\x1b[2Jorders"
	shown := `s3://lake/\x1b]0;owned\x07\x1b[2Jorders`
	set := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(shown)) + "\x07"
	for name, tmux := range map[string]bool{"plain": false, "tmux": true} {
		t.Run(name, func(t *testing.T) {
			o := openTree(tree())
			o.Location, o.Tmux = "s3://lake/"+evil, tmux
			a := New(t.Context(), o)
			p := runInTerminal(t, t.Context(), a, a, 120, 40)
			p.waitFor("What to do", "Three questions")
			p.press("y")
			p.waitFor("Copy to the clipboard")
			p.press("p")
			p.waitFor("path sent to")
			through := "\x1bPtmux;" + strings.ReplaceAll(set, "\x1b", "\x1b\x1b") + "\x1b\\"
			if err := p.Wait(p.ctx, "the bytes for the clipboard", func(string) bool {
				return strings.Contains(p.Written(), set) && (!tmux || strings.Contains(p.Written(), through))
			}); err != nil {
				t.Fatal(err)
			}
			written := p.Written()
			if tmux && strings.Index(written, set) > strings.Index(written, through) {
				t.Error("what is for the terminal around tmux comes first")
			}
			if !tmux && strings.Contains(written, "\x1bPtmux") {
				t.Error("without tmux something is wrapped for it")
			}
			if strings.Contains(written, "owned\x07") {
				t.Error("a name has reached the terminal as it is")
			}
			p.press("q")
			if err := p.ended(); err != nil {
				t.Error(err)
			}
		})
	}
}
