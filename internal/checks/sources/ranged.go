package sources

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/spec"
)

// rangedSource is a source that plans ranges of partitions (source.Kind.Taken: Kafka's), at the next start: what the plans, the spec and the
// brokers say of it.
type rangedSource struct {
	*basics.Start
	kind     *source.Kind
	key      string
	line     source.Offset // where the newest plan has it; where it first began to read, for a query without plans
	begins   partOffsets   // where the first batch begins; nil where that is not recorded
	ends     partOffsets   // where it ends as planned; nil where it is not planned yet
	unread   *decode.Error // the first of the lines that the source cannot read; nil for none
	declared *spec.Source  // nil where there is no spec
	topics   spec.Subscription
	told     bool               // topics is declared
	held     *checks.KeptSource // what the brokers have; nil where that is not known, or where they could not be asked

	parts map[string]*availability.Part // of held; a topic may have thousands of them
	count map[string]int64              // of held, by topic: one more than the highest partition
}

// partOffsets are positions by part, as Spark reads them: see source.Kind.Taken.
type partOffsets map[string]int64

// rangedSources are those of the next start, in plan order.
func rangedSources(s *basics.Start) (all []*rangedSource) {
	if s.Last == nil || s.Last.Plan == nil {
		return newRangedSources(s)
	}
	plan := s.Last.Plan
	for i, o := range plan.InOrder() {
		if plan.Version > 1 && o.Name == "" || basics.NoOffset(plan, o) && !s.AllCommitted() {
			continue // Spark finds no source for it; or the batch that runs again reads nothing of it
		}
		k := &rangedSource{Start: s, key: basics.SourceKey(i, o), line: o, declared: declaredSource(s.Spec, plan, i, o)}
		if k.kind = k.kindOf(i); k.kind == nil {
			continue
		}
		k.look(s.Kept.Source(i))
		k.between(i)
		all = append(all, k)
	}
	return all
}

// newRangedSources are those of a query without plans whose folders say where they first began to read.
func newRangedSources(s *basics.Start) (all []*rangedSource) {
	for _, r := range begunSources(s) {
		if r.First.None || r.Kind == nil || r.Kind.Taken == nil {
			continue
		}
		k := &rangedSource{Start: s, kind: r.Kind, key: strconv.Itoa(r.Index), line: r.First, declared: r.Declared}
		k.look(s.Kept.Source(r.Index))
		k.begins = k.read(r.First)
		all = append(all, k)
	}
	return all
}

// kindOf is the kind of source i where it is one that plans ranges: by what it wrote, and not another one by what is declared. nil for none. A
// query that is declared to read such a source where another wrote the checkpoint is told by the drift.
func (k *rangedSource) kindOf(i int) *source.Kind {
	wrote := []source.Offset{k.line}
	if before := k.Previous(); before != nil {
		wrote = append(wrote, basics.SourceOf(before, i, k.line.Name))
	}
	if f := basics.FolderOf(k.Pass, k.key); f != nil && f.First != nil {
		wrote = append(wrote, f.First.Offset)
	}
	for _, o := range wrote {
		kind := o.Likeliest()
		if k.declared != nil && k.declared.Kind != "" {
			kind = source.ByName(k.declared.Kind)
		}
		if kind != nil && kind.Taken != nil && slices.Contains(o.Kinds, kind) {
			return kind
		}
	}
	return nil
}

// look takes what is declared of the topics, and what the brokers have of them.
func (k *rangedSource) look(held *checks.KeptSource) {
	sub, ok, err := k.declared.Subscription()
	k.topics, k.told = sub, ok && err == nil
	if held == nil || held.Err != nil {
		return
	}
	k.held, k.parts, k.count = held, make(map[string]*availability.Part, len(held.Parts)), map[string]int64{}
	for i := range held.Parts {
		name := held.Parts[i].Name
		topic, partition := availability.CutPart(name)
		k.parts[name], k.count[topic] = &held.Parts[i], max(k.count[topic], partition+1)
	}
}

