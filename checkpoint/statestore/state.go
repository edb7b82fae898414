package statestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
)

// State is the state of one operator as one batch left it: its folders are listed and its schemas
// read, its rows are not. It is safe for concurrent use.
type State struct {
	Operator Operator
	Batch    int64
	Version  int64             // of the stores: Batch + 1
	Conf     map[string]string // settings pinned by the plan of the batch; of the newest plan where that is gone
	Views    []View            // what can be shown of it, the usual ones first
	// Problem is why there are no views: no schema is recorded and there is nothing to guess from, or it does
	// not parse.
	Problem error

	c       *checkpoint.Checkpoint
	avro    bool                           // keys and values are Avro, else UnsafeRow
	summed  bool                           // rows carry checksums, as far as the settings say: see state.RowSums
	comma   bool                           // elements of a list are joined by a comma, where no snapshot says so
	schemas map[string]map[int16]*row.Type // the value schemas that a column family had, by id

	mu      sync.Mutex            // over commits
	commits map[int64]*log.Commit // version → the commit that records its ids

	alone sync.Mutex // held while a partition that takes much memory is counted
}

// The settings that say how rows are encoded.
const (
	confEncoding     = "spark.sql.streaming.stateStore.encodingFormat"
	confRowChecksum  = "spark.sql.streaming.stateStore.rowChecksum.enabled"
	confMergeVersion = "spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion"
)

