package page

import (
	"slices"
	"strconv"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
)

// Operators compares the stateful operators of two sides: what they are, their partitions and schemas. It writes
// nothing where neither has any.
func (d *Difference) Operators(left, right []statestore.Operator) {
	if len(left) == 0 && len(right) == 0 {
		return
	}
	d.Head("state", "State")
	a, b := operatorFacts(left), operatorFacts(right)
	rows := [][]string{{"operator", "", d.left, d.right}}
	for _, id := range Union(a, b) {
		for i, what := range []string{"name", "provider", "partitions", "key", "value"} {
			x, y := "no such operator", "no such operator"
			if a[id] != nil {
				x = a[id][i]
			}
			if b[id] != nil {
				y = b[id][i]
			}
			if x != y {
				rows = append(rows, []string{id, what, phrase.Printable(x), phrase.Printable(y)})
			}
		}
	}
	switch {
	case len(rows) > 1:
		d.Table(rows)
	case slices.ContainsFunc(left, func(o statestore.Operator) bool { return !hasSchema(&o) }):
		d.Line("The operators are the same: names, providers and partitions. Their schemas are not all recorded.")
	default:
		d.Line("The operators are the same: names, providers, partitions and schemas.")
	}
}

// operatorFacts are name, provider, partitions, key and value of each operator, by its id.
func operatorFacts(all []statestore.Operator) map[string][]string {
	facts := map[string][]string{}
	for i := range all {
		o := &all[i]
		partitions := o.Recorded
		if partitions == 0 {
			partitions = len(o.Partitions)
		}
		key, value := "not recorded", "not recorded"
		if hasSchema(o) {
			key, value = Schema(o)
		}
		facts[strconv.Itoa(o.ID)] = []string{phrase.Or(o.Name, "not recorded"), o.Provider, strconv.Itoa(partitions), key, value}
	}
	return facts
}

// hasSchema reports whether a file records the columns of an operator.
func hasSchema(o *statestore.Operator) bool { return len(o.Schemas)+len(o.Current) > 0 }

// stateOf compares what the checkpoint records of its state for two batches. Most releases record one schema for the
// life of a checkpoint: of these two batches may have had different ones, and it cannot be told.
func (d *Difference) stateOf(left, right []statestore.Operator, l, r int64) {
	if len(left) == 0 || len(left) != len(right) {
		return
	}
	d.Head("state", "State")
	rows := [][]string{{"operator", "", d.left, d.right}}
	var lines []string
	for i := range left {
		o, id := &left[i], strconv.Itoa(left[i].ID)
		switch {
		case o.Err != nil:
			lines = append(lines, "Operator "+id+" could not be read: "+o.Err.Error())
		case right[i].Err != nil:
			lines = append(lines, "Operator "+id+" could not be read: "+right[i].Err.Error())
		case !hasSchema(o):
			lines = append(lines, "Operator "+id+" has no recorded schema, so a difference between two batches is not recorded.")
		case o.Metadata == nil || o.Metadata.Version < 2:
			lines = append(lines, "Operator "+id+" has one recorded schema for all batches, so a difference between two batches is not recorded.")
		default:
			a, b := schemasOf(o), schemasOf(&right[i])
			for _, name := range Union(a, b) {
				if x, y := a[name], b[name]; x != y {
					rows = append(rows, []string{id, phrase.Printable(name), orNone(x), orNone(y)})
				}
			}
			if slices.IndexFunc(rows, func(row []string) bool { return row[0] == id }) < 0 {
				lines = append(lines, "Operator "+id+" has the same schemas in both.")
			}
		}
	}
	if len(rows) > 1 {
		d.Table(rows)
	}
	for _, line := range lines {
		d.Line("%s", line)
	}
	d.Line("The rows that differ: tidemark state LOCATION --operator N --changes %d..%d", min(l, r), max(l, r))
}

// schemasOf are key and value of every store, or part of a store, of an operator by its name.
func schemasOf(o *statestore.Operator) map[string]string {
	all := map[string]string{}
	for _, s := range o.Schemas {
		for _, f := range s.Families {
			all[f.Name+" key"], all[f.Name+" value"] = DDL(f.Key), DDL(f.Value)
		}
	}
	return all
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return phrase.Printable(text)
}
