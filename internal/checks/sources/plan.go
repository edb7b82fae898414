package sources

import (
	"strconv"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Of are the sources of the newest plan, in its order; none where no plan can be read.
func Of(p *checks.Pass) (all []checks.Source) {
	plan := basics.NewestPlan(p.Survey.Standing)
	if plan == nil {
		return nil
	}
	for i, o := range plan.InOrder() {
		s := checks.Source{Index: i, Kinds: o.KindNames(), Parts: len(o.Parts)}
		if kind, sure := likeliest(p, basics.SourceKey(i, o), o, declaredSource(p.Spec, plan, i, o)); sure {
			s.Kind = kind
		}
		if _, err := strconv.Atoi(o.Name); err != nil {
			s.Name = o.Name
		}
		all = append(all, s)
	}
	return all
}
