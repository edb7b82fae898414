package file

import (
	"strings"

	"tidemark/ui/kit"
)

// Command names the byte under the cursor, and how the file is shown where that is not the usual way.
func (b *model) Command() string {
	at := b.where
	if b.moved && !strings.Contains(at.File, "!") {
		at = b.here()
	}
	name := kit.Quote(at.String())
	how := [...]string{decoded: "file", asText: "text", asBytes: "bytes"}[b.mode]
	if how == "file" && name == at.String() && strings.Contains(at.File, "/") && kit.ParsePlace(name) == at {
		how = "" // a place alone is enough
	}
	return kit.LineOf(b.filter.Typed(), how, name)
}

func (b *model) SetFilter(pattern string) {
	b.filter.Set(pattern)
	b.search(0, 1)
}
