package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/storage"
)

// SourceFolder is one folder in sources, sources/<i> or sources/<name>, with what a start reads of
// it. What kind of source it belongs to is not recorded; the files tell some of them.
type SourceFolder struct {
	LogDir
	Log   log.Compactible // the numbered files
	Needs log.Needs       // of them, those that the entries up to the newest id stand in
	Files []*SourceFile   // those of Needs that are there, in its order
	First *log.Initial    // where the source began to read; nil where the folder has no such file
	Ended []string        // batches of a Kinesis connector whose end is recorded: "shard-commit/7"; in byte order
	Shut  bool            // a folder within this one could not be listed
}

// IsLog reports whether the folder holds the log of a file source: some entry of a file is there.
func (f *SourceFolder) IsLog() bool {
	return len(f.Log.Compact) > 0 || slices.ContainsFunc(f.Files, func(s *SourceFile) bool { return s.Entries > 0 })
}

// Holds reports whether the log has id: a file of its own, or entries in the newest compact file. It
// says yes where that file is so long that only its ends were read.
func (f *SourceFolder) Holds(id int64) bool {
	own := f.Log.Plain
	if interval := f.Log.CompactInterval(log.DefaultInterval); (id+1)%interval == 0 {
		own = f.Log.Compact
	}
	if _, ok := slices.BinarySearch(own, id); ok {
		return true
	}
	base := f.Base()
	return base != nil && (base.IDs.Has(id) || base.Partly && id <= f.Log.Latest())
}

// Base is the compact file that a start reads; nil where there is none.
func (f *SourceFolder) Base() *SourceFile {
	if len(f.Files) == 0 || f.Needs.Base == "" || f.Files[0].Name != path.Join(f.Name, f.Needs.Base) {
		return nil
	}
	return f.Files[0]
}

// Present are the ids that have a file of their own, ascending.
func (f *SourceFolder) Present() []int64 {
	all := slices.Concat(f.Log.Plain, f.Log.Compact)
	slices.Sort(all)
	return slices.Compact(all)
}

// SourceFile is one file of a file source's log: what is in it, without the entries.
type SourceFile struct {
	Name     string          // within the checkpoint: "sources/0/9.compact"
	Size     int64           // bytes, as listed
	Entries  int64           // how many were read
	IDs      IDs             // the ids of the log whose entries are in it
	Partly   bool            // it is so long that only its beginning and its end were read
	Problems []*decode.Error // up to 20, in the order of the file
	Err      error           // why it could not be read, or not to its end
}

// Has reports whether the file has a problem of one of these flaws.
func (f *SourceFile) Has(flaws ...decode.Flaw) bool {
	return slices.ContainsFunc(f.Problems, func(e *decode.Error) bool { return slices.Contains(flaws, e.Flaw) })
}

// IDs is a set of the ids of a source's log. Entries come in the order of their ids, so that runs
// keep millions of them in a few bytes.
type IDs struct{ runs [][2]int64 }

// idRuns is how many runs a set keeps: a file in which the ids jump about is not of Spark's making.
const idRuns = 1 << 16

// Add takes in one id.
func (s *IDs) Add(id int64) {
	if n := len(s.runs); n > 0 {
		switch last := &s.runs[n-1]; {
		case id >= last[0] && id <= last[1]:
			return
		case id == last[1]+1:
			last[1] = id
			return
		}
	}
	if len(s.runs) < idRuns {
		s.runs = append(s.runs, [2]int64{id, id})
	}
}

// Has reports whether id is in the set.
func (s *IDs) Has(id int64) bool {
	return slices.ContainsFunc(s.runs, func(r [2]int64) bool { return r[0] <= id && id <= r[1] })
}

// Outside is an id of the set that is not from first to last; false where there is none.
func (s *IDs) Outside(first, last int64) (id int64, found bool) {
	for _, r := range s.runs {
		switch {
		case r[0] < first:
			return r[0], true
		case r[1] > last:
			return r[1], true
		}
	}
	return 0, false
}

const (
	wholeSourceFile = 32 << 20 // bytes: a longer file of a source's log is read at its two ends
	sourceFileEnd   = 64 << 10 // bytes read at each end of such a file
	problemsKept    = 20       // of one file
	needsRead       = 1000     // files of one log; Spark's default compaction leaves no more than ten
)

