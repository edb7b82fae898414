package stores

import (
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Loads are the stores that the next start loads, by operator, partition and store. The number of
// partitions is what a plan says it is, so of those that are not there only so many are kept; more is
// how many are left out.
func Loads(p *checks.Pass) (all []checks.Load, more int) {
	absent := 0
	for n := range Needs(p) {
		if n.store == nil {
			if absent++; absent > basics.ListLimit {
				more++
				continue
			}
		}
		n.rules.Broken = nil
		n.Chain = state.ChainOf(n.Files(), n.Chain.Version, n.rules)
		l := checks.Load{
			Operator: n.Op.ID, Partition: n.partition, Name: n.name, Dir: n.Dir, Store: n.store, Version: n.Chain.Version,
			Loadable: state.NewestLoading(n.Files(), n.Chain.Version, n.rules), Missing: n.Chain.Missing, Empty: n.Chain.Empty(),
			Rules: n.rules,
		}
		if len(l.Missing) > 0 {
			l.Asked = n.Path(n.MissingFile(p))
		}
		all = append(all, l)
	}
	return all, more
}
