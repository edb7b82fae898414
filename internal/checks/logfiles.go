package checks

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// copyFirst begins every next step that changes a file.
const copyFirst = "Stop every run of the query and copy the whole checkpoint first. "

// logName is the file of batch id as it is listed, within the checkpoint; the name that Spark gives
// it where there is none.
func logName(d *checkpoint.LogDir, id int64) string {
	if f := d.Find(id); f != nil {
		return path.Join(d.Name, f.Name)
	}
	for _, f := range d.Files {
		if f.ID == id {
			return path.Join(d.Name, f.Name)
		}
	}
	return fmt.Sprintf("%s/%d", d.Name, id)
}

// listed reports whether both logs were listed to their ends: without that nothing is missing.
func listed(p *Pass) bool { return p.Offsets.Err == nil && p.Commits.Err == nil }

// stateless reports whether the query keeps no state, as far as a listing can tell.
func stateless(p *Pass) bool {
	for _, e := range p.State.Entries {
		if e.Dir && isNumber(e.Name) {
			return false
		}
	}
	return p.State.Err == nil
}

func isNumber(name string) bool {
	n := log.ParseName(name)
	return n.Role == log.LogFile && !n.Compact
}

// continuous reports whether the newest plans are epochs of continuous processing: one source each,
// and no metadata. A micro-batch whose metadata line was lost stands alone with that.
func continuous(p *Pass) bool {
	s := p.Survey.Standing
	epoch := func(b *checkpoint.Batch) bool {
		return b != nil && b.Plan != nil && b.Plan.Version == 1 && b.Plan.Has(decode.NoMetadata) && len(b.Plan.Sources) == 1
	}
	return epoch(s.Last) && (s.Before == nil || epoch(s.Before)) && stateless(p)
}

// startReads reports whether the next start reads this log file: offsets/L, the plan before it and
// commits/C. Spark reads no older one again.
func startReads(p *Pass, file string) bool {
	l := p.Offsets.Last()
	if file == logName(&p.Offsets, l) || file == logName(&p.Commits, p.Commits.Last()) {
		return true
	}
	if continuous(p) {
		return file == logName(&p.Offsets, p.Commits.Last())
	}
	return file == logName(&p.Offsets, planBefore(p, l))
}

// planBefore is the newest planned batch below id, -1 when there is none.
func planBefore(p *Pass, id int64) int64 {
	i, _ := slices.BinarySearchFunc(p.Offsets.Files, id, func(f checkpoint.LogFile, id int64) int { return cmp.Compare(f.ID, id) })
	if i == 0 {
		return -1
	}
	return p.Offsets.Files[i-1].ID
}

// span is a run of batches, both ends included.
type span struct{ first, last int64 }

func (s span) count() int64 { return s.last - s.first + 1 }

// String is "92", or "92 … 118".
func (s span) String() string {
	if s.first == s.last {
		return fmt.Sprint(s.first)
	}
	return fmt.Sprintf("%d … %d", s.first, s.last)
}

// in is "offsets/92", or "offsets/92 … 118 (27 files)".
func (s span) in(dir string) string {
	if s.first == s.last {
		return fmt.Sprintf("%s/%d", dir, s.first)
	}
	return fmt.Sprintf("%s/%s (%d files)", dir, s, s.count())
}

// verb is the verb that goes with the span.
func (s span) verb() string {
	if s.first == s.last {
		return "is"
	}
	return "are"
}

// batches is "batch 92", or "batches 92 … 118".
func (s span) batches() string {
	if s.first == s.last {
		return fmt.Sprintf("batch %d", s.first)
	}
	return fmt.Sprintf("batches %s", s)
}

// holes are the runs of numbers between the first and the last of ids (ascending) that are not among them.
func holes(ids []int64) []span {
	var all []span
	for i := 1; i < len(ids); i++ {
		if ids[i]-ids[i-1] > 1 {
			all = append(all, span{ids[i-1] + 1, ids[i] - 1})
		}
	}
	return all
}

// runs are ids (ascending) as runs without a hole.
func runs(ids []int64) []span {
	var all []span
	for _, id := range ids {
		if n := len(all); n > 0 && all[n-1].last == id-1 {
			all[n-1].last = id
		} else {
			all = append(all, span{id, id})
		}
	}
	return all
}

// without are the numbers of a (ascending) that are not in b (ascending).
func without(a, b []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(a), func(id int64) bool {
		_, found := slices.BinarySearch(b, id)
		return found
	})
}

// spanNames are the spans as texts, each as String has it.
func spanNames(spans []span) (all []string) {
	for _, s := range spans {
		all = append(all, s.String())
	}
	return all
}

// reach says what a batch reads that ends at to and starts at from: up to four parts of each source,
// and how much it is in all. "" where that is not known.
func reach(from, to *log.Plan) string {
	if from == nil || to == nil || len(from.Sources) != len(to.Sources) {
		return ""
	}
	const shown = 4
	var parts []string
	var total int64
	count, counted := 0, true
	for i := range to.Sources {
		if to.Sources[i].LogsStart() {
			return ""
		}
		for _, r := range source.Ranges(from.Sources[i], to.Sources[i]) {
			if r.From == nil || r.To == nil || r.From.Text == r.To.Text {
				continue
			}
			if count++; count <= shown {
				parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s to %s", r.Part, r.From.Text, r.To.Text)))
			}
			total += r.Count
			counted = counted && r.Counted
		}
	}
	if count > shown {
		parts = append(parts, fmt.Sprintf("%d more parts", count-shown))
	}
	text := strings.Join(parts, ", ")
	if counted && count > 0 {
		text += fmt.Sprintf(", together %d", total)
	}
	return text
}

// stamp is a time in a log, ms since the epoch, for people.
func stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000 UTC") }

// duration is a length of time in ms, for people.
func duration(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }

// unreadBelow reports whether something of the survey that has this name, or lies below it, could
// not be fetched: it must not be called missing then.
func unreadBelow(p *Pass, name string) bool {
	return slices.ContainsFunc(p.Survey.Unread, func(u checkpoint.Unread) bool {
		return u.Name == name || strings.HasPrefix(u.Name, name+"/")
	})
}
