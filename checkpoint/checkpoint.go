package checkpoint

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/storage"
)

// Checkpoint is a query's folder as it was listed at one moment; nothing of it has been read.
// A refresh opens a new one. It is safe for concurrent use.
type Checkpoint struct {
	Location string  // for titles; without credentials
	Place    string  // where it lies on this machine, however Location is spelled (see storage.LocalPath); "" elsewhere
	Root     Listing // what lies directly in the folder
	Offsets  LogDir  // offsets: the batches that were planned
	Commits  LogDir  // commits: the batches that are complete
	Sources  Listing // sources: a folder for each source that keeps a log of its own
	State    Listing // state: a folder for each stateful operator

	store storage.Store
}

// Listing is what lies directly in one folder.
type Listing struct {
	Name    string          // within the checkpoint: "state", "." for the root
	Entries []storage.Entry // in byte order of name
	Err     error           // why it could not be listed, or not to its end; nil when it was
}

// Find is the entry with this name, or nil.
func (l *Listing) Find(name string) *storage.Entry {
	i, ok := slices.BinarySearchFunc(l.Entries, name, func(e storage.Entry, name string) int { return strings.Compare(e.Name, name) })
	if !ok {
		return nil
	}
	return &l.Entries[i]
}

// LogDir is one folder of numbered files.
type LogDir struct {
	Name   string          // within the checkpoint: "offsets", "sources/0"
	Files  []LogFile       // by number, then name; only regular files whose name is a batch number
	Others []storage.Entry // all else, in byte order: temporary files, checksums, folders, odd names
	Err    error           // why it could not be listed, or not to its end; nil when it was
}

// LogFile is one numbered file of a log.
type LogFile struct {
	ID       int64
	Name     string // base name as listed: "8", "9.compact", "08"
	Size     int64  // bytes
	Modified int64  // as the store reports it, ms since the epoch, UTC; 0 where it has none
	Compact  bool   // <ID>.compact
}

// Open lists the checkpoint in store: the root and its four folders, and reads nothing. A folder
// that cannot be listed keeps its error and the others open all the same; Open itself fails only
// when none of them can be.
func Open(ctx context.Context, store storage.Store) (*Checkpoint, error) {
	c := &Checkpoint{Location: store.String(), Place: storage.LocalPath(store), store: store}
	names := []string{".", "offsets", "commits", "sources", "state"}
	var found []Listing
	for l, err := range storage.ParallelMap(ctx, len(names), slices.Values(names), func(ctx context.Context, name string) (Listing, error) {
		return c.list(ctx, name), nil
	}) {
		if err != nil {
			l = Listing{Name: names[len(found)], Err: err}
		}
		found = append(found, l)
	}
	if len(found) < len(names) {
		return nil, context.Cause(ctx)
	}
	var failed []error
	for _, l := range found {
		if l.Err == nil {
			failed = nil
			break
		}
		failed = append(failed, l.Err)
	}
	if len(failed) > 0 {
		return nil, failed[0]
	}
	c.Root, c.Sources, c.State = found[0], found[3], found[4]
	c.Offsets, c.Commits = found[1].Numbered().plain(found[1]), found[2].Numbered().plain(found[2])
	return c, nil
}

// Store is what the checkpoint is read from.
func (c *Checkpoint) Store() storage.Store { return c.store }

// With returns the checkpoint as it was listed, to be read from another store: one around its own.
func (c *Checkpoint) With(store storage.Store) *Checkpoint {
	copied := *c
	copied.store = store
	return &copied
}

// list lists one folder; an error is kept beside what was listed before it.
func (c *Checkpoint) list(ctx context.Context, name string) Listing {
	l := Listing{Name: name}
	for e, err := range c.store.List(ctx, name) {
		if err != nil {
			l.Err = err
			break
		}
		l.Entries = append(l.Entries, e)
	}
	return l
}

