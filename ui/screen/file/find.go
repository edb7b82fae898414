package file

import (
	"encoding/hex"
	"slices"
	"strings"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// Search within a file. As text and as bytes what is looked for may stand across rows, so the file itself is
// searched, and what is found is marked; bytes may be named in hex. All else is searched row by row.

// search goes to the next row that holds the pattern, from skip rows on, round the end.
func (b *model) search(skip, way int) {
	b.found = nil
	n := b.len()
	if b.filter.Pattern == "" || b.filter.Err != nil || n == 0 || !b.whole {
		return
	}
	if b.mode != decoded && b.searchFile(skip, way) {
		return
	}
	c := &b.cursor
	if b.mode == decoded {
		c = &b.table.Cursor
	}
	for i := range n {
		at := ((c.At+skip+i*way)%n + n) % n
		if b.filter.Wants(b.rowText(at)) {
			c.Go(at, n)
			b.moved = true
			return
		}
	}
}

// searchFile goes to the next place of what is looked for, from the byte under the cursor on.
func (b *model) searchFile(skip, way int) bool {
	hits := b.hits()
	if len(hits) == 0 {
		return false
	}
	focus := int(b.offset())
	at, _ := slices.BinarySearchFunc(hits, focus, func(h [2]int, focus int) int { return h[0] - focus })
	switch {
	case way < 0:
		at--
	case skip > 0 && at < len(hits) && hits[at][0] == focus:
		at++
	}
	b.found = &hits[(at+len(hits))%len(hits)]
	b.moved = true
	b.show(int64(b.found[0]))
	return true
}

// mostHits is how many places are looked for; those after them are found from a row further on.
const mostHits = 100_000

// hits are the places of what is looked for, in their order; none where it is looked for by rows.
func (b *model) hits() [][2]int {
	hits := b.filter.Hits(b.data, mostHits)
	if text, plain := b.filter.Plain(); plain && len(hits) == 0 && b.mode == asBytes {
		if raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", "")); err == nil {
			return widget.All(b.data, raw, mostHits)
		}
	}
	return hits
}

// markedBytes are those that were found, else those that the screen was opened for.
func (b *model) markedBytes() (from, to int64) {
	switch {
	case b.found != nil && b.filter.Pattern != "":
		return int64(b.found[0]), int64(b.found[1])
	case b.where.Offset == 0 && b.where.Line == 0 || strings.Contains(b.where.File, "!"):
		return -1, -1
	case !b.whole:
		return b.where.Offset, b.where.Offset + 1
	}
	at := b.inFile()
	return at, kit.ValueEnd(b.data, at)
}
