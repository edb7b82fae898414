package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"sync"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/storage"
)

// ReadsAhead is how many files are read at once when many are read in order. Small ones are read on behind
// one that is late, up to filesAhead, so that it keeps nobody waiting. Together they have no more than
// bytesAhead: what is made of a plan takes some ten times the bytes of its file.
const (
	ReadsAhead = 64
	filesAhead = 2 * ReadsAhead
	bytesAhead = 2 << 20
)

// Batch is one micro-batch (or epoch) as its two log files tell it.
type Batch struct {
	ID     int64
	Plan   *log.Plan   // offsets/ID as far as it decodes; nil when it is not there or could not be fetched
	Commit *log.Commit // the same of commits/ID
	// Unread are the files that were listed and could not be fetched. A file that has gone since
	// it was listed is one of them: the query is running, and that is no damage.
	Unread []Unread
	// Checksums are the disagreements between these files and Hadoop's checksums beside them.
	Checksums []*decode.Error
}

// Timestamp is when the batch was planned, ms since the epoch, UTC; 0 where that is not recorded.
func (b *Batch) Timestamp() int64 {
	if b == nil || b.Plan == nil {
		return 0
	}
	return b.Plan.Timestamp
}

// Problems are those of both files: what would not decode, plan first.
func (b *Batch) Problems() []*decode.Error {
	var all []*decode.Error
	if b.Plan != nil {
		all = append(all, b.Plan.Problems...)
	}
	if b.Commit != nil {
		all = append(all, b.Commit.Problems...)
	}
	return all
}

// IDs yields every batch that has a file in offsets or commits, oldest first.
func (c *Checkpoint) IDs() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		o, p := c.Offsets.Files, c.Commits.Files
		last := int64(-1)
		for len(o) > 0 || len(p) > 0 {
			var id int64
			if len(p) == 0 || (len(o) > 0 && o[0].ID <= p[0].ID) {
				id, o = o[0].ID, o[1:]
			} else {
				id, p = p[0].ID, p[1:]
			}
			if id != last && !yield(id) {
				return
			}
			last = id
		}
	}
}

// Batches yields every batch that has a file in offsets or commits, oldest first, reading as it is
// ranged over. Only when nothing more will be read (canceled, out of requests) does it end with an
// error; what else could not be fetched is in the batch.
func (c *Checkpoint) Batches(ctx context.Context) iter.Seq2[*Batch, error] {
	return c.BatchesOf(ctx, c.IDs())
}

// BatchesOf yields the batches with these ids, in their order, several reads under way at once.
func (c *Checkpoint) BatchesOf(ctx context.Context, ids iter.Seq[int64]) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		caches := sync.Pool{New: func() any { return new(log.ConfCache) }}
		var b *Batch
		for f, err := range storage.ParallelMap(ctx, ReadsAhead, c.wanted(ids), func(ctx context.Context, w wanted) (fetched, error) {
			cache := caches.Get().(*log.ConfCache)
			defer caches.Put(cache)
			return c.fetchSafely(ctx, w, cache)
		}, storage.MaxWaiting[wanted](filesAhead), storage.MaxWeight(bytesAhead, wanted.size)) {
			if b == nil {
				b = &Batch{ID: f.id}
			}
			b.add(f)
			if err != nil {
				yield(b, err)
				return
			}
			if f.last {
				if !yield(b, nil) {
					return
				}
				b = nil
			}
		}
		if err := ctx.Err(); err != nil {
			yield(b, err)
		}
	}
}

// Batch reads one batch: two small files, and their checksums where there are some. It is never nil;
// an error means that nothing more will be read.
func (c *Checkpoint) Batch(ctx context.Context, id int64) (*Batch, error) {
	for b, err := range c.BatchesOf(ctx, slices.Values([]int64{id})) {
		if b == nil {
			b = &Batch{ID: id}
		}
		return b, err
	}
	return &Batch{ID: id}, ctx.Err()
}

// wanted is one of the two files of a batch; file is nil where the log has none.
type wanted struct {
	id   int64
	dir  *LogDir
	file *LogFile
	last bool // of its batch
}

// size is how many bytes of it are read.
func (w wanted) size() int64 {
	if w.file == nil {
		return 0
	}
	return min(w.file.Size, log.Limit)
}

