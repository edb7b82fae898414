package sources

import (
	"context"
	"fmt"

	"tidemark/internal/availability"
	"tidemark/internal/checks"
)

var SourceChangeRefused = &checks.Check{
	Code:     "source-change-refused",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	Short:    "the source table changed",
	Title:    "the source table has a change the query does not accept",
	Meaning: `A Delta source reads new rows only. It stops at a version that changed or removed rows, unless an option allows that. It also stops
if a column was renamed, dropped or has another type. The checkpoint is intact.`,
	NextStep: `Find out what the named version changed. Rows were changed or removed: set skipChangeCommits if the sink does not need
the change. Columns changed: set schemaTrackingLocation, or start a new checkpoint with the new columns.`,
	Avoid: `Do not set ignoreChanges without a check of the sink: it then gets rows of rewritten files a second time.`,
	Needs: NeedsKept,
	Run: func(_ context.Context, p *checks.Pass) error {
		for i := range p.Kept.Sources {
			s := Held(p.Kept, i)
			for _, stop := range s.Stops {
				if s.Other == "" && stop.Change {
					p.Report(s.refused(stop))
				}
			}
		}
		return nil
	},
}

// refused is a change that the source stops at.
func (s *heldSource) refused(stop availability.Stop) checks.Finding {
	f := s.finding(fmt.Sprintf("%s: Spark fails with %s", stop.Because, stop.Error))
	f.Banner = ""
	if stop.Later {
		f.Title = "the source table has a change a later batch does not accept"
	}
	if stop.Default != "" {
		f.Evidence += fmt.Sprintf("; no spec sets the option, so its default is assumed: %s", stop.Default)
	}
	return f
}
