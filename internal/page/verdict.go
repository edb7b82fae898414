package page

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Verdict is all that is known of a checkpoint: what a restart does, the output, the three questions, what to do, the
// ways back, the sources, how the query differs, the findings worst first, the way to a new checkpoint, and what was
// not looked at. Sections that have nothing to say are left out.
func Verdict(v *checks.Verdict, c phrase.Clock) Page {
	p := Page{Title: phrase.Printable(v.Location), Subtitle: identity(v)}
	p.fill(answer(v))
	if v.Known && !v.NoCheckpoint() {
		p.fill(Restart(v, c), Output(v), Questions(v), Advice(v), Recovery(v))
	}
	p.fill(Availability(v), Drift(v), Findings(v))
	if v.Advice.Way == checks.Migrate {
		p.fill(Plan(v))
	}
	p.fill(NotChecked(v))
	return p
}

// identity is which query and which release it is about.
func identity(v *checks.Verdict) string {
	if !v.Known {
		return ""
	}
	var facts []string
	if v.QueryID != "" {
		facts = append(facts, "query "+v.QueryID)
	}
	if !v.NoCheckpoint() {
		facts = append(facts, Release(&v.Facts))
	}
	return phrase.Printable(strings.Join(facts, " · "))
}

// Release says which release of Spark a verdict speaks of, and how that is known.
func Release(f *checks.Facts) string {
	if written := f.Written.String(); written != "any" {
		return "judged for Spark " + f.Spark.String() + ", written by " + written
	}
	return "judged for Spark " + f.Spark.String() + ": nothing that was read tells which release wrote it"
}

// answer is the answer in one line.
func answer(v *checks.Verdict) Section {
	s := Section{Key: "answer"}
	text := Tally(v)
	if !v.Done || v.Err != nil {
		text = append(Plain("so far: "), text...)
	}
	switch {
	case v.NoCheckpoint():
		text = append(text, Span{Text: " · not a checkpoint"})
	case v.Known:
		text = append(text, Span{Text: " · restart: "}, Span{outcomeSign(v).Role, Outcome(v)})
	}
	s.add(Paragraph{Text: text, Whole: true})
	if !v.Done {
		s.say(0, fmt.Sprintf("%d of %d batches looked at", v.Progress.Batches, v.Progress.Of))
	}
	return s
}

// Tally is how many findings there are: "✗ 1 critical  ! 1 high  i 2 info".
func Tally(v *checks.Verdict) Text {
	var parts Text
	add := func(s phrase.Sign, text string) {
		if len(parts) > 0 {
			parts = append(parts, Span{Text: "  "})
		}
		parts = append(parts, Span{s.Role, s.Symbol + " " + text})
	}
	tally := v.Tally()
	for s := checks.Critical; s >= checks.Info; s-- {
		if tally[s] > 0 {
			add(phrase.Severities.Of(s.String()), fmt.Sprintf("%d %s", tally[s], s))
		}
	}
	switch found := len(parts) > 0; {
	case found && v.Open():
		add(phrase.Answers.Of("unknown"), "not everything was looked at")
	case found:
	case v.Open():
		add(phrase.Answers.Of("unknown"), "nothing found, and not everything was looked at")
	case v.Done:
		add(phrase.Answers.Of("yes"), "nothing found")
	default:
		add(phrase.Answers.Of(""), "nothing found")
	}
	return parts
}

// Health is the worst of a verdict as a sign: "✗ critical", "✓ ok", "? unknown". It follows the verdict: a start that is
// predicted to fail is high at least, though no finding says so, and one that cannot be told is unknown.
func Health(v *checks.Verdict) phrase.Sign {
	worst, any := v.Health()
	switch {
	case any && worst > checks.Info:
		return phrase.Severities.Of(worst.String())
	case v.Incomplete():
		return phrase.Healths.Of("unknown")
	}
	return phrase.Healths.Of("ok")
}

// why is the reason for an early end, in words.
func why(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return "the time is up (--timeout)"
	case checkpoint.Stopped(err):
		return "the allowed number of requests is used up (--max-requests)"
	}
	return err.Error()
}
