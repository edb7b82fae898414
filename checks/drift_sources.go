package checks

import "fmt"

// driftSources compares the sources by their number.
func driftSources(p *Pass) []Drift {
	last := p.Survey.Standing.Last
	if p.Spec.Sources == nil || last == nil || last.Plan == nil {
		return nil
	}
	was, is := len(last.Plan.Sources), len(p.Spec.Sources)
	if was == is {
		return nil
	}
	return []Drift{{
		Field: "sources", Declared: fmt.Sprintf("%d sources", is), Recorded: fmt.Sprintf("%d sources", was), Effect: RefusesDrift, stage: whenSources,
		Error: fmt.Sprintf("There are [%d] sources in the checkpoint offsets and now there are [%d] sources requested by the query", was, is),
	}}
}
