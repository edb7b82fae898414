package trace

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// What messages of the Kafka source say, held against the plans, and against what Kafka holds where --kafka or
// --positions told it.

// ---- what is known of one partition

// keptPart is what was told of one part: by brokers, a file of positions, or the source's own place. nil for nothing.
func (l *look) keptPart(name string) (*checks.KeptSource, *checks.KeptPart) {
	if l.v.Kept == nil {
		return nil, nil
	}
	for i := range l.v.Kept.Sources {
		s := &l.v.Kept.Sources[i]
		for j := range s.Reads {
			if s.Reads[j].Name == name {
				return s, &s.Reads[j]
			}
		}
	}
	return nil, nil
}

// keptSays is what a source has of a part, in one sentence.
func keptSays(s *checks.KeptSource, k *checks.KeptPart) string {
	switch {
	case k.State == checks.NotThere:
		return fmt.Sprintf("The source no longer has %s (%s).", k.Name, s.ToldBy())
	case k.Earliest != nil && k.Latest != nil:
		return fmt.Sprintf("The source has %s to %s (%s).", k.Earliest.Text, k.Latest.Text, s.ToldBy())
	case k.Earliest != nil:
		return fmt.Sprintf("The source has %s and later; its end is unknown (%s).", k.Earliest.Text, s.ToldBy())
	case k.Latest != nil:
		return fmt.Sprintf("The source has records up to %s; its start is unknown (%s).", k.Latest.Text, s.ToldBy())
	}
	return fmt.Sprintf("Its start and end are unknown (%s).", s.ToldBy())
}

// topicRead is how the newest plans stand to one partition of a topic.
type topicRead struct {
	known bool             // a newest plan with Kafka's positions could be read
	file  string           // that plan
	open  bool             // its batch is not committed
	from  *source.Position // where its batch begins; nil where that is not recorded
	to    *source.Position // where it ends; nil where the plan does not have the partition
}

// next is where the next start begins to read.
func (r *topicRead) next() *source.Position {
	if r.open {
		return r.from
	}
	return r.to
}

func (l *look) topicRead(name string) (r topicRead) {
	st := &l.v.Standing
	if st.Last == nil || st.Last.Plan == nil || len(l.lines(hasTopics)) == 0 {
		return r
	}
	r.known, r.file, r.open = true, st.Last.Plan.File, st.LastPlanned > st.LastCommitted
	for _, ranges := range checkpoint.Reads(st.Before, st.Last, nil) {
		for _, x := range ranges {
			if x.Part == name && x.To != nil {
				r.from, r.to = x.From, x.To
				return r
			}
		}
	}
	return r
}

// names are the partitions that a plan has of Kafka, with where it ends them.
func (l *look) names(b *checkpoint.Batch) map[string]int64 {
	all := map[string]int64{}
	for _, o := range linesOf(b, hasTopics) {
		maps.Copy(all, partsOf(o))
	}
	return all
}

func partsOf(o source.Offset) map[string]int64 {
	all := map[string]int64{}
	for _, p := range o.Parts {
		all[p.Name] = p.Position.Num
	}
	return all
}

// keptNext says what to do where the message is about what a source holds and no finding says it better: who has told
// what it holds is not sent to ask it.
func (l *look) keptNext(a Agreement) {
	about := l.Topic().kind()
	switch {
	case a == Disagrees || l.next != "" || l.v.Kept == nil || about != kafka && about != kafkaSet && about != sourceGone:
	case a != CannotTell && l.telling() != nil:
	case a == Agrees && l.wasTold():
		l.next = copyFirst + "Look for the same records elsewhere: a mirror, an archive, the system that wrote them. Decide before a restart whether the sink needs them."
	default:
		l.next = "Give the oldest and newest offsets of the source (--positions FILE), or let tidemark ask it (--kafka HOST:PORT, --source INDEX=TABLE). Then explain the trace again."
	}
}

// wasTold reports whether something was told of a part or a table that the trace can be about.
func (l *look) wasTold() bool {
	for _, x := range l.Parts {
		if _, k := l.keptPart(x.Name()); k != nil {
			return true
		}
	}
	tables := l.tables(readsTable(source.DeltaTable, source.IcebergTable, source.HudiTable))
	return len(l.Parts) == 0 && (len(tables) == 0 || slices.ContainsFunc(tables, func(t tableLine) bool { return t.kept != nil }))
}

// ---- offsets that could not be read

