package availability

import (
	"fmt"
	"time"

	"tidemark/internal/phrase"
	"tidemark/internal/tablelog/delta"
)

// addedFile is a file that the batch reads, and what became of it.
type addedFile struct {
	version int64 // that added it
	last    int64 // that added it last, with other rows marked as deleted
	removed int64 // the version that removed it from the table; -1 while it is in
	at      int64 // when that was, ms since the epoch
	nth     int   // of the files that are read from the position on, from 1
}

// deltaWindow is what the commits from the position on say.
type deltaWindow struct {
	*deltaLook
	added   map[string]*addedFile // by path as written
	full    bool                  // there were more than are kept
	ops     map[int64]string      // by version
	changes []string              // commits that change rows which are there already
	schemas []string              // commits that change the metadata of the table
	commits []deltaCommit         // that were read, ascending
	lost    *addedFile            // the first that is missing of those that are read; nil for none
}

// deltaCommit is what one commit does, as a Delta source sees it.
type deltaCommit struct {
	version  int64
	adds     int // files with new rows
	removes  bool
	at       int64           // when it was written, ms since the epoch; 0 where it does not say
	metadata *delta.Metadata // nil where it does not change that
}

// pending reads the commits from the position on, and looks for the files that the batch reads and that a later
// commit removed.
func (d *deltaLook) pending() error {
	if !d.begins || len(d.s.Parts) == 0 {
		d.s.Unseen = append(d.s.Unseen, "not checked: the files of the batch, because its start is not recorded")
		return nil
	}
	w := &deltaWindow{deltaLook: d, added: map[string]*addedFile{}, ops: map[int64]string{}}
	first := d.at.Num
	if d.snapshot {
		first++
	}
	last := min(d.head, first+deltaCommits-1)
	begin := first
	if d.asked >= 0 && first-d.asked <= deltaCommits {
		begin = min(first, d.asked)
	}
	for v := begin; v <= last; v++ {
		if err := w.commit(v); err != nil {
			return err
		}
	}
	if last < d.head {
		d.s.Unseen = append(d.s.Unseen, fmt.Sprintf("of %s, %s were not read: they may have removed files of this batch",
			span("version", first, d.head), span("version", last+1, d.head)))
	}
	if w.full {
		d.s.Unseen = append(d.s.Unseen, fmt.Sprintf("the batch reads more than %d files; only that many were checked", deltaHeld))
	}
	w.tell()
	looked, err := w.look()
	if err == nil {
		w.doubts()
		err = w.stops(begin)
	}
	d.s.Seen = err == nil && looked && last == d.head && !w.full && !d.snapshot && len(d.s.Unseen) == 0
	return err
}

// commit reads one. Its files are numbered as the source numbers them: adds that change data, in their order.
func (w *deltaWindow) commit(v int64) error {
	if w.log.Commit(v) == nil {
		return nil
	}
	index, changed := int64(0), false
	seen := deltaCommit{version: v}
	err := w.actions(w.log, v, func(a delta.Action) error {
		switch a.Name {
		case "commitInfo":
			info, err := a.Info()
			if err != nil {
				return err
			}
			w.ops[v] = info.Operation
			seen.at = info.Timestamp
		case "metaData":
			m, err := a.Metadata()
			if err != nil {
				return err
			}
			seen.metadata = m
			if v > w.at.Num {
				w.schemas = append(w.schemas, fmt.Sprint(v))
			}
		case "add":
			f, err := a.File()
			if err != nil {
				return err
			}
			if f.DataChange {
				seen.adds++
			}
			w.add(v, &index, f)
		case "remove":
			f, err := a.File()
			if err != nil {
				return err
			}
			changed = changed || f.DataChange
			if was := w.added[f.Path]; was != nil && was.removed < 0 && was.last < v {
				was.removed, was.at = v, f.Modified
			}
		}
		return nil
	})
	seen.removes = changed
	w.commits = append(w.commits, seen)
	if changed && w.reads(v, 0) {
		w.changes = append(w.changes, fmt.Sprint(v))
	}
	return err
}

