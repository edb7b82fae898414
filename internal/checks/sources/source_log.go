package sources

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// NeededNames are the names of the files that the newest entry needs: "9.compact and 10 to 12".
func NeededNames(f *checkpoint.SourceFolder) string {
	latest, first := f.Log.Latest(), int64(0)
	if f.Needs.Base != "" {
		base, _ := strconv.ParseInt(strings.TrimSuffix(f.Needs.Base, ".compact"), 10, 64)
		first = base + 1
	}
	plain := fmt.Sprintf("%d to %d", first, latest)
	switch {
	case f.Needs.Base == "":
		return plain
	case first > latest:
		return f.Needs.Base
	case first == latest:
		return fmt.Sprintf("%s and %d", f.Needs.Base, latest)
	}
	return f.Needs.Base + " and " + plain
}

// LogReach says how far a file source's log goes.
func LogReach(f *checkpoint.SourceFolder) string {
	if f == nil {
		return "that folder is missing"
	}
	if f.Log.Latest() < 0 {
		return "that log is empty"
	}
	return fmt.Sprintf("that log has files for %s", phrase.List(basics.SpanNames(basics.Runs(f.Present())), 6))
}

// Absent are the words of Spark where the log lacks an id from first to last; "" where it has them all.
func Absent(f *checkpoint.SourceFolder, first, last int64) string {
	if first > last {
		return ""
	}
	latest := int64(-1)
	if f != nil {
		latest = f.Log.Latest()
	}
	const asked = 1 << 20 // ids: more lie between two batches in no log
	if first > latest || last-first > asked && last > latest+asked {
		return fmt.Sprintf("batch %d doesn't exist", first)
	}
	var there []int64
	for id := first; id <= min(last, latest, first+asked); id++ {
		if f.Holds(id) {
			there = append(there, id)
		}
	}
	n := len(there)
	switch {
	case n == 0:
		return fmt.Sprintf("batch %d doesn't exist", first)
	case there[0] > first:
		return notExist(basics.Span{First: first, Last: there[0]}, first, last)
	case there[n-1] < last && last <= latest+asked && n <= asked:
		return notExist(basics.Span{First: there[n-1], Last: last}, first, last)
	}
	if missing := basics.Holes(there); len(missing) > 0 {
		return notExist(missing[0], first, last)
	}
	return ""
}

// notExist is the message of verifyBatchIds, which names the neighbor that exists as well.
func notExist(missing basics.Span, first, last int64) string {
	var ids []string
	for id := missing.First; id <= missing.Last && len(ids) < 20; id++ {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	if missing.Count() > 20 {
		ids = append(ids, "…")
	}
	return fmt.Sprintf("batches (%s) don't exist (startId: Some(%d), endId: Some(%d))", strings.Join(ids, ", "), first, last)
}

// MissingEnd is the folder in which a Kinesis connector recorded the end of the batch of this line, if
// it is missing although those of other batches are; "" otherwise.
func MissingEnd(f *checkpoint.SourceFolder, o source.Offset) string {
	batch := shardBatch(o)
	if f == nil || len(f.Ended) == 0 || batch == "" {
		return ""
	}
	dir, _, _ := strings.Cut(f.Ended[0], "/")
	if want := dir + "/" + batch; !slices.Contains(f.Ended, want) {
		return want
	}
	return ""
}

// shardBatch is the batch of a Kinesis line by the connector's own count; "" where it has none.
func shardBatch(o source.Offset) string {
	m, _ := o.Line.Get("metadata")
	id, _ := m.Get("batchId")
	return id.Text
}