// lookFetched: do the plans ask for these offsets, and does Kafka hold them?
func (l *look) lookFetched() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	for _, x := range l.fetched() {
		p := l.partPlace(x)
		switch got, says := l.fetchedPart(x, p); {
		case got != "" && (a == "" || a == CannotTell || got == Agrees):
			a, why = got, says
		}
		if a == Agrees {
			return a, why
		}
	}
	return a, why
}

// fetchedPart judges one partition and the offsets that the trace names of it.
func (l *look) fetchedPart(x Part, p *TraceRef) (Agreement, string) {
	says := p.Name + ": " + p.Says
	if p.denies {
		return Disagrees, says + " The checkpoint has continued since, or this is a different one."
	}
	if r := l.topicRead(p.Name); r.known && r.to == nil {
		return Disagrees, fmt.Sprintf("%s: %s does not have it, but %s: no start reads it. The trace is from another checkpoint, or from an older batch of this one.", p.Name, r.file, few(l.names(l.v.Standing.Last)))
	}
	s, k := l.keptPart(p.Name)
	if k == nil {
		if p.agrees {
			return Agrees, says + " The checkpoint does not record whether Kafka still has it."
		}
		return "", ""
	}
	says += " " + keptSays(s, k)
	switch {
	case k.State == checks.NotThere:
		return Agrees, says
	case k.State == checks.Another:
		return Agrees, says + " The query read another topic: " + sentence(s.Other)
	case x.From < 0:
		return l.keptState(k, says)
	case k.Earliest != nil && x.From < k.Earliest.Num:
		last := k.Earliest.Num - 1
		if x.To > 0 {
			last = min(last, x.To-1)
		}
		return Agrees, fmt.Sprintf("%s Offsets %d to %d are gone.", says, x.From, last)
	case k.Latest != nil && x.From > k.Latest.Num:
		return Agrees, fmt.Sprintf("%s Offset %d of the trace is after its end.", says, x.From)
	case k.Earliest != nil && k.Latest != nil && x.To > k.Latest.Num:
		return Agrees, fmt.Sprintf("%s The range of the trace ends after it, at %d.", says, x.To)
	case k.Earliest != nil && k.Latest != nil:
		return Disagrees, fmt.Sprintf("%s Offset %d of the trace exists now. A broker was slow or overloaded, or Spark asked another cluster.", says, x.From)
	}
	return CannotTell, says
}

// keptState is what became of a part of which the trace names no offset.
func (l *look) keptState(k *checks.KeptPart, says string) (Agreement, string) {
	switch k.State {
	case checks.PartlyGone, checks.AllGone, checks.MaybeGone, checks.Beyond:
		return Agrees, says
	case checks.Complete:
		return Disagrees, says + " All records the next start reads exist now."
	}
	return CannotTell, says
}

// fetched are the parts of the trace; where it names a range and no partition, those of the plans that read it.
func (l *look) fetched() []Part {
	if len(l.Parts) > 0 {
		return l.Parts[:min(len(l.Parts), lookLimit)]
	}
	from, to := offsetsIn(chainText(l.Chain))
	if from < 0 {
		return nil
	}
	var all []Part
	st := &l.v.Standing
	for _, ranges := range checkpoint.Reads(st.Before, st.Last, nil) {
		for _, r := range ranges {
			x, ok := partNamed(r.Part)
			if !ok || r.To == nil || len(all) == lookLimit {
				continue
			}
			x.From, x.To = from, to
			if r.From != nil && from >= r.From.Num && from <= r.To.Num {
				all = append(all, x)
				l.add(l.part(x))
			}
		}
	}
	return all
}

// partNamed is a part by the name of a source: "orders/0".
func partNamed(name string) (Part, bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 1 {
		return Part{}, false
	}
	n, ok := numberOf(name[i+1:])
	return Part{name[:i], n, -1, -1}, ok
}

// partPlace is what the checkpoint shows of a part.
func (l *look) partPlace(x Part) *TraceRef {
	for i := range l.Places {
		if p := &l.Places[i]; p.about == "part" && p.Name == x.Name() {
			return p
		}
	}
	l.add(l.part(x))
	return &l.Places[len(l.Places)-1]
}

// lookSlow is an offset for which no answer came in time: that it is gone is not said.
func (l *look) lookSlow() (Agreement, string) {
	for _, x := range l.fetched() {
		s, k := l.keptPart(x.Name())
		if k == nil || k.Earliest == nil {
			continue
		}
		says := x.Name() + ": " + keptSays(s, k)
		if x.From < k.Earliest.Num {
			return Agrees, fmt.Sprintf("%s Offset %d of the trace is gone.", says, x.From)
		}
		return CannotTell, fmt.Sprintf("%s Offset %d of the trace is not below its start: Kafka was slow, and the record is not gone.", says, x.From)
	}
	return "", ""
}

