package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
)

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

// name is "offsets/92", or "offsets/92 … 118".
func (s span) name(dir string) string { return dir + "/" + s.String() }

// missing are the numbers between the first and the last of ids (ascending) that are not among them.
func missing(ids []int64) []span {
	var holes []span
	for i := 1; i < len(ids); i++ {
		if ids[i]-ids[i-1] > 1 {
			holes = append(holes, span{ids[i-1] + 1, ids[i] - 1})
		}
	}
	return holes
}

// runs are the same numbers (ascending) as runs without a hole.
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

// minus are the numbers of a (ascending) that are not in b (ascending).
func minus(a, b []int64) []int64 {
	var left []int64
	for _, id := range a {
		if _, found := slices.BinarySearch(b, id); !found {
			left = append(left, id)
		}
	}
	return left
}

// some names up to n of the spans, and how many more there are.
func some(spans []span, n int) string {
	var names []string
	for _, s := range spans[:min(n, len(spans))] {
		names = append(names, s.String())
	}
	text := strings.Join(names, ", ")
	if more := len(spans) - n; more > 0 {
		text += fmt.Sprintf(" and %d more runs", more)
	}
	return text
}