// between takes the positions between which the first batch lies.
func (k *rangedSource) between(i int) {
	before := source.Offset{None: true}
	if prev := k.Previous(); prev != nil {
		before = basics.SourceOf(prev, i, k.line.Name)
	}
	if k.L == 0 || before.None {
		before = k.Initial(i, k.line)
	}
	switch {
	case basics.NoOffset(k.Last.Plan, k.line):
		k.begins = k.read(before)
	case k.AllCommitted():
		k.begins = k.read(k.line)
	default:
		k.begins, k.ends = k.read(before), k.read(k.line)
	}
}

// read reads an offset as Spark does; nil where there is none, or where the source cannot read it.
func (k *rangedSource) read(o source.Offset) partOffsets {
	if o.None || o.Line.Kind == decode.Null {
		return nil // what is no JSON is told with the plan
	}
	parts, err := o.TakenAs(k.kind)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		if k.unread == nil {
			k.unread = e
		}
		return nil
	}
	all := make(partOffsets, len(parts))
	for _, p := range parts {
		all[p.Name] = p.Position.Num
	}
	return all
}

// names are the parts, by topic and partition.
func (all partOffsets) names() []string {
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		topic, m := availability.CutPart(a)
		other, n := availability.CutPart(b)
		return cmp.Or(cmp.Compare(topic, other), cmp.Compare(m, n))
	})
}

// subscribes reports whether the query reads a part, so far as that is declared.
func (k *rangedSource) subscribes(name string) bool {
	topic, partition := availability.CutPart(name)
	return !k.told || k.topics.Reads(topic, partition)
}

// there is whether something exists.
type there byte

const (
	notKnown there = iota
	yes
	no
)

// exists tells whether the cluster has a part.
func (k *rangedSource) exists(name string) there {
	switch {
	case k.held == nil:
		return notKnown
	case k.held.IsGone(name):
		return no
	case k.parts[name] != nil:
		return yes
	case k.held.Whole && k.subscribes(name) || k.madeAgainWithout(name): // of what is not read nobody was asked
		return no
	}
	return notKnown
}

// madeAgainWithout reports whether a topic was made again after the newest plan, and what is told of it has no such partition. What is told of
// such a topic was asked for anew, and Kafka numbers partitions from 0 without a hole: those told are all where they have none.
func (k *rangedSource) madeAgainWithout(name string) bool {
	topic, partition := availability.CutPart(name)
	if h := (&heldSource{KeptSource: k.held}); !h.remade(name) {
		return false
	}
	n := k.count[topic]
	if partition < n {
		return false
	}
	for p := range n {
		if k.parts[topic+"/"+strconv.FormatInt(p, 10)] == nil {
			return false
		}
	}
	return n > 0
}

// current is the part as the query finds it at a start: no where it does not exist or the query does not read it.
func (k *rangedSource) current(name string) there {
	if !k.subscribes(name) {
		return no
	}
	return k.exists(name)
}

// position is one of a part's positions at the brokers; ok is false where it is not known.
func (k *rangedSource) position(name string, of func(*availability.Part) *source.Position) (n int64, ok bool) {
	part := k.parts[name]
	if part == nil {
		return 0, false
	}
	at := of(part)
	if at == nil || at.Order != source.Number {
		return 0, false
	}
	return at.Num, true
}

func (k *rangedSource) earliest(name string) (int64, bool) {
	return k.position(name, func(p *availability.Part) *source.Position { return p.Earliest })
}

func (k *rangedSource) latest(name string) (int64, bool) {
	return k.position(name, func(p *availability.Part) *source.Position { return p.Latest })
}

// listed are the parts that the cluster has and the query reads, by topic and partition.
func (k *rangedSource) listed() []string {
	all := partOffsets{}
	for name := range k.parts {
		if k.subscribes(name) && (k.told || slices.Contains(k.held.Topics, topicOf(name))) {
			all[name] = 0
		}
	}
	return all.names()
}
