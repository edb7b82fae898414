package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
)

// Text writes a verdict for a person: what stands here, what happens at a restart, the three
// questions, how the query differs from what is recorded, the findings worst first, and what was not
// looked at.
func Text(w io.Writer, v *checks.Verdict, opt Options) error {
	p := newPage(w, opt)
	header(p, v)
	verdictLine(p, v)
	if v.Known && !v.NoCheckpoint() {
		restartPart(p, v)
		outputPart(p, v)
		questionsPart(p, v)
		advicePart(p, v)
		waysPart(p, v)
	}
	keptPart(p, v)
	driftPart(p, v)
	findingsPart(p, v)
	planPart(p, v)
	missedPart(p, v)
	return p.flush()
}

// Finding writes one finding as Text does.
func Finding(w io.Writer, f *checks.Finding, opt Options) error {
	p := newPage(w, opt)
	findingGroup(p, []checks.Finding{*f})
	return p.flush()
}

// Missed writes what was not looked at, as Text does; nothing where all was.
func Missed(w io.Writer, v *checks.Verdict, opt Options) error {
	p := newPage(w, opt)
	missedPart(p, v)
	return p.flush()
}

func header(p *page, v *checks.Verdict) {
	p.line(p.bold(Printable(v.Location)))
	if !v.Known {
		return
	}
	var facts []string
	if v.QueryID != "" {
		facts = append(facts, "query "+v.QueryID)
	}
	if !v.NoCheckpoint() {
		facts = append(facts, Release(&v.Facts))
	}
	if len(facts) > 0 {
		p.wrap("", Printable(strings.Join(facts, p.separator())))
	}
}

// Release is which release of Spark a verdict speaks of, and how that is known.
func Release(f *checks.Facts) string {
	switch written := f.Written.String(); written {
	case "any":
		return "judged for Spark " + f.Spark.String() + ": nothing that was read tells which release wrote it"
	default:
		return "judged for Spark " + f.Spark.String() + ", written by " + written
	}
}

// verdictLine is the answer in one line.
func verdictLine(p *page, v *checks.Verdict) {
	p.blank()
	text := Tally(v, p.Options)
	if !v.Done || v.Err != nil {
		text = "so far: " + text
	}
	switch {
	case v.NoCheckpoint():
		text += p.separator() + "not a checkpoint"
	case v.Known:
		text += p.separator() + "restart: " + Outcome(v)
	}
	p.line(text)
	if !v.Done {
		p.wrap("", fmt.Sprintf("%d of %d batches looked at", v.Progress.Batches, v.Progress.Of))
	}
}

// Tally is how many findings there are: "✗ 1 critical  ! 1 high  i 2 info".
func Tally(v *checks.Verdict, o Options) string {
	t := v.Tally()
	p := page{Options: o}
	var parts []string
	for s := checks.Critical; s >= checks.Info; s-- {
		if t[s] > 0 {
			parts = append(parts, p.severity(s, fmt.Sprintf("%s %d %s", Symbol(s, o.ASCII), t[s], s)))
		}
	}
	open := p.mark("?", "?") + " not everything was looked at"
	switch {
	case len(parts) > 0 && v.Open():
		return strings.Join(append(parts, open), "  ")
	case len(parts) > 0:
		return strings.Join(parts, "  ")
	case v.Open():
		return p.mark("?", "?") + " nothing found, and not everything was looked at"
	case v.Done:
		return p.mark("✓", "ok") + " nothing found"
	}
	return p.mark("…", "...") + " nothing found"
}

// Outcome is what a restart does, in a few words.
func Outcome(v *checks.Verdict) string {
	r := &v.Restart
	switch {
	case !v.Known:
		return "UNKNOWN"
	case r.Outcome == checks.Fresh:
		return "FRESH, begins at batch 0"
	case r.Outcome == checks.Next:
		return fmt.Sprintf("NEXT, plans batch %d", r.Batch)
	case r.Outcome == checks.Rerun:
		return fmt.Sprintf("RE-RUNS batch %d", r.Batch)
	case r.Outcome == checks.Refuses && r.Batch >= 0:
		return fmt.Sprintf("REFUSES at batch %d", r.Batch)
	case r.Outcome == checks.Refuses:
		return "REFUSES"
	}
	return "UNKNOWN"
}

// Health is the worst of a verdict in a symbol and a word: "✗ critical", "✓ ok", "? unknown".
func Health(v *checks.Verdict, ascii bool) string {
	p := page{Options: Options{ASCII: ascii}}
	switch word := HealthWord(v); word {
	case "ok":
		return p.mark("✓", "+") + " " + word
	case "unknown":
		return p.mark("?", "?") + " " + word
	default:
		worst, _ := v.Health()
		return Symbol(worst, ascii) + " " + word
	}
}

// HealthWord is the word of Health: "critical", "ok", "unknown". It follows the verdict: a start that is predicted to
// fail is high at least, though no finding says so, and one that cannot be told is unknown.
func HealthWord(v *checks.Verdict) string {
	worst, any := v.Health()
	switch {
	case any && worst > checks.Info:
		return worst.String()
	case v.Missed():
		return "unknown"
	}
	return "ok"
}