// lookChanged: does the plan have the old offset, and is Kafka's end the new one?
func (l *look) lookChanged() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	m := offsetChanged.FindStringSubmatch(chainText(l.Chain))
	if m == nil || len(l.Parts) == 0 {
		return "", ""
	}
	was, _ := number(m[1])
	is, _ := number(m[2])
	x := l.Parts[0]
	r := l.topicRead(x.Name())
	if !r.known {
		return "", ""
	}
	if r.to == nil {
		return Disagrees, fmt.Sprintf("%s does not have %s.", r.file, x.Name())
	}
	says := fmt.Sprintf("%s: the next start continues at %d, as in the message.", x.Name(), was)
	switch next := r.next(); {
	case next != nil && next.Num == was:
	case r.open && r.to.Num == was:
		says = fmt.Sprintf("%s: the re-run batch ends at %d, as in the message.", x.Name(), was)
	case next == nil:
		return CannotTell, fmt.Sprintf("%s: the start offset of the next batch is not recorded; it ends at %[3]s in %[2]s.", x.Name(), r.file, r.to.Text)
	default:
		return Disagrees, fmt.Sprintf("%s: %s has the end offset %s, but the message has %d. The checkpoint has continued since, or this is a different one.", x.Name(), r.file, r.to.Text, was)
	}
	s, k := l.keptPart(x.Name())
	switch {
	case k == nil:
		return Agrees, fmt.Sprintf("%s The checkpoint does not record whether it ends at %d in Kafka now.", says, is)
	case k.State == checks.NotThere || k.State == checks.Another:
		return Agrees, says + " " + keptSays(s, k)
	case k.Latest == nil:
		return CannotTell, says + " " + keptSays(s, k)
	case k.Latest.Num < was:
		return Agrees, says + " " + keptSays(s, k) + " That is below it: the topic was created again, or lost its newest records."
	}
	l.next = "Find out whether the topic was created again after the newest batch. If it was: start a new checkpoint at offsets you choose. If it was not: start the query again."
	return Disagrees, says + " " + keptSays(s, k) + " That is no longer below it. If the topic was created again, its new records have reached the old offset, and Kafka returns the wrong ones."
}

var twoEnds = patternOf(`offset (\d{1,18}) is (?:greater than|after) the (?:resolved )?end(?:ing)? offset (\d{1,18}) for topic (\S+) partition (\d{1,9})`)

// lookTwoEnds: do the plans go backwards there?
func (l *look) lookTwoEnds() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	m := twoEnds.FindStringSubmatch(chainText(l.Chain))
	if m == nil {
		return "", ""
	}
	from, _ := number(m[1])
	to, _ := number(m[2])
	name := m[3] + "/" + m[4]
	r := l.topicRead(name)
	switch {
	case !r.known:
		return "", ""
	case r.to == nil:
		return Disagrees, fmt.Sprintf("%s does not have %s.", r.file, name)
	case r.open && r.from != nil && r.from.Num == from && r.to.Num == to:
		return Agrees, fmt.Sprintf("%s: %s is not committed and goes from %d back to %d.", name, r.file, from, to)
	case !r.open && r.to.Num == from:
		why = fmt.Sprintf("%s: the next batch starts at %d, the end offset in %s.", name, from, r.file)
		if s, k := l.keptPart(name); k != nil {
			why += " " + keptSays(s, k)
			if k.Latest != nil && k.Latest.Num >= from {
				return Disagrees, why
			}
		}
		return Agrees, why
	}
	return Disagrees, fmt.Sprintf("%s: %s has the end offset %s, but the message goes from %d to %d. The checkpoint has continued since, or this is a different one.", name, r.file, r.to.Text, from, to)
}

// lookKept: does the source have all that the next start reads of it?
func (l *look) lookKept() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	if l.v.Kept == nil || l.telling() != nil {
		return "", ""
	}
	var whole []string
	for i := range l.v.Kept.Sources {
		s := &l.v.Kept.Sources[i]
		if s.Recorded.Kind == nil || !s.Recorded.Kind.Stream {
			continue
		}
		for j := range s.Reads {
			if k := &s.Reads[j]; k.State != checks.Complete && k.State != checks.Joins {
				return CannotTell, "It is unknown whether " + cmp.Or(k.Name, "the source") + " still has all the next start reads: " + keptSays(s, k)
			}
		}
		whole = append(whole, s.ToldBy())
	}
	if whole == nil {
		return "", ""
	}
	return Disagrees, "The source has all the next start reads (" + strings.Join(whole, ", ") + "). It was unreachable for a while, or Spark asked another one."
}

