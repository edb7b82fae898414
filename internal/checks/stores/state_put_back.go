package stores

import (
	"cmp"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
)

// WantingOf is the file, or those that it names, where they are missing or no good.
func (n *Need) WantingOf(p *checks.Pass, f state.File) (all []string) {
	if f.Size == 0 || ContentsOf(p).Wrong[n.Path(f.Name())] {
		return []string{n.Path(f.Name())}
	}
	c := n.Contents(p, f)
	if c == nil {
		return nil
	}
	for _, flaw := range c.Flaws {
		name, _, _ := strings.Cut(flaw.File, "!")
		all = append(all, cmp.Or(name, n.Path(f.Name())))
	}
	return all
}
