package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// ProgressOf reads how far a checkpoint has read its sources: what a Prober is asked about. declared is what the
// query declares of them; nil where that was not given. The error means that reading was stopped.
func ProgressOf(ctx context.Context, cp *checkpoint.Checkpoint, declared *spec.Spec) ([]availability.SourceProgress, error) {
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, err
	}
	p := checks.NewPass(cp, survey, nil, nil)
	p.Spec, p.Spark = declared, basics.ReleaseOf(basics.WrittenBy(cp, survey), declared)
	return progressOf(basics.NextStart(ctx, p)), ctx.Err()
}

// progressOf is how far each source of the newest plan was read, in plan order.
func progressOf(s *basics.Start) []availability.SourceProgress {
	plan := basics.NewestPlan(s.Standing)
	if plan == nil {
		return begunSources(s)
	}
	newest := s.Last != nil && s.Last.Plan == plan // else where the next start begins is not known
	all, none := []availability.SourceProgress{}, source.Offset{None: true}
	for i, o := range plan.InOrder() {
		r := availability.SourceProgress{Index: i, Name: o.Name, Batch: s.FirstBatch(), Again: !s.AllCommitted(), Time: plan.Timestamp,
			First: none, Prior: none, From: none, To: none, Declared: declaredSource(s.Spec, plan, i, o),
			AllAtOnce: basics.AvailableNow(s.Pass)}
		key := basics.SourceKey(i, o)
		r.Kind, r.Sure = likeliest(s.Pass, key, o, r.Declared)
		if f := basics.FolderOf(s.Pass, key); f != nil && f.First != nil && len(f.First.Problems) == 0 {
			r.First = f.First.Offset
		}
		if newest {
			ends(s, &r, i, o)
			r.Files = filesOf(s, key, o, &r)
		}
		all = append(all, r)
	}
	return all
}

// begunSources are the sources of a query without plans that wrote down where they first began: Spark begins there again, whatever its options
// say. nil where none did.
func begunSources(s *basics.Start) (all []availability.SourceProgress) {
	if s.L >= 0 {
		return nil // there are plans, and none could be read
	}
	none := source.Offset{None: true}
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		index, err := strconv.Atoi(path.Base(f.Name))
		if err != nil || index < 0 || index >= mostSources || f.First == nil || len(f.First.Problems) > 0 {
			continue
		}
		for len(all) <= index {
			all = append(all, availability.SourceProgress{Index: len(all), First: none, Prior: none, From: none, To: none, Declared: declaredAt(s.Spec, len(all))})
		}
		r, o := &all[index], f.First.Offset
		r.First, r.From = o, o
		r.Kind, r.Sure = likeliest(s.Pass, path.Base(f.Name), o, r.Declared)
	}
	return all
}

// mostSources is how many sources of a query without plans are looked at.
const mostSources = 1000

// declaredAt is what the spec says of the source in this place; nil for nothing.
func declaredAt(said *spec.Spec, i int) *spec.Source {
	if said == nil || i >= len(said.Sources) {
		return nil
	}
	return &said.Sources[i]
}

