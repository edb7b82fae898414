package batch

import (
	"strings"
	"testing"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// TestSoftRows: the rows together are the file, none is wider than it may be, and long lines are broken behind a comma.
func TestSoftRows(t *testing.T) {
	files := []string{
		"", "\n", "v1\n{}", `{"a":1,"b":2,"cc":33333,"dddd":444}` + "\n" + `{"logOffset":12}`,
		strings.Repeat("x", 100), "商店商店商店,商店\n", "\x1b[31m,\x00\xff,\r\n\n", strings.Repeat("ab,", 50),
	}
	for _, data := range files {
		for w := range 40 {
			rows := softRows([]byte(data), w)
			if w == 0 {
				if rows != nil {
					t.Errorf("%q: rows of no cells", data)
				}
				continue
			}
			at, line := 0, 1
			for _, r := range rows {
				text := strings.TrimSuffix(data[r.From:r.To], "\n")
				if r.From != at || r.Line != line {
					t.Fatalf("%q in %d cells: row %+v, want it from byte %d of line %d", data, w, r, at, line)
				}
				if n := phrase.Width(kit.Safe(text)); n > w && len([]rune(text)) > 1 {
					t.Errorf("%q in %d cells: the row %q has %d", data, w, text, n)
				}
				if at = r.To; strings.HasSuffix(data[r.From:r.To], "\n") {
					line++
				}
			}
			if at != len(data) {
				t.Errorf("%q in %d cells: %d of %d bytes are in rows", data, w, at, len(data))
			}
		}
	}
	if rows := softRows([]byte(files[3]), 16); files[3][rows[0].From:rows[0].To] != `{"a":1,"b":2,` {
		t.Errorf("the first row is %q", files[3][rows[0].From:rows[0].To])
	}
}
