package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/filesink"
)

// When a file of a file sink's log is read: a compact file from this size on may hold enough entries to be
// worth a word, and beyond the other one they are not counted.
const (
	countedFrom = 64 << 10 // bytes
	countedTo   = 64 << 20
)

// FileLog is the name of the log of a file sink within the output folder.
const FileLog = filesink.Folder

// fileKind is Spark's file sink.
var fileKind = &Kind{
	Name:      "file",
	Title:     "file sink",
	Described: []string{"FileSink["},
	mark:      filesink.Folder,
	open:      func(f tablelog.Files, dir string) Sink { return &fileSink{f, dir} },
}

// IsFile reports whether a kind of a spec is what Spark's file sink writes.
func IsFile(name string) bool {
	k := Named(name)
	return k == fileKind || k.As == fileKind
}

// fileFormats are what a query gives to format() for the file sink.
var fileFormats = &Kind{
	Name:    "parquet",
	Aliases: []string{"orc", "json", "csv", "text", "avro", "xml"},
	As:      fileKind,
}

// fileSink is an output folder with Spark's own log in it. The names of the log tell which batches are there:
// one listing; its newest file is read, for what was cut there.
type fileSink struct {
	files tablelog.Files
	dir   string // of the log
}

func (s *fileSink) Look(ctx context.Context, q Query) (Held, error) {
	h := Held{Kind: "file", Location: s.files.String(), Highest: -1, By: Number}
	entryLog, err := filesink.List(ctx, s.files, s.dir)
	if err != nil {
		return h, err
	}
	h.Highest = entryLog.Latest()
	if h.Highest < 0 {
		if s.dir == filesink.Folder {
			h.Unlogged, err = findUnlogged(ctx, s.files)
		}
		h.Absent = h.Unlogged == nil
		return h, err
	}
	newest := log.FileName(h.Highest, false)
	if _, ok := entryLog.Files[newest]; !ok {
		newest = log.FileName(h.Highest, true)
	}
	h.Proof = Proof{Where: place(s.files, entryLog.Name(newest)), Version: -1, Time: entryLog.Files[newest].Modified}
	for i := len(entryLog.Plain) - 1; i >= 0 && len(h.Batches) < max(q.Newest, 1); i-- {
		name := log.FileName(entryLog.Plain[i], false)
		h.Batches = append(h.Batches, Batch{ID: entryLog.Plain[i], Rows: -1, Files: -1,
			Proof: Proof{place(s.files, entryLog.Name(name)), -1, entryLog.Files[name].Modified}})
	}
	h.Damages = s.damages(entryLog, cmp.Or(q.CompactInterval, log.DefaultInterval), q.CompactInterval == 0)
	if err := s.growth(ctx, entryLog, &h, cmp.Or(q.CompactInterval, log.DefaultInterval)); err != nil || h.Growth != nil {
		return h, err // it has read the newest file
	}
	if size := entryLog.Files[newest].Size; size > 0 && size <= countedTo { // a write that was stopped leaves it cut
		every := entryLog.CompactInterval(cmp.Or(q.CompactInterval, log.DefaultInterval))
		_, err = s.count(ctx, entryLog.Name(newest), &h, (h.Highest+1)/every*every+every-1)
	}
	return h, err
}

// damages returns what the log lacks that its next compaction reads: CompactibleFileStreamLog.compact opens, by
// computed names, the compact file before and every batch after it. Reading the output through Spark opens
// the same files.
func (s *fileSink) damages(entryLog *filesink.Log, interval int64, assumed bool) []Damage {
	latest, every := entryLog.Latest(), entryLog.CompactInterval(interval)
	next := (latest+1)/every*every + every - 1
	var all []Damage
	if len(entryLog.Compact) == 0 {
		// Where nothing is compacted yet the interval is not known, but the log has to begin at 0.
		needs := entryLog.NeedsOf(latest, latest+2)
		if len(needs.Missing) == 0 {
			return s.empty(entryLog, needs, next, assumed)
		}
		text := fmt.Sprintf("%s continues to %d, and has no compact file; missing: %s", entryLog.Dir, latest, needs.MissingText())
		if first := entryLog.Plain[0]; first > 0 && int64(len(needs.Missing))+needs.More == first {
			text = fmt.Sprintf("%s begins at %d: neither %s nor any of 0 to %d exists", entryLog.Dir, first, log.FileName(first-1, true), first-1)
		}
		return append(all, Damage{place(s.files, entryLog.Name(needs.Missing[0])), text, next, assumed})
	}
	needs := entryLog.NeedsOf(latest, interval)
	if len(needs.Missing) > 0 {
		all = append(all, Damage{place(s.files, entryLog.Name(needs.Missing[0])),
			fmt.Sprintf("%s continues to %d, which needs %s and every batch after it; missing: %s", entryLog.Dir, latest, needs.Base, needs.MissingText()), next, false})
	}
	return append(all, s.empty(entryLog, needs, next, false)...)
}

// empty returns needed files without a byte.
func (s *fileSink) empty(entryLog *filesink.Log, needs log.Needs, next int64, assumed bool) []Damage {
	var all []Damage
	for _, name := range needs.Present {
		if entryLog.Files[name].Size == 0 {
			all = append(all, Damage{place(s.files, entryLog.Name(name)), entryLog.Name(name) + " is empty", next, assumed})
		}
	}
	return all
}

// growth counts the newest compact file and an ordinary one after it, where the compact file is long.
func (s *fileSink) growth(ctx context.Context, entryLog *filesink.Log, h *Held, interval int64) error {
	if len(entryLog.Compact) == 0 {
		return nil
	}
	base := log.FileName(entryLog.Compact[len(entryLog.Compact)-1], true)
	size := entryLog.Files[base].Size
	if size < countedFrom {
		return nil
	}
	every := entryLog.CompactInterval(interval)
	g := &Growth{Where: place(s.files, entryLog.Name(base)), Entries: -1, Bytes: size, Interval: every,
		Next: (entryLog.Latest()+1)/every*every + every - 1, Until: -1}
	if newest := entryLog.Compact[len(entryLog.Compact)-1]; interval != every && (newest+1)%interval == 0 {
		// From a single compact file a start infers a longer interval than the one that wrote it.
		g.Until = (entryLog.Latest()+1)/interval*interval + interval - 1
	}
	h.Growth = g
	if n := len(entryLog.Plain); n > 0 {
		var err error
		if g.Ordinary, err = s.count(ctx, entryLog.Name(log.FileName(entryLog.Plain[n-1], false)), h, g.Next); err != nil {
			return err
		}
	}
	if size > countedTo {
		return nil
	}
	var err error
	g.Entries, err = s.count(ctx, entryLog.Name(base), h, g.Next)
	return err
}

// count returns how many entries a file of the log has. The first that does not parse is a damage.
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

// place returns a file of the output, named so that a person finds it.
func place(f tablelog.Files, name string) decode.Where {
	return decode.Where{File: Join(f.String(), name)}
}
