package statestore

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// Operator is one stateful operator as its folder in state shows it.
type Operator struct {
	ID       int
	Dir      string // within the checkpoint: "state/0"
	Name     string // as Spark's operator metadata has it: "stateStoreSave"; "" where nothing tells
	Guessed  bool   // Name is a guess from the folders, the schema and rows, because nothing recorded it
	Provider string // "hdfs" or "rocksdb", from the files that are there; "" where there are none
	// Recorded is the number of partitions, as the operator metadata records it; 0 where there is none. The
	// record of an aggregation over everything or a global limit counts partitions that never get a folder:
	// here it is 1.
	Recorded int
	Metadata *log.OperatorMetadata // the newest; nil where there is none (before 4.0), or it could not be fetched
	Schemas  []*state.Schema       // the schema files below partition 0, in the order of its stores
	// InputRow are the columns that the schema file of a deduplication gives as its value before SPARK-39650 (3.2.2, 3.3.1): the
	// whole input row. Its rows have one null column, which Schemas has in their place. nil elsewhere.
	InputRow   []state.Field
	Current    []*state.Schema // those beside the partitions that its newest metadata names (4.0 on), the last of each store
	Older      []*state.Schema // the others that it names, of each store oldest first
	Lacking    []string        // the files among all these that are not there, or could not be had (see Survey.Unread)
	Partitions []Partition     // by id
	Err        error           // why its folder could not be listed, or not to its end; nil when it was
}

// Partition is the folder of one partition of one operator.
type Partition struct {
	ID     int
	Stores []Store // "default", or the four of a join, in byte order of name; none in an empty folder
	Err    error   // why it could not be listed, or not to its end; nil when it was
}

// Store is one state store: the files of one partition under one name.
type Store struct {
	Name   string          // "default" for the only one
	Dir    string          // within the checkpoint: "state/0/1", "state/0/1/left-keyToNumValues"
	Files  []state.File    // by version, then role, then id; their checksum files are marked on them
	Others []storage.Entry // all else, in byte order: temporary files, folders, odd names, checksums of nothing
	Err    error           // why it could not be listed, or not to its end; nil when it was
}

// Path is where a file of the store lies within the checkpoint.
func (s *Store) Path(f state.File) string { return path.Join(s.Dir, f.Name()) }

// Problems are what did not decode in the operator's metadata and schema files.
func (o *Operator) Problems() (all []*decode.Error) {
	if o.Metadata != nil {
		all = append(all, o.Metadata.Problems...)
	}
	for _, s := range slices.Concat(o.Schemas, o.Current, o.Older) {
		all = append(all, s.Problems...)
	}
	return all
}

