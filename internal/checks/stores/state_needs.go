package stores

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Need is one state store that the next start loads, and the files of the version it loads.
type Need struct {
	Op        *statestore.Operator
	partition int
	name      string            // of the store
	store     *statestore.Store // nil where its folder is not there
	Dir       string            // where it lies, or would lie
	Chain     state.Chain
	rules     state.Rules
}

// Path is where a file of the store lies, or would lie.
func (n *Need) Path(name string) string { return path.Join(n.Dir, name) }

// StartVersion is the state version that the next start loads: L+1 where L is committed, else L. With
// nothing planned it is 0, the empty one. ok is false where a log could not be listed.
func StartVersion(p *checks.Pass) (version int64, ok bool) {
	if p.Offsets.Err != nil || p.Commits.Err != nil || p.State.Err != nil {
		return 0, false
	}
	l, c := p.Survey.Standing.LastPlanned, p.Survey.Standing.LastCommitted
	switch {
	case l < 0:
		return 0, true
	case l == c:
		return l + 1, true
	}
	return l, true
}

// Needs yields every store that the next start loads, by operator, partition and store. Where a
// folder could not be listed nothing is known of its stores, and they are left out.
func Needs(p *checks.Pass) iter.Seq[Need] {
	return func(yield func(Need) bool) {
		version, ok := StartVersion(p)
		if !ok || version <= 0 || basics.Continuous(p) {
			return
		}
		for i := range p.Survey.State {
			op := &p.Survey.State[i]
			if op.Err != nil || !Judged(p, op, version) {
				continue
			}
			names := storeNames(op)
			for id := range PartitionCount(p, op) {
				for n := range operatorNeeds(p, op, id, names, version) {
					if !yield(n) {
						return
					}
				}
			}
		}
	}
}

func operatorNeeds(p *checks.Pass, op *statestore.Operator, id int, names []string, version int64) iter.Seq[Need] {
	return func(yield func(Need) bool) {
		part := op.Partition(id)
		if part != nil && part.Err != nil {
			return
		}
		for _, name := range names {
			n := Need{Op: op, partition: id, name: name, Dir: path.Join(op.Dir, strconv.Itoa(id))}
			if name != "default" {
				n.Dir = path.Join(n.Dir, name)
			}
			if part != nil {
				n.store = part.Store(name)
			}
			if n.store != nil && n.store.Err != nil {
				continue
			}
			n.rules = stateRules(p, &n, version)
			n.Chain = state.ChainOf(n.Files(), version, n.rules)
			if !yield(n) {
				return
			}
		}
	}
}

func (n *Need) Files() []state.File {
	if n.store == nil {
		return nil
	}
	return n.store.Files
}

// stateRules are how the release picks the files of a store. The ids in their names, in checkpoint format
// 2, are those of the lineage as far as it was read with the files that are loaded, else what commits record
// of each version.
func stateRules(p *checks.Pass, n *Need, version int64) state.Rules {
	r := state.Rules{Repairs: repairs(p)}
	r.Broken = func(f state.File) bool {
		c := n.Contents(p, f)
		return c != nil && !c.Loads()
	}
	recorded := p.Survey.StateIDs(n.Op.ID, n.partition, n.name, version)
	if recorded == nil {
		return r
	}
	r.ID = recorded
	own, known := recorded(version)
	if !known {
		return r
	}
	lineage, _ := state.Lineage(n.Files(), version, own, r, func(f state.File) ([]state.Link, error) {
		if c := n.Contents(p, f); c != nil {
			return c.Lineage, nil
		}
		return nil, ErrUnread
	})
	r.ID = func(version int64) (string, bool) {
		if id, known := lineage[version]; known {
			return id, true
		}
		return recorded(version)
	}
	return r
}

// repairs reports whether the start passes over a snapshot that does not load and takes an older one: 4.2
// and later do, unless the query switches it off.
func repairs(p *checks.Pass) bool {
	off := p.Spec != nil && strings.EqualFold(strings.TrimSpace(p.Spec.Conf["spark.sql.streaming.stateStore.autoSnapshotRepair.enabled"]), "false")
	return p.Spark.AtLeast(spark.Version{Major: 4, Minor: 2}) && !off
}

