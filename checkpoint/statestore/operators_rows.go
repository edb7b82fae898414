package statestore

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
)

// Before 4.0 nothing records which operator wrote a state. Where folders and schemas leave that open, its rows decide: in
// releases before 3.1, which write no schema, and for a schema that repeats the key in the value (see state.Schema.RepeatsKey).

// The settings of the offset log that say what an operator without a name can be.
const (
	confAggregation = "spark.sql.streaming.aggregation.stateFormatVersion"
	confGroups      = "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion"
	confCodec       = "spark.sql.streaming.stateStore.compression.codec" // pinned from 3.1 on
	confJoin        = "spark.sql.streaming.join.stateFormatVersion"      // pinned from 3.0 on
)

// dedupeValue is the value of a deduplication, as 3.2.2 and later record it.
var dedupeValue = state.Field{Name: "__dummy__", Type: "void", Nullable: true}

// nameByRows names the operators whose folders and schemas do not show what they are, from some of their rows. conf are
// the pinned settings, nil where none are known. Its error means that nothing more will be read.
func nameByRows(ctx context.Context, c *checkpoint.Checkpoint, ops []Operator, conf map[string]string) error {
	for i := range ops {
		op := &ops[i]
		if !op.unsettled() {
			continue
		}
		s := &State{Operator: *op, c: c, Conf: conf}
		s.applyConf()
		keys, values, err := s.someRows(ctx)
		if err != nil {
			return err
		}
		if len(op.Schemas) == 0 {
			op.nameWithoutSchema(s.newGuess(), keys, values, conf)
		} else {
			op.nameByValue(s.newGuess(), keys, values, conf)
		}
	}
	return nil
}

// unsettled reports whether only its rows can show which operator it was.
func (o *Operator) unsettled() bool {
	if o.Metadata != nil || len(o.Current) > 0 || !slices.Equal(o.StoreNames(), []string{"default"}) {
		return false
	}
	if p := o.Partition(0); p == nil || p.Err != nil || len(p.Stores) == 0 || p.Stores[0].Err != nil {
		return false // there may be a schema that was not seen
	}
	if len(o.Schemas) == 1 {
		return o.Schemas[0].RepeatsKey()
	}
	return len(o.Schemas) == 0 && o.Name == ""
}

// nameByValue decides between an aggregation with format 1 and a deduplication, whose schemas both repeat the key in the value:
// the value of the first has all these columns, that of the second is one null column. Without rows the pinned format decides: an
// aggregation with format 2 does not repeat its key.
func (o *Operator) nameByValue(g *guess, keys, values [][]byte, conf map[string]string) {
	dedupe := len(keys) == 0 && conf[confAggregation] == "2"
	if len(keys) > 0 {
		// One column that is null in the key too may be the column of a group.
		dedupe = g.columns(values).AlwaysNull() && (len(o.Schemas[0].Families[0].Value) > 1 || !g.columns(keys).AlwaysNull())
	}
	if dedupe {
		o.Name, o.Guessed = "dedupe", true
		o.InputRow = o.Schemas[0].Families[0].Value
		o.Schemas[0] = o.Schemas[0].WithValue(dedupeValue)
	}
}

// nameWithoutSchema names an operator from its rows alone, where they prove it:
//
//   - a key without columns is that of an aggregation over everything;
//   - a value of one null column is that of a deduplication;
//   - a key of one null column with a number, in a folder for one partition of several, is that of a global limit;
//   - a number in the first column of a value is that of an aggregation, where format 2 of flatMapGroupsWithState is pinned, whose
//     first column is a struct. From 3.5 on, when dropDuplicatesWithinWatermark keeps one number, it takes two columns.
func (o *Operator) nameWithoutSchema(g *guess, keys, values [][]byte, conf map[string]string) {
	if len(keys) == 0 {
		return
	}
	key, value := g.columns(keys), g.columns(values)
	onePartition := len(o.Partitions) == 1 && conf[confShufflePartitions] != "" && conf[confShufflePartitions] != "1"
	_, codec := conf[confCodec]
	switch {
	case key.Whole() || value.Whole():
	case key.Columns == 0:
		o.Name = "stateStoreSave"
	case value.AlwaysNull():
		o.Name = "dedupe"
	case key.AlwaysNull():
		if onePartition && value.Columns == 1 && value.IsWord(0) {
			o.Name = "globalLimit"
		}
	case value.IsWord(0) && conf[confGroups] == "2" && (value.Columns > 1 || !codec):
		o.Name = "stateStoreSave"
	}
	o.Guessed = o.Name != ""
}

const (
	filesTried = 4   // state files of one operator that are looked into for a row
	rowsTried  = 256 // rows of one file
)

// someRows are some keys with their values, of the first of its largest files that has any. All rows of a store have the same
// columns, so any version serves. What does not read is told elsewhere; an error means that nothing more will be read.
func (s *State) someRows(ctx context.Context) (keys, values [][]byte, err error) {
	type file struct {
		*Store
		state.File
	}
	var files []file
	for i := range s.Operator.Partitions {
		for j := range s.Operator.Partitions[i].Stores {
			store := &s.Operator.Partitions[i].Stores[j]
			for _, f := range store.Files {
				if f.Role.RocksDB() || f.Size != s.emptySize() {
					files = append(files, file{store, f})
				}
			}
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return cmp.Compare(b.Size, a.Size) })
	for _, f := range files[:min(len(files), filesTried)] {
		pairs, err := s.rowsOf(ctx, f.Store, f.File)
		if checkpoint.Stopped(err) {
			return nil, nil, err
		}
		for _, p := range pairs {
			keys, values = append(keys, p.key), append(values, p.value)
		}
		if len(keys) > 0 {
			break
		}
	}
	return keys, values, ctx.Err()
}

// emptySize is the size of a delta or snapshot without rows; -1 where that is not known. LZ4 frames the mark of the end in 25 bytes, and its own
// end in 21.
func (s *State) emptySize() int64 {
	if codec := s.Conf[confCodec]; codec != "" && codec != "lz4" {
		return -1
	}
	return 46
}

// rowsOf are the first rows of one state file. Its error comes with the rows before it.
func (s *State) rowsOf(ctx context.Context, store *Store, f state.File) (some []pair, err error) {
	take := func(key, value []byte) (more bool) {
		some = append(some, pair{key: bytes.Clone(key), value: bytes.Clone(value)})
		return len(some) < rowsTried
	}
	if f.Role == state.Zip {
		top := &overlay{held: newAllowance(heldAhead)}
		pairs, err := s.openZip(ctx, ctx, &View{Store: store.Name}, store, f, top)
		if err != nil {
			return nil, err
		}
		for p, err := range pairs {
			if err != nil || !take(p.key, p.value) {
				return some, err
			}
		}
		return some, nil
	}
	length := int64(-1)
	if f.Size > headOfState {
		length = headOfState
	}
	name := store.Path(f)
	r, err := s.c.Store().Open(ctx, name, 0, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for ch, err := range s.changesOf(name, f.Role, r) {
		if err != nil {
			return some, err
		}
		if ch.Op == state.Put && !take(ch.Key, ch.Value) {
			break
		}
	}
	return some, nil
}
