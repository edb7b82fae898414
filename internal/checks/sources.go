package checks

import (
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// sourceKey is the name of a source's folder in sources: its own name, or its position in the plan.
func sourceKey(i int, o source.Offset) string {
	if o.Name != "" {
		return o.Name
	}
	return strconv.Itoa(i)
}

// sourceWords tell a source from the others: "source 1 (refunds)", "source refunds".
func sourceWords(key string, o source.Offset) string {
	text := "source " + key
	if id := o.Identity(); id != "" && id != key {
		if len(id) > 60 {
			id = id[:57] + "…"
		}
		text += " (" + id + ")"
	}
	return text
}

// folderOf is what lies in the folder of a source; nil where it has none.
func folderOf(p *Pass, key string) *checkpoint.SourceFolder {
	for i := range p.Survey.Folders {
		if f := &p.Survey.Folders[i]; f.Name == "sources/"+key {
			return f
		}
	}
	return nil
}

// fileSource reports whether a source is a file source: its line says so and can say nothing else, or
// its folder holds the log of one.
func fileSource(p *Pass, key string, o source.Offset) bool {
	if o.Likeliest() == source.File && !o.Ambiguous() {
		return true
	}
	f := folderOf(p, key)
	return f != nil && f.IsLog()
}

// logOffset is the entry that a file source's line names; ok is false where it names none.
func logOffset(o source.Offset) (id int64, ok bool) {
	if id, ok = o.Line.Int(); ok {
		return id, true
	}
	f, found := o.Line.Get("logOffset")
	if !found || o.Line.Repeats("logOffset") {
		return 0, false
	}
	id, _, ok = f.Long()
	return id, ok
}

// move is one source in two plans that follow each other.
type move struct {
	key    string
	from   source.Offset // as of the newest plan before that has one; None where none has
	asOf   string        // the file of that plan: "offsets/7"
	to     source.Offset // may be None
	before source.Offset // as the plan just before has it; may be None
}

// moves follows every source through the plans. It starts anew where plans are missing, unless
// asynchronous progress tracking left them out: offsets grow over its holes too. All checks of one run
// share it: the first that asks for a batch makes the step.
type moves struct {
	p      *Pass
	async  bool
	before *log.Plan
	batch  int64
	last   map[string]move // by key; to and asOf of the newest plan with an offset

	at    *checkpoint.Batch // the batch of the last step
	steps []move            // of that batch; the next one writes over it
}

// followSources is how the sources moved, for a walk over all batches.
func followSources(p *Pass) *moves {
	return Note(p, func() *moves { return &moves{p: p, async: asyncHoles(p), last: map[string]move{}} })
}

// step is what each source did in b: those that the plan before has as well, in plan order. Nothing
// where the plan does not decode, or where the number of unnamed sources changed and none can be told.
// What it returns is good until the step of another batch.
func (m *moves) step(b *checkpoint.Batch) []move {
	if m.at != b {
		m.at, m.steps = b, m.next(b, m.steps[:0])
	}
	return m.steps
}

// next appends the step of b to all.
func (m *moves) next(b *checkpoint.Batch, all []move) []move {
	plan := b.Plan
	if plan == nil || len(plan.Sources) == 0 || plan.Version == 0 {
		return all
	}
	before := m.before
	gap := before != nil && b.ID != m.batch+1 && !m.async
	m.before, m.batch = plan, b.ID
	if before == nil || gap || plan.Version < 2 && len(before.Sources) != len(plan.Sources) {
		clear(m.last)
	}
	for i, o := range plan.InOrder() {
		key := sourceKey(i, o)
		last, known := m.last[key]
		if known {
			all = append(all, move{key: key, from: last.to, asOf: last.asOf, to: o, before: sourceOf(before, i, o.Name)})
		}
		if !o.None {
			m.last[key] = move{to: o, asOf: plan.File}
		}
	}
	return all
}

// sameSource reports whether two offsets can be of one source: some kind writes both shapes, and what
// they record of the table, stream or topics is not another one altogether.
func sameSource(a, b source.Offset) bool { return sameKind(a, b) && !otherIdentity(a, b) }

func sameKind(a, b source.Offset) bool {
	if len(a.Kinds) == 0 || len(b.Kinds) == 0 {
		return len(a.Kinds) == len(b.Kinds) || noTopics(a) && b.Likeliest().Topics || a.Likeliest().Topics && noTopics(b)
	}
	for _, k := range a.Kinds {
		for _, l := range b.Kinds {
			if k == l || k.Is(l.Name) || l.Is(k.Name) || slices.Contains(l.Follows, k) {
				return true
			}
		}
	}
	return false
}

// noTopics reports whether a line is {}: a Kafka pattern that no topic matches.
func noTopics(o source.Offset) bool { return o.Line.Kind == decode.Object && len(o.Line.Fields) == 0 }

// otherIdentity reports whether two offsets record different tables or streams, or no topic in common.
func otherIdentity(a, b source.Offset) bool {
	x, y := a.Identity(), b.Identity()
	if x == "" || y == "" || x == y {
		return false
	}
	names := strings.Split(x, ", ")
	return !slices.ContainsFunc(strings.Split(y, ", "), func(name string) bool { return slices.Contains(names, name) })
}

// equal reports whether two offsets are at the same positions, however they are written.
func equal(a, b source.Offset) bool {
	if a.Raw == b.Raw {
		return true
	}
	if a.None || b.None || len(a.Parts) != len(b.Parts) || len(a.Parts) == 0 {
		return false
	}
	find := finder(a)
	for i, p := range b.Parts {
		if q, ok := find(i, p.Name); !ok || q.Text != p.Position.Text {
			return false
		}
	}
	return true
}

// finder finds the parts of an offset by name. Most plans list ten thousand partitions in one and the
// same order, so it looks at the given place first.
func finder(o source.Offset) func(i int, name string) (source.Position, bool) {
	var byName map[string]source.Position
	return func(i int, name string) (source.Position, bool) {
		if i < len(o.Parts) && o.Parts[i].Name == name {
			return o.Parts[i].Position, true
		}
		if byName == nil {
			byName = make(map[string]source.Position, len(o.Parts))
			for _, p := range o.Parts {
				byName[p.Name] = p.Position
			}
		}
		p, ok := byName[name]
		return p, ok
	}
}

// partOf puts the name of a part before what is said of it: "orders/0: ", or nothing for the only one.
func partOf(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// comparesParts reports whether parts of the two offsets can be compared: of one source, both read to
// their ends, of a kind whose parts stay (shards of a stream are split and merged all the time).
func comparesParts(s move) bool {
	return !s.to.None && s.from.Problem == nil && s.to.Problem == nil && sameSource(s.from, s.to) && !unordered(s.from) && !unordered(s.to)
}

// partsOnlyIn are the parts that a has and b has not, in the order of a. A source of one part without a
// name has no partitions.
func partsOnlyIn(a, b source.Offset) []source.Part {
	find := finder(b)
	var only []source.Part
	for i, p := range a.Parts {
		if _, ok := find(i, p.Name); !ok && p.Name != "" {
			only = append(only, p)
		}
	}
	return only
}
