package basics

import (
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
)

// RecordedNames are the sources of a plan by their own names; nil where they have only positions.
func RecordedNames(recorded []source.Offset) map[string]source.Offset {
	names := map[string]source.Offset{}
	for _, o := range recorded {
		if _, err := strconv.Atoi(o.Name); o.Name != "" && err != nil {
			names[o.Name] = o
		}
	}
	return names
}

// TopicsOf are the topics of a Kafka-shaped line, in its order.
func TopicsOf(o source.Offset) (all []string) {
	for _, p := range o.Parts {
		if i := strings.LastIndexByte(p.Name, '/'); i > 0 && !slices.Contains(all, p.Name[:i]) {
			all = append(all, p.Name[:i])
		}
	}
	return all
}

// Unordered reports whether positions of this kind say nothing by their order. A Kinesis line is where
// its batch starts, and a batch that runs again may move that.
func Unordered(o source.Offset) bool { return o.LogsStart() || o.Likeliest().PartsMove }

// SourceNamed is one source of a plan by its key; None where the plan has none of that key.
func SourceNamed(plan *log.Plan, key string) source.Offset {
	for i, o := range plan.InOrder() {
		if SourceKey(i, o) == key {
			return o
		}
	}
	return source.Offset{None: true}
}

// SourceKey is the name of a source's folder in sources: its own name, or its position in the plan.
func SourceKey(i int, o source.Offset) string {
	if o.Name != "" {
		return o.Name
	}
	return strconv.Itoa(i)
}

// SourceWords tell a source from the others: "source 1 (refunds)", "source refunds".
func SourceWords(key string, o source.Offset) string {
	text := "source " + key
	if id := o.Identity(); id != "" && id != key {
		if len(id) > 60 {
			id = id[:57] + "…"
		}
		text += " (" + id + ")"
	}
	return text
}

// FolderOf is what lies in the folder of a source; nil where it has none.
func FolderOf(p *checks.Pass, key string) *checkpoint.SourceFolder {
	for i := range p.Survey.Folders {
		if f := &p.Survey.Folders[i]; f.Name == "sources/"+key {
			return f
		}
	}
	return nil
}

// FileSource reports whether a source is a file source: its line says so and can say nothing else, or
// its folder holds the log of one.
func FileSource(p *checks.Pass, key string, o source.Offset) bool {
	if o.Likeliest() == source.File && !o.Ambiguous() {
		return true
	}
	f := FolderOf(p, key)
	return f != nil && f.IsLog()
}

// LogOffset is the entry that a file source's line names; ok is false where it names none.
func LogOffset(o source.Offset) (id int64, ok bool) {
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

// SourceMove is one source in two plans that follow each other.
type SourceMove struct {
	Key    string
	From   source.Offset // as of the newest plan before that has one; None where none has
	AsOf   string        // the file of that plan: "offsets/7"
	To     source.Offset // may be None
	Before source.Offset // as the plan just before has it; may be None
}

// SourceMoves follows every source through the plans. It starts again where plans are missing, unless
// asynchronous progress tracking left them out: offsets grow over its holes too. All checks of one run
// share it: the first that asks for a batch makes the step.
type SourceMoves struct {
	p      *checks.Pass
	async  bool
	before *log.Plan
	batch  int64
	last   map[string]SourceMove // by key; to and asOf of the newest plan with an offset

	at    *checkpoint.Batch // the batch of the last step
	steps []SourceMove      // of that batch; the next one writes over it
}

// FollowSources is how the sources moved, for a walk over all batches.
func FollowSources(p *checks.Pass) *SourceMoves {
	return checks.Note(p, func() *SourceMoves { return &SourceMoves{p: p, async: AsyncHoles(p), last: map[string]SourceMove{}} })
}

// Step is what each source did in b: those that the plan before has as well, in plan order. Nothing
// where the plan does not decode, or where the number of unnamed sources changed and none can be told.
// What it returns is good until the step of another batch.
func (m *SourceMoves) Step(b *checkpoint.Batch) []SourceMove {
	if m.at != b {
		m.at, m.steps = b, m.next(b, m.steps[:0])
	}
	return m.steps
}

// next appends the step of b to all.
func (m *SourceMoves) next(b *checkpoint.Batch, all []SourceMove) []SourceMove {
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
		key := SourceKey(i, o)
		last, known := m.last[key]
		if known {
			all = append(all, SourceMove{Key: key, From: last.To, AsOf: last.AsOf, To: o, Before: SourceOf(before, i, o.Name)})
		}
		if !o.None {
			m.last[key] = SourceMove{To: o, AsOf: plan.File}
		}
	}
	return all
}

// SameSource reports whether two offsets can be of one source: some kind writes both shapes, and what
// they record of the table, stream or topics is not another one altogether.
func SameSource(a, b source.Offset) bool { return SameKind(a, b) && !OtherIdentity(a, b) }

func SameKind(a, b source.Offset) bool {
	if len(a.Kinds) == 0 || len(b.Kinds) == 0 {
		return len(a.Kinds) == len(b.Kinds) || NoTopics(a) && b.Likeliest().Topics || a.Likeliest().Topics && NoTopics(b)
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

// NoTopics reports whether a line is {}: a Kafka pattern that no topic matches.
func NoTopics(o source.Offset) bool { return o.Line.Kind == decode.Object && len(o.Line.Fields) == 0 }

// OtherIdentity reports whether two offsets record different tables or streams, or no topic in common.
func OtherIdentity(a, b source.Offset) bool {
	x, y := a.Identity(), b.Identity()
	if x == "" || y == "" || x == y {
		return false
	}
	names := strings.Split(x, ", ")
	return !slices.ContainsFunc(strings.Split(y, ", "), func(name string) bool { return slices.Contains(names, name) })
}

// SamePositions reports whether two offsets are at the same positions, however they are written.
func SamePositions(a, b source.Offset) bool {
	if a.Raw == b.Raw {
		return true
	}
	if a.None || b.None || len(a.Parts) != len(b.Parts) || len(a.Parts) == 0 {
		return false
	}
	find := PartFinder(a)
	for i, p := range b.Parts {
		if q, ok := find(i, p.Name); !ok || q.Text != p.Position.Text {
			return false
		}
	}
	return true
}

// PartFinder finds the parts of an offset by name. Most plans list ten thousand partitions in one and the
// same order, so it reads the given place first.
func PartFinder(o source.Offset) func(i int, name string) (source.Position, bool) {
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

// PartPrefix puts the name of a part before what is said of it: "orders/0: ", or nothing for the only one.
func PartPrefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ": "
}

// ComparesParts reports whether parts of the two offsets can be compared: of one source, both read to
// their ends, of a kind whose parts stay (shards of a stream are split and merged all the time).
func ComparesParts(s SourceMove) bool {
	return !s.To.None && s.From.Problem == nil && s.To.Problem == nil && SameSource(s.From, s.To) && !Unordered(s.From) && !Unordered(s.To)
}

// PartsOnlyIn are the parts that a has and b has not, in the order of a. A source of one part without a
// name has no partitions.
func PartsOnlyIn(a, b source.Offset) []source.Part {
	find := PartFinder(b)
	var only []source.Part
	for i, p := range a.Parts {
		if _, ok := find(i, p.Name); !ok && p.Name != "" {
			only = append(only, p)
		}
	}
	return only
}
