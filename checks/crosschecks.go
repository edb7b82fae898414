package checks

import (
	"fmt"
	"strings"
)

// crosschecks are the comparisons of files with each other that were made in one run: a file that is whole by its own marks can still be
// the wrong one, and only another file shows it. The answer to "intact" names them.
type crosschecks struct {
	order []string
	count map[string]int
}

// crosschecked notes that n files of one kind were held against others: what names both sides, "snapshots with the older snapshot and
// the deltas since". Calls with the same words add up; n of 0 notes nothing.
func (p *Pass) crosschecked(what string, n int) {
	c := p.cross
	if c == nil || n <= 0 {
		return
	}
	if c.count[what] == 0 {
		c.order = append(c.order, what)
	}
	c.count[what] += n
}

// String is what was compared, in the order in which it was first noted: "22 commits with the plans after them, …"; "" for nothing.
func (c *crosschecks) String() string {
	if c == nil {
		return ""
	}
	parts := make([]string, len(c.order))
	for i, what := range c.order {
		parts[i] = fmt.Sprintf("%d %s", c.count[what], what)
	}
	return strings.Join(parts, ", ")
}
