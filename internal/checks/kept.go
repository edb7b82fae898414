package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"tidemark/checkpoint/statestore"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/spec"
)

// Kept is what the sources still have of what the next start reads.
type Kept struct {
	Sources []KeptSource                  // those that something was told of, in plan order
	Asked   []availability.SourceProgress // all sources of the newest plan, in its order
	Unfit   []string                      // of what was given and fits no source: why, each one sentence without a full stop
}

// KeptSource is one source: what it keeps, held against what the next start reads.
type KeptSource struct {
	availability.Source
	Recorded availability.SourceProgress
	Key      string     // how the plan tells it from the others: its place, or its name
	Other    string     // it is not the one that was read, and what shows that; "" otherwise
	Reads    []KeptPart // in the order of the plan, then those that only the source has

	byName map[string]*availability.Part // a topic may have thousands of them

	topics  []string // that a source of Kafka's form reads, as the checkpoint and the spec have it; nil where that is not known
	strange []string // topics of Parts that are not among them
}

// KeptPart is one part of a source: what the next start reads of it, and what is there.
type KeptPart struct {
	Name             string
	From             *source.Position // where the next start begins; nil where that is not recorded
	To               *source.Position // where the batch ends that runs again; nil where none does
	Earliest, Latest *source.Position // see availability.Part
	State            KeptState
	Gone             int64 // how many units lie before the first that is left, exactly; meaningful only if GoneKnown
	GoneKnown        bool
	Left             int64 // of a batch that runs again: how many of its units are left; meaningful only if LeftKnown
	LeftKnown        bool
	Lag              int64 // how far From lies behind Latest; meaningful only if LagKnown
	LagKnown         bool
	Unit             string // what Gone, Left and Lag count
	Until            int64  // until when all of it is kept at least, ms since the epoch; 0 where not known
}

// KeptState is how much of what the next start reads is still there.
type KeptState string

// The states of a part, by the words of the JSON.
const (
	Complete   KeptState = "complete"
	PartlyGone KeptState = "partly-gone" // the first of it is gone
	AllGone    KeptState = "gone"        // all of the batch that runs again
	MaybeGone  KeptState = "maybe-gone"  // the source begins later, and whether anything lay between is not recorded
	Beyond     KeptState = "beyond"      // the source ends before the position: it was made anew, or lost its end
	Another    KeptState = "another"     // what is there is not what was read
	NotThere   KeptState = "not-there"   // the source has no such part any more
	Joins      KeptState = "joins"       // the source has it, and the checkpoint does not know it yet
	NotJudged  KeptState = "not-judged"
)

// lossy reports whether something is, or may be, missing.
func (s KeptState) lossy() bool { return s == PartlyGone || s == AllGone || s == MaybeGone }

// lost reports whether a part does not have, or may not have, what the next start reads.
func (s KeptState) lost() bool {
	return s.lossy() || s == Beyond || s == Another || s == NotThere
}

// source is what is known of a source by its index; nil for nothing.
func (k *Kept) source(index int) *KeptSource {
	if k == nil {
		return nil
	}
	for i := range k.Sources {
		if k.Sources[i].Recorded.Index == index {
			return &k.Sources[i]
		}
	}
	return nil
}

// RecordedSources is how far a checkpoint has read its sources: what a Prober is asked about. declared is what the
// query declares of them; nil where that was not given. The error means that reading was stopped.
func RecordedSources(ctx context.Context, cp *checkpoint.Checkpoint, declared *spec.Spec) ([]availability.SourceProgress, error) {
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, err
	}
	p := NewPass(cp, survey, nil, nil)
	p.Spec = declared
	return NextStart(ctx, p).recorded(), ctx.Err()
}

