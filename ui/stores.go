package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
)

// State stores by name, as lines and screens refer to them.

// storeKey says which state store one is, whatever the order.
type storeKey struct {
	operator, partition int // a partition of -1 is the operator
	name                string
}

func (k storeKey) compare(b storeKey) int {
	return cmp.Or(cmp.Compare(k.operator, b.operator), cmp.Compare(k.partition, b.partition), strings.Compare(k.name, b.name))
}

// names reports whether k, as a line has it, means this store: without a name it is any of its partition.
func (k storeKey) names(of storeKey) bool {
	return k.operator == of.operator && k.partition == of.partition && (k.name == of.name || k.name == "" || k.name == "default" && of.name == "")
}

// String is how a line names a store: operator/partition/name.
func (k storeKey) String() string {
	switch {
	case k.partition < 0:
		return strconv.Itoa(k.operator)
	case k.name == "" || k.name == "default":
		return fmt.Sprintf("%d/%d", k.operator, k.partition)
	}
	return quote(fmt.Sprintf("%d/%d/%s", k.operator, k.partition, k.name))
}

// parseStore reads what String writes.
func parseStore(text string) (storeKey, error) {
	k := storeKey{partition: -1}
	parts := strings.SplitN(text, "/", 3)
	var err error
	if k.operator, err = strconv.Atoi(parts[0]); err != nil || k.operator < 0 {
		return k, fmt.Errorf("%q is no operator: its number is asked for, or operator/partition, such as 0/3", text)
	}
	if len(parts) > 1 {
		if k.partition, err = strconv.Atoi(parts[1]); err != nil || k.partition < 0 {
			return k, fmt.Errorf("%q is no partition of operator %d: its number is asked for", parts[1], k.operator)
		}
	}
	if len(parts) > 2 {
		k.name = parts[2]
	}
	return k, nil
}

// rowsLine is the line that opens the rows of a store.
func rowsLine(k storeKey) string {
	line := "rows " + storeKey{k.operator, k.partition, ""}.String()
	if k.partition >= 0 && k.name != "" {
		line += " store " + quote(k.name)
	}
	return line
}

// operatorOf is an operator of the checkpoint, or nil.
func (s *session) operatorOf(id int) *checkpoint.Operator {
	for i := range s.verdict.Operators {
		if op := &s.verdict.Operators[i]; op.ID == id {
			return op
		}
	}
	return nil
}

// findStore is the store that a line means, with its name, and its newest version with a file; 0 for none. Of an
// operator it is that of any of its stores.
func (s *session) findStore(k storeKey) (storeKey, int64, error) {
	op := s.operatorOf(k.operator)
	if op == nil {
		return k, 0, fmt.Errorf("there is no operator %d among the state", k.operator)
	}
	if k.partition < 0 {
		k.name = ""
	}
	newest := map[storeKey]int64{}
	for i := range op.Partitions {
		part := &op.Partitions[i]
		if len(part.Stores) == 0 && part.Err != nil {
			newest[storeKey{op.ID, part.ID, ""}] = 0
		}
		for j := range part.Stores {
			at := storeKey{op.ID, part.ID, part.Stores[j].Name}
			newest[at] = max(newest[at], newestOf(&part.Stores[j]))
		}
	}
	for i := range s.verdict.Loads {
		if l := &s.verdict.Loads[i]; l.Store == nil && l.Operator == k.operator {
			at := storeKey{l.Operator, l.Partition, l.Name}
			newest[at] = max(newest[at], 0)
		}
	}
	if k.partition < 0 {
		all := int64(0)
		for _, n := range newest {
			all = max(all, n)
		}
		return k, all, nil
	}
	var fit []storeKey
	for at := range newest {
		if k.names(at) {
			fit = append(fit, at)
		}
	}
	if len(fit) == 0 {
		return k, 0, fmt.Errorf("there is no store %s", k)
	}
	at := slices.MinFunc(fit, storeKey.compare)
	return at, newest[at], nil
}

// newestOf is the newest version of a store that has a file; 0 for none.
func newestOf(s *checkpoint.Store) (newest int64) {
	for _, f := range s.Files {
		newest = max(newest, f.Version)
	}
	return newest
}

// batchOfRows is the batch whose rows of a store are shown: the one that is looked at, else the one that a restart
// loads, else the one that wrote the newest version.
func (s *session) batchOfRows(k storeKey, newest int64) int64 {
	version := newest
	for _, l := range s.verdict.Loads {
		if l.Operator == k.operator && (k.partition < 0 || l.Partition == k.partition && l.Name == k.name) {
			version = l.Version
			break
		}
	}
	if s.asOf >= 0 {
		version = s.asOf + 1
	}
	return max(version, 1) - 1
}