// ---- sets of partitions

// lookGone: does the newest plan have the partitions, and Kafka no longer?
func (l *look) lookGone() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	var away, told, open []string
	for _, x := range l.Parts[:min(len(l.Parts), lookLimit)] {
		name := x.Name()
		r := l.topicRead(name)
		if !r.known {
			return "", ""
		}
		s, k := l.keptPart(name)
		switch {
		case r.to == nil:
			away = append(away, fmt.Sprintf("%s does not have %s", r.file, name))
		case k == nil || k.State != checks.NotThere && k.Earliest == nil && k.Latest == nil: // nothing was told of it
			open = append(open, fmt.Sprintf("%s has %s, read up to %s", r.file, name, r.to.Text))
		case k.State == checks.NotThere:
			return Agrees, fmt.Sprintf("%s has %s, read up to %s. %s", r.file, name, r.to.Text, keptSays(s, k))
		default:
			told = append(told, name+": "+keptSays(s, k))
		}
	}
	switch {
	case len(open) > 0:
		return Agrees, strings.Join(open, "; ") + ": the next start looks for it. The checkpoint does not record whether Kafka still has it."
	case len(told) > 0:
		return Disagrees, strings.Join(told, " ") + " It exists now: it may have been created again, or Spark asked another cluster."
	case len(away) > 0:
		return Disagrees, strings.Join(away, "; ") + ": no start looks for it any more. A later batch continued without it."
	}
	return "", ""
}

// lookFirst: are the partitions new to the query?
func (l *look) lookFirst() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	for _, x := range l.Parts[:min(len(l.Parts), lookLimit)] {
		r := l.topicRead(x.Name())
		switch {
		case !r.known:
			return "", ""
		case r.to != nil:
			return Disagrees, fmt.Sprintf("%s has %s, read up to %s: it is not new to the query any more.", r.file, x.Name(), r.to.Text)
		}
		a, why = Agrees, fmt.Sprintf("%s does not have %s: the query read nothing of it, so no offset of this checkpoint is affected.", r.file, x.Name())
		if s, k := l.keptPart(x.Name()); k != nil {
			why += " " + keptSays(s, k)
		}
	}
	return a, why
}

var addedAt = patternOf(`starts from (\d{1,18}) instead of 0`)

// lookAdded: is the partition new to the query, and does Kafka begin it there?
func (l *look) lookAdded() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	at, ok := number(first(addedAt, chainText(l.Chain)))
	if !ok || len(l.Parts) == 0 {
		return "", ""
	}
	name := l.Parts[0].Name()
	r := l.topicRead(name)
	if !r.known {
		return "", ""
	}
	if _, before := l.names(l.v.Standing.Before)[name]; r.to != nil && (before || !r.open) {
		return Disagrees, fmt.Sprintf("%s has %s, read up to %s: it is not new to the query any more.", r.file, name, r.to.Text)
	}
	s, k := l.keptPart(name)
	switch {
	case k == nil:
		return Agrees, fmt.Sprintf("No committed batch has %s: it is new to the query. The checkpoint does not record whether it starts at %d in Kafka.", name, at)
	case k.Earliest != nil && k.Earliest.Num < at:
		return Disagrees, fmt.Sprintf("%s is new to the query. %s That is before %d.", name, keptSays(s, k), at)
	}
	return Agrees, fmt.Sprintf("%s is new to the query. %s", name, keptSays(s, k))
}

// ---- where a source begins

// lookStart: has the source begun to read? Then its start option does not count.
func (l *look) lookStart() (Agreement, string) {
	if l.cp.Offsets.Err != nil || l.cp.Offsets.Last() >= 0 && len(l.v.Sources) == 0 {
		return "", ""
	}
	if l.cp.Offsets.Last() < 0 {
		return Agrees, "offsets contains no batch: this is the first start of the source, and its start option counts."
	}
	var with []string
	for _, s := range l.v.Sources {
		if !anyKind(s.Kinds, hasTopics) {
			continue
		}
		dir := fmt.Sprintf("sources/%d", s.Index)
		if s.Name != "" {
			dir = "sources/" + s.Name
		}
		in := l.list(dir)
		switch {
		case in.Err != nil:
			l.Unread = true
			return CannotTell, dir + " could not be listed."
		case in.Find("0") == nil:
			return Agrees, dir + "/0, the record of the first start, is missing: then the start option counts again."
		}
		with = append(with, dir+"/0")
	}
	if with == nil {
		return CannotTell, "The newest offset file has no line of a Kafka source. A new source of the query uses its start option."
	}
	return Disagrees, fmt.Sprintf("%s records the first start, and the newest file in offsets is %d. A restart continues from there and ignores the option. The trace is from another checkpoint, or from a new source.", strings.Join(with, ", "), l.cp.Offsets.Last())
}

