package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/ui/kit"
)

// What the screen of rows asks for: a key, a partition, a batch.

// errColumns is that the columns of a key are not known yet.
var errColumns = fmt.Errorf("%w: the columns of the key are being read", kit.ErrSoon)

// askKey asks for a key to look up.
func (x *model) askKey() {
	x.ask.Show(kit.Ask{Label: "Find a key",
		Hint: func() []string {
			if x.from == nil {
				return []string{"… reading the columns of the key"}
			}
			return append([]string{columnsOf(x.from.view.Key) + " · esc shows all rows"}, x.keyHint(x.from.view.Key)...)
		},
		Take: func(typed string) (kit.Action, error) {
			if x.from == nil {
				return nil, errColumns
			}
			key, err := keyOf(x.from, typed)
			if err != nil {
				return nil, err
			}
			x.want.key, x.want.compare = key, false
			return kit.Reload{}, nil
		},
		Drop: func() kit.Action {
			if !x.want.nothing {
				return nil
			}
			return kit.Reload{} // it was asked for before anything was read
		},
	})
}

// keyHint says how a key is typed, with an example.
func (x *model) keyHint(t *row.Type) []string {
	texts := []string{"All key columns, for example " + example(t)}
	if first := t.Fields; len(first) > 0 && isBare(first[0].Type.Kind) {
		texts = append([]string{"A bare word is the first key column, " + kit.Safe(first[0].Label) + "."}, texts...)
		if len(first) == 1 {
			texts = []string{"A bare word is the key, " + kit.Safe(first[0].Label) + ". As JSON: " + example(t)}
		}
	}
	return texts
}

// isBare reports whether a value of a kind is typed without brackets.
func isBare(k row.Kind) bool {
	return k != row.Struct && k != row.Array && k != row.Map && k != row.Binary && k != row.Void
}

// columnsOf are the columns of a key with their types.
func columnsOf(t *row.Type) string {
	var columns []string
	for _, f := range t.Fields {
		columns = append(columns, kit.Safe(f.Label)+" "+f.Type.DDL())
	}
	return strings.Join(columns, ", ")
}

// keyOf is a key as it is looked up, if it fits the columns of the key.
func keyOf(from *rowsSource, typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return "", errors.New("no key is typed")
	}
	_, err := from.state.Find(from.view, typed)
	return typed, err
}

// example is a value of a type as JSON.
func example(t *row.Type) string {
	switch t.Kind {
	case row.Struct:
		var fields []string
		for _, f := range t.Fields {
			name, _ := json.Marshal(f.Label)
			fields = append(fields, kit.Safe(string(name))+":"+example(f.Type))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case row.Array:
		return "[" + example(t.Fields[0].Type) + "]"
	case row.Boolean:
		return "true"
	case row.Byte, row.Short, row.Integer, row.Long:
		return "7"
	case row.Float, row.Double:
		return "1.5"
	case row.Decimal:
		return `"0"`
	case row.String:
		return `"abc"`
	case row.Binary:
		return `"YWJj"` // base64
	case row.Date:
		return `"2026-11-29"`
	case row.Timestamp:
		return `"2026-11-29T12:00:00Z"`
	case row.TimestampNTZ:
		return `"2026-11-29T12:00:00"`
	case row.Time:
		return `"12:00:00"`
	}
	return "null"
}

// askPartition asks for the partition to show.
func (x *model) askPartition() {
	n := x.partitions()
	x.ask.Show(kit.Ask{Label: "Partition",
		Hint: func() []string {
			return []string{fmt.Sprintf("A number from 0 to %d. No number: all partitions.", n-1)}
		},
		Take: func(typed string) (kit.Action, error) {
			partition := -1
			if typed = strings.TrimSpace(typed); typed != "" {
				var err error
				if partition, err = strconv.Atoi(typed); err != nil || partition < 0 || partition >= n {
					return nil, fmt.Errorf("%q is not a partition (0 to %d)", typed, n-1)
				}
			}
			x.want.partition, x.want.key = partition, ""
			return kit.Reload{}, nil
		},
	})
}

// partitions is how many partitions there are, as far as that is known.
func (x *model) partitions() int {
	if x.from == nil {
		return max(x.want.partition+1, 1)
	}
	return x.from.state.PartitionCount()
}

// askBatch asks for the batch whose state to show.
func (x *model) askBatch() {
	x.ask.Show(kit.Ask{Label: "Batch",
		Hint: func() []string { return append(x.batchHint(), "Rows are shown as they were after this batch.") },
		Take: func(typed string) (kit.Action, error) {
			batch, err := x.batchOf(typed)
			if err != nil {
				return nil, err
			}
			x.want.batch, x.want.compare = batch, false
			return kit.Reload{}, nil
		},
	})
}

// askCompare asks for the batch to compare with.
func (x *model) askCompare() {
	shown := x.want.batch
	x.ask.Show(kit.Ask{Label: fmt.Sprintf("Compare batch %d with", shown),
		Hint: func() []string {
			return append(x.batchHint(), fmt.Sprintf("No number: batch %d. Rows added, changed and removed since are shown.", max(shown-1, 0)))
		},
		Take: func(typed string) (kit.Action, error) {
			other := shown - 1
			if strings.TrimSpace(typed) != "" {
				var err error
				if other, err = x.batchOf(typed); err != nil {
					return nil, err
				}
			}
			switch {
			case other < 0:
				return nil, errors.New("batch 0 is the first: no state exists before it")
			case other == shown:
				return nil, fmt.Errorf("batch %d is already shown", shown)
			}
			x.want.before, x.want.batch = min(shown, other), max(shown, other)
			x.want.key, x.want.compare = "", true
			return kit.Reload{}, nil
		},
	})
}

// batchHint says which batches have state files.
func (x *model) batchHint() []string {
	if first, last := x.versions(); last > 0 {
		return []string{fmt.Sprintf("Batches %d to %d have state files.", first-1, last-1)}
	}
	return nil
}

// batchOf reads the number of a batch that there may be state of.
func (x *model) batchOf(typed string) (int64, error) {
	typed = strings.TrimSpace(typed)
	batch, err := strconv.ParseInt(typed, 10, 64)
	switch {
	case err != nil || batch < 0:
		return 0, fmt.Errorf("%q is not a batch ID", typed)
	case batch > x.latest:
		return 0, fmt.Errorf("no state exists after batch %d", x.latest)
	}
	return batch, nil
}

// versions are the oldest and the newest version that a store which is shown has files of; 0 where none
// is known.
func (x *model) versions() (first, last int64) {
	if x.from == nil {
		return 0, 0
	}
	for p := range x.stores() {
		for _, f := range p.Files {
			if first == 0 || f.Version < first {
				first = f.Version
			}
			last = max(last, f.Version)
		}
	}
	return first, last
}

// stores are the stores whose rows are shown.
func (x *model) stores() func(yield func(*statestore.Store) bool) {
	return func(yield func(*statestore.Store) bool) {
		op := &x.from.state.Operator
		for i := range op.Partitions {
			p := &op.Partitions[i]
			if x.want.partition >= 0 && p.ID != x.want.partition {
				continue
			}
			if s := p.Store(x.from.view.Store); s != nil && !yield(s) {
				return
			}
		}
	}
}
