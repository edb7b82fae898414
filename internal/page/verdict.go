package page

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Verdict is all that is known of a checkpoint: what to do about a restart, in steps, what the restart does, the three
// questions, the findings worst first, the sink, the ways back, the sources, how the query differs, the way to a new
// checkpoint, and what was not checked. Sections that have nothing to say are left out.
func Verdict(v *checks.Verdict, c phrase.Clock) Page {
	var p Page
	p.fill(Banner(v))
	known := v.Known && !v.NoCheckpoint()
	if known {
		p.fill(Advice(v), Restart(v, c), Questions(v))
	}
	p.fill(Findings(v))
	if known {
		p.fill(Output(v), Recovery(v))
	}
	p.fill(Availability(v), Drift(v))
	if v.Advice.Way == checks.Migrate {
		p.fill(Plan(v))
	}
	p.fill(NotChecked(v))
	return p
}

// Banner is what to do about a restart, why, and which checkpoint that is about.
func Banner(v *checks.Verdict) Section {
	d := v.Decision()
	sign := phrase.Verdicts.Of(string(d.State))
	s := Section{Key: "answer"}
	head := Text{{sign.Role, sign.Head()}, {phrase.Plain, "   "}, {phrase.Strong, d.Does}}
	s.add(Paragraph{Text: head, Whole: phrase.Width(head.String()) <= bannerWidth})
	if d.Because != "" {
		s.say(0, d.Because)
	}
	s.add(Blank{}, Paragraph{Text: Text{{phrase.Strong, phrase.Printable(v.Location)}}, Whole: true})
	if text := identity(v); text != "" {
		s.say(0, text)
	}
	if d.Aside != "" {
		s.say(0, d.Aside)
	}
	s.add(Paragraph{Text: Tally(v), Whole: true})
	return s
}

// bannerWidth is how wide a banner on one line is at most, in cells.
const bannerWidth = 78

// identity is the query and the release.
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

// Release says for which release of Spark a verdict is, and which wrote the checkpoint.
func Release(f *checks.Facts) string {
	if written := f.Written.String(); written != "any" {
		return "judged for Spark " + f.Spark.String() + ", written by " + written
	}
	return "judged for Spark " + f.Spark.String() + "; no file shows which release wrote it"
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
		add(phrase.Answers.Of("unknown"), "not everything was checked")
	case found:
	case v.Open():
		add(phrase.Answers.Of("unknown"), "nothing found so far; not everything was checked")
	case v.Done:
		add(phrase.Answers.Of("yes"), "nothing found")
	default:
		add(phrase.Answers.Of(""), "nothing found so far")
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
