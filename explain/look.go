package explain

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/state"
	"tidemark/checks"
)

// State is what has become of a file that the trace names; "" of what is no file.
type State string

// The states of a place.
const (
	There   State = "there"
	Missing State = "missing"
	Unread  State = "unread" // its folder could not be listed
)

// Place is one place that the trace names, and what the checkpoint shows there now.
type Place struct {
	Name   string // "state/0/17/119.delta", "batch 120", "operator 0, partition 17", "orders/0"
	State  State  // of a file
	Size   int64  // bytes, of a file that is there
	Whole  bool   // it was read, to its end, and holds what it should
	Flawed bool   // it was read, and does not hold what it should
	Says   string // in full sentences

	about  string // "file", "batch", "store", "part"
	agrees bool   // of a batch, a store or a part: what the trace says is so
	denies bool   // it is not so
}

// short is what became of a file, in a few words.
func (p *Place) short() string {
	switch {
	case p.State == Missing:
		return "is not there"
	case p.State == Unread:
		return "could not be looked for"
	case p.Flawed:
		return "is there and cannot be read as what it should be"
	case p.Whole:
		return "is there and whole"
	}
	return "is there"
}

// How much is looked at for one trace.
const (
	lookLimit = 8        // places of each kind
	readLimit = 1 << 20  // bytes of a log file
	bodyLimit = 16 << 20 // bytes of a state file, and of the files that it names
)

// look is one trace on its way through the checkpoint.
type look struct {
	ctx context.Context
	cp  *checkpoint.Checkpoint
	v   *checks.Verdict
	*Explanation
	listed map[string]checkpoint.Listing
}

func (l *look) list(dir string) checkpoint.Listing {
	if have, ok := l.listed[dir]; ok {
		return have
	}
	have := l.cp.List(l.ctx, dir)
	l.listed[dir] = have
	return have
}

// places looks at what the trace names.
func (l *look) places() {
	for _, f := range l.Files {
		within := func(g File) bool { return strings.HasPrefix(g.Name, f.Name+"/") }
		if len(l.Places) < lookLimit && !slices.ContainsFunc(l.Files, within) {
			l.add(l.file(f.Name))
		}
	}
	if l.Batch >= 0 {
		l.add(l.batch(l.Batch))
	}
	for _, s := range l.Stores[:min(len(l.Stores), lookLimit)] {
		l.add(l.store(s))
	}
	for _, p := range l.Parts[:min(len(l.Parts), lookLimit)] {
		l.add(l.part(p))
	}
}

func (l *look) add(p Place) {
	l.Unread = l.Unread || p.State == Unread
	l.Places = append(l.Places, p)
}

// ---- a file

func (l *look) file(name string) Place {
	p := Place{Name: name, about: "file"}
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" {
		dir = "."
	}
	in := l.list(dir)
	e := in.Find(base)
	switch {
	case e == nil && in.Err != nil:
		p.State = Unread
		p.Says = fmt.Sprintf("It could not be looked for: %s cannot be listed (%v).", dir, in.Err)
	case e == nil:
		p.State = Missing
		p.Says = "It is not there. " + holds(dir, in, base)
	case e.Dir:
		p.State = There
		p.Says = "It is a folder. " + holds(name, l.list(name), "")
	default:
		p.State, p.Size = There, e.Size
		p.Says = fmt.Sprintf("It is there now: %s%s.", bytesText(e.Size), ofTime(e.Modified))
		l.read(&p)
	}
	return p
}

func ofTime(t time.Time) string {
	if t.Unix() <= 0 { // an archive may have no times
		return ""
	}
	return ", written " + t.UTC().Format("2006-01-02 15:04:05Z")
}

func bytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// holds is what a folder holds, in one sentence: of many, those beside a name that it lacks.
func holds(dir string, in checkpoint.Listing, lacks string) string {
	var names []string
	for _, e := range in.Entries {
		if !strings.HasPrefix(e.Name, ".") && !strings.HasSuffix(e.Name, ".crc") {
			names = append(names, e.Name)
		}
	}
	slices.SortStableFunc(names, byNumber)
	where := dir
	if dir == "." {
		where = "The checkpoint"
	}
	const shown = 6
	switch {
	case in.Err != nil:
		return fmt.Sprintf("%s cannot be listed: %v.", where, in.Err)
	case len(names) == 0:
		return where + " is empty or not there."
	case len(names) <= shown:
		return where + " holds " + strings.Join(names, ", ") + "."
	}
	at := 0
	if lacks != "" {
		at, _ = slices.BinarySearchFunc(names, lacks, byNumber)
	}
	from := max(min(at-shown/2, len(names)-shown), 0)
	text := strings.Join(names[from:from+shown], ", ")
	if from > 0 {
		text = "…, " + text
	}
	if from+shown < len(names) {
		text += ", …"
	}
	return fmt.Sprintf("%s holds %d entries: %s.", where, len(names), text)
}

// byNumber orders names by the number that they begin with; those without one come last.
func byNumber(a, b string) int {
	x, xok := numberOf(leading(a))
	y, yok := numberOf(leading(b))
	switch {
	case xok != yok && xok:
		return -1
	case xok != yok:
		return 1
	}
	return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
}

func leading(name string) string {
	i := strings.IndexFunc(name, func(r rune) bool { return r < '0' || r > '9' })
	if i < 0 {
		return name
	}
	return name[:i]
}

// read looks into a file that is there.
func (l *look) read(p *Place) {
	if f, ok := l.stateFile(p.Name); ok {
		l.readState(p, f)
		return
	}
	if strings.HasPrefix(p.Name, "state/") && !strings.Contains(p.Name, "_metadata") {
		return // a table of RocksDB, or a checksum: the checks compare those
	}
	if p.Size > readLimit {
		p.Says += " It is too long to be read here."
		return
	}
	data, err := l.cp.Read(l.ctx, p.Name, readLimit)
	if err != nil {
		l.Unread = true
		p.Says += fmt.Sprintf(" It could not be read: %v.", err)
		return
	}
	for _, line := range checkpoint.Describe(p.Name, data) {
		if line.Problem {
			p.Flawed = true
			p.Says += fmt.Sprintf(" %s: %s", line.Where, sentence(line.Value))
			return
		}
	}
	p.Whole = true
	p.Says += " It decodes."
}

// stateFile is a state file as the examination listed it.
func (l *look) stateFile(name string) (checkpoint.StateFile, bool) {
	dir, base := path.Split(name)
	dir = strings.TrimSuffix(dir, "/")
	for i := range l.v.Operators {
		for j := range l.v.Operators[i].Partitions {
			for k := range l.v.Operators[i].Partitions[j].Stores {
				s := &l.v.Operators[i].Partitions[j].Stores[k]
				if s.Dir != dir {
					continue
				}
				n := slices.IndexFunc(s.Files, func(f state.File) bool { return f.Name() == base })
				if n < 0 {
					return checkpoint.StateFile{}, false
				}
				return checkpoint.StateFile{Dir: dir, File: s.Files[n]}, true
			}
		}
	}
	return checkpoint.StateFile{}, false
}

func (l *look) readState(p *Place, f checkpoint.StateFile) {
	all, err := l.cp.Contents(l.ctx, slices.Values([]checkpoint.StateFile{f}), checkpoint.ReadLimits{File: bodyLimit, Total: bodyLimit, Marks: 100})
	switch {
	case err != nil || len(all) == 0:
		l.Unread = true
		p.Says += fmt.Sprintf(" It could not be read: %v.", err)
	case len(all[0].Flaws) > 0:
		flaw := all[0].Flaws[0]
		p.Flawed = true
		p.Says += fmt.Sprintf(" %s: %s", flaw.Where, sentence(flaw.Err.Error()))
	case len(all[0].Unread) > 0:
		l.Unread = true
		p.Says += fmt.Sprintf(" It could not be read: %s: %v.", all[0].Unread[0].Name, all[0].Unread[0].Err)
	case len(all[0].Partly) > 0:
		p.Says += " Its marks are right; it is too long to be read to its end here."
	default:
		p.Whole = true
		p.Says += " It reads to its end. That it is the right one of its version is not proven by that."
	}
}

// ---- a batch

