package batch

import (
	"strings"

	"tidemark/ui/kit"
)

func (b *model) Copies() []kit.Copyable {
	if b.Session.Checkpoint == nil || b.Facts(b.id) == nil {
		return nil
	}
	all := b.Session.BatchPath(b.id)
	if b.Focus() == factsID && b.facts.cursor.At < len(b.facts.lines) {
		all = append(all, kit.OneLine("v", "line", strings.TrimSpace(kit.Unstyled(b.facts.lines[b.facts.cursor.At])))...)
	} else {
		all = append(all, kit.OneLine("v", "row", kit.RowText(b, &b.Table))...)
	}
	return append(append(all, b.Session.BatchJSON(b.id)...), b.Session.Starts(b.id)...)
}
