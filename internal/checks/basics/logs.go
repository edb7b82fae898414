package basics

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// AsyncHoles reports whether both logs have the same holes, in a query without state, as
// asynchronous progress tracking leaves them. A hole above the newest commit counts only next to
// such a one: alone it is a lost plan.
func AsyncHoles(p *checks.Pass) bool {
	from, to := max(p.Offsets.First(), p.Commits.First()), min(p.Offsets.Last(), p.Commits.Last())
	if !LogsListed(p) || to < 0 || !Stateless(p) || Continuous(p) {
		return false
	}
	within := func(ids []int64) []int64 {
		return slices.DeleteFunc(ids, func(id int64) bool { return id < from || id > to })
	}
	planned, done := within(slices.Collect(p.Offsets.IDs())), within(slices.Collect(p.Commits.IDs()))
	return slices.Equal(planned, done) && len(Holes(planned)) > 0
}

// AsyncOff reports whether the query is known to run without asynchronous progress tracking.
func AsyncOff(p *checks.Pass) bool {
	return p.Spec != nil && p.Spec.AsyncProgress != nil && !*p.Spec.AsyncProgress
}

// AsyncOn reports whether the query is known to run with it.
func AsyncOn(p *checks.Pass) bool {
	return p.Spec != nil && p.Spec.AsyncProgress != nil && *p.Spec.AsyncProgress
}

// BeforeCommits reports whether the logs have the layout of Spark 2.1: releases before 2.2 kept no commit log, and their plans
// pin no settings. Later ones pin at least spark.sql.shuffle.partitions in each plan. A single plan without a commit is nothing to go by.
func BeforeCommits(p *checks.Pass) bool {
	s := p.Survey.Standing
	bare := func(b *checkpoint.Batch) bool {
		return b != nil && b.Plan != nil && b.Plan.Version == 1 && b.Plan.HasMetadata && len(b.Plan.Conf)+len(b.Plan.Nulls) == 0
	}
	return p.Commits.Err == nil && p.Commits.Last() < 0 && bare(s.Last) && bare(s.Before)
}

// ListLimit is how many numbers a list of batches keeps; a hole can be as wide as a number is long.
const ListLimit = 1000

// NewestPlan is the newest plan of which sources can be read, among those that a start reads; nil
// when there is none.
func NewestPlan(s checkpoint.Standing) *log.Plan {
	for _, b := range []*checkpoint.Batch{s.Last, s.Before, s.Committed} {
		if b != nil && b.Plan != nil && len(b.Plan.Sources) > 0 {
			return b.Plan
		}
	}
	return nil
}

// CopyFirst begins every next step that changes a file.
const CopyFirst = "Stop every run of the query and copy the whole checkpoint first. "