// recorded is how far each source of the newest plan was read, in plan order.
func (s *Start) recorded() []availability.SourceProgress {
	plan := newestPlan(s.Standing)
	if plan == nil {
		return nil
	}
	newest := s.Last != nil && s.Last.Plan == plan // else where the next start begins is not known
	all, none := []availability.SourceProgress{}, source.Offset{None: true}
	for i, o := range inPlanOrder(plan) {
		r := availability.SourceProgress{Index: i, Name: o.Name, Batch: s.batch(), Again: !s.committed(), Time: plan.Timestamp,
			First: none, Prior: none, From: none, To: none, Declared: declaredSource(s.Spec, plan, i, o)}
		key := sourceKey(i, o)
		r.Kind, r.Sure = likeliest(s.Pass, key, o, r.Declared)
		if f := folderOf(s.Pass, key); f != nil && f.First != nil && len(f.First.Problems) == 0 {
			r.First = f.First.Offset
		}
		if newest {
			s.ends(&r, i, o)
			r.Files = s.filesOf(key, o, &r)
		}
		all = append(all, r)
	}
	return all
}

// ends are the positions between which the next batch lies.
func (s *Start) ends(r *availability.SourceProgress, i int, o source.Offset) {
	before, prev := source.Offset{None: true}, s.previous()
	if prev != nil {
		before = sourceOf(prev, i, o.Name)
	}
	if s.L == 0 || prev != nil && before.None {
		before = s.initial(i, o)
	}
	switch {
	case noOffset(s.Last.Plan, o):
		r.From, r.Prior = before, before
	case o.LogsStart() && s.committed():
		r.Prior, r.From = o, s.shardEnds(sourceKey(i, o), o)
	case o.LogsStart():
		r.Prior, r.From = o, o
	case s.committed():
		r.Prior, r.From = before, o
	default:
		r.Prior, r.From, r.To = before, before, o
	}
}

// declaredSource is what the spec says of source i of a plan; nil for nothing.
func declaredSource(said *spec.Spec, plan *log.Plan, i int, o source.Offset) *spec.Source {
	if said == nil {
		return nil
	}
	if _, err := strconv.Atoi(o.Name); o.Name != "" && err != nil {
		j := slices.IndexFunc(said.Sources, func(d spec.Source) bool { return d.Name == o.Name })
		if j < 0 {
			return nil
		}
		return &said.Sources[j]
	}
	if i < len(said.Sources) && len(said.Sources) == len(plan.Sources) {
		return &said.Sources[i]
	}
	return nil
}

// likeliest is the kind of a source, and whether it is certain: declared, or the only one that writes such a line.
func likeliest(p *Pass, key string, o source.Offset, declared *spec.Source) (*source.Kind, bool) {
	if declared != nil && declared.Kind != "" {
		if k := source.ByName(declared.Kind); k != nil && slices.Contains(o.Kinds, k) {
			return k, true
		}
	}
	switch {
	case fileSource(p, key, o):
		return source.File, true
	case len(o.Kinds) == 0:
		return nil, false
	}
	return o.Kinds[0], !o.Ambiguous()
}

// filesOf are the files that the batch which runs again reads of a file source; nil where there is none.
func (s *Start) filesOf(key string, o source.Offset, r *availability.SourceProgress) func(context.Context) iter.Seq2[log.SourceEntry, error] {
	f := folderOf(s.Pass, key)
	to, ok := logOffset(o)
	if f == nil || !f.IsLog() || !r.Again || !ok {
		return nil
	}
	from, ok := logOffset(r.From)
	if !ok {
		from = -1
		if s.L > 0 {
			return nil // where the batch begins is not recorded
		}
	}
	return func(ctx context.Context) iter.Seq2[log.SourceEntry, error] {
		return s.SourceEntries(ctx, f, from+1, to)
	}
}