// ---- Trigger.AvailableNow and an open batch

var (
	fetchedSet = patternOf(`(?s)(?:pre-fetched|latest) offset: (.+?)(?:, topic-partitions for |, )end offset: (.+)`)
	oneAsked   = patternOf(topicPartition + `(?: ?-> ?(\d{1,18}))?`)
)

// lookPrefetched: is a batch open whose plan has other partitions, or later offsets, than were fetched?
func (l *look) lookPrefetched() (Agreement, string) {
	m := fetchedSet.FindStringSubmatch(chainText(l.Chain))
	st := &l.v.Standing
	if m == nil || len(l.Chain[l.At].Message) >= messageLimit || st.Last == nil || st.Last.Plan == nil {
		return "", "" // of a message that was cut, the sets are not whole
	}
	got, end := setOf(m[1]), setOf(m[2])
	var plans []string
	var plan map[string]int64
	for _, o := range linesOf(st.Last, hasTopics) {
		names := partsOf(o)
		if plans = append(plans, few(names)); sameNames(names, end) {
			plan = names
		}
	}
	switch {
	case len(plans) == 0 || len(end) == 0:
		return "", ""
	case st.LastPlanned <= st.LastCommitted:
		return Disagrees, fmt.Sprintf("Every batch up to %d is committed: the next start plans its batch within the offsets it fetches.", st.LastCommitted)
	case plan == nil:
		return Disagrees, fmt.Sprintf("%s is not committed and has the partitions %s, but the message has %s. The trace is from another batch.", st.Last.Plan.File, strings.Join(plans, "; "), few(end))
	}
	differs := apart(got, end)
	if differs == "" {
		return "", ""
	}
	why := fmt.Sprintf("Batch %d is not committed, and %s has the partitions of the message's end offset. Differences: %s.", st.LastPlanned, st.Last.Plan.File, differs)
	for _, name := range slices.Sorted(maps.Keys(got)) {
		s, k := l.keptPart(name)
		if _, planned := plan[name]; k != nil && (!planned || end[name] > got[name]) {
			why += " " + name + ": " + keptSays(s, k)
			break
		}
	}
	return Agrees, why + " A start with this trigger first re-runs the uncommitted batch and fails each time."
}

// setOf are the partitions that a text lists, with their offsets; -1 for none.
func setOf(text string) map[string]int64 {
	all := map[string]int64{}
	for _, m := range oneAsked.FindAllStringSubmatch(text, 1000) {
		at := int64(-1)
		if n, ok := number(m[3]); ok {
			at = n
		}
		all[m[1]+"/"+m[2]] = at
	}
	return all
}

func sameNames(a, b map[string]int64) bool {
	return len(a) == len(b) && apart(a, b, true) == ""
}

// apart is in what two sets differ; "" for nothing.
func apart(fetched, plan map[string]int64, namesOnly ...bool) string {
	var texts []string
	only := func(a, b map[string]int64) map[string]int64 {
		c := maps.Clone(a)
		maps.DeleteFunc(c, func(name string, _ int64) bool { _, ok := b[name]; return ok })
		return c
	}
	if more := only(fetched, plan); len(more) > 0 {
		texts = append(texts, few(more)+" exists only in Kafka")
	}
	if more := only(plan, fetched); len(more) > 0 {
		texts = append(texts, few(more)+" exists only in the offset file")
	}
	for _, name := range slices.Sorted(maps.Keys(plan)) {
		if at, ok := fetched[name]; ok && len(namesOnly) == 0 && plan[name] > at && len(texts) < 4 {
			texts = append(texts, fmt.Sprintf("%s ends at %d in the offset file and at %d in Kafka", name, plan[name], at))
		}
	}
	return strings.Join(texts, ", ")
}

// few are the first names of a set.
func few(set map[string]int64) string {
	return phrase.List(slices.Sorted(maps.Keys(set)), 6)
}
