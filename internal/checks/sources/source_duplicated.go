package sources

import (
	"context"
	"fmt"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var SourceDuplicated = &checks.Check{
	Code:     "source-duplicated",
	Severity: checks.Info,
	Question: checks.SameQuery,
	Title:    "several sources of the query read the same stream",
	Meaning: `These source lines name the same topics, table or stream. A query that uses one stream several times, in a
self-join or a union, reads it once for each use. That is normal, but costs as many reads. The log does not record cluster or
server, so different streams with one name look the same.`,
	NextStep: `Nothing is needed for a restart. To read less, check whether one source can serve all uses in the query.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		plan := basics.NewestPlan(p.Survey.Standing)
		if plan == nil {
			return nil
		}
		type group struct {
			first source.Offset
			keys  []string
		}
		var groups []*group
		for i, o := range plan.InOrder() {
			if o.Identity() == "" {
				continue
			}
			var g *group
			for _, have := range groups {
				if have.first.Identity() == o.Identity() && basics.SameKind(have.first, o) {
					g = have
				}
			}
			if g == nil {
				g = &group{first: o}
				groups = append(groups, g)
			}
			g.keys = append(g.keys, basics.SourceKey(i, o))
		}
		for _, g := range groups {
			if n := len(g.keys); n > 1 {
				p.Reportf(p.Offsets.Last(), g.first.Where, "%s: sources %s and %s read %s", plan.File, strings.Join(g.keys[:n-1], ", "), g.keys[n-1],
					fmt.Sprintf("%.200s", g.first.Identity()))
			}
		}
		return nil
	},
}
