package sink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/logs"
	"tidemark/table"
	"tidemark/table/filesink"
)

// When a file of a file sink's log is read: a compact file from this size on may hold enough entries to be
// worth a word, and beyond the other one they are not counted.
const (
	countedFrom = 64 << 10 // bytes
	countedTo   = 64 << 20
)

// FileLog is the name of the log of a file sink within the output folder.
const FileLog = filesink.Folder

// fileSink is an output folder with Spark's own log in it. The names of the log tell which batches are there:
// one listing; its newest file is read, for what was cut there.
type fileSink struct {
	files table.Files
	dir   string // of the log
}

func (s *fileSink) Look(ctx context.Context, q Query) (Held, error) {
	h := Held{Kind: "file", Location: s.files.String(), Highest: -1, By: Number}
	log, err := filesink.List(ctx, s.files, s.dir)
	if err != nil {
		return h, err
	}
	h.Highest = log.Latest()
	if h.Highest < 0 {
		if s.dir == filesink.Folder {
			h.Unlogged, err = findUnlogged(ctx, s.files)
		}
		h.Absent = h.Unlogged == nil
		return h, err
	}
	newest := logs.FileName(h.Highest, false)
	if _, ok := log.Files[newest]; !ok {
		newest = logs.FileName(h.Highest, true)
	}
	h.Proof = Proof{Where: place(s.files, log.Name(newest)), Version: -1, Time: log.Files[newest].Modified}
	for i := len(log.Plain) - 1; i >= 0 && len(h.Batches) < max(q.Newest, 1); i-- {
		name := logs.FileName(log.Plain[i], false)
		h.Batches = append(h.Batches, Batch{ID: log.Plain[i], Rows: -1, Files: -1,
			Proof: Proof{place(s.files, log.Name(name)), -1, log.Files[name].Modified}})
	}
	h.Damages = s.damages(log, cmp.Or(q.CompactInterval, logs.DefaultInterval), q.CompactInterval == 0)
	if err := s.growth(ctx, log, &h, cmp.Or(q.CompactInterval, logs.DefaultInterval)); err != nil || h.Growth != nil {
		return h, err // it has read the newest file
	}
	if size := log.Files[newest].Size; size > 0 && size <= countedTo { // a write that was stopped leaves it cut
		every := log.CompactInterval(cmp.Or(q.CompactInterval, logs.DefaultInterval))
		_, err = s.count(ctx, log.Name(newest), &h, (h.Highest+1)/every*every+every-1)
	}
	return h, err
}

// damages are what the log lacks that its next compaction reads: CompactibleFileStreamLog.compact opens, by
// computed names, the compact file before and every batch after it. Reading the output through Spark opens
// the same files.
func (s *fileSink) damages(log *filesink.Log, interval int64, assumed bool) []Damage {
	latest, every := log.Latest(), log.CompactInterval(interval)
	next := (latest+1)/every*every + every - 1
	var all []Damage
	if len(log.Compact) == 0 {
		// Where nothing is compacted yet the interval is not known, but the log has to begin at 0.
		needs := log.NeedsOf(latest, latest+2)
		if len(needs.Missing) == 0 {
			return s.empty(log, needs, next, assumed)
		}
		text := fmt.Sprintf("%s goes up to %d, and has no compact file; missing: %s", log.Dir, latest, needs.MissingText())
		if first := log.Plain[0]; first > 0 && int64(len(needs.Missing))+needs.More == first {
			text = fmt.Sprintf("%s begins at %d: neither %s nor any of 0 to %d is there", log.Dir, first, logs.FileName(first-1, true), first-1)
		}
		return append(all, Damage{place(s.files, log.Name(needs.Missing[0])), text, next, assumed})
	}
	needs := log.NeedsOf(latest, interval)
	if len(needs.Missing) > 0 {
		all = append(all, Damage{place(s.files, log.Name(needs.Missing[0])),
			fmt.Sprintf("%s goes up to %d, which needs %s and every batch after it; missing: %s", log.Dir, latest, needs.Base, needs.MissingText()), next, false})
	}
	return append(all, s.empty(log, needs, next, false)...)
}

// empty are needed files without a byte.
func (s *fileSink) empty(log *filesink.Log, needs logs.Needs, next int64, assumed bool) []Damage {
	var all []Damage
	for _, name := range needs.Present {
		if log.Files[name].Size == 0 {
			all = append(all, Damage{place(s.files, log.Name(name)), log.Name(name) + " has no bytes", next, assumed})
		}
	}
	return all
}

// growth counts the newest compact file and an ordinary one after it, where the compact file is long.
func (s *fileSink) growth(ctx context.Context, log *filesink.Log, h *Held, interval int64) error {
	if len(log.Compact) == 0 {
		return nil
	}
	base := logs.FileName(log.Compact[len(log.Compact)-1], true)
	size := log.Files[base].Size
	if size < countedFrom {
		return nil
	}
	every := log.CompactInterval(interval)
	g := &Growth{Where: place(s.files, log.Name(base)), Entries: -1, Bytes: size, Interval: every, Next: (log.Latest()+1)/every*every + every - 1, Until: -1}
	if newest := log.Compact[len(log.Compact)-1]; interval != every && (newest+1)%interval == 0 {
		// From a single compact file a start infers a longer interval than the one that wrote it.
		g.Until = (log.Latest()+1)/interval*interval + interval - 1
	}
	h.Growth = g
	if n := len(log.Plain); n > 0 {
		var err error
		if g.Ordinary, err = s.count(ctx, log.Name(logs.FileName(log.Plain[n-1], false)), h, g.Next); err != nil {
			return err
		}
	}
	if size > countedTo {
		return nil
	}
	var err error
	g.Entries, err = s.count(ctx, log.Name(base), h, g.Next)
	return err
}

// count is how many entries a file of the log has. The first that does not parse is a damage.
func (s *fileSink) count(ctx context.Context, name string, h *Held, next int64) (n int64, err error) {
	r, err := s.files.Open(ctx, name, 0, countedTo)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	damaged := false
	for _, err := range filesink.Read(place(s.files, name).File, io.LimitReader(r, countedTo)) {
		if err == nil {
			n++
			continue
		}
		problem, ok := asDecode(err)
		if !ok {
			return n, err
		}
		if !damaged {
			damaged = true
			inner := problem
			for deeper, ok := errors.AsType[*decode.Error](inner.Err); ok; deeper, ok = errors.AsType[*decode.Error](inner.Err) {
				inner = deeper
			}
			h.Damages = append(h.Damages, Damage{problem.Where, fmt.Sprintf("line %d of %s cannot be read: %v", problem.Where.Line, name, inner.Err), next, false})
		}
	}
	return n, nil
}

// place is a file of the output, named so that a person finds it.
func place(f table.Files, name string) decode.Where {
	return decode.Where{File: Join(f.String(), name)}
}
