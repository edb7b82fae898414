package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/page"
)

// batchLine is one batch for a program. A committed of null could not be read; times are ms since the
// epoch, 0 where they are not recorded.
type batchLine struct {
	Batch       int64    `json:"batch"`
	Planned     bool     `json:"planned"`
	PlannedMS   int64    `json:"planned_ms"`
	Committed   *bool    `json:"committed"`
	InSink      string   `json:"in_sink,omitempty"` // "yes", "no", "taken out", "?"; absent without --sink
	WatermarkMS int64    `json:"watermark_ms"`
	Ranges      any      `json:"ranges"`
	Files       []taken  `json:"files,omitempty"` // of file sources; absent where there is none
	Problems    []string `json:"problems"`
}

// taken is what a batch reads of one file source. Sizes of files are not recorded.
type taken struct {
	Source  int         `json:"source"`
	Name    string      `json:"name,omitempty"`
	Log     string      `json:"log"` // the folder of the source's log
	First   int64       `json:"first_entry"`
	Last    int64       `json:"last_entry"` // below the first where there is none
	Count   int64       `json:"count"`
	Files   []takenFile `json:"files"`          // the first of them
	More    int64       `json:"more,omitempty"` // how many more there are
	Unknown string      `json:"unknown,omitempty"`
}

type takenFile struct {
	Path       string `json:"path"`
	ModifiedMS int64  `json:"modified_ms"`
}

// FilesShown is how many files of a batch are named.
const FilesShown = 20

func newTaken(all []checkpoint.Taken) (out []taken) {
	for _, t := range all {
		j := taken{Source: t.Source, Name: t.Name, Log: t.Log, First: t.First, Last: t.Last, Count: t.Count, Files: []takenFile{},
			More: t.Count - int64(len(t.Files)), Unknown: t.Why}
		for _, f := range t.Files {
			j.Files = append(j.Files, takenFile{f.Path, f.Timestamp})
		}
		out = append(out, j)
	}
	return out
}

// BatchJSON writes a batch as one line of JSON. before and after are the batches beside it in a list, nil where there
// is none; files are those that it reads of file sources; out is what the sink holds, nil where that is not known.
func BatchJSON(w io.Writer, before, b, after *checkpoint.Batch, files []checkpoint.Taken, out *checks.Output) error {
	unread := func(name string) bool {
		return slices.ContainsFunc(b.Unread, func(u checkpoint.Unread) bool { return u.Name == name+"/"+strconv.FormatInt(b.ID, 10) })
	}
	l := batchLine{Batch: b.ID, InSink: page.InOutput(out, b.ID), Ranges: Ranges(checkpoint.Reads(before, b, after)),
		Files: newTaken(files), Problems: []string{}}
	if l.Planned = b.Plan != nil || unread("offsets"); b.Plan != nil {
		l.PlannedMS, l.WatermarkMS = b.Plan.Timestamp, b.Plan.Watermark
	}
	if committed := b.Commit != nil; committed || !unread("commits") {
		l.Committed = &committed
	}
	for _, p := range b.Problems() {
		l.Problems = append(l.Problems, p.Error())
	}
	for _, u := range b.Unread {
		l.Problems = append(l.Problems, fmt.Sprintf("%s could not be read: %v", u.Name, u.Err))
	}
	return WriteJSON(w, l, "")
}
