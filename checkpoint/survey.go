package checkpoint

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"tidemark/checkpoint/log"
	"tidemark/storage"
)

// keptBatches is how many batches a survey reads and keeps: a healthy log holds about a hundred
// (spark.sql.streaming.minBatchesToRetain), and reading it beside the listings saves round trips. keptLength
// is how long their files may be together: plans of tens of thousands of partitions are read again.
const (
	keptBatches = 256
	keptLength  = 4 << 20
)

// Survey is what is looked at before anything is judged: the query id, where the logs stand, the
// folders of sources and of state. All of it is fetched side by side.
type Survey struct {
	Metadata *log.Metadata // nil when the file is not there, or could not be fetched (see Unread)
	Standing Standing
	Sources  []LogDir       // the folders in sources, in byte order of name
	Folders  []SourceFolder // the same folders, with what a start reads of them
	Unread   []Unread       // what could not be fetched of all this; not what is in the batches

	kept map[int64]*Batch // every batch, where there are few
}

// AllUnread is what could not be fetched, with the newest batches: what is true of the checkpoint as a whole may stand
// there. What has gone since it was listed is left out.
func (s *Survey) AllUnread() []Unread {
	all := slices.Clone(s.Unread)
	for _, b := range []*Batch{s.Standing.Last, s.Standing.Committed} {
		if b != nil {
			all = append(all, b.Unread...)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(u Unread) bool {
		again := seen[u.Name]
		seen[u.Name] = true
		return again || u.Why() == "gone"
	})
}

// Survey looks at all this, and does beside it what more is to be done; each of that gets what notes that something could
// not be fetched. Its error means that nothing more will be read; what was found before comes back beside it.
func (c *Checkpoint) Survey(ctx context.Context, more ...func(ctx context.Context, note func(...Unread)) error) (*Survey, error) {
	s := &Survey{Standing: Standing{LastPlanned: c.Offsets.Last(), LastCommitted: c.Commits.Last()}}
	for _, l := range []struct {
		name string
		err  error
	}{{".", c.Root.Err}, {"offsets", c.Offsets.Err}, {"commits", c.Commits.Err}, {"sources", c.Sources.Err}, {"state", c.State.Err}} {
		if l.err != nil {
			s.Unread = append(s.Unread, Unread{Name: l.name, List: true, Err: l.err})
		}
	}
	var mu sync.Mutex
	note := func(u ...Unread) {
		mu.Lock()
		defer mu.Unlock()
		s.Unread = append(s.Unread, u...)
	}
	tasks := []func(context.Context) error{
		func(ctx context.Context) (err error) {
			if s.Metadata, err = c.Metadata(ctx); err != nil {
				note(Unread{Name: "metadata", Err: err})
			}
			return err
		},
		func(ctx context.Context) error { return c.surveyBatches(ctx, s) },
		func(ctx context.Context) (err error) {
			s.Folders, err = c.surveySources(ctx, note)
			for _, f := range s.Folders {
				s.Sources = append(s.Sources, f.LogDir)
			}
			return err
		},
	}
	for _, task := range more {
		tasks = append(tasks, func(ctx context.Context) error { return task(ctx, note) })
	}
	var stop error
	for _, err := range storage.ParallelMap(ctx, len(tasks), slices.Values(tasks),
		func(ctx context.Context, task func(context.Context) error) (struct{}, error) {
			return struct{}{}, task(ctx)
		}) {
		if Stopped(err) || broke(err) {
			stop = errors.Join(stop, err)
		}
	}
	return s, errors.Join(stop, ctx.Err())
}

func (c *Checkpoint) surveyBatches(ctx context.Context, s *Survey) (err error) {
	if len(c.Offsets.Files) > keptBatches || len(c.Commits.Files) > keptBatches || c.Offsets.bytes()+c.Commits.bytes() > keptLength {
		s.Standing, err = c.Standing(ctx)
		return err
	}
	newestFirst := slices.Collect(c.IDs()) // what the start reads comes before what may not be reached
	slices.Reverse(newestFirst)
	kept := make(map[int64]*Batch, len(newestFirst))
	for b, err1 := range c.BatchesOf(ctx, slices.Values(newestFirst)) {
		if err = err1; err != nil {
			break
		}
		kept[b.ID] = b
	}
	l := s.Standing.LastPlanned
	s.Standing.Last, s.Standing.Committed = kept[l], kept[s.Standing.LastCommitted]
	if c.Offsets.Find(l-1) != nil {
		s.Standing.Before = kept[l-1]
	}
	if err == nil {
		s.kept = kept
	}
	return err
}

func (c *Checkpoint) surveySources(ctx context.Context, note func(...Unread)) ([]SourceFolder, error) {
	var names []string
	for _, e := range c.Sources.Entries {
		if e.Dir {
			names = append(names, "sources/"+e.Name)
		}
	}
	var folders []SourceFolder
	for f, err := range storage.ParallelMap(ctx, ReadsAhead, slices.Values(names),
		func(ctx context.Context, name string) (SourceFolder, error) {
			return c.surveyFolder(ctx, name, note)
		}) {
		if f.Name != "" {
			folders = append(folders, f)
		}
		if err != nil {
			return folders, err
		}
	}
	return folders, nil
}

// All yields every batch, oldest first: from memory where the survey kept them, else read anew.
func (s *Survey) All(ctx context.Context, c *Checkpoint) iter.Seq2[*Batch, error] {
	if s.kept == nil {
		return c.Batches(ctx)
	}
	return func(yield func(*Batch, error) bool) {
		for id := range c.IDs() {
			if !yield(s.kept[id], nil) {
				return
			}
		}
	}
}

// Kept is a batch that the survey read and kept; nil where it did not keep any, or has none of this id.
func (s *Survey) Kept(id int64) *Batch { return s.kept[id] }
