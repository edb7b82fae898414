package output

import (
	"context"
	"path"
	"regexp"
	"strings"

	"tidemark/internal/tablelog"
)

// Unlogged are data files in a folder that has no log of them. Their names are those that tasks of Spark give to
// files: of its file sink, of batch jobs, and of some tables. No name says which query wrote a file.
type Unlogged struct {
	Files int64  // at least 1
	More  bool   // there may be more: not all of the folder was listed
	First string // the first of them, from the root on
	Job   bool   // a batch job wrote here, which the file sink never is: _SUCCESS is there, or files of several tasks share one id
}

// dataFile is the name of a file as a task writes it: its partition, an id, and the format. Each task of the file sink
// makes up an id of its own (ManifestFileCommitProtocol); all tasks of a batch job share one
// (HadoopMapReduceCommitProtocol).
var dataFile = regexp.MustCompile(`^part-(\d{5,})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[-.]c\d{3,})?\.\w`)

const (
	unloggedCounted = 1000 // data files that are counted; one page of an object store
	partitionDepth  = 4    // folders like "day=2026-11-29" below each other that are followed
)

// findUnlogged looks for data files: in the root, else in the first folder of a partition. It is nil where there are none.
func findUnlogged(ctx context.Context, f tablelog.Files) (*Unlogged, error) {
	u := &Unlogged{}
	dir := "."
	for range partitionDepth {
		below := ""
		tasks := map[string]string{} // the partition that each id was seen with
		seen := 0
		for e, err := range f.List(ctx, dir, "") {
			if err != nil {
				return nil, err
			}
			if seen++; seen > probed || u.Files == unloggedCounted {
				u.More = true
				break
			}
			m := dataFile.FindStringSubmatch(e.Name)
			switch {
			case e.Dir && below == "" && strings.Contains(e.Name, "="):
				below = path.Join(dir, e.Name)
			case !e.Dir && e.Name == "_SUCCESS":
				u.Job = true
			case e.Dir || m == nil:
			default:
				if u.Files++; u.First == "" {
					u.First = path.Join(dir, e.Name)
				}
				if other, ok := tasks[m[2]]; ok && other != m[1] {
					u.Job = true
				}
				tasks[m[2]] = m[1]
			}
		}
		if u.Files > 0 || below == "" {
			u.More = u.More || dir != "."
			break
		}
		dir = below
	}
	if u.Files == 0 {
		return nil, nil
	}
	return u, nil
}
