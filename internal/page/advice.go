package page

import (
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// AdviceLine is an advice in one line.
func AdviceLine(a *checks.Advice) Text {
	text := phrase.Prose(a.String())
	return Text{{phrase.Strong, phrase.Printable(string(a.Way))}, {phrase.Plain, strings.TrimPrefix(text, string(a.Way))}}
}

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
