package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
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
		j := taken{Source: t.Source, Name: t.Name, Log: t.Log, First: t.First, Last: t.Last, Count: t.Count, Files: []takenFile{}, More: t.Count - int64(len(t.Files)), Unknown: t.Why}
		for _, f := range t.Files {
			j.Files = append(j.Files, takenFile{f.Path, f.Timestamp})
		}
		out = append(out, j)
	}
	return out
}

// Files are the files that a batch reads of a file source, for a person: a heading, and a line for each that is named.
// The lines are safe for a terminal.
func Files(t *checkpoint.Taken) (heading string, lines []string) {
	heading = fmt.Sprintf("source %d reads %s, by %s", t.Source, Units(t.Count, "files"), entriesOf(t))
	for _, f := range t.Files {
		line := Printable(f.Path)
		if f.Timestamp > 0 {
			line += "  modified " + Time(f.Timestamp)
		}
		lines = append(lines, line)
	}
	if more := t.Count - int64(len(t.Files)); more > 0 {
		lines = append(lines, "and "+Count(more)+" more")
	}
	if t.Why != "" {
		lines = append(lines, "not all is known: "+Printable(t.Why))
	}
	return heading, lines
}

// entriesOf names the entries of a source's log: "entries 3 to 5 of sources/0".
func entriesOf(t *checkpoint.Taken) string {
	switch {
	case t.Last < t.First:
		return "no entry of " + t.Log
	case t.First == t.Last:
		return fmt.Sprintf("entry %d of %s", t.Last, t.Log)
	}
	return fmt.Sprintf("entries %d to %d of %s", t.First, t.Last, t.Log)
}

// FileNames are the last parts of the names of some files: "a.json, b.json and 3 more"; "" for none.
func FileNames(all []checkpoint.Taken) string {
	const named = 3
	var names []string
	var count int64
	unknown := false
	for i := range all {
		count += all[i].Count
		unknown = unknown || all[i].Why != ""
		for _, f := range all[i].Files[:min(len(all[i].Files), named-len(names))] {
			names = append(names, Printable(path.Base(f.Path)))
		}
	}
	text := strings.Join(names, ", ")
	if more := count - int64(len(names)); more > 0 {
		text += " and " + Count(more) + " more"
	}
	switch {
	case unknown && text == "":
		text = "(which files is not known)"
	case unknown:
		text += " (not all is known)"
	}
	return text
}

// BatchJSON writes a batch as one line of JSON. before and after are the batches beside it in a list, nil where there
// is none; files are those that it reads of file sources; out is what the sink holds, nil where that is not known.
func BatchJSON(w io.Writer, before, b, after *checkpoint.Batch, files []checkpoint.Taken, out *checks.Output) error {
	unread := func(name string) bool {
		return slices.ContainsFunc(b.Unread, func(u checkpoint.Unread) bool { return u.Name == name+"/"+strconv.FormatInt(b.ID, 10) })
	}
	l := batchLine{Batch: b.ID, InSink: InOutput(out, b.ID), Ranges: Ranges(checkpoint.Reads(before, b, after)), Files: newTaken(files), Problems: []string{}}
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