// LogName is the file of batch id as it is listed, within the checkpoint; the name that Spark gives
// it where there is none.
func LogName(d *checkpoint.LogDir, id int64) string {
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

// LogsListed reports whether both logs were listed to their ends: without that nothing is missing.
func LogsListed(p *checks.Pass) bool { return p.Offsets.Err == nil && p.Commits.Err == nil }

// Stateless reports whether the query keeps no state, as far as a listing can tell.
func Stateless(p *checks.Pass) bool {
	for _, e := range p.State.Entries {
		if e.Dir && IsNumber(e.Name) {
			return false
		}
	}
	return p.State.Err == nil
}

func IsNumber(name string) bool {
	n := log.ParseName(name)
	return n.Role == log.LogFile && !n.Compact
}

// Continuous reports whether the newest plans are epochs of continuous processing: one source each,
// and no metadata. A micro-batch whose metadata line was lost stands alone with that.
func Continuous(p *checks.Pass) bool {
	s := p.Survey.Standing
	epoch := func(b *checkpoint.Batch) bool {
		return b != nil && b.Plan != nil && b.Plan.Version == 1 && b.Plan.Has(decode.NoMetadata) && len(b.Plan.Sources) == 1
	}
	return epoch(s.Last) && (s.Before == nil || epoch(s.Before)) && Stateless(p)
}

// StartReads reports whether the next start reads this log file: offsets/L, the plan before it and
// commits/C. Spark reads no older one again.
func StartReads(p *checks.Pass, file string) bool {
	l := p.Offsets.Last()
	if file == LogName(&p.Offsets, l) || file == LogName(&p.Commits, p.Commits.Last()) {
		return true
	}
	if Continuous(p) {
		return file == LogName(&p.Offsets, p.Commits.Last())
	}
	return file == LogName(&p.Offsets, PlanBefore(p, l))
}

// PlanBefore is the newest planned batch below id, -1 when there is none.
func PlanBefore(p *checks.Pass, id int64) int64 {
	i, _ := slices.BinarySearchFunc(p.Offsets.Files, id, func(f checkpoint.LogFile, id int64) int { return cmp.Compare(f.ID, id) })
	if i == 0 {
		return -1
	}
	return p.Offsets.Files[i-1].ID
}

// Span is a run of batches, both ends included.
type Span struct{ First, Last int64 }

func (s Span) Count() int64 { return s.Last - s.First + 1 }

// String is "92", or "92–118".
func (s Span) String() string {
	if s.First == s.Last {
		return fmt.Sprint(s.First)
	}
	return fmt.Sprintf("%d–%d", s.First, s.Last)
}

// In is "offsets/92", or "offsets/92–118 (27 files)".
func (s Span) In(dir string) string {
	if s.First == s.Last {
		return fmt.Sprintf("%s/%d", dir, s.First)
	}
	return fmt.Sprintf("%s/%s (%d files)", dir, s, s.Count())
}

// Verb is the verb that goes with the span.
func (s Span) Verb() string {
	if s.First == s.Last {
		return "is"
	}
	return "are"
}

// Batches is "batch 92", or "batches 92 to 118".
func (s Span) Batches() string {
	return phrase.Batches(s.First, s.Last)
}

// Holes are the runs of numbers between the first and the last of ids (ascending) that are not among them.
func Holes(ids []int64) []Span {
	var all []Span
	for i := 1; i < len(ids); i++ {
		if ids[i]-ids[i-1] > 1 {
			all = append(all, Span{ids[i-1] + 1, ids[i] - 1})
		}
	}
	return all
}

// Runs are ids (ascending) as runs without a hole.
func Runs(ids []int64) []Span {
	var all []Span
	for _, id := range ids {
		if n := len(all); n > 0 && all[n-1].Last == id-1 {
			all[n-1].Last = id
		} else {
			all = append(all, Span{id, id})
		}
	}
	return all
}

// Except are the numbers of a (ascending) that are not in b (ascending).
func Except(a, b []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(a), func(id int64) bool {
		_, found := slices.BinarySearch(b, id)
		return found
	})
}

// SpanNames are the spans as texts, each as String has it.
func SpanNames(spans []Span) (all []string) {
	for _, s := range spans {
		all = append(all, s.String())
	}
	return all
}

// Reach says what a batch reads that ends at to and starts at from: up to four parts of each source,
// and how much it is in all. "" where that is not known.
func Reach(from, to *log.Plan) string {
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
				parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s → %s", r.Part, r.From.Text, r.To.Text)))
			}
			total += r.Count
			counted = counted && r.Counted
		}
	}
	if count > shown {
		parts = append(parts, fmt.Sprintf("%d more partitions", count-shown))
	}
	text := strings.Join(parts, ", ")
	if counted && count > 0 {
		text += fmt.Sprintf(", %d in total", total)
	}
	return text
}

// UnreadBelow reports whether something of the survey that has this name, or lies below it, could
// not be fetched: it must not be called missing then.
func UnreadBelow(p *checks.Pass, name string) bool {
	return slices.ContainsFunc(p.Survey.Unread, func(u checkpoint.Unread) bool {
		return u.Name == name || strings.HasPrefix(u.Name, name+"/")
	})
}