// ask asks the sources what they keep and gives that to the pass; what could not be told is emitted. whole is false where a source
// could not be asked. The error means that nothing more will be read.
func ask(ctx context.Context, p *Pass, prober availability.Prober, emit func(Event)) (whole bool, err error) {
	skipped := func(format string, args ...any) { emit(sourceDataGone.NotRun(fmt.Sprintf(format, args...))) }
	recorded := NextStart(ctx, p).recorded()
	if recorded == nil {
		skipped("no plan can be read, so what the next start reads is not known")
		return true, nil
	}
	sources, err := prober.Probe(ctx, recorded)
	whole = true
	p.Kept = &Kept{Asked: recorded, Unfit: availability.Unfit(prober, recorded)}
	for _, text := range p.Kept.Unfit {
		if !slices.ContainsFunc(sources, func(s availability.Source) bool { return slices.Contains(s.Unseen, text) }) { // else it is told with its source
			skipped("%s", text)
		}
	}
	for i := range sources {
		s := &sources[i]
		if s.Err != nil {
			whole = false
			skipped("source %d: %s: %v", s.Index, s.From, s.Err)
		}
		held := hold(*s, recorded[s.Index])
		if len(held.strange) > 0 {
			text := fmt.Sprintf("%s names %s, which this source did not read (it read %s)", s.From, listed3(held.strange), listed3(held.topics))
			held.Unseen = append(slices.Clip(held.Unseen), text)
			if !slices.ContainsFunc(held.Parts, func(part availability.Part) bool { return slices.Contains(held.topics, topicOf(part.Name)) }) {
				p.Kept.Unfit = append(p.Kept.Unfit, fmt.Sprintf("source %d: %s", s.Index, text))
			}
		}
		for _, text := range held.Unseen {
			skipped("source %d: %s", s.Index, text)
		}
		p.Kept.Sources = append(p.Kept.Sources, held)
	}
	emit(Event{Kept: p.Kept})
	return whole, err
}

// Mistaken reports whether a run ended because what was given of the sources does not fit the checkpoint: a source
// that it does not have, a position in another form than the source's. The command line is wrong then.
func Mistaken(err error) bool {
	if _, ok := errors.AsType[spec.Problems](err); ok {
		return true
	}
	_, ok := errors.AsType[*availability.NoSource](err)
	return ok
}

// hold puts what a source keeps beside what the next start reads of it.
func hold(s availability.Source, r availability.SourceProgress) KeptSource {
	k := KeptSource{Source: s, Recorded: r, Key: cmp.Or(r.Name, strconv.Itoa(r.Index))}
	k.Other = otherTable(&s, &r)
	k.byName = make(map[string]*availability.Part, len(s.Parts))
	for i := range s.Parts {
		k.byName[s.Parts[i].Name] = &s.Parts[i]
	}
	k.compareTopics()
	listed := map[string]bool{}
	for _, x := range source.Ranges(r.From, r.To) {
		if r.To.None {
			x = source.Range{Part: x.Part, From: x.From, Unit: x.Unit}
		}
		listed[x.Part] = true
		k.Reads = append(k.Reads, k.part(x))
	}
	for i := range s.Parts {
		if part := &s.Parts[i]; !listed[part.Name] && part.Name != "" {
			k.Reads = append(k.Reads, KeptPart{Name: part.Name, Earliest: part.Earliest, Latest: part.Latest, State: k.unlisted(part.Name), Unit: k.unit()})
		}
	}
	return k
}

// compareTopics finds the topics that were told of and that neither the checkpoint nor the spec names: what was given may be about
// another source.
func (k *KeptSource) compareTopics() {
	d := k.Recorded.Declared
	if !k.kind().Topics || d != nil && d.Pattern != "" {
		return
	}
	if d != nil {
		k.topics = slices.Clone(d.Topics)
	}
	for _, o := range []source.Offset{k.Recorded.From, k.Recorded.To} {
		k.topics = append(k.topics, topicsOf(o)...)
	}
	k.topics = slices.Compact(slices.Sorted(slices.Values(k.topics)))
	for i := range k.Parts {
		if t := topicOf(k.Parts[i].Name); len(k.topics) > 0 && !slices.Contains(k.topics, t) && !slices.Contains(k.strange, t) {
			k.strange = append(k.strange, t)
		}
	}
}

// otherTable says that a source is another table than the one that was read; "" where it is not, or where one of
// the two is not known.
func otherTable(s *availability.Source, r *availability.SourceProgress) string {
	o := r.To
	if o.None {
		o = r.From
	}
	id := o.TableID()
	if s.TableID == "" || id == "" || strings.EqualFold(s.TableID, id) {
		return ""
	}
	return fmt.Sprintf("the table has the id %s, and %s was read", s.TableID, id)
}
