package kit

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
)

// DescribeOperators are the stateful operators, a line each. It reads the listing of every state file, so it is called once.
func DescribeOperators(list []statestore.Operator) []string {
	if len(list) == 0 {
		return []string{"none: no folder in state"}
	}
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = page.OperatorLine(&list[i])
	}
	return lines
}

// State stores by name, as lines and screens refer to them.

// StoreKey says which state store one is, whatever the order.
type StoreKey struct {
	Operator, Partition int // a partition of -1 is the operator
	Name                string
}

func (k StoreKey) Compare(b StoreKey) int {
	return cmp.Or(cmp.Compare(k.Operator, b.Operator), cmp.Compare(k.Partition, b.Partition), strings.Compare(k.Name, b.Name))
}

// Names reports whether k, as a line has it, means this store: without a name it is any of its partition.
func (k StoreKey) Names(of StoreKey) bool {
	return k.Operator == of.Operator && k.Partition == of.Partition &&
		(k.Name == of.Name || k.Name == "" || k.Name == "default" && of.Name == "")
}

// String is how a line names a store: operator/partition/name.
func (k StoreKey) String() string {
	switch {
	case k.Partition < 0:
		return strconv.Itoa(k.Operator)
	case k.Name == "" || k.Name == "default":
		return fmt.Sprintf("%d/%d", k.Operator, k.Partition)
	}
	return Quote(fmt.Sprintf("%d/%d/%s", k.Operator, k.Partition, k.Name))
}

// ParseStore reads what String writes.
func ParseStore(text string) (StoreKey, error) {
	k := StoreKey{Partition: -1}
	parts := strings.SplitN(text, "/", 3)
	var err error
	if k.Operator, err = strconv.Atoi(parts[0]); err != nil || k.Operator < 0 {
		return k, fmt.Errorf("%q is not an operator; type its number, or operator/partition such as 0/3", text)
	}
	if len(parts) > 1 {
		if k.Partition, err = strconv.Atoi(parts[1]); err != nil || k.Partition < 0 {
			return k, fmt.Errorf("%q is not a partition of operator %d; type its number", parts[1], k.Operator)
		}
	}
	if len(parts) > 2 {
		k.Name = parts[2]
	}
	return k, nil
}

// RowsLine is the line that opens the rows of a store.
func RowsLine(k StoreKey) string {
	line := "rows " + StoreKey{k.Operator, k.Partition, ""}.String()
	if k.Partition >= 0 && k.Name != "" {
		line += " store " + Quote(k.Name)
	}
	return line
}

// newestOf is the newest version of a store that has a file; 0 for none.
func newestOf(s *statestore.Store) (newest int64) {
	for _, f := range s.Files {
		newest = max(newest, f.Version)
	}
	return newest
}
