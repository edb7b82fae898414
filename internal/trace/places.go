package trace

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// What a checkpoint shows of a batch, a state store and a partition of a topic.

// ---- a batch

func (l *look) batch(id int64) TraceRef {
	p := TraceRef{Name: fmt.Sprintf("batch %d", id), about: "batch"}
	planned, committed := l.cp.Offsets.Find(id) != nil, l.cp.Commits.Find(id) != nil
	if err := firstError(l.cp.Offsets.Err, l.cp.Commits.Err); err != nil {
		p.State = Unread
		p.Says = fmt.Sprintf("The logs could not be listed: %v.", err)
		return p
	}
	switch {
	case planned && committed:
		p.Says = fmt.Sprintf("Committed: offsets/%d and commits/%d exist.", id, id)
	case planned:
		p.Says = fmt.Sprintf("Not committed: offsets/%d exists, commits/%d is missing.", id, id)
	case committed:
		p.Says = fmt.Sprintf("commits/%d exists without offsets/%d.", id, id)
	default:
		p.Says = fmt.Sprintf("offsets/%d and commits/%d are missing. %s", id, id, l.span())
	}
	p.agrees = !planned
	p.denies = planned
	if planned {
		l.plan(&p, id)
	}
	return p
}

func firstError(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

// span is how far the plans go.
func (l *look) span() string {
	if l.cp.Offsets.Last() < 0 {
		return "offsets contains no batch."
	}
	text := "offsets has " + phrase.Batches(l.cp.Offsets.First(), l.cp.Offsets.Last())
	if l.cp.Commits.Last() < 0 {
		return text + ", commits is empty."
	}
	return text + fmt.Sprintf(", commits up to %d.", l.cp.Commits.Last())
}

// plan says whether the plan of a batch decodes.
func (l *look) plan(p *TraceRef, id int64) {
	b, err := l.cp.Batch(l.ctx, id)
	switch {
	case err != nil:
		l.Unread = true
		p.Says += fmt.Sprintf(" They could not be read: %v.", err)
	case len(b.Unread) > 0:
		l.Unread = true
		p.Says += fmt.Sprintf(" %s could not be read: %v.", b.Unread[0].Name, b.Unread[0].Err)
	case len(b.Problems()) > 0:
		e := b.Problems()[0]
		p.Flawed = true
		p.Says += fmt.Sprintf(" %s: %s", e.Where, sentence(e.Err.Error()))
	default:
		p.Says += " Its files can be decoded."
	}
}

// ---- a state store

// Dir is where a store lies within the checkpoint; a store without a name of its own in the partition's folder.
func (s Store) Dir() string {
	dir := fmt.Sprintf("state/%d/%d", s.Operator, s.Partition)
	if s.Name != "" && s.Name != "default" {
		dir += "/" + s.Name
	}
	return dir
}

// String is the store in words.
func (s Store) String() string {
	text := fmt.Sprintf("operator %d, partition %d", s.Operator, s.Partition)
	if s.Name != "" && s.Name != "default" {
		text += ", store " + s.Name
	}
	return text
}

func (l *look) store(s Store) TraceRef {
	p := TraceRef{Name: s.String(), about: "store"}
	if l.v.Done || l.v.Known {
		l.loads(&p, s)
	}
	if p.Says != "" {
		return p
	}
	in := l.list(s.Dir())
	if in.Err != nil {
		p.State = Unread
	}
	p.Says = "The next start loads no state there. " + holds(s.Dir(), in, "")
	return p
}

// loads says what the next start loads of a store, and whether it can.
func (l *look) loads(p *TraceRef, s Store) {
	for i := range l.v.Loads {
		ld := &l.v.Loads[i]
		if ld.Operator != s.Operator || ld.Partition != s.Partition || s.Name != "" && ld.Name != s.Name {
			continue
		}
		if p.Says != "" {
			p.Says += " "
		}
		p.Says += fmt.Sprintf("The next start loads version %d from %s: ", ld.Version, ld.Dir)
		chain := ld.Chain()
		switch {
		case ld.Store == nil:
			p.Says += "that folder is missing."
			p.agrees = true
		case ld.Loadable == ld.Version:
			l.loadable(p, ld, &chain)
		case ld.Asked != "":
			p.Says += fmt.Sprintf("%s is missing; the newest version that can be rebuilt is %d.", ld.Asked, ld.Loadable)
			p.agrees = true
		default:
			p.Says += fmt.Sprintf("that cannot be rebuilt; the newest that can is %d.", ld.Loadable)
			p.agrees = true
		}
		if s.Version > ld.Version {
			p.Says += fmt.Sprintf(" It does not need version %d of the trace.", s.Version)
		}
	}
}

// loadable says of a store that has a file of each name that it needs what else is known: that such a file does not
// load, or that the trace names another one.
func (l *look) loadable(p *TraceRef, ld *checks.Load, chain *state.Chain) {
	for i := range l.v.Findings {
		if f := &l.v.Findings[i]; f.Severity == checks.Critical && strings.HasPrefix(f.Where.File, ld.Dir+"/") {
			p.Says += fmt.Sprintf("it needs %s, which cannot be loaded: %s.", filesOf(chain), f.Code)
			p.agrees = true
			return
		}
	}
	p.denies = true
	p.Says += fmt.Sprintf("it needs %s, and each of these files exists.", filesOf(chain))
	for _, x := range l.Files {
		name, within := strings.CutPrefix(x.Name, ld.Dir+"/")
		if within && !slices.ContainsFunc(chain.Files, func(f state.File) bool { return f.Name() == name }) && l.lacks(x.Name) {
			p.Says += fmt.Sprintf(" %s of the trace is missing and is not one of them.", name)
		}
	}
}

// lacks reports whether a file that the trace names is not there.
func (l *look) lacks(name string) bool {
	return slices.ContainsFunc(l.Places, func(p TraceRef) bool { return p.Name == name && p.State == Missing })
}

// filesOf is the files of a chain: the first, and how many follow.
func filesOf(c *state.Chain) string {
	switch n := len(c.Files); {
	case n == 0:
		return "no file (version 0 is empty)"
	case n == 1:
		return c.Files[0].Name()
	default:
		return fmt.Sprintf("%s to %s", c.Files[0].Name(), c.Files[n-1].Name())
	}
}

// ---- a partition of a topic

func (l *look) part(x Part) TraceRef {
	p := TraceRef{Name: x.Name(), about: "part"}
	st := &l.v.Standing
	if st.Last == nil || st.Last.Plan == nil {
		p.Says = "No offset file could be read, so its position is unknown."
		return p
	}
	for _, ranges := range checkpoint.Reads(st.Before, st.Last, nil) {
		for _, r := range ranges {
			if r.Part == x.Name() && r.To != nil {
				l.offsets(&p, x, r)
				return p
			}
		}
	}
	p.Says = fmt.Sprintf("Batch %d, the newest one, does not read it.", st.LastPlanned)
	return p
}

// offsets says what the newest plan reads of a part, and whether the offset of the trace lies there.
func (l *look) offsets(p *TraceRef, x Part, r source.Range) {
	st := &l.v.Standing
	committed := st.LastPlanned == st.LastCommitted
	from := "an unrecorded offset"
	if r.From != nil {
		from = "offset " + r.From.Text
	}
	p.Says = fmt.Sprintf("Batch %d, the newest one, reads it from %s to %s", st.LastPlanned, from, r.To.Text)
	if committed {
		p.Says += ", and is committed"
	}
	p.Says += "."
	switch {
	case x.From < 0:
	case x.From == r.To.Num:
		p.agrees = true
		p.Says += fmt.Sprintf(" The next batch starts at offset %d of the trace.", x.From)
	case r.From != nil && x.From >= r.From.Num && x.From < r.To.Num && !committed:
		p.agrees = true
		p.Says += fmt.Sprintf(" Offset %d of the trace is in that range.", x.From)
	case r.From != nil:
		p.denies = true
		p.Says += fmt.Sprintf(" The next start does not read offset %d of the trace.", x.From)
	}
}