// storeNames are the stores that every partition of the operator has.
func storeNames(op *statestore.Operator) []string {
	names := op.StoreNames()
	if op.Metadata != nil && len(op.Metadata.Problems) == 0 {
		for _, s := range op.Metadata.Stores {
			known := s.Name == "default" || slices.Contains(statestore.JoinStores, s.Name) // a start asks for no other, whatever is recorded
			if known && !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	for _, name := range names {
		if slices.Contains(statestore.JoinStores, name) {
			return statestore.JoinStores
		}
	}
	if len(names) == 0 {
		return []string{"default"}
	}
	slices.Sort(names)
	return names
}

// PartitionCount is how many partitions the start loads, numbered from 0: as the newest plan pins it,
// else as it is recorded or there.
func PartitionCount(p *checks.Pass, op *statestore.Operator) int {
	there := 0
	if n := len(op.Partitions); n > 0 {
		there = min(op.Partitions[n-1].ID+1, mostPartitions)
	}
	n, pinned := pinnedPartitions(p)
	switch {
	case !pinned && op.Recorded > 0:
		n = op.Recorded
	case !pinned:
		return there
	}
	if there == 1 && n > 1 && OnePartition(op) {
		return 1
	}
	return n
}

// mostPartitions is how many partitions an operator is taken to have: a folder may be named with any number,
// and a setting may hold any.
const mostPartitions = 1 << 20

// pinnedPartitions is the number of partitions that the newest plan pins.
func pinnedPartitions(p *checks.Pass) (int, bool) { return pinnedIn(p.Survey.Standing.Last) }

// pinnedIn is the number of partitions that the plan of a batch pins; ok is false where it pins none, or one that cannot be.
func pinnedIn(b *checkpoint.Batch) (n int, ok bool) {
	if b == nil || b.Plan == nil {
		return 0, false
	}
	text, ok := b.Plan.Conf[basics.ConfStatePartitions]
	if !ok {
		text = b.Plan.Conf[basics.ConfPartitions]
	}
	v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	return int(v), err == nil && v > 0 && v <= mostPartitions
}

// OnePartition reports whether an operator of which only partition 0 is there may be one that has no
// more: a global aggregation or limit. Without a schema that cannot be told.
func OnePartition(op *statestore.Operator) bool {
	switch op.Name {
	case "globalLimit":
		return true
	case "symmetricHashJoin", "transformWithStateExec", "transformWithStateInPandasExec", "transformWithStateInPySparkExec":
		return false
	}
	return len(op.Schemas) == 0 || op.Schemas[0].OnePartition()
}

// Judged reports whether the query runs this operator, as far as its folder shows. A folder that holds
// a single version and that nothing recorded, where others are recorded, was put there by someone; Spark
// does not look at it.
func Judged(p *checks.Pass, op *statestore.Operator, version int64) bool {
	if ids := CommittedIDs(p); len(ids) > 0 {
		_, ok := ids[strconv.Itoa(op.ID)]
		return ok
	}
	recorded := func(o *statestore.Operator) bool { return o.Metadata != nil || len(o.Schemas) > 0 }
	if recorded(op) || !slices.ContainsFunc(p.Survey.State, func(o statestore.Operator) bool { return recorded(&o) }) {
		return true
	}
	for _, part := range op.Partitions {
		for _, s := range part.Stores {
			if n := len(s.Files); n > 0 && (s.Files[0].Version != s.Files[n-1].Version || version == 1) {
				return true
			}
		}
	}
	return len(op.Partitions) == 0
}

// CommittedIDs are the ids of state files that the newest commit records, by operator; nil in
// checkpoint format 1.
func CommittedIDs(p *checks.Pass) map[string][][]string {
	if c := p.Survey.Standing.Committed; c != nil && c.Commit != nil {
		return c.Commit.StateUniqueIDs
	}
	return nil
}

// Provider is who wrote a store: as its operator's files show, else as the newest plan pins it.
func Provider(p *checks.Pass, op *statestore.Operator) string {
	if op != nil && op.Provider != "" {
		return op.Provider
	}
	if last := p.Survey.Standing.Last; last != nil && last.Plan != nil && strings.Contains(last.Plan.Conf[basics.ConfProvider], "RocksDB") {
		return "rocksdb"
	}
	return "hdfs"
}

// MissingFile is the name of the file that Spark asks for first: of the lowest missing version.
func (n *Need) MissingFile(p *checks.Pass) string { return n.StepName(p, n.Chain.Missing[0].From) }

// StepName is the name of the file that Spark asks for where a version has none.
func (n *Need) StepName(p *checks.Pass, v int64) string {
	id := ""
	if n.rules.ID != nil {
		id, _ = n.rules.ID(v)
	}
	role := state.Delta
	if Provider(p, n.Op) == "rocksdb" {
		role = state.Zip
		if slices.ContainsFunc(n.Files(), func(f state.File) bool { return f.Role == state.Changelog }) {
			role = state.Changelog
		}
	}
	return state.Name(v, id, role)
}

// NotThere returns Spark's condition for a state file of an operator that is not there; op may be nil.
func NotThere(s *basics.Start, op *statestore.Operator) string {
	if Provider(s.Pass, op) == "rocksdb" {
		return s.Since(4, 0, "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE", "does not exist")
	}
	return s.Since(4, 0, "CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS", "does not exist")
}

// UnlistedState is a folder of state that the start needs and that could not be listed.
func UnlistedState(p *checks.Pass) (checkpoint.Unread, bool) {
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if op.Err != nil {
			return checkpoint.Unread{Name: op.Dir, List: true, Err: op.Err}, true
		}
		for _, part := range op.Partitions {
			if part.Err != nil {
				return checkpoint.Unread{Name: fmt.Sprintf("%s/%d", op.Dir, part.ID), List: true, Err: part.Err}, true
			}
			for _, st := range part.Stores {
				if st.Err != nil {
					return checkpoint.Unread{Name: st.Dir, List: true, Err: st.Err}, true
				}
			}
		}
	}
	return checkpoint.Unread{}, false
}

// KeepsState is evidence that the query is stateful where the folder of no operator shows it; "" where
// there is none.
func KeepsState(p *checks.Pass) string {
	if len(CommittedIDs(p)) > 0 {
		return fmt.Sprintf("%s records the IDs of its state files", basics.LogName(&p.Commits, p.Commits.Last()))
	}
	if e := p.Root.Find("state"); p.Spec != nil && len(p.Spec.Operators) > 0 && e != nil && e.Dir {
		return "the query is stateful (" + basics.DeclaredNames(p.Spec.Operators) + ")" // and Spark makes no folder for state where there is none
	}
	standing := p.Survey.Standing
	if noData(standing.Before, standing.Last) {
		return noDataBatch(p, standing.Last)
	}
	for id := range p.Offsets.IDs() {
		if b := p.Survey.Kept(id); noData(p.Survey.Kept(id-1), b) {
			return noDataBatch(p, b)
		}
	}
	return ""
}

func noDataBatch(p *checks.Pass, b *checkpoint.Batch) string {
	return fmt.Sprintf("batch %d reads nothing and advances the watermark (%s): Spark runs such a batch only for state", b.ID, basics.LogName(&p.Offsets, b.ID))
}

// noData reports whether b reads nothing and only moves the watermark on. Spark plans such a batch
// only where a stateful operator asks for it.
func noData(before, b *checkpoint.Batch) bool {
	if before == nil || b == nil || before.Plan == nil || b.Plan == nil || len(before.Plan.Problems)+len(b.Plan.Problems) > 0 {
		return false
	}
	if len(b.Plan.Sources) == 0 || len(b.Plan.Sources) != len(before.Plan.Sources) || b.Plan.Watermark <= before.Plan.Watermark {
		return false
	}
	for i, s := range b.Plan.Sources {
		if w := before.Plan.Sources[i]; s.Raw != w.Raw || s.Name != w.Name {
			return false
		}
	}
	return true
}