func (l *look) batch(id int64) Place {
	p := Place{Name: fmt.Sprintf("batch %d", id), about: "batch"}
	planned, committed := l.cp.Offsets.Find(id) != nil, l.cp.Commits.Find(id) != nil
	if err := firstError(l.cp.Offsets.Err, l.cp.Commits.Err); err != nil {
		p.State = Unread
		p.Says = fmt.Sprintf("The logs cannot be listed: %v.", err)
		return p
	}
	switch {
	case planned && committed:
		p.Says = fmt.Sprintf("Planned and committed: offsets/%d and commits/%d are there.", id, id)
	case planned:
		p.Says = fmt.Sprintf("Planned and not committed: offsets/%d is there, commits/%d is not.", id, id)
	case committed:
		p.Says = fmt.Sprintf("Committed without a plan: commits/%d is there, offsets/%d is not.", id, id)
	default:
		p.Says = fmt.Sprintf("Neither offsets/%d nor commits/%d is there. %s", id, id, l.span())
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
		return "offsets holds no plan."
	}
	text := fmt.Sprintf("offsets goes from %d to %d, commits to %d.", l.cp.Offsets.First(), l.cp.Offsets.Last(), l.cp.Commits.Last())
	if l.cp.Commits.Last() < 0 {
		text = fmt.Sprintf("offsets goes from %d to %d, commits is empty.", l.cp.Offsets.First(), l.cp.Offsets.Last())
	}
	return text
}

// plan says whether the plan of a batch decodes.
func (l *look) plan(p *Place, id int64) {
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
		p.Says += " What is there decodes."
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

func (l *look) store(s Store) Place {
	p := Place{Name: s.String(), about: "store"}
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
func (l *look) loads(p *Place, s Store) {
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
			p.Says += "that folder is not there."
			p.agrees = true
		case ld.Loadable == ld.Version:
			p.Says += fmt.Sprintf("all files that it needs are there (%s).", filesOf(&chain))
			p.denies = true
		case ld.Asked != "":
			p.Says += fmt.Sprintf("%s is not there; the newest version that can be rebuilt is %d.", ld.Asked, ld.Loadable)
			p.agrees = true
		default:
			p.Says += fmt.Sprintf("that cannot be rebuilt; the newest that can is %d.", ld.Loadable)
			p.agrees = true
		}
		if s.Version > ld.Version {
			p.Says += fmt.Sprintf(" Version %d, which the trace names, is not needed for that.", s.Version)
		}
	}
}

// filesOf is the files of a chain: the first, and how many follow.
func filesOf(c *state.Chain) string {
	switch n := len(c.Files); {
	case n == 0:
		return "none: version 0 is empty"
	case n == 1:
		return c.Files[0].Name()
	default:
		return fmt.Sprintf("%s to %s", c.Files[0].Name(), c.Files[n-1].Name())
	}
}

// ---- a partition of a topic

func (l *look) part(x Part) Place {
	p := Place{Name: x.Name(), about: "part"}
	st := &l.v.Standing
	if st.Last == nil || st.Last.Plan == nil {
		p.Says = "No plan could be read that says how far it was read."
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
	p.Says = fmt.Sprintf("Batch %d, the newest that is planned, does not read it.", st.LastPlanned)
	return p
}

// offsets says what the newest plan reads of a part, and whether the offset of the trace lies there.
func (l *look) offsets(p *Place, x Part, r source.Range) {
	st := &l.v.Standing
	committed := st.LastPlanned == st.LastCommitted
	from := "a position that is not recorded"
	if r.From != nil {
		from = "offset " + r.From.Text
	}
	p.Says = fmt.Sprintf("Batch %d, the newest that is planned, reads it from %s to %s", st.LastPlanned, from, r.To.Text)
	if committed {
		p.Says += ", and is committed"
	}
	p.Says += "."
	switch {
	case x.From < 0:
	case x.From == r.To.Num:
		p.agrees = true
		p.Says += fmt.Sprintf(" The next batch goes on at offset %d, which the trace names.", x.From)
	case r.From != nil && x.From >= r.From.Num && x.From < r.To.Num && !committed:
		p.agrees = true
		p.Says += fmt.Sprintf(" Offset %d, which the trace names, lies there.", x.From)
	case r.From != nil:
		p.denies = true
		p.Says += fmt.Sprintf(" The next start does not read offset %d, which the trace names.", x.From)
	}
}