// StoreNames are the names of the stores that its partitions have, in byte order.
func (o *Operator) StoreNames() []string {
	var names []string
	for _, p := range o.Partitions {
		for _, s := range p.Stores {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Partition is the partition with this id, or nil.
func (o *Operator) Partition(id int) *Partition {
	i, ok := slices.BinarySearchFunc(o.Partitions, id, func(p Partition, id int) int { return cmp.Compare(p.ID, id) })
	if !ok {
		return nil
	}
	return &o.Partitions[i]
}

// Store is the store with this name, or nil.
func (p *Partition) Store(name string) *Store {
	for i := range p.Stores {
		if p.Stores[i].Name == name {
			return &p.Stores[i]
		}
	}
	return nil
}

// Survey is the survey of a checkpoint, with what lies in its state.
type Survey struct {
	checkpoint.Survey
	State []Operator // the folders in state, by operator id
}

// ReadSurvey looks at all of a checkpoint, state beside the rest. Its error means that nothing more will be read; what was
// found before comes back beside it.
func ReadSurvey(ctx context.Context, c *checkpoint.Checkpoint) (*Survey, error) {
	var operators []Operator
	survey, err := c.Survey(ctx, func(ctx context.Context, note func(...checkpoint.Unread)) (err error) {
		operators, err = listOperators(ctx, c, note)
		return err
	})
	if err == nil {
		err = nameByRows(ctx, c, operators, confOf(survey.Standing.Last))
	}
	return &Survey{Survey: *survey, State: operators}, err
}

// confOf are the settings that a batch pins; nil where its offset file does not show them.
func confOf(b *checkpoint.Batch) map[string]string {
	if b == nil || b.Plan == nil {
		return nil
	}
	return b.Plan.Conf
}

// errUnlisted stands in Err until a folder has been listed.
var errUnlisted = errors.New("not listed: the listing was stopped before it")

// smallLimit is how many bytes of operator metadata and schema are read whole.
const smallLimit = 16 << 20

// listOperators lists what lies in state, level by level, each level side by side: operators,
// partitions, and the folders of stores where a partition has several. Of files it reads the operator
// metadata and the schemas below partition 0.
func listOperators(ctx context.Context, c *checkpoint.Checkpoint, note func(...checkpoint.Unread)) ([]Operator, error) {
	s := &lister{c: c, note: note}
	for _, e := range c.State.Entries {
		if id, ok := number(e); ok {
			s.ops = append(s.ops, Operator{ID: id, Dir: path.Join("state", e.Name), Err: errUnlisted})
		}
	}
	slices.SortFunc(s.ops, func(a, b Operator) int { return cmp.Compare(a.ID, b.ID) })
	err := s.operators(ctx)
	if err == nil {
		err = s.partitions(ctx)
	}
	if err == nil {
		err = s.stores(ctx)
	}
	if err == nil {
		err = s.current(ctx)
	}
	for i := range s.ops {
		s.ops[i].conclude()
	}
	return s.ops, err
}

type lister struct {
	c    *checkpoint.Checkpoint
	note func(...checkpoint.Unread)
	ops  []Operator

	tasks []func(context.Context) (taken func() error, err error) // of the level that is gathered
}

// run does the tasks of a level side by side, and what each of them found in their order.
func (s *lister) run(ctx context.Context) error {
	tasks := s.tasks
	s.tasks = nil
	for taken, err := range storage.ParallelMap(ctx, checkpoint.ReadsAhead, slices.Values(tasks),
		func(ctx context.Context, task func(context.Context) (func() error, error)) (func() error, error) {
			return task(ctx)
		}) {
		if err == nil {
			err = taken()
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// list adds a listing to the level; found gets it, with what went wrong in its Err.
func (s *lister) list(dir string, found func(checkpoint.Listing)) {
	s.tasks = append(s.tasks, func(ctx context.Context) (func() error, error) {
		l := s.c.List(ctx, dir)
		return func() error {
			if l.Err != nil {
				s.note(checkpoint.Unread{Name: dir, List: true, Err: l.Err})
			}
			found(l)
			if checkpoint.Stopped(l.Err) {
				return l.Err
			}
			return nil
		}, nil
	})
}

// read adds a small file to the level; found gets its bytes. A file that is not there is none.
func (s *lister) read(name string, found func([]byte)) {
	s.tasks = append(s.tasks, func(ctx context.Context) (func() error, error) {
		data, err := s.c.Read(ctx, name, smallLimit)
		return func() error {
			switch {
			case err == nil:
				found(data)
			case errors.Is(err, fs.ErrNotExist):
			default:
				s.note(checkpoint.Unread{Name: name, Err: err})
				if checkpoint.Stopped(err) {
					return err
				}
			}
			return nil
		}, nil
	})
}

func (s *lister) operators(ctx context.Context) error {
	for i := range s.ops {
		op := &s.ops[i]
		s.list(op.Dir, func(l checkpoint.Listing) {
			op.Err = l.Err
			for _, e := range l.Entries {
				if id, ok := number(e); ok {
					op.Partitions = append(op.Partitions, Partition{ID: id, Err: errUnlisted})
				}
			}
			slices.SortFunc(op.Partitions, func(a, b Partition) int { return cmp.Compare(a.ID, b.ID) })
			if e := l.Find("_metadata"); e != nil && e.Dir {
				op.Metadata = new(log.OperatorMetadata) // there is some; replaced when it is read
			}
		})
	}
	return s.run(ctx)
}

func (s *lister) partitions(ctx context.Context) error {
	newest := make([]string, len(s.ops)) // the newest metadata of version 2, by operator
	for i := range s.ops {
		op := &s.ops[i]
		if op.Metadata != nil {
			op.Metadata = nil
			name := path.Join(op.Dir, "_metadata", "metadata")
			s.read(name, func(data []byte) { op.Metadata = log.ParseOperatorMetadata(name, data) })
			s.list(path.Join(op.Dir, "_metadata", "v2"), func(l checkpoint.Listing) {
				if d := l.Numbered(); len(d.Files) > 0 {
					newest[i] = path.Join(l.Name, d.Files[len(d.Files)-1].Name)
				}
			})
		}
		for j := range op.Partitions {
			p := &op.Partitions[j]
			s.list(path.Join(op.Dir, strconv.Itoa(p.ID)), func(l checkpoint.Listing) { s.partition(op, p, l) })
		}
	}
	if err := s.run(ctx); err != nil {
		return err
	}
	for i, name := range newest {
		if op := &s.ops[i]; name != "" {
			s.read(name, func(data []byte) { op.Metadata = log.ParseOperatorMetadata(name, data) })
		}
	}
	return nil
}

// partition takes in the listing of a partition: the files of the store "default", or the folders of
// several stores, which are for the next level.
func (s *lister) partition(op *Operator, p *Partition, l checkpoint.Listing) {
	p.Err = l.Err
	var named []Store
	for _, e := range l.Entries {
		if e.Dir && !hidden(e.Name) && e.Name != "SSTs" && e.Name != "logs" {
			named = append(named, Store{Name: e.Name, Dir: path.Join(l.Name, e.Name), Err: errUnlisted})
		}
	}
	only := newStore("default", l)
	if len(only.Files) > 0 || len(named) == 0 && (len(only.Others) > 0 || l.Err != nil) {
		named = append(named, only)
		s.schema(op, p, l)
	}
	slices.SortFunc(named, func(a, b Store) int { return strings.Compare(a.Name, b.Name) })
	p.Stores = named
	for i := range p.Stores {
		if st := &p.Stores[i]; st.Dir != l.Name {
			s.list(st.Dir, func(l checkpoint.Listing) {
				*st = newStore(st.Name, l)
				s.schema(op, p, l)
			})
		}
	}
}

// schema adds the schema of a store of partition 0 to the level, where its folder has one.
func (s *lister) schema(op *Operator, p *Partition, l checkpoint.Listing) {
	if e := l.Find("_metadata"); p.ID == 0 && e != nil && e.Dir {
		name := path.Join(l.Name, "_metadata", "schema")
		s.read(name, func(data []byte) { op.Schemas = append(op.Schemas, state.ParseSchema(name, data)) })
	}
}

// stores runs what the levels before it left: the folders of stores, schemas, newer metadata, and
// then the schemas in those folders.
func (s *lister) stores(ctx context.Context) error {
	for len(s.tasks) > 0 {
		if err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// newStore is a store from the listing of its folder.
func newStore(name string, l checkpoint.Listing) Store {
	s := Store{Name: name, Dir: l.Name, Err: l.Err}
	sums := map[string]state.Sums{}
	for _, e := range l.Entries {
		f, ok := state.ParseName(e.Name)
		if of, sum := state.ParseSum(e.Name); sum != 0 && !e.Dir {
			sums[of] |= sum
			s.Others = append(s.Others, e)
			continue
		}
		if !ok || e.Dir {
			s.Others = append(s.Others, e)
			continue
		}
		f.Size = e.Size
		if !e.Modified.IsZero() {
			f.Modified = e.Modified.UnixMilli()
		}
		s.Files = append(s.Files, f)
	}
	state.Sort(s.Files)
	if len(sums) > 0 {
		for i := range s.Files {
			of := s.Files[i].Name()
			s.Files[i].Sums = sums[of]
			sums[of] = 0
		}
		s.Others = slices.DeleteFunc(s.Others, func(e storage.Entry) bool {
			of, sum := state.ParseSum(e.Name)
			return sum != 0 && sums[of] == 0
		})
	}
	s.Files, s.Others = slices.Clip(s.Files), slices.Clip(s.Others)
	return s
}

// conclude fills in what the files tell together.
func (o *Operator) conclude() {
	rocks, hdfs := 0, 0
	for _, p := range o.Partitions {
		for _, s := range p.Stores {
			for _, f := range s.Files {
				if f.Role.RocksDB() {
					rocks++
				} else {
					hdfs++
				}
			}
		}
	}
	switch {
	case rocks > hdfs:
		o.Provider = "rocksdb"
	case hdfs > 0:
		o.Provider = "hdfs"
	}
	slices.SortFunc(o.Schemas, func(a, b *state.Schema) int { return strings.Compare(a.File, b.File) })
	if o.Metadata != nil {
		o.Name = o.Metadata.Name
		for _, s := range o.Metadata.Stores {
			if s.Partitions <= 1<<20 {
				o.Recorded = max(o.Recorded, int(s.Partitions))
			}
		}
	}
	if len(o.Schemas) == 1 && o.Schemas[0].OnePartition() && len(o.Partitions) == 1 {
		o.Recorded = min(o.Recorded, 1)
	}
	if o.Name == "" {
		o.Name = o.guess()
		o.Guessed = o.Name != ""
	}
}

// guess is the operator's name from its store folders, or from the schema of its only store.
func (o *Operator) guess() string {
	for _, name := range o.StoreNames() {
		if strings.HasPrefix(name, "left-") || strings.HasPrefix(name, "right-") {
			return "symmetricHashJoin"
		}
	}
	if len(o.Schemas) == 1 {
		return o.Schemas[0].Guess()
	}
	return ""
}

// number is the id that a folder is named with, as Spark writes it.
func number(e storage.Entry) (int, bool) {
	id, err := strconv.ParseInt(e.Name, 10, 32)
	return int(id), e.Dir && err == nil && id >= 0 && strconv.FormatInt(id, 10) == e.Name
}

// hidden reports whether Spark passes over a name when it lists a folder of state.
func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }
