package trace

import (
	"slices"
	"strings"
	"sync"
)

// Condition is one error of Spark, or of a source, as its words in a trace tell it.
type Condition struct {
	// Name is how Spark 3.4 and later name it, "STATE_STORE_INVALID_STAMP", with that of a sub-condition behind a
	// dot; "" for an error without a name.
	Name     string
	Releases string // of Spark that have the name: "3.5-4.3", "4.1-4.3"; of another project: "Delta 2.4-4.0"; "" without a name
	Words    string // pieces of the text, in this order, with "…" between them; "" where it has a name and no older text
	*Topic
	Says     string // what this one means, in our words; one sentence
	Compares string // what is looked up in the checkpoint and held against the message, in a few words; "" for nothing
	Decides  string // where no file of a checkpoint decides it: what does; a full sentence, or ""
	// look looks up what must be true of the checkpoint if it is so, and compares; "" where that has nothing to say,
	// and the question of the topic and the checks decide. nil for no question of its own.
	look func(*look) (Agreement, string)
	// general is one that many things print: it counts only where no exception of the chain says more.
	general bool
}

// Conditions are the errors that are known. Names of conditions are of Spark 3.4 to 4.3, the other words of 2.3 on.
// Each origin has a list, and a file, of its own. What a condition looks up must not name Conditions, nor recognize: it
// has l.recognize for that.
var Conditions = slices.Concat(catalog, deltas, sparkOld, sparkLogs, sparkSources, kafkas, connectors, sparkState, sparkQuery, storages, generals)

// byName are the conditions by their names; those of sub-conditions also by their own part, where it is long and no
// other has it: "CANNOT_READ_DELTA_FILE_NOT_EXISTS".
var byName = sync.OnceValue(func() map[string]*Condition {
	all, parts := map[string]*Condition{}, map[string]int{}
	for _, c := range Conditions {
		if c.Name != "" {
			all[c.Name] = c
		}
		if _, part, ok := strings.Cut(c.Name, "."); ok {
			parts[part]++
		}
	}
	for _, c := range Conditions {
		if _, part, ok := strings.Cut(c.Name, "."); ok && parts[part] == 1 && strings.Count(part, "_") > 1 && all[part] == nil {
			all[part] = c
		}
	}
	return all
})

// recognize is the condition of a chain, and which exception says so: the innermost one that tells, and where
// none does, the innermost that at least says something. Of one exception the name of a condition counts before
// words, the last name before others, and the words that stand first in Conditions. nil where nothing is known.
func recognize(chain []Cause) (*Condition, int) {
	for _, general := range []bool{false, true} {
		for i := len(chain) - 1; i >= 0; i-- {
			text := chain[i].Class + ": " + chain[i].Message
			if c := named(text, general); c != nil {
				return c, i
			}
			for _, c := range Conditions {
				if c.general == general && c.Words != "" && worded(text, c.Words) {
					return c, i
				}
			}
		}
	}
	return nil, 0
}

// named is the condition that a text names last; nil for none.
func named(text string, general bool) (last *Condition) {
	for i := 0; i < len(text); i++ {
		if !inName(text[i]) {
			continue
		}
		from := i
		for i < len(text) && (inName(text[i]) || text[i] == '.') {
			i++
		}
		name := strings.TrimRight(text[from:i], ".")
		c := byName()[name]
		if whole, _, ok := strings.Cut(name, "."); ok && c == nil { // a sub-condition that is not known
			c = byName()[whole]
		}
		if c != nil && c.general == general {
			last = c
		}
	}
	return last
}

func inName(b byte) bool { return b == '_' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }

// worded reports whether a text has words: their pieces, in their order.
func worded(text, words string) bool {
	for piece := range strings.SplitSeq(words, "…") {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return true
}
