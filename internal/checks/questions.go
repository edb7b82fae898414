package checks

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/phrase"
)

// questions answers the three questions that stand before a restart.
func questions(p *Pass, found []Finding, complete bool) []Question {
	return []Question{
		intact(p, found, complete),
		sameQuery(p),
		replaySafe(p),
	}
}

// intact asks whether the files are all there and whole.
func intact(p *Pass, found []Finding, complete bool) Question {
	q := Question{Name: Intact}
	bad, older := codesOf(found, High, func(f *Finding) bool { return f.Damage.Files() }), codesOf(found, Medium, func(f *Finding) bool { return f.Damage == Altered })
	if slices.ContainsFunc(found, brokenRecord) {
		older = append(older, stateFileDamaged.Code)
	}
	switch r := p.Restart; {
	case !p.IsCheckpoint():
		q.Answer, q.Because = "unknown", "this is not a checkpoint"
	case len(bad) > 0:
		q.Answer, q.Because = "no", "found: "+strings.Join(bad, ", ")
	case r.Outcome == Refuses && !r.Sound:
		q.Answer, q.Because = "no", fmt.Sprintf("the next start refuses: %s", r.Because)
	case len(older) > 0:
		q.Answer, q.Because = "no", "found, in what the next start does not need: "+strings.Join(older, ", ")
	case p.Compared.noState:
		q.Answer, q.Because = "unknown", "the query keeps state and the checkpoint has none: it was lost, or the operator is new in the code"
	case !complete:
		q.Answer, q.Because = "unknown", "not everything could be looked at"
	case r.Outcome == Unknown:
		q.Answer, q.Because = "unknown", r.Because
	case unverified(p) != "":
		q.Answer, q.Because = "unknown", unverified(p)
	case oddSnapshot(p) != "":
		q.Answer, q.Because = "unknown", fmt.Sprintf("the size of %s does not fit the files before it, and to compare them is much to read: --deep does", oddSnapshot(p))
	default:
		sayIntact(p, &q, harmlessDamage(found))
	}
	return q
}