func restartPart(p *page, v *checks.Verdict) {
	p.title("IF YOU RESTART NOW")
	r := &v.Restart
	name := strings.TrimSpace("Spark " + v.Facts.Spark.String())
	switch r.Outcome {
	case checks.Fresh:
		p.wrap("  ", name+" begins at batch 0.")
	case checks.Next:
		p.wrap("  ", fmt.Sprintf("%s plans batch %d. The batch before it is committed.", name, r.Batch))
	case checks.Rerun:
		planned := ""
		if at := v.Standing.Last.Timestamp(); at != 0 && v.Standing.LastPlanned == r.Batch {
			planned = " It was planned " + p.aged(at) + "."
		}
		p.wrap("  ", fmt.Sprintf("%s runs batch %d again, as it was planned.%s", name, r.Batch, planned))
	case checks.Refuses:
		p.wrap("  ", p.severity(checks.Critical, outcomeSentence(name, r)))
		if r.Error != "" {
			p.wrap("  ", "Spark's words: "+Printable(r.Error))
		}
	default:
		p.wrap("  ", "What a restart does is not known.")
	}
	if r.Because != "" {
		p.wrap("  ", Sentence(Printable(r.Because)))
	}
	var facts []string
	if r.StateVersion >= 0 {
		facts = append(facts, fmt.Sprintf("Stateful operators load version %d.", r.StateVersion))
	}
	if r.Watermark != 0 {
		facts = append(facts, "The watermark is "+Time(r.Watermark)+".")
	}
	if len(facts) > 0 {
		p.wrap("  ", strings.Join(facts, " "))
	}
	p.ranges(v, r.Ranges, "  ")
}

func outcomeSentence(name string, r *checks.Restart) string {
	if r.Batch < 0 {
		return name + " does not start."
	}
	return fmt.Sprintf("%s does not start: it stops at batch %d.", name, r.Batch)
}

// questionTitles are the three questions in words.
var questionTitles = map[string]string{"intact": "intact?", "same_query": "same query?", "replay_safe": "replay safe?"}

func questionsPart(p *page, v *checks.Verdict) {
	if len(v.Questions) == 0 {
		return
	}
	p.title("THREE QUESTIONS")
	for _, q := range v.Questions {
		mark := map[string]string{"yes": p.mark("✓", "+"), "no": p.mark("✗", "x")}[q.Answer]
		if mark == "" {
			mark = p.mark("?", "?")
		}
		p.hang(fmt.Sprintf("  %s %-13s %-8s ", mark, questionTitles[q.Name], q.Answer), Printable(q.Short()))
	}
}

// findingsPart tells the findings worst first. Neighbours with the same words share them: the
// evidence of each is told, the words once.
func findingsPart(p *page, v *checks.Verdict) {
	if len(v.Findings) == 0 {
		return
	}
	p.title("FINDINGS")
	for i := 0; i < len(v.Findings); {
		n := i + 1
		for n < len(v.Findings) && sameWords(&v.Findings[i], &v.Findings[n]) {
			n++
		}
		if i > 0 {
			p.blank()
		}
		if f := &v.Findings[i]; f.Code == "drift" && len(v.Drift) > 0 {
			for n < len(v.Findings) && v.Findings[n].Code == f.Code && v.Findings[n].Severity == f.Severity {
				n++
			}
			driftGroup(p, v.Findings[i:n])
		} else {
			findingGroup(p, v.Findings[i:n])
		}
		i = n
	}
}

func sameWords(a, b *checks.Finding) bool {
	return a.Code == b.Code && a.Severity == b.Severity && a.Title == b.Title && a.Meaning == b.Meaning && a.NextStep == b.NextStep && a.Avoid == b.Avoid
}

func findingGroup(p *page, same []checks.Finding) {
	f := &same[0]
	p.wrap("  ", p.severity(f.Severity, Symbol(f.Severity, p.ASCII)+" "+f.Severity.String())+"  "+p.bold(f.Code)+": "+Printable(f.Title))
	for i := range same {
		g := &same[i]
		place := Printable(g.Where.String())
		if place == "" || place == "." {
			place = "the folder"
		}
		if g.Batch >= 0 {
			place += ", batch " + strconv.FormatInt(g.Batch, 10)
		}
		p.hang("      ", place+": "+Printable(g.Evidence))
		if text := Salvaged(g); text != "" {
			p.hang("      ", "still reads: "+Printable(text))
		}
	}
	for _, part := range []struct{ name, text string }{{"Meaning", f.Meaning}, {"Next", f.NextStep}, {"Avoid", f.Avoid}} {
		if part.text != "" {
			p.hang(fmt.Sprintf("    %-8s ", part.name), Printable(strings.Join(strings.Fields(part.text), " ")))
		}
	}
}

// salvagedShown is how many of the things that still read of a damaged file a person is told.
const salvagedShown = 12

// Salvaged is what still reads of the damaged file that a finding is about, on one line: "id 1f0c9a2e-5b0c (cut off)"; "" for nothing.
// Settings are counted, but for the one that people look for.
func Salvaged(f *checks.Finding) string {
	var all []string
	settings := 0
	for _, s := range f.Salvaged {
		if strings.HasPrefix(s.Name, "spark.") && s.Name != "spark.sql.shuffle.partitions" {
			settings++
			continue
		}
		text := s.Name + " " + s.Value
		if s.Cut {
			text += " (cut off)"
		}
		all = append(all, text)
	}
	if more := len(all) - salvagedShown; more > 0 {
		all = append(all[:salvagedShown], fmt.Sprintf("%d more (see --json)", more))
	}
	if settings > 0 {
		all = append(all, Units(int64(settings), "settings")+" (see --json)")
	}
	return strings.Join(all, "; ")
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

// Symbol is the sign of a severity, one cell wide.
func Symbol(s checks.Severity, ascii bool) string {
	switch {
	case s == checks.Critical && ascii:
		return "x"
	case s == checks.Critical:
		return "✗"
	case s == checks.High:
		return "!"
	case s == checks.Medium:
		return "~"
	case s == checks.Low:
		return "-"
	}
	return "i"
}
