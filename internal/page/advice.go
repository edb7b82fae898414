package page

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Advice is what to do, in steps.
func Advice(v *checks.Verdict) Section {
	s := Section{Key: "steps", Title: "What to do"}
	if steps := StepsOf(&v.Advice); len(steps.Items) > 0 {
		s.add(steps)
	}
	return s
}

// StepsOf are the steps of an advice.
func StepsOf(a *checks.Advice) Steps {
	var out Steps
	for _, step := range a.Steps {
		out.Items = append(out.Items, Step{If: phrase.Prose(step.If), Do: phrase.Prose(step.Do)})
	}
	out.Never = phrase.Prose(a.Never)
	return out
}
