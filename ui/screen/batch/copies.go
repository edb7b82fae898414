package batch

import (
	"strings"

	"tidemark/ui/kit"
)

func (b *model) Copies() []kit.Copyable {
	if b.s.Checkpoint == nil || !b.done || b.b[b.id] == nil {
		return nil
	}
	all := b.s.BatchPath(b.id)
	if b.cursor.At < len(b.lines) {
		all = append(all, kit.OneLine("v", "line", strings.TrimSpace(kit.Unstyled(b.lines[b.cursor.At].text)))...)
	}
	return append(append(all, b.s.BatchJSON(b.id)...), b.s.Starts(b.id)...)
}