// sayIntact gives the answer yes, and what it is based on; passed is the damage that does not change it.
func sayIntact(p *Pass, q *Question, passed string) {
	q.Answer, q.Because = "yes", "all files checked are intact; nothing the restart needs is missing"
	if passed != "" {
		q.Because = "nothing the restart needs is missing or broken; found in other files: " + passed
	}
	q.head, q.Brief = q.Because, q.Because
	q.Compared, q.Less = p.cross.made(), checkedLess(p)
	if len(q.Compared) > 0 {
		q.Because += "; compared with each other, and they agree: " + strings.Join(q.Compared, ", ")
		q.Brief += "; compared: " + p.cross.kinds()
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
func codesOf(found []Finding, least Severity, pass func(*Finding) bool) (all []string) {
	for i := range found {
		if f := &found[i]; f.Severity >= least && pass(f) && !slices.Contains(all, f.Code) {
			all = append(all, f.Code)
		}
	}
	return all
}

// brokenRecord reports whether a finding is of a schema or of a record of an operator that cannot be read: a start may go on without it,
// and all that shows the state needs it.
func brokenRecord(f Finding) bool {
	return f.Code == stateFileDamaged.Code && f.Severity >= Medium && (strings.Contains(f.Where.File, "/_metadata/") || strings.Contains(f.Where.File, "/_stateSchema/"))
}

// harmlessDamage are the findings of damage that do not make the answer no, with their files; "" for none.
func harmlessDamage(found []Finding) string {
	var all []string
	for _, f := range found {
		if text := f.Code + " (" + f.Where.File + ")"; f.Severity == Medium && f.Damage.Files() && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return phrase.List(all, 3)
}

// sameQuery asks whether this is the checkpoint of the query as it is today.
func sameQuery(p *Pass) Question {
	q := Question{Name: SameQuery, Answer: "unknown"}
	var wrong, fine []string
	for i := range p.Compared.Drift {
		switch d := &p.Compared.Drift[i]; {
		case d.stage == whenPlanned: // a matter of the query alone
		case d.Effect == Misreads || d.Effect == RefusesDrift:
			wrong = append(wrong, fmt.Sprintf("%s (the query declares %s, the checkpoint records %s)", d.Field, orNothing(d.Declared), orNothing(d.Recorded)))
		case d.Effect == KeepsRecorded:
			fine = append(fine, d.Field+" (the recorded value counts)")
		default:
			fine = append(fine, d.Field)
		}
	}
	const supply = "the spec must say what the sources read (topics, tables, folders) and which stateful operators there are, with their keys"
	switch {
	case p.Spec == nil:
		q.Because = "no spec was given: what the code declares now is not known here"
	case !p.IsCheckpoint():
		q.Because = "this is not a checkpoint"
	case len(wrong) > 0:
		q.Answer, q.Because = "no", "not the same: "+phrase.List(wrong, 3)
	case !p.Compared.weighty && len(p.Compared.Agrees) == 0:
		q.Because = "nothing in the spec could be compared that tells one query from another: " + supply
	case !p.Compared.weighty:
		q.Because = fmt.Sprintf("only %s agreed, which many queries share: %s", phrase.List(p.Compared.Agrees, 3), supply)
	default:
		q.Answer, q.Because = "yes", "the same in query and checkpoint: "+strings.Join(p.Compared.Agrees, ", ")
		if len(fine) > 0 {
			q.Because += "; different, and no hindrance: " + strings.Join(fine, ", ")
		}
		if n := len(p.Compared.NotCompared); n > 0 {
			q.Because += fmt.Sprintf("; not compared: %s", phrase.List(fieldsOf(p.Compared.NotCompared), 3))
		}
		for _, part := range []struct {
			name   string
			absent bool
		}{{"sources", p.Spec.Sources == nil}, {"operators", p.Spec.Operators == nil}} {
			if part.absent {
				q.Because += "; the spec says nothing of its " + part.name
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

// checkedLess says what of the state was not compared, or was known by its listing alone.
func checkedLess(p *Pass) (all []string) {
	c := contentsOf(p)
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			all = append(all, "1 "+one)
		case n > 1:
			all = append(all, fmt.Sprintf("%d %s", n, many))
		}
	}
	if r := c.rebuilds; r != nil {
		add(r.left, "state snapshot not compared with the files before it (--deep compares it)", "state snapshots not compared with the files before them (--deep compares them)")
		add(r.failed, "state snapshot not compared: a file before it cannot be read", "state snapshots not compared: some files before them cannot be read")
	}
	if c.noRows != "" {
		all = append(all, "state rows not read: "+c.noRows)
	}
	if !c.deep && !continuous(p) {
		add(len(unloaded(p)), "state file the restart does not load was checked by name and size only", "state files the restart does not load were checked by name and size only")
	}
	return all
}

// oddSnapshot returns the first snapshot whose size does not fit the files before it and that was not compared with them; "" for none.
func oddSnapshot(p *Pass) string {
	if r := contentsOf(p).rebuilds; r != nil {
		return r.odd
	}
	return ""
}

// unverified says what of the state that the next start loads was not read to its end; "" where all of it
// was. What is not read is not called whole.
func unverified(p *Pass) string {
	first, files := "", 0
	count := func(name, why string) {
		if files++; first == "" {
			first = name + ": " + why
		}
	}
	for n := range stateNeeds(p) {
		for _, f := range n.chain.Files {
			c := n.contents(p, f)
			if c == nil || len(c.Unread) > 0 {
				count(n.path(f.Name()), "it could not be read")
				continue
			}
			for _, name := range c.Partly {
				count(name, "it is long: --deep reads it to its end")
			}
		}
	}
	switch files {
	case 0:
		return ""
	case 1:
		return "one state file that the next start loads was not read to its end, " + first
	}
	return fmt.Sprintf("%d state files that the next start loads were not read to their end, such as %s", files, first)
}
