package stores

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// CheckedLess says what of the state was not compared, or was known by its listing alone.
func CheckedLess(p *checks.Pass) (all []string) {
	c := ContentsOf(p)
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			all = append(all, "1 "+one)
		case n > 1:
			all = append(all, fmt.Sprintf("%d %s", n, many))
		}
	}
	if r := c.rebuilds; r != nil {
		add(r.left, "state snapshot not compared with the files before it (--deep compares it)", "state snapshots not compared with the files before them (--deep compares them)")
		add(r.failed, "state snapshot not compared: a file before it cannot be read", "state snapshots not compared: some files before them cannot be read")
	}
	if c.noRows != "" {
		all = append(all, "state rows not read: "+c.noRows)
	}
	if !c.deep && !basics.Continuous(p) {
		add(len(unloaded(p)), "state file the restart does not load was checked by name and size only", "state files the restart does not load were checked by name and size only")
	}
	return all
}

// OddSnapshot returns the first snapshot whose size does not fit the files before it and that was not compared with them; "" for none.
func OddSnapshot(p *checks.Pass) string {
	if r := ContentsOf(p).rebuilds; r != nil {
		return r.odd
	}
	return ""
}

// Unverified says what of the state that the next start loads was not read to its end; "" where all of it
// was. What is not read is not called whole.
func Unverified(p *checks.Pass) string {
	first, files := "", 0
	count := func(name, why string) {
		if files++; first == "" {
			first = name + ": " + why
		}
	}
	for n := range Needs(p) {
		for _, f := range n.Chain.Files {
			c := n.Contents(p, f)
			if c == nil || len(c.Unread) > 0 {
				count(n.Path(f.Name()), "it could not be read")
				continue
			}
			for _, name := range c.Partly {
				count(name, "it is long: --deep reads all of it")
			}
		}
	}
	switch files {
	case 0:
		return ""
	case 1:
		return "one state file the restart loads was not read completely, " + first
	}
	return fmt.Sprintf("%d state files the restart loads were not read completely, such as %s", files, first)
}
