package log

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Compactible is the numbered files of a log that compacts itself: <id> holds the entries of one id,
// <id>.compact those of all ids up to its own. An id is compacted if (id+1) mod interval = 0.
//
//	0 1 2.compact 3 4 5.compact 6        interval 3: the log at id 6 is 5.compact and 6
//
// Written by CompactibleFileStreamLog, for the file source and the file sink. Compact files never
// shrink; the older ones and what they cover are deleted some minutes after the next was written, so
// that a missing beginning is no damage.
type Compactible struct {
	Plain   []int64 // ids of the files <id>, ascending
	Compact []int64 // ids of the files <id>.compact, ascending
}

// DefaultInterval is spark.sql.streaming.fileSource.log.compactInterval where nobody set it, and the
// same of the file sink. The checkpoint does not record the setting.
const DefaultInterval = 10

// missingNamed is how many missing files are named one by one.
const missingNamed = 20

// NewCompactible takes the log files out of a listing, by their names. A name that Spark does not
// write itself ("08") is left out: Spark never opens it. A name counts once, however often it is listed.
func NewCompactible(names []string) Compactible {
	var l Compactible
	for _, name := range names {
		n := ParseName(name)
		if n.Role != LogFile || name != FileName(n.ID, n.Compact) {
			continue
		}
		if n.Compact {
			l.Compact = append(l.Compact, n.ID)
		} else {
			l.Plain = append(l.Plain, n.ID)
		}
	}
	slices.Sort(l.Plain)
	slices.Sort(l.Compact)
	l.Plain, l.Compact = slices.Compact(l.Plain), slices.Compact(l.Compact)
	return l
}

// FileName is how Spark names the file of id.
func FileName(id int64, compact bool) string {
	name := strconv.FormatInt(id, 10)
	if compact {
		name += ".compact"
	}
	return name
}

// Latest is the newest id, -1 where the log is empty.
func (l Compactible) Latest() int64 {
	latest := int64(-1)
	for _, ids := range [][]int64{l.Plain, l.Compact} {
		if n := len(ids); n > 0 {
			latest = max(latest, ids[n-1])
		}
	}
	return latest
}

// CompactInterval infers the interval from the files that are there, as Spark does at every start:
// the distance of the newest two compact files; from a single one, the divisor of its number of ids
// that comes nearest to byDefault; without any, byDefault. It is at least 1.
//
// See CompactibleFileStreamLog.compactInterval and deriveCompactInterval.
func (l Compactible) CompactInterval(byDefault int64) int64 {
	n := len(l.Compact)
	if n == 0 {
		return max(byDefault, 1)
	}
	if n > 1 {
		return l.Compact[n-1] - l.Compact[n-2]
	}
	ids := l.Compact[0] + 1
	if ids <= 0 { // an id at the end of the numbers: no log has one
		return 1
	}
	if byDefault > 0 && byDefault < ids/2 {
		return divisor(ids, byDefault)
	}
	return ids
}

// divisor is the smallest divisor of n that is at least least.
func divisor(n, least int64) int64 {
	smallest := n
	for d := int64(1); d <= n/d && d <= maxDivided; d++ {
		if n%d != 0 {
			continue
		}
		for _, d := range [2]int64{d, n / d} {
			if d >= least {
				smallest = min(smallest, d)
			}
		}
	}
	return smallest
}

// maxDivided ends the search in names no log has: Spark keeps the number of ids in 32 bits.
const maxDivided = 1 << 16

// Needs are the files that the entries up to one id stand in.
type Needs struct {
	Base    string   // the compact file that all begins with, "9.compact"; "" where nothing is compacted yet
	Present []string // those that are there, in order
	Missing []string // those that are not, in order; no more than the first 20
	More    int64    // how many more are missing
}

// NeedsOf says which files the log at id consists of: the newest compaction at or before it, and
// every plain file after that. Spark computes the names and takes nothing else, so a compact file
// that is missing is missed even where all plain files are there.
func (l Compactible) NeedsOf(id, byDefault int64) Needs {
	id = min(id, math.MaxInt64-1)
	interval := l.CompactInterval(byDefault)
	var n Needs
	first := int64(0)
	if base := (id+1)/interval*interval - 1; base >= 0 {
		n.Base, first = FileName(base, true), base+1
		if _, ok := slices.BinarySearch(l.Compact, base); ok {
			n.Present = append(n.Present, n.Base)
		} else {
			n.Missing = append(n.Missing, n.Base)
		}
	}
	next := first
	at, _ := slices.BinarySearch(l.Plain, first)
	for ; at < len(l.Plain) && l.Plain[at] <= id; at++ {
		n.miss(next, l.Plain[at]-1)
		n.Present = append(n.Present, FileName(l.Plain[at], false))
		next = l.Plain[at] + 1
	}
	n.miss(next, id)
	return n
}

func (n *Needs) miss(first, last int64) {
	for ; first <= last && len(n.Missing) < missingNamed; first++ {
		n.Missing = append(n.Missing, FileName(first, false))
	}
	if first <= last {
		n.More += last - first + 1
	}
}

// MissingText names the missing files: "3, 4", "3 … and 17 more".
func (n Needs) MissingText() string {
	text, shown := "", min(len(n.Missing), 5)
	for i, name := range n.Missing[:shown] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if more := int64(len(n.Missing)-shown) + n.More; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