// Numbered sorts a listing into the files of a log and all else. In a bucket a file and a folder can have one name,
// as where a tool left an empty key "offsets/3/": who opens that name gets the file, so the folder is left out.
func (l Listing) Numbered() LogDir {
	d := LogDir{Name: l.Name, Err: l.Err}
	for i, e := range l.Entries {
		n := log.ParseName(e.Name)
		if e.Dir && i > 0 && l.Entries[i-1].Name == e.Name {
			continue
		}
		if e.Dir || n.Role != log.LogFile {
			d.Others = append(d.Others, e)
			continue
		}
		f := LogFile{ID: n.ID, Name: e.Name, Size: e.Size, Compact: n.Compact}
		if !e.Modified.IsZero() {
			f.Modified = e.Modified.UnixMilli()
		}
		d.Files = append(d.Files, f)
	}
	slices.SortStableFunc(d.Files, func(a, b LogFile) int {
		if a.ID != b.ID {
			if a.ID < b.ID {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return d
}

// plain takes <N>.compact out of the files: the logs of batches are not compacted, and Spark does
// not see such a name there. l is the listing that d was made of.
func (d LogDir) plain(l Listing) LogDir {
	files := slices.DeleteFunc(d.Files, func(f LogFile) bool { return f.Compact })
	if len(files) == len(d.Files) {
		return d
	}
	d.Files = files
	d.Others = slices.DeleteFunc(slices.Clone(l.Entries), func(e storage.Entry) bool {
		n := log.ParseName(e.Name)
		return n.Role == log.LogFile && !n.Compact && (!e.Dir || !l.Find(e.Name).Dir)
	})
	return d
}

// Dir lists a folder of numbered files, such as "sources/0".
func (c *Checkpoint) Dir(ctx context.Context, name string) LogDir {
	return c.list(ctx, name).Numbered()
}

// ListFresh lists a folder of numbered files once more, past whatever was kept in memory: for what may have changed
// since the checkpoint was opened.
func (c *Checkpoint) ListFresh(ctx context.Context, name string) LogDir {
	l := Listing{Name: name}
	for e, err := range storage.Pages(ctx, c.store, name, "") {
		if err != nil {
			l.Err = err
			break
		}
		l.Entries = append(l.Entries, e)
	}
	return l.Numbered()
}

// List lists any folder of the checkpoint, by its name within it.
func (c *Checkpoint) List(ctx context.Context, name string) Listing { return c.list(ctx, name) }

// Listings lists folders, several at once, in the order of names. What could not be listed is in the
// Listing; an error of the sequence means that nothing more will be read.
func (c *Checkpoint) Listings(ctx context.Context, names iter.Seq[string]) iter.Seq2[Listing, error] {
	return storage.ParallelMap(ctx, ReadsAhead, names, func(ctx context.Context, name string) (Listing, error) {
		l := c.list(ctx, name)
		if Stopped(l.Err) {
			return l, l.Err
		}
		return l, nil
	})
}

// First is the smallest number in the log, -1 when it is empty.
func (d *LogDir) First() int64 {
	if len(d.Files) == 0 {
		return -1
	}
	return d.Files[0].ID
}

// Last is the largest number in the log, -1 when it is empty. As in Spark, the name alone counts.
func (d *LogDir) Last() int64 {
	if len(d.Files) == 0 {
		return -1
	}
	return d.Files[len(d.Files)-1].ID
}

// bytes is how long its files are together, as listed.
func (d *LogDir) bytes() (n int64) {
	for i := range d.Files {
		n += d.Files[i].Size
	}
	return n
}

// Find is the plain file that Spark opens for id: named with the number as Spark writes it. nil when
// there is none, also where only "08" or "8.compact" is there.
func (d *LogDir) Find(id int64) *LogFile {
	i, _ := slices.BinarySearchFunc(d.Files, id, func(f LogFile, id int64) int {
		if f.ID < id {
			return -1
		}
		if f.ID > id {
			return 1
		}
		return 0
	})
	var number [20]byte
	name := strconv.AppendInt(number[:0], id, 10)
	for ; i < len(d.Files) && d.Files[i].ID == id; i++ {
		if f := &d.Files[i]; !f.Compact && f.Name == string(name) {
			return f
		}
	}
	return nil
}

// IDs yields the numbers of the log, ascending, each once.
func (d *LogDir) IDs() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i, f := range d.Files {
			if i > 0 && d.Files[i-1].ID == f.ID {
				continue
			}
			if !yield(f.ID) {
				return
			}
		}
	}
}

// Other reports whether something that is no log file has this name.
func (d *LogDir) Other(name string) *storage.Entry {
	l := Listing{Entries: d.Others}
	return l.Find(name)
}

// Read reads a file of the checkpoint whole, up to limit bytes.
func (c *Checkpoint) Read(ctx context.Context, name string, limit int64) ([]byte, error) {
	return storage.ReadFile(ctx, c.store, name, limit)
}

// OpenAt opens a file of the checkpoint from a place on, for the byte view; length -1 reads to its end.
func (c *Checkpoint) OpenAt(ctx context.Context, at decode.Where, length int64) (io.ReadCloser, error) {
	return c.store.Open(ctx, at.File, at.Offset, length)
}

// Reader reads a file of the checkpoint at random places.
func (c *Checkpoint) Reader(ctx context.Context, name string) io.ReaderAt {
	return storage.ReaderAt(ctx, c.store, name)
}

// IsCheckpoint reports whether anything that Spark keeps in a checkpoint is here: a log, state,
// a source's log, or the query id.
func (c *Checkpoint) IsCheckpoint() bool {
	if len(c.Offsets.Files) > 0 || len(c.Commits.Files) > 0 {
		return true
	}
	if e := c.Root.Find("metadata"); e != nil && !e.Dir {
		return true
	}
	for _, l := range []*Listing{&c.Sources, &c.State} {
		for _, e := range l.Entries {
			if e.Dir && log.ParseName(e.Name).Role == log.LogFile {
				return true
			}
		}
	}
	return c.Offsets.Err != nil || c.Commits.Err != nil
}

// Unread is something that was asked for and could not be fetched.
type Unread struct {
	Name string // file or folder within the checkpoint
	List bool   // it was to be listed, not read
	Err  error
}

// Why is the reason in a word: "not logged in" (the store does not accept the credentials), "denied", "archived", "stopped" (the allowed requests or the time are
// used up, or a person canceled), "gone" (listed, and deleted since) or "unreachable".
func (u Unread) Why() string { return Why(u.Err) }

// Reason is the error without the name of the file or folder, for a sentence that has it already.
func (u Unread) Reason() string {
	if pe, ok := errors.AsType[*fs.PathError](u.Err); ok && pe.Path == u.Name {
		return pe.Err.Error()
	}
	return u.Err.Error()
}

// Why sorts an error about reaching bytes; see Unread.Why.
func Why(err error) string {
	switch {
	case errors.Is(err, storage.ErrLogin):
		return "not logged in"
	case errors.Is(err, fs.ErrPermission):
		return "denied"
	case errors.Is(err, storage.ErrArchived):
		return "archived"
	case Stopped(err):
		return "stopped"
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	}
	return "unreachable"
}

// broke reports whether err is a fault of this program in what it read.
func broke(err error) bool {
	_, yes := errors.AsType[*storage.BrokenError](err)
	return yes
}

// Stopped reports whether err means that nothing more will be read in this run.
func Stopped(err error) bool {
	return errors.Is(err, storage.ErrBudget) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
