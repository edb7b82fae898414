package statestore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/row"
)

// Lookup is one key of a view, and the partition that its hash puts it in.
type Lookup struct {
	Partition int // the only one that is read; -1 where the columns do not tell it

	s     *State
	view  *View
	key   row.Value // all columns of a key, or those that it begins with
	bytes []byte    // how the stored key begins; nil where that is not known, as of guessed columns
	whole bool      // it is all of the stored key
	count []byte    // of a side of a join: the stored key of how many rows the key has; nil where that is not known
}

// Find reads a key as JSON, in the form in which rows show it. A key of a session window may leave out the
// start of the session, one of a join of format 4 its event time: then all rows with the other columns
// are found. A bare word or number is the value of the first column: then all rows with it are found. Of guessed columns the
// types are unknown, and with them how a key is stored and hashed: all rows are gone through for those that show it.
func (s *State) Find(v *View, key string) (*Lookup, error) {
	grouping := s.grouping(v)
	value, err := row.ParseValue(v.Key, []byte(key))
	if err != nil && grouping < len(v.Key.Fields) {
		if part, perr := row.ParseValue(row.StructOf(slices.Clone(v.Key.Fields[:grouping])...), []byte(key)); perr == nil {
			value, err = part, nil
		}
	}
	if err != nil && !isObject(key) {
		value, err = firstColumn(v, key)
	}
	if err != nil {
		return nil, fmt.Errorf("the key %s does not match the columns %s: %w", key, v.Key.DDL(), err)
	}
	l := &Lookup{Partition: -1, s: s, view: v, key: value}
	if v.Guessed {
		return l, nil
	}
	if grouping > 0 && len(value.Items) >= grouping && !row.Replaced(value) {
		l.Partition = row.Partition(value.Items[:grouping], s.partitions())
	}
	if len(value.Items) < grouping { // no stored key begins with the bytes of fewer columns
		return l, nil
	}
	l.bytes, l.whole = s.encoded(v, value)
	if v.counts != nil {
		l.count, _ = s.encoded(v.counts, value)
	}
	return l, nil
}

// isObject reports whether a key was meant as JSON with the names of its columns.
func isObject(key string) bool { return strings.HasPrefix(strings.TrimSpace(key), "{") }

// firstColumn reads a bare word or number as the value of the first column of a key. Text needs no quotes.
func firstColumn(v *View, word string) (row.Value, error) {
	if len(v.Key.Fields) == 0 {
		return row.Value{}, errors.New("the key has no columns")
	}
	first := row.StructOf(v.Key.Fields[0])
	if value, err := row.ParseValue(first, []byte(word)); err == nil {
		return value, nil
	}
	quoted, err := json.Marshal(word)
	if err != nil {
		return row.Value{}, err
	}
	value, err := row.ParseValue(first, quoted)
	if err != nil {
		f := &v.Key.Fields[0]
		return row.Value{}, fmt.Errorf("the first column %s has type %s", f.Label, f.Type.DDL())
	}
	return value, nil
}

// Rows yields the rows that have the key, of one partition or, for -1, of all. Errors are as those of
// State.Rows.
//
// A key is looked up by its bytes. Where Spark can have written it in one way only, and what can hold these
// bytes was read, nothing found means that it is not there. Else the whole partition is gone through for a
// key that shows as this one does; see row.OneForm.
func (l *Lookup) Rows(ctx context.Context, partition int) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		told := false   // rows, or an error, which is not told twice
		passed := false // a file was passed over, which hides no row and is not told twice either
		search := func(prefix []byte, whole bool) (goOn bool) {
			again := passed
			v := *l.view
			v.only, v.whole = prefix, whole
			if v.counts != nil && prefix != nil {
				counts := *v.counts
				counts.only, counts.whole = l.count, l.count != nil
				v.counts = &counts
			}
			for r, err := range l.s.Rows(ctx, &v, partition) {
				if err == nil && !l.matches(r.Key) {
					continue
				}
				r.View = l.view
				if _, ok := errors.AsType[*PassedError](err); !ok {
					told = true
				} else if passed = true; again {
					continue
				}
				if !yield(r, err) {
					return false
				}
			}
			return true
		}
		if len(l.bytes) == 0 || search(l.bytes, l.whole) && !told && !row.OneForm(l.key) {
			search(nil, false)
		}
	}
}

// matches reports whether a key has the columns that are looked for.
func (l *Lookup) matches(key row.Value) bool {
	if key.Type == nil {
		return false
	}
	return string(row.Grouping(cut(key, l.key.Type)).AppendJSON(nil)) == string(l.key.AppendJSON(nil))
}

// grouping is how many columns of a key, from its first on, say which partition it is in; 0 where they
// do not.
func (s *State) grouping(v *View) int {
	n := len(v.Key.Fields)
	if n == 0 || strings.HasPrefix(v.Name, "$") {
		return 0
	}
	last := v.Key.Fields[n-1].Name
	switch {
	case strings.HasSuffix(v.Name, "-keyWithIndexToValue") && last == "index",
		last == "__event_time",
		last == "sessionStartTime" && s.Operator.Name == "sessionWindowStateStoreSaveExec":
		return n - 1
	}
	return n
}

// The settings that say how many partitions there are.
const (
	confStatePartitions   = "spark.sql.streaming.internal.stateStore.partitions"
	confShufflePartitions = "spark.sql.shuffle.partitions"
)

// partitions is over how many partitions keys are spread.
func (s *State) partitions() int {
	there := max(s.Operator.Recorded, len(s.Operator.Partitions))
	if there <= 1 {
		return there
	}
	for _, name := range []string{confStatePartitions, confShufflePartitions} {
		if n, err := strconv.Atoi(s.Conf[name]); err == nil && n > 0 {
			return n
		}
	}
	return there
}

// encoded is how the bytes of a stored key begin, without the id of a column family, and whether they are
// all of it; nil where that is not known.
func (s *State) encoded(v *View, key row.Value) (data []byte, whole bool) {
	var err error
	switch {
	case v.keys == nil:
		return nil, false
	case v.shape == ofJoin: // the number of the row follows
		data, err = v.keys.Begin(key.Items)
	case v.shape == ofMap || v.shape == ofTimer:
		data, err = v.keys.Prefix([]row.Value{key})
	case len(key.Items) == len(v.keys.Type.Fields):
		data, err = v.keys.Encode(key)
		whole = true
	case s.encoding() == row.Plain:
		return nil, false
	default:
		data, err = v.keys.Prefix(key.Items)
	}
	if err != nil {
		return nil, false
	}
	return data, whole
}
