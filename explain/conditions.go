package explain

import (
	"slices"
	"strings"
)

// Condition is one error of Spark, or of a source, as its words in a trace tell it.
type Condition struct {
	// Name is how Spark 3.4 and later name it, "STATE_STORE_INVALID_STAMP", with that of a sub-condition behind a
	// dot; "" for an error without a name.
	Name     string
	Releases string // of Spark that have the name: "3.5-4.3", "4.1-4.3"; "" without a name
	Words    string // pieces of the text, in this order, with "…" between them; "" where the name is enough
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

// Conditions are the errors that are known; of those that fit one exception the first counts. Names of conditions
// are of Spark 3.4 to 4.3, the other words of 2.3 on. Each origin has a list, and a file, of its own.
var Conditions []*Condition

// The lists name functions that recognise conditions: so they are put together once all of them are there.
func init() {
	Conditions = slices.Concat(sparkOld, sparkLogs, sparkSources, kafkas, connectors, sparkState, sparkQuery, storages, generals)
}

// recognise is the condition of a chain, and which exception says so: the innermost one that tells, and where
// none does, the innermost that at least says something. nil where nothing is known.
func recognise(chain []Cause) (*Condition, int) {
	for _, general := range []bool{false, true} {
		for i := len(chain) - 1; i >= 0; i-- {
			text := chain[i].Class + ": " + chain[i].Message
			for _, c := range Conditions {
				if c.general == general && c.in(text) {
					return c, i
				}
			}
		}
	}
	return nil, 0
}

// in reports whether a text has the name, or the words.
func (c *Condition) in(text string) bool {
	return c.Name != "" && named(text, c.Name) || c.Words != "" && worded(text, c.Words)
}

// named reports whether a text has a name of a condition: whole, and not as a part of a longer one.
func named(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if (i == 0 || !inName(text[i-1])) && (from == len(text) || !inName(text[from])) {
			return true
		}
	}
}

func inName(b byte) bool { return b == '_' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' }

// worded reports whether a text has pieces of a text in their order.
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
