package file

import (
	"encoding/hex"
	"slices"
	"strings"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// Search within a file. As text and as bytes a match may be on two rows, so the file itself is searched, and the match is marked;
// bytes may be named in hex. All else is searched row by row.

// search goes to the next row with the pattern, from skip rows on, and from the end to the start.
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

// hitRows is how many rows have the pattern, of how many; as text and as bytes how many matches the file has, of as many rows.
func (b *model) hitRows() (hits, of int) {
	of = b.len()
	if key := (countKey{b.filter.Pattern, b.mode, of}); b.counted != key {
		b.counted, b.count = key, b.countHits(of)
	}
	return b.count, of
}

// countKey is what a count of matches depends on.
type countKey struct {
	pattern  string
	mode, of int
}

func (b *model) countHits(of int) (hits int) {
	if b.filter.Pattern == "" || b.filter.Err != nil || !b.whole {
		return of
	}
	if b.mode != decoded {
		if n := len(b.hits()); n > 0 {
			return n
		}
	}
	for i := range of {
		if b.filter.Wants(b.rowText(i)) {
			hits++
		}
	}
	return hits
}

// searchFile goes to the next match, from the byte under the cursor on.
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

// mostHits is how many matches are searched for; later ones are found from a row further down.
const mostHits = 100_000

// hits are the places of the matches, in their order; none where rows are searched.
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