// surveyFolder looks into one folder in sources. Its error means that nothing more will be read.
func (c *Checkpoint) surveyFolder(ctx context.Context, name string, note func(...Unread)) (SourceFolder, error) {
	f := SourceFolder{LogDir: c.Dir(ctx, name)}
	if f.Err != nil {
		note(Unread{Name: name, List: true, Err: f.Err})
		return f, stopping(f.Err)
	}
	var names []string
	for _, file := range f.LogDir.Files {
		names = append(names, file.Name)
	}
	f.Log = log.NewCompactible(names)
	if len(names) > 0 {
		f.Needs = f.Log.NeedsOf(f.Log.Latest(), log.DefaultInterval)
	}
	for _, survey := range []func(context.Context, *SourceFolder, func(...Unread)) error{c.surveyFirst, c.surveyLog, c.surveyShards} {
		if err := survey(ctx, &f, note); err != nil {
			return f, err
		}
	}
	return f, nil
}

// stopping is err where it means that nothing more will be read.
func stopping(err error) error {
	if Stopped(err) {
		return err
	}
	return nil
}

// firstLimit is how long a file of initial offsets can be: 100,000 partitions take 2 MiB.
const firstLimit = 16 << 20

// surveyFirst reads where the source began: the only numbered file, 0, or Iceberg's offsets/0. The
// first entry of a file source has the same name; both are tried.
func (c *Checkpoint) surveyFirst(ctx context.Context, f *SourceFolder, note func(...Unread)) error {
	name := path.Join(f.Name, "0")
	nested := f.Other("offsets")
	switch {
	case nested != nil && nested.Dir:
		name = path.Join(f.Name, "offsets", "0")
	case len(f.LogDir.Files) != 1 || f.Find(0) == nil || f.LogDir.Files[0].Size > firstLimit:
		return nil
	}
	data, err := c.Read(ctx, name, firstLimit)
	if errors.Is(err, fs.ErrNotExist) && nested != nil {
		return nil // a folder without the file: no damage that is known
	}
	if err != nil {
		note(Unread{Name: name, Err: err})
		f.Files = []*SourceFile{{Name: name, Err: err}}
		return stopping(err)
	}
	if nested == nil {
		s := &SourceFile{Name: name, Size: int64(len(data))}
		s.Err = s.take(log.ReadSourceLog(name, bytes.NewReader(data)))
		f.Files = []*SourceFile{s}
		if len(s.Problems) == 0 || s.Entries > 0 {
			return nil
		}
	}
	f.First = log.ParseInitialOffsets(name, data)
	return nil
}

