package checks

import (
	"fmt"
	"strings"
)

// Comparison is one kind of comparing files with each other.
type Comparison struct {
	Short     string // what was compared, in two or three words, for one line of many kinds
	One, Many string // one or many files, and with what: "SST file with …", "SST files with …"
}

// crosschecks are the comparisons of files with each other that were made in one run: a file that is intact by its own marks can still be
// the wrong one, and only another file shows it. The answer to "intact" names them.
type crosschecks struct {
	order []Comparison
	count map[Comparison]int
}

// Crosschecked notes that n files of one kind were compared with others. Calls of one kind add up; n of 0 notes nothing.
func (p *Pass) Crosschecked(kind Comparison, n int) {
	c := p.Cross
	if c == nil || n <= 0 {
		return
	}
	if c.count[kind] == 0 {
		c.order = append(c.order, kind)
	}
	c.count[kind] += n
}

// Made is what was compared, in the order in which it was first noted: "22 commits with the watermark of the next batch".
func (c *crosschecks) Made() (parts []string) {
	if c == nil {
		return nil
	}
	for _, kind := range c.order {
		words := kind.Many
		if c.count[kind] == 1 {
			words = kind.One
		}
		parts = append(parts, fmt.Sprintf("%d %s", c.count[kind], words))
	}
	return parts
}

// Kinds are the kinds that were compared, each once: "state snapshots, SST files"; "" for none.
func (c *crosschecks) Kinds() string {
	if c == nil {
		return ""
	}
	var names []string
	seen := map[string]bool{}
	for _, kind := range c.order {
		if !seen[kind.Short] {
			seen[kind.Short] = true
			names = append(names, kind.Short)
		}
	}
	return strings.Join(names, ", ")
}