func (c *Checkpoint) wanted(ids iter.Seq[int64]) iter.Seq[wanted] {
	return func(yield func(wanted) bool) {
		for id := range ids {
			plan, commit := c.Offsets.Find(id), c.Commits.Find(id)
			if plan != nil && !yield(wanted{id, &c.Offsets, plan, commit == nil}) {
				return
			}
			if (commit != nil || plan == nil) && !yield(wanted{id, &c.Commits, commit, true}) {
				return
			}
		}
	}
}

func (b *Batch) add(f fetched) {
	if f.plan != nil {
		b.Plan = f.plan
	}
	if f.commit != nil {
		b.Commit = f.commit
	}
	b.Unread = append(b.Unread, f.unread...)
	if f.checksum != nil {
		b.Checksums = append(b.Checksums, f.checksum)
	}
}

// fetched is what came of a wanted file.
type fetched struct {
	id       int64
	last     bool
	plan     *log.Plan
	commit   *log.Commit
	unread   []Unread      // why it, or the checksum beside it, could not be fetched
	checksum *decode.Error // how it disagrees with the checksum beside it
}

// fetchSafely is fetch, but that a file which breaks this program counts as one that could not be read.
func (c *Checkpoint) fetchSafely(ctx context.Context, w wanted, cache *log.ConfCache) (f fetched, err error) {
	err = storage.Recover(func() (err error) {
		f, err = c.fetch(ctx, w, cache)
		return err
	})
	if broke(err) {
		f = fetched{id: w.id, last: w.last, unread: []Unread{{Name: path.Join(w.dir.Name, w.file.Name), Err: err}}}
		return f, nil
	}
	return f, err
}

// fetch reads and decodes one file of a log, and checks it against the checksum beside it. An error
// means that nothing more will be read.
func (c *Checkpoint) fetch(ctx context.Context, w wanted, cache *log.ConfCache) (fetched, error) {
	f := fetched{id: w.id, last: w.last}
	if w.file == nil {
		return f, nil
	}
	name := path.Join(w.dir.Name, w.file.Name)
	data, err := c.Read(ctx, name, log.Limit)
	if err != nil {
		return f, f.unable(name, err)
	}
	if w.dir == &c.Offsets {
		f.plan = log.ParsePlan(name, data, cache)
	} else {
		f.commit = log.ParseCommit(name, data)
	}
	side := "." + w.file.Name + ".crc"
	if e := w.dir.Other(side); e == nil || e.Dir {
		return f, nil
	}
	side = path.Join(w.dir.Name, side)
	sum, err := c.Read(ctx, side, log.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, f.unable(side, err)
	}
	f.checksum = log.VerifyHadoopCRC(name, data, side, sum)
	return f, nil
}

// unable notes what could not be fetched; the error comes back where it stops everything.
func (f *fetched) unable(name string, err error) error {
	f.unread = append(f.unread, Unread{Name: name, Err: err})
	if Stopped(err) {
		return err
	}
	return nil
}

// Standing is where the two logs stand: the files that a start of the query reads.
type Standing struct {
	LastPlanned   int64  // L, the newest number in offsets; -1 when there is none
	LastCommitted int64  // C, the newest number in commits; -1 when there is none
	Last          *Batch // L; nil when nothing was planned
	Before        *Batch // L-1; nil when offsets/L-1 is not there
	Committed     *Batch // C; nil when nothing was committed. The same pointer as Last where C = L.
}

// Standing reads the files that a start of the query reads: offsets/L, offsets/L-1 and commits/C.
func (c *Checkpoint) Standing(ctx context.Context) (Standing, error) {
	s := Standing{LastPlanned: c.Offsets.Last(), LastCommitted: c.Commits.Last()}
	var ids []int64
	if s.LastPlanned > 0 && c.Offsets.Find(s.LastPlanned-1) != nil {
		ids = append(ids, s.LastPlanned-1)
	}
	for _, id := range []int64{s.LastPlanned, s.LastCommitted} {
		if id >= 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for b, err := range c.BatchesOf(ctx, slices.Values(ids)) {
		if err != nil {
			return s, err
		}
		switch b.ID {
		case s.LastPlanned:
			s.Last = b
		case s.LastPlanned - 1:
			s.Before = b
		}
		if b.ID == s.LastCommitted {
			s.Committed = b
		}
	}
	return s, nil
}

// Metadata reads the query id. It is nil when the file is not there.
func (c *Checkpoint) Metadata(ctx context.Context) (*log.Metadata, error) {
	if e := c.Root.Find("metadata"); c.Root.Err == nil && (e == nil || e.Dir) {
		return nil, nil
	}
	data, err := c.Read(ctx, "metadata", 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	return log.ParseMetadata("metadata", data), nil
}
