package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"tidemark/internal/checks"
)

// effects are the effects of a difference, worst first: the severity that has its sign, and what Spark does.
var effects = []struct {
	effect   checks.Effect
	severity checks.Severity
	words    string
}{
	{checks.Misreads, checks.Critical, "The query runs, and is wrong."},
	{checks.RefusesDrift, checks.High, "The start fails."},
	{checks.KeepsRecorded, checks.Info, "The recorded value counts, the declared one is ignored."},
	{checks.Allowed, checks.Info, "The query goes on."},
}

func effectRank(e checks.Effect) int {
	for i := range effects {
		if effects[i].effect == e {
			return i
		}
	}
	return len(effects) - 1
}

// Drift writes how the query differs from its checkpoint, as Text does, or why that is not known.
func Drift(w io.Writer, v *checks.Verdict, opt Options) error {
	p := newPage(w, opt)
	if len(v.Drift)+len(v.Agrees)+len(v.NotCompared) == 0 {
		p.wrap("", "Nothing says what the query declares now. Give --spec a file that tidemark spec writes, or the checkpoint of a test run.")
	}
	driftPart(p, v)
	return p.flush()
}

// driftPart tells what the query declares beside what the checkpoint records, worst first. Neighbours with the
// same words share them.
func driftPart(p *page, v *checks.Verdict) {
	if len(v.Drift)+len(v.Agrees)+len(v.NotCompared) == 0 {
		return
	}
	p.title("DRIFT: THE QUERY AND ITS CHECKPOINT")
	if len(v.Drift) == 0 {
		p.wrap("  ", "No difference was found.")
	}
	all := slices.Clone(v.Drift)
	slices.SortStableFunc(all, func(a, b checks.Drift) int { return cmp.Compare(effectRank(a.Effect), effectRank(b.Effect)) })
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && sameDriftWords(&all[i], &all[n]) {
			n++
		}
		if i > 0 {
			p.blank()
		}
		differences(p, all[i:n])
		i = n
	}
	comparedPart(p, v)
}

func sameDriftWords(a, b *checks.Drift) bool {
	return a.Effect == b.Effect && a.Error == b.Error && a.Meaning == b.Meaning && a.NextStep == b.NextStep && a.Avoid == b.Avoid
}

// differences are some with the same words.
func differences(p *page, same []checks.Drift) {
	e := effects[effectRank(same[0].Effect)]
	for i := range same {
		d := &same[i]
		p.wrap("  ", p.severity(e.severity, Symbol(e.severity, p.ASCII))+" "+p.bold(Printable(d.Field))+": "+p.severity(e.severity, string(e.effect)))
		p.hang("      declared  ", Printable(orNothing(d.Declared))+declaredAt(d))
		p.hang("      recorded  ", Printable(orNothing(d.Recorded))+recordedAt(d))
	}
	d := &same[0]
	words := e.words
	if d.Error != "" {
		words += " Spark's words: " + d.Error
	}
	for _, part := range []struct{ name, text string }{{"Effect", words}, {"Meaning", d.Meaning}, {"Next", d.NextStep}, {"Avoid", d.Avoid}} {
		if part.text != "" {
			p.hang(fmt.Sprintf("    %-8s ", part.name), Printable(strings.Join(strings.Fields(part.text), " ")))
		}
	}
}

func orNothing(text string) string { return cmp.Or(text, "nothing") }

func declaredAt(d *checks.Drift) string {
	if d.Place.Line == 0 {
		return ""
	}
	return fmt.Sprintf("  (line %d of the spec)", d.Place.Line)
}

func recordedAt(d *checks.Drift) string {
	if d.Where.File == "" {
		return ""
	}
	return "  (" + Printable(d.Where.String()) + ")"
}

// comparedPart tells what else was compared, and what could not be.
func comparedPart(p *page, v *checks.Verdict) {
	p.blank()
	same, settings := []string{}, 0
	for _, field := range v.Agrees {
		if strings.HasPrefix(field, "conf.") {
			settings++
		} else {
			same = append(same, field)
		}
	}
	if settings > 0 {
		same = append(same, counted(settings, "setting"))
	}
	if len(same) > 0 {
		p.hang("  same          ", Printable(strings.Join(same, ", ")))
	}
	var reasons []string
	fields := map[string][]string{}
	for _, text := range v.NotCompared {
		field, why, _ := strings.Cut(text, ": ")
		if fields[why] == nil {
			reasons = append(reasons, why)
		}
		fields[why] = append(fields[why], field)
	}
	for _, why := range reasons {
		p.hang("  not compared  ", Printable(strings.Join(fields[why], ", ")+": "+why))
	}
}

// driftGroup stands for the findings about differences that were told already.
func driftGroup(p *page, same []checks.Finding) {
	f := &same[0]
	p.wrap("  ", p.severity(f.Severity, Symbol(f.Severity, p.ASCII)+" "+f.Severity.String())+"  "+p.bold(f.Code)+": "+Printable(f.Title)+" ("+counted(len(same), "difference")+", told above)")
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