// At lists one operator and reads what its rows are encoded with. A batch of -1 is the last
// committed one.
func At(ctx context.Context, c *checkpoint.Checkpoint, operator int, batch int64) (*State, error) {
	if batch < 0 {
		if batch = c.Commits.Last(); batch < 0 {
			return nil, cmp.Or(c.Commits.Err, errNotCommitted)
		}
	}
	op, err := operatorOf(ctx, c, operator)
	if err != nil {
		return nil, err
	}
	s := &State{Operator: *op, Batch: batch, Version: batch + 1, c: c, commits: map[int64]*log.Commit{},
		schemas: map[string]map[int16]*row.Type{}}
	if err := s.readConf(ctx); err != nil {
		return nil, err
	}
	named := []Operator{s.Operator}
	if err := nameByRows(ctx, c, named, s.Conf); err != nil {
		return nil, err
	}
	s.Operator = named[0]
	if err := s.readViews(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// operatorsAt are the stateful operators with the schemas that counted for a batch, by id. What tells nothing has the
// reason in its Err; the error means that nothing more will be read.
func operatorsAt(ctx context.Context, c *checkpoint.Checkpoint, batch *checkpoint.Batch) ([]Operator, error) {
	var all []Operator
	for _, e := range c.State.Entries {
		id, ok := number(e)
		if !ok {
			continue
		}
		op, err := operatorOf(ctx, c, id)
		if err == nil {
			s := &State{Operator: *op, Batch: batch.ID, c: c, schemas: map[string]map[int16]*row.Type{}}
			err = s.readSchemas(ctx)
			op = &s.Operator
		}
		if checkpoint.Stopped(err) {
			return all, err
		}
		if err != nil {
			op = &Operator{ID: id, Dir: path.Join("state", e.Name), Err: err}
		}
		all = append(all, *op)
	}
	slices.SortFunc(all, func(a, b Operator) int { return cmp.Compare(a.ID, b.ID) })
	return all, nameByRows(ctx, c, all, confOf(batch))
}

// operatorOf lists one operator. What could not be listed is an error where nothing can be shown without
// it; of a partition it is kept in its Err.
func operatorOf(ctx context.Context, c *checkpoint.Checkpoint, id int) (*Operator, error) {
	var known []string
	s := &lister{c: c}
	unread := map[string]error{}
	s.note = func(all ...checkpoint.Unread) {
		for _, u := range all {
			unread[u.Name] = u.Err
		}
	}
	for _, e := range c.State.Entries {
		n, ok := number(e)
		if !ok {
			continue
		}
		known = append(known, strconv.Itoa(n))
		if n == id {
			s.ops = []Operator{{ID: id, Dir: path.Join("state", e.Name), Err: errUnlisted}}
		}
	}
	if len(s.ops) == 0 {
		if c.State.Err != nil {
			return nil, fmt.Errorf("state could not be listed: %w", c.State.Err)
		}
		return nil, &NoSuchError{"operator", strconv.Itoa(id), known}
	}
	for _, step := range []func(context.Context) error{s.operators, s.partitions, s.stores} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	op := &s.ops[0]
	op.conclude()
	for name, err := range unread {
		if name == op.Dir || strings.Contains(name, "_metadata") {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return op, nil
}

// readConf takes the settings from the plan of the batch. Where that is gone, or does not tell, they are those
// of the newest plan or of one before the batch: Spark pins them for the life of a checkpoint. Rows would be
// taken apart in the wrong way without them, so that it is an error where no plan tells.
func (s *State) readConf(ctx context.Context) error {
	plans := &s.c.Offsets
	var why error
	for _, id := range []int64{s.Batch, plans.Last(), s.Batch - 1, plans.First()} {
		if plans.Find(id) == nil {
			continue
		}
		b, err := s.c.Batch(ctx, id)
		if err != nil {
			return err
		}
		if err = unsettled(b); err == nil {
			s.Conf, why = b.Plan.Conf, nil
			break
		}
		why = cmp.Or(why, err)
	}
	s.applyConf()
	return why
}

// applyConf is what the settings say of rows.
func (s *State) applyConf() {
	s.avro = s.Conf[confEncoding] == "avro"
	s.summed = s.Conf[confRowChecksum] == "true"
	s.comma = s.Conf[confMergeVersion] != "2" // 4.0 and 4.1 know only version 1 and pin nothing
}

// unsettled is why a plan does not tell the settings; nil where it does, or where it is of a release that
// pinned none.
func unsettled(b *checkpoint.Batch) error {
	if b.Plan == nil {
		for _, u := range b.Unread {
			return fmt.Errorf("%s: %w", u.Name, u.Err)
		}
		return fmt.Errorf("the offset file of batch %d is missing", b.ID)
	}
	for _, e := range b.Plan.Problems {
		if !b.Plan.HasMetadata && e.Flaw != decode.NoMetadata || e.What == log.ConfWhat {
			return e
		}
	}
	return nil
}

// readViews reads the schema files, and makes the views of them all.
func (s *State) readViews(ctx context.Context) error {
	if err := s.readSchemas(ctx); err != nil {
		return err
	}
	for _, e := range s.Operator.Problems() {
		s.Problem = e
	}
	if err := s.makeViews(); err != nil {
		s.Problem = err
	}
	if s.Problem == nil {
		if err := s.guessViews(ctx); err != nil {
			return err
		}
	}
	if len(s.Views) == 0 && s.Problem == nil {
		s.Problem = fmt.Errorf("%s has no schema file (%s), so the columns of its rows are unknown", s.Operator.Dir, path.Join(s.storeDir(0, "default"), "_metadata", "schema"))
	}
	return nil
}

// readSchemas reads the schema files that are not below partition 0.
func (s *State) readSchemas(ctx context.Context) error {
	files, err := s.schemaFiles(ctx)
	if err != nil {
		return err
	}
	for _, list := range files {
		var schemas []*state.Schema
		for _, name := range list {
			data, err := s.c.Read(ctx, name, smallLimit)
			if errors.Is(err, fs.ErrNotExist) {
				s.Problem = fmt.Errorf("%s is missing: only it shows the columns of the rows", name)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			schemas = append(schemas, state.ParseSchema(name, data))
			s.remember(schemas[len(schemas)-1])
		}
		if len(schemas) > 0 {
			s.Operator.Schemas = append(s.Operator.Schemas, schemas[len(schemas)-1])
		}
	}
	return nil
}

// remember keeps the value schemas of a file by their ids.
func (s *State) remember(schema *state.Schema) {
	for _, f := range schema.Families {
		t, err := row.Columns(f.Value)
		if err != nil {
			continue // it is told where the view is made
		}
		if s.schemas[f.Name] == nil {
			s.schemas[f.Name] = map[int16]*row.Type{}
		}
		s.schemas[f.Name][f.ValueID] = t
	}
}

// schemaFiles are the schema files that the operator metadata names, for each store oldest first. The
// metadata counts that was the newest when the batch ran.
func (s *State) schemaFiles(ctx context.Context) ([][]string, error) {
	m := s.Operator.Metadata
	if m == nil || m.Version < 2 {
		return nil, nil
	}
	dir := s.c.Dir(ctx, path.Join(s.Operator.Dir, "_metadata", "v2"))
	if dir.Err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Name, dir.Err)
	}
	for _, f := range slices.Backward(dir.Files) {
		if name := path.Join(dir.Name, f.Name); f.ID <= s.Batch && name != m.File {
			data, err := s.c.Read(ctx, name, smallLimit)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			m = log.ParseOperatorMetadata(name, data)
			s.Operator.Metadata = m
		}
		if f.ID <= s.Batch {
			break
		}
	}
	return s.Operator.schemaNames(), nil
}

// storeDir is where a store of a partition lies, or would lie.
func (s *State) storeDir(partition int, name string) string {
	dir := path.Join(s.Operator.Dir, strconv.Itoa(partition))
	if name == "default" || name == "" {
		return dir
	}
	return path.Join(dir, name)
}

// commit is commits/<version-1>, which records the ids of a version in checkpoint format 2; nil where
// it is not there.
func (s *State) commit(ctx context.Context, version int64) (*log.Commit, error) {
	s.mu.Lock()
	c, ok := s.commits[version]
	s.mu.Unlock()
	if ok || s.c.Commits.Find(version-1) == nil {
		return c, nil
	}
	name := path.Join("commits", strconv.FormatInt(version-1, 10))
	data, err := s.c.Read(ctx, name, log.Limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c = log.ParseCommit(name, data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits[version] = c
	return c, nil
}

// unloadable reports whether an error says that a file does not load: by its bytes, or for want of a
// file that it names. Others are about reaching the bytes.
func unloadable(err error) bool {
	_, bytes := errors.AsType[*decode.Error](err)
	_, missing := errors.AsType[*MissingError](err)
	return bytes || missing
}
