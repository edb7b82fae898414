package examine

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/checks/stores"
	"tidemark/internal/phrase"
)

// questions answers the three questions that stand before a restart.
func questions(p *checks.Pass, found []checks.Finding, complete bool) []checks.Question {
	return []checks.Question{
		intact(p, found, complete),
		sameQuery(p),
		replaySafe(p),
	}
}

// intact asks whether the files are all there and whole.
func intact(p *checks.Pass, found []checks.Finding, complete bool) checks.Question {
	q := checks.Question{Name: checks.Intact}
	bad, older := codesOf(found, checks.High, func(f *checks.Finding) bool { return f.Damage.Files() }),
		codesOf(found, checks.Medium, func(f *checks.Finding) bool { return f.Damage == checks.Altered })
	if slices.ContainsFunc(found, brokenRecord) {
		older = append(older, stores.StateFileDamaged.Code)
	}
	switch r := p.Restart; {
	case !p.IsCheckpoint():
		q.Answer, q.Because = "unknown", "this is not a checkpoint"
	case len(bad) > 0:
		q.Answer, q.Because = "no", "found: "+strings.Join(bad, ", ")
	case r.Outcome == checks.Refuses && !r.Sound:
		q.Answer, q.Because = "no", fmt.Sprintf("the restart will fail: %s", r.Because)
	case len(older) > 0:
		q.Answer, q.Because = "no", "found in files a restart does not need: "+strings.Join(older, ", ")
	case p.Compared.NoState:
		q.Answer, q.Because = "unknown", "the query is stateful but the checkpoint has no state: it was lost, or the operator is new"
	case !complete:
		q.Answer, q.Because = "unknown", "not all files could be read"
	case r.Outcome == checks.Unknown:
		q.Answer, q.Because = "unknown", r.Because
	case stores.Unverified(p) != "":
		q.Answer, q.Because = "unknown", stores.Unverified(p)
	case stores.OddSnapshot(p) != "":
		q.Answer, q.Because = "unknown", fmt.Sprintf("the size of %s does not match the files before it; --deep compares them", stores.OddSnapshot(p))
	default:
		sayIntact(p, &q, harmlessDamage(found))
	}
	return q
}

// sayIntact gives the answer yes, and what it is based on; passed is the damage that does not change it.
func sayIntact(p *checks.Pass, q *checks.Question, passed string) {
	q.Answer, q.Because = "yes", "all files checked are intact; nothing the restart needs is missing"
	if passed != "" {
		q.Because = "nothing the restart needs is missing or broken; found in other files: " + passed
	}
	q.Lead, q.Brief = q.Because, q.Because
	q.Compared, q.Less = p.Cross.Made(), stores.CheckedLess(p)
	if len(q.Compared) > 0 {
		q.Because += "; compared with each other and matching: " + strings.Join(q.Compared, ", ")
		q.Brief += "; compared: " + p.Cross.Kinds()
	}
	for _, less := range q.Less {
		q.Because += "; " + less
	}
	if n := len(q.Less); n > 0 {
		q.Brief += "; " + q.Less[0]
		if n > 1 {
			q.Brief += fmt.Sprintf(", and %d more (--json)", n-1)
		}
	}
}

// codesOf returns the codes of the findings of this severity or above that pass, each once.
func codesOf(found []checks.Finding, least checks.Severity, pass func(*checks.Finding) bool) (all []string) {
	for i := range found {
		if f := &found[i]; f.Severity >= least && pass(f) && !slices.Contains(all, f.Code) {
			all = append(all, f.Code)
		}
	}
	return all
}

// brokenRecord reports whether a finding is of a schema or of a record of an operator that cannot be read: a start may continue without it,
// and all that shows the state needs it.
func brokenRecord(f checks.Finding) bool {
	return f.Code == stores.StateFileDamaged.Code && f.Severity >= checks.Medium && (strings.Contains(f.Where.File, "/_metadata/") || strings.Contains(f.Where.File, "/_stateSchema/"))
}

// harmlessDamage are the findings of damage that do not make the answer no, with their files; "" for none.
func harmlessDamage(found []checks.Finding) string {
	var all []string
	for _, f := range found {
		if text := f.Code + " (" + f.Where.File + ")"; f.Severity == checks.Medium && f.Damage.Files() && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return phrase.List(all, 3)
}

// sameQuery asks whether this is the checkpoint of today's query.
func sameQuery(p *checks.Pass) checks.Question {
	q := checks.Question{Name: checks.SameQuery, Answer: "unknown"}
	var wrong, fine []string
	for i := range p.Compared.Drift {
		switch d := &p.Compared.Drift[i]; {
		case d.Stage == checks.WhenPlanned: // a matter of the query alone
		case d.Effect == checks.Misreads || d.Effect == checks.RefusesDrift:
			wrong = append(wrong, fmt.Sprintf("%s (the query declares %s, the checkpoint records %s)", d.Field, checks.OrNothing(d.Declared), checks.OrNothing(d.Recorded)))
		case d.Effect == checks.KeepsRecorded:
			fine = append(fine, d.Field+" (Spark keeps the recorded value)")
		default:
			fine = append(fine, d.Field)
		}
	}
	const supply = "add what the sources read (topics, tables, folders) and the stateful operators with their keys to the spec"
	switch {
	case p.Spec == nil:
		q.Because = "not checked: no spec given (--spec FILE, or press 2)"
	case !p.IsCheckpoint():
		q.Because = "this is not a checkpoint"
	case len(wrong) > 0:
		q.Answer, q.Because = "no", "the query differs: "+phrase.List(wrong, 3)
	case !p.Compared.Weighty && len(p.Compared.Agrees) == 0:
		q.Because = "nothing compared distinguishes one query from another: " + supply
	case !p.Compared.Weighty:
		q.Because = fmt.Sprintf("only %s matched, which many queries share: %s", phrase.List(p.Compared.Agrees, 3), supply)
	default:
		q.Answer, q.Because = "yes", "the same in query and checkpoint: "+strings.Join(p.Compared.Agrees, ", ")
		if len(fine) > 0 {
			q.Because += "; different but harmless: " + strings.Join(fine, ", ")
		}
		if n := len(p.Compared.NotCompared); n > 0 {
			q.Because += fmt.Sprintf("; not compared: %s", phrase.List(fieldsOf(p.Compared.NotCompared), 3))
		}
		for _, part := range []struct {
			name   string
			absent bool
		}{{"sources", p.Spec.Sources == nil}, {"operators", p.Spec.Operators == nil}} {
			if part.absent {
				q.Because += "; the spec does not declare its " + part.name
			}
		}
	}
	return q
}

// fieldsOf are the fields of lines like "sink.kind: …".
func fieldsOf(lines []string) []string {
	fields := make([]string, len(lines))
	for i, line := range lines {
		fields[i], _, _ = strings.Cut(line, ": ")
	}
	return fields
}
