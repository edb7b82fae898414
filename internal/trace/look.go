package trace

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// State is what has become of a file that the trace names; "" of what is no file.
type State string

// The states of a place.
const (
	There   State = "there"
	Missing State = "missing"
	Unread  State = "unread" // its folder could not be listed
)

// TraceRef is one place that the trace names, and what the checkpoint shows there now.
type TraceRef struct {
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
func (p *TraceRef) short() string {
	switch {
	case p.State == Missing:
		return "is missing"
	case p.State == Unread:
		return "could not be checked"
	case p.Flawed:
		return "exists but cannot be decoded"
	case p.Whole:
		return "exists and is intact"
	}
	return "exists"
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
	next      string // what a question of the condition's own says is to be done; "" leaves that to the topic
	listed    map[string]checkpoint.Listing
	recognize func([]Cause) (*Condition, int)
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

func (l *look) add(p TraceRef) {
	l.Unread = l.Unread || p.State == Unread
	l.Places = append(l.Places, p)
}

// ---- a file

func (l *look) file(name string) TraceRef {
	p := TraceRef{Name: name, about: "file"}
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
		p.Says = fmt.Sprintf("It could not be checked: %s cannot be listed (%v).", dir, in.Err)
	case e == nil:
		p.State = Missing
		p.Says = "It is missing. " + holds(dir, in, base)
	case e.Dir:
		p.State = There
		p.Says = "It is a folder. " + holds(name, l.list(name), "")
	default:
		p.State, p.Size = There, e.Size
		p.Says = fmt.Sprintf("It exists now: %s%s.", phrase.Units(e.Size, "bytes"), ofTime(e.Modified))
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

// holds is what a folder contains, in one sentence: of many names, those next to one that it lacks.
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
		return where + " is empty or missing."
	case len(names) <= shown:
		return where + " contains " + strings.Join(names, ", ") + "."
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
	return fmt.Sprintf("%s contains %d entries: %s.", where, len(names), text)
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
func (l *look) read(p *TraceRef) {
	if f, ok := l.stateFile(p.Name); ok {
		l.readState(p, f)
		return
	}
	if strings.HasPrefix(p.Name, "state/") && !strings.Contains(p.Name, "_metadata") {
		return // a table of RocksDB, or a checksum: the checks compare those
	}
	if p.Size > readLimit {
		p.Says += " It is too long to read here."
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
	p.Says += " It can be decoded."
}

// stateFile is a state file as the examination listed it.
func (l *look) stateFile(name string) (statestore.File, bool) {
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
					return statestore.File{}, false
				}
				return statestore.File{Dir: dir, File: s.Files[n]}, true
			}
		}
	}
	return statestore.File{}, false
}

func (l *look) readState(p *TraceRef, f statestore.File) {
	all, err := statestore.ReadContents(l.ctx, l.cp, slices.Values([]statestore.File{f}),
		statestore.ReadLimits{File: bodyLimit, Total: bodyLimit, Marks: 100})
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
		p.Says += " Its header and footer are right, but it is too long to read to its end here."
	default:
		p.Whole = true
		p.Says += " It can be read to its end. This does not prove that it is the right file of its version."
	}
}
