package files

import "tidemark/ui/kit"

func (f *model) Copies() []kit.Copyable {
	n := f.tree.Node(f.tree.At)
	if n == nil {
		return nil
	}
	return kit.OneLine("p", "path", f.s.PathOf(n.Value.path))
}
