package sources

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// sourceReplay is the half of the question "is a replay safe" that the sources answer: whether what the next start
// reads can still be read. because is one sentence without a full stop.
func sourceReplay(p *checks.Pass) (answer, because string) {
	if p.Kept == nil {
		return "unknown", "not checked: what the sources still have (" + NeedsKept + ")"
	}
	var lost, open, fine []string
	for i := range p.Kept.Asked {
		r := &p.Kept.Asked[i]
		s := p.Kept.Source(i)
		if s == nil && r.Kind != nil && r.Kind.Generated && r.Sure {
			fine = append(fine, fmt.Sprintf("source %d generates its rows again", i))
			continue
		}
		if s == nil {
			open = append(open, fmt.Sprintf("source %d was not checked", i))
			continue
		}
		switch answer, because := (&heldSource{KeptSource: s}).replay(); answer {
		case "no":
			lost = append(lost, because)
		case "yes":
			fine = append(fine, because)
		default:
			open = append(open, because)
		}
	}
	switch {
	case len(lost) > 0:
		return "no", strings.Join(lost, "; ")
	case len(open) > 0:
		return "unknown", strings.Join(open, "; ")
	case len(fine) == 0:
		return "unknown", "no offset file names the sources"
	}
	return "yes", strings.Join(fine, "; ")
}

// replay is the answer of one source.
func (s *heldSource) replay() (answer, because string) {
	name := fmt.Sprintf("source %s ", s.Key)
	var lost, open, complete int
	for i := range s.Reads {
		switch part := &s.Reads[i]; part.State {
		case checks.Complete:
			complete++
		case checks.NotJudged:
			open++
		default:
			if part.State.Lost() {
				lost++
			}
		}
	}
	words := "no longer has everything a restart reads"
	if !slices.ContainsFunc(s.Reads, func(part checks.KeptPart) bool { return part.State.Lost() && part.State != checks.MaybeGone }) {
		words = "may no longer have everything a restart reads"
	}
	switch {
	case s.Other != "":
		return "no", name + "is not the one the query read: " + s.Other
	case len(s.Missing) > 0:
		return "no", name + fmt.Sprintf("has lost or changed %s the next batch reads", basics.Counted(int64(len(s.Missing)), s.lackUnit()))
	case lost > 0 && lost+complete+open > 1:
		return "no", name + fmt.Sprintf("%s: %d of %d partitions", words, lost, lost+complete+open)
	case lost > 0:
		return "no", name + words
	case s.Seen && s.Err == nil, complete > 0 && open == 0 && s.Err == nil && !s.Kind().FilesToo:
		return "yes", name + "still has everything a restart reads"
	case complete > 0 && open == 0 && s.Err == nil:
		return "unknown", name + "still has the offsets; not checked: whether the files exist"
	}
	return "unknown", name + "could be checked only in part"
}

// WithSources puts what the sources say to what the sink says: nothing can be run again of what is gone.
func WithSources(p *checks.Pass, q checks.Question) checks.Question {
	if p.Kept == nil {
		return q
	}
	answer, because := sourceReplay(p)
	switch {
	case answer == "no", answer == "unknown" && q.Answer == "yes":
		q.Answer, q.Because = answer, because+"; sink: "+q.Because
	default:
		q.Because = because + "; " + q.Because
	}
	return q
}
