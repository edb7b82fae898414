package file

import (
	"strings"

	"tidemark/ui/kit"
)

func (b *model) Copies() []kit.Copyable {
	all := kit.OneLine("p", "path", b.s.PathOf(b.name))
	if !b.done || b.err != nil {
		return all
	}
	all = append(all, kit.OneLine("v", "value", b.value())...)
	if b.whole {
		all = append(all, kit.Ready("t", "text", string(b.data))...)
	}
	return all
}

// value is what is under the cursor: a decoded value, or a line of text.
func (b *model) value() string {
	switch {
	case b.mode == decoded && b.table.At < len(b.lines):
		return b.lines[b.table.At].Value
	case b.mode == asText && b.cursor.At < len(b.rows):
		r := b.rows[b.cursor.At]
		return strings.TrimRight(string(b.data[r.From:r.To]), "\n")
	}
	return ""
}