func (w *deltaWindow) add(v int64, index *int64, f delta.File) {
	if was := w.added[f.Path]; was != nil {
		was.removed, was.last = -1, v // in the table again
	}
	if !f.DataChange {
		return
	}
	if w.reads(v, *index) && w.added[f.Path] == nil {
		if len(w.added) < deltaHeld {
			w.added[f.Path] = &addedFile{version: v, last: v, removed: -1, nth: len(w.added) + 1}
		} else {
			w.full = true
		}
	}
	*index++
}

// tell is what else the commits show.
func (w *deltaWindow) tell() {
	fact := func(format string, args ...any) { w.s.Facts = append(w.s.Facts, fmt.Sprintf(format, args...)) }
	if behind := w.head + 1 - w.at.Num; behind > 0 && w.r.To.None && len(w.added) > 0 {
		fact("since the position %s were written, up to version %d, the newest", files(len(w.added)), w.head)
	}
	if len(w.changes) > 0 {
		fact("version %s changed existing rows: the query stops there unless skipChangeCommits, ignoreChanges or ignoreDeletes is set", phrase.List(w.changes, 4))
	}
	if len(w.schemas) > 0 {
		fact("version %s rewrote the table metadata: a schema change stops the query there once", phrase.List(w.schemas, 4))
	}
	if w.setting("delta.enableChangeDataFeed") == "true" {
		fact("the table has a change data feed: if the query reads it, its files are numbered differently, and these are not the batch's files")
	}
}

// look looks for the removed files that the batch reads; all is false where some were not looked for.
func (w *deltaWindow) look() (all bool, err error) {
	all = true
	looked, elsewhere, left := 0, 0, 0
	soonest := int64(0)
	for _, path := range sorted(w.added) {
		f := w.added[path]
		if f.removed < 0 {
			continue
		}
		name, ok := within(w.files.String(), path)
		switch {
		case !ok:
			elsewhere++
			continue
		case looked == deltaFiles:
			left++
			continue
		}
		looked++
		is, err := there(w.ctx, w.files, name)
		if err != nil {
			return false, err
		}
		if !is {
			if w.lost == nil || f.nth < w.lost.nth {
				w.lost = f
			}
			w.s.Missing = append(w.s.Missing, MissingItem{Of: "file", What: name, Batch: w.r.Batch,
				Why: fmt.Sprintf("added by version %d, removed by version %d%s, and now missing", f.version, f.removed, inBrackets(w.ops[f.removed]))})
			continue
		}
		if f.at > 0 && (soonest == 0 || f.at < soonest) {
			soonest = f.at
		}
	}
	if elsewhere > 0 {
		all = false
		w.s.Unseen = append(w.s.Unseen, fmt.Sprintf("%d removed files are outside the table folder, and were not checked", elsewhere))
	}
	if left > 0 {
		all = false
		w.s.Unseen = append(w.s.Unseen, fmt.Sprintf("%d more removed files were not checked", left))
	}
	w.vacuum(soonest)
	return all, nil
}

// vacuum is until when the removed files that are still there stay.
func (w *deltaWindow) vacuum(soonest int64) {
	keeps := w.duration("delta.deletedFileRetentionDuration", fileRetention)
	if soonest == 0 || keeps == 0 {
		return
	}
	p := &w.s.Parts[0]
	if p.Written == 0 || soonest+keeps.Milliseconds() < p.Written+p.Retention.Milliseconds() {
		p.Written, p.Retention = soonest, keeps
	}
	w.s.Facts = append(w.s.Facts, fmt.Sprintf("files the batch reads were removed from the table at %s: VACUUM may delete them from %s",
		utc(soonest), utc(soonest+keeps.Milliseconds())))
}

func inBrackets(operation string) string {
	if operation == "" {
		return ""
	}
	return " (" + operation + ")"
}

func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05 UTC") }