// surveyLog reads the log of a file source as a start does: the newest compact file and what follows.
func (c *Checkpoint) surveyLog(ctx context.Context, f *SourceFolder, note func(...Unread)) error {
	if len(f.Files) > 0 {
		return nil
	}
	present := f.Needs.Present[max(0, len(f.Needs.Present)-needsRead):]
	for s, err := range storage.ParallelMap(ctx, ReadsAhead, slices.Values(present),
		func(ctx context.Context, base string) (*SourceFile, error) {
			s := c.SourceFile(ctx, path.Join(f.Name, base), f.size(base), false)
			return s, stopping(s.Err)
		}) {
		if s != nil {
			f.Files = append(f.Files, s)
			if s.Err != nil {
				note(Unread{Name: s.Name, Err: s.Err})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *SourceFolder) size(base string) int64 {
	for _, file := range f.LogDir.Files {
		if file.Name == base {
			return file.Size
		}
	}
	return 0
}

// surveyShards lists the batches of a Kinesis connector.
func (c *Checkpoint) surveyShards(ctx context.Context, f *SourceFolder, note func(...Unread)) error {
	for _, dir := range source.EndFolders() {
		if e := f.Other(dir); e == nil || !e.Dir {
			continue
		}
		l := c.list(ctx, path.Join(f.Name, dir))
		if l.Err != nil {
			f.Shut = true
			note(Unread{Name: l.Name, List: true, Err: l.Err})
			return stopping(l.Err)
		}
		for _, e := range l.Entries {
			if e.Dir {
				f.Ended = append(f.Ended, path.Join(dir, e.Name))
			}
		}
	}
	return nil
}

// Shard is the recorded end of one Kinesis shard; Err is why the file could not be read.
type Shard struct {
	*log.Shard
	Err error
}

// Shards reads files in which a Kinesis connector recorded where shards ended, in their order. An
// error means that nothing more will be read.
func (c *Checkpoint) Shards(ctx context.Context, names iter.Seq[string]) iter.Seq2[Shard, error] {
	return storage.ParallelMap(ctx, ReadsAhead, names, func(ctx context.Context, name string) (Shard, error) {
		data, err := c.Read(ctx, name, 1<<20)
		if err != nil {
			return Shard{&log.Shard{File: name}, err}, stopping(err)
		}
		return Shard{log.ParseShard(name, data), nil}, nil
	})
}

// SourceFile reads one file of a file source's log of this size, whole or, where it is long and whole
// is false, at its two ends. It keeps no entries.
func (c *Checkpoint) SourceFile(ctx context.Context, name string, size int64, whole bool) *SourceFile {
	s := &SourceFile{Name: name, Size: size}
	if whole || size <= wholeSourceFile {
		s.Err = s.take(c.sourceEntries(ctx, name, 0, -1))
		return s
	}
	s.Partly = true
	if s.Err = s.take(dropLast(c.sourceEntries(ctx, name, 0, sourceFileEnd))); s.Err == nil {
		// The end begins in the middle of a line, which stands where a version line would.
		s.Err = s.take(dropFirst(c.sourceEntries(ctx, name, size-sourceFileEnd, -1)))
	}
	return s
}

// sourceEntries reads a piece of a file source's log.
func (c *Checkpoint) sourceEntries(ctx context.Context, name string, offset, length int64) iter.Seq2[log.SourceEntry, error] {
	return func(yield func(log.SourceEntry, error) bool) {
		r, err := c.store.Open(ctx, name, offset, length)
		if err != nil {
			yield(log.SourceEntry{}, err)
			return
		}
		defer r.Close()
		for e, err := range log.ReadSourceLog(name, r) {
			if problem, ok := errors.AsType[*decode.Error](err); ok && offset > 0 {
				problem.Where = decode.Where{File: name, Line: problem.Line, Offset: problem.Offset + offset}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// OlderSourceFiles reads the files of a file source's log that a start does not read, whole and several at once, in byte order of name. An
// error of the sequence means that nothing more will be read; other errors are in the file.
func (c *Checkpoint) OlderSourceFiles(ctx context.Context, f *SourceFolder) iter.Seq2[*SourceFile, error] {
	var older []LogFile
	for _, file := range f.LogDir.Files {
		name := path.Join(f.Name, file.Name)
		if !slices.ContainsFunc(f.Files, func(s *SourceFile) bool { return s.Name == name }) {
			older = append(older, file)
		}
	}
	return storage.ParallelMap(ctx, ReadsAhead, slices.Values(older), func(ctx context.Context, file LogFile) (*SourceFile, error) {
		s := c.SourceFile(ctx, path.Join(f.Name, file.Name), file.Size, true)
		return s, stopping(s.Err)
	})
}

// take counts entries and keeps problems; its error is about reaching the bytes.
func (s *SourceFile) take(entries iter.Seq2[log.SourceEntry, error]) error {
	for e, err := range entries {
		problem, decodes := errors.AsType[*decode.Error](err)
		switch {
		case err == nil:
			s.Entries++
			s.IDs.Add(e.BatchID)
		case !decodes:
			return err
		case len(s.Problems) < problemsKept:
			s.Problems = append(s.Problems, problem)
		}
	}
	return nil
}

// dropLast leaves out the last item: the line that a piece of a file cuts.
func dropLast(entries iter.Seq2[log.SourceEntry, error]) iter.Seq2[log.SourceEntry, error] {
	return func(yield func(log.SourceEntry, error) bool) {
		var held log.SourceEntry
		var heldErr error
		some := false
		for e, err := range entries {
			if some && !yield(held, heldErr) {
				return
			}
			held, heldErr, some = e, err, true
		}
		if _, decodes := errors.AsType[*decode.Error](heldErr); heldErr != nil && !decodes {
			yield(held, heldErr)
		}
	}
}

// dropFirst leaves out what is said of the first line, and the numbers of the others: they count from
// the middle of a file.
func dropFirst(entries iter.Seq2[log.SourceEntry, error]) iter.Seq2[log.SourceEntry, error] {
	return func(yield func(log.SourceEntry, error) bool) {
		for e, err := range entries {
			if problem, ok := errors.AsType[*decode.Error](err); ok && problem.Line == 1 {
				continue
			} else if ok {
				problem.Line = 0
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// SourceEntries yields the entries of a file source's log whose ids lie from first to last, by file and in
// the order of each, from the files that a start reads; of a long file only those that stand at its end. What
// does not decode comes as a *decode.Error beside an empty entry; any other error is about reaching the bytes
// of one file, and the next one follows.
func (c *Checkpoint) SourceEntries(ctx context.Context, f *SourceFolder, first, last int64) iter.Seq2[log.SourceEntry, error] {
	return func(yield func(log.SourceEntry, error) bool) {
		for _, base := range f.Needs.Present[max(0, len(f.Needs.Present)-needsRead):] {
			n := log.ParseName(base)
			if n.ID < first || n.ID > last && !n.Compact {
				continue
			}
			entries := c.sourceEntries(ctx, path.Join(f.Name, base), 0, -1)
			if size := f.size(base); size > wholeSourceFile {
				entries = dropFirst(c.sourceEntries(ctx, path.Join(f.Name, base), size-sourceFileEnd, -1))
			}
			for e, err := range entries {
				if err == nil && (e.BatchID < first || e.BatchID > last) {
					continue
				}
				if !yield(e, err) {
					return
				}
			}
		}
	}
}
