package page

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Plan is the way to a new checkpoint, to be read and pasted into a change request.
func Plan(v *checks.Verdict) Section {
	s := Section{Key: "plan", Title: "How to start a new checkpoint"}
	m := v.Migration
	if m == nil {
		s.say(0, "No committed batch has a readable offset file, so the start offsets of a new query are unknown.")
		return s
	}
	s.say(0, "Old checkpoint: "+phrase.Printable(v.Location)+" (query "+phrase.Printable(phrase.Or(v.QueryID, "of unknown ID"))+").")
	s.say(0, "Stop point: "+phrase.Batch(m.Batch)+", the newest that is committed; "+m.File+" records where it ends.")
	for _, q := range v.Questions {
		if q.Name == "intact" {
			s.say(0, "State of the checkpoint: intact: "+q.Answer+"; "+phrase.Prose(q.Because)+".")
		}
	}
	for i := range m.Starts {
		if st := &m.Starts[i]; st.Option != "" {
			s.say(0, "Start position of "+SourceName(st.Source, st.Name, st.Kinds)+", option "+st.Option+":")
			s.add(Code{Text: phrase.Printable(st.Value), Level: 1})
		}
	}
	var steps Steps
	for _, step := range m.Steps {
		steps.Items = append(steps.Items, Step{Do: phrase.Prose(step)})
	}
	s.add(steps)
	s.say(0, "Keep as evidence until the new query works: "+strings.Join(m.Keep, "; ")+".")
	return s
}

// SourceName is a source with its name and kinds: "source 0 (orders kafka)".
func SourceName(index int, name string, kinds []string) string {
	what := phrase.Printable(strings.TrimSpace(name + " " + strings.Join(kinds, " or ")))
	if what != "" {
		what = " (" + what + ")"
	}
	return fmt.Sprintf("source %d%s", index, what)
}