// ends are the positions between which the next batch lies.
func ends(s *basics.Start, r *availability.SourceProgress, i int, o source.Offset) {
	before, prev := source.Offset{None: true}, s.Previous()
	if prev != nil {
		before = basics.SourceOf(prev, i, o.Name)
	}
	if s.L == 0 || prev != nil && before.None {
		before = s.Initial(i, o)
	}
	switch {
	case basics.NoOffset(s.Last.Plan, o):
		r.From, r.Prior = before, before
	case o.LogsStart() && s.AllCommitted():
		r.Prior, r.From = o, shardEnds(s, basics.SourceKey(i, o), o)
	case o.LogsStart():
		r.Prior, r.From = o, o
	case s.AllCommitted():
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
	if len(said.Sources) == len(plan.Sources) {
		return declaredAt(said, i)
	}
	return nil
}

// likeliest is the kind of a source, and whether it is certain: declared, or the only one that writes such a line.
func likeliest(p *checks.Pass, key string, o source.Offset, declared *spec.Source) (*source.Kind, bool) {
	if declared != nil && declared.Kind != "" {
		if k := source.ByName(declared.Kind); k != nil && (slices.Contains(o.Kinds, k) || k.Topics && basics.NoTopics(o)) {
			return k, true
		}
	}
	switch {
	case basics.FileSource(p, key, o):
		return source.File, true
	case len(o.Kinds) == 0:
		return nil, false
	}
	return o.Kinds[0], !o.Ambiguous()
}

// filesOf are the files that the batch which runs again reads of a file source; nil where there is none.
func filesOf(s *basics.Start, key string, o source.Offset, r *availability.SourceProgress) func(context.Context) iter.Seq2[log.SourceEntry, error] {
	f := basics.FolderOf(s.Pass, key)
	to, ok := basics.LogOffset(o)
	if f == nil || !f.IsLog() || !r.Again || !ok {
		return nil
	}
	from, ok := basics.LogOffset(r.From)
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

// Ask asks the sources what they keep and gives that to the pass; what could not be told is emitted. whole is false where a source
// could not be asked. The error means that nothing more will be read.
func Ask(ctx context.Context, p *checks.Pass, prober availability.Prober, emit func(checks.Event)) (whole bool, err error) {
	skipped := func(format string, args ...any) { emit(SourceDataGone.NotRun(fmt.Sprintf(format, args...))) }
	recorded := progressOf(basics.NextStart(ctx, p))
	if recorded == nil {
		skipped("no offset file can be read, so what a restart reads is unknown")
		return true, nil
	}
	sources, err := availability.Allowing(prober, p.Spec).Probe(ctx, recorded)
	whole = true
	p.Kept = &checks.Kept{Asked: recorded, Unfit: availability.Unfit(prober, recorded)}
	for _, text := range p.Kept.Unfit {
		// else it is reported with its source
		if !slices.ContainsFunc(sources, func(s availability.Source) bool { return slices.Contains(s.Unseen, text) }) {
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
			text := fmt.Sprintf("%s names %s, which this source did not read (it read %s)", s.From, phrase.List(held.strange, 3), phrase.List(held.Topics, 3))
			held.Unseen = append(slices.Clip(held.Unseen), text)
			if !slices.ContainsFunc(held.Parts, func(part availability.Part) bool {
				return slices.Contains(held.Topics,
					topicOf(part.Name))
			}) {
				p.Kept.Unfit = append(p.Kept.Unfit, fmt.Sprintf("source %d: %s", s.Index, text))
			}
		}
		for _, text := range held.Unseen {
			skipped("source %d: %s", s.Index, text)
		}
		p.Kept.Sources = append(p.Kept.Sources, *held.KeptSource)
	}
	emit(checks.Event{Kept: p.Kept})
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

// heldSource is a source as it is held against what the next start reads.
type heldSource struct {
	*checks.KeptSource
	topics  *spec.Subscription            // as declared; nil where it is not
	byName  map[string]*availability.Part // a topic may have thousands of them
	read    []string                      // topics that the checkpoint has positions of
	strange []string                      // topics of Parts that are not among Topics
	lost    string                        // what is gone of all sources, in the words of a verdict; "" where that is not known
}

// Held returns source i of those of which something is known.
func Held(k *checks.Kept, i int) *heldSource { return &heldSource{KeptSource: &k.Sources[i]} }

// hold puts what a source keeps next to what the next start reads of it.
func hold(s availability.Source, r availability.SourceProgress) *heldSource {
	k := &heldSource{KeptSource: &checks.KeptSource{Source: s, Recorded: r, Key: cmp.Or(r.Name, strconv.Itoa(r.Index))}}
	k.Other = otherTable(&s, &r)
	if sub, ok, err := r.Declared.Subscription(); ok && err == nil {
		k.topics = &sub
	}
	k.byName = k.ByName()
	if k.Kind().Topics {
		k.read = slices.Concat(basics.TopicsOf(r.From), basics.TopicsOf(r.To))
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
			k.Reads = append(k.Reads, k.unlisted(part))
		}
	}
	return k
}

// unsubscribed reports whether the query does not read a part any more, as it is declared.
func (k *heldSource) unsubscribed(name string) bool {
	topic, partition := availability.CutPart(name)
	return k.topics != nil && k.Kind().Topics && !k.topics.Reads(topic, partition)
}

// compareTopics finds the topics that were told of and that neither the checkpoint nor the spec names: what was given may be about
// another source.
func (k *heldSource) compareTopics() {
	if !k.Kind().Topics || k.topics != nil && k.topics.Pattern() {
		return
	}
	if k.topics != nil {
		k.Topics = k.topics.Named()
	}
	k.Topics = slices.Compact(slices.Sorted(slices.Values(append(k.Topics, k.read...))))
	for i := range k.Parts {
		if t := topicOf(k.Parts[i].Name); len(k.Topics) > 0 && !slices.Contains(k.Topics, t) && !slices.Contains(k.strange, t) {
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
	return fmt.Sprintf("the table has the ID %s, but the query read %s", s.TableID, id)
}
