package checkpoint

import (
	"context"
	"iter"
	"path"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/storage"
)

// Inside are the names that lie directly in a checkpoint: an archive that has one of them at its top is one, and not a
// folder around one.
var Inside = []string{"offsets", "commits", "sources", "state", "metadata"}

// Wanted is LooksLikeCheckpoint of a listing, for storage.Options.
func Wanted(listing []storage.Entry) bool {
	l := Listing{Entries: listing}
	return l.LooksLikeCheckpoint()
}

// Folder is one folder that a search for checkpoints has looked at.
type Folder struct {
	Dir          string        // below the root of the search, through an archive where it lies in one; "." is the root itself
	Store        storage.Store // of the folder: to be used now, for an archive takes memory as long as it is held
	IsCheckpoint bool          // by its listing alone
	Err          error         // why it could not be listed to its end, or an archive not be opened; nil where it was
	// Open gives Store again, later.
	Open func(context.Context) (storage.Store, error)
}

// QueryID reads the id of the query; "" where there is none that can be read.
func (f *Folder) QueryID(ctx context.Context) string {
	data, err := storage.ReadFile(ctx, f.Store, "metadata", 1<<20)
	if err != nil {
		return ""
	}
	return log.ParseMetadata("metadata", data).ID
}

// Search is how far a search for checkpoints goes.
type Search struct {
	Depth   int // folders below the root
	Folders int // folders that are listed; 0 for no limit
	// Left, where it is not nil, is told whether there was more than the search looked at.
	Left *bool
	// Archive is how long an archive may be that is looked into, in bytes: to list a packed one, all of it is read.
	Archive int64
	// Large, where it is not nil, is given those that are longer; else they are told as Left.
	Large *[]string
}

// Find looks for checkpoints in a folder and below it, level by level, and yields every folder that it has
// listed. An archive is a folder; one within another archive is not looked into. It looks neither into a checkpoint
// nor into the logs of tables. An error means that nothing more will be read (see Stopped); what could not be listed for
// another reason is in its Folder.
func Find(ctx context.Context, root storage.Store, s Search) iter.Seq2[Folder, error] {
	return func(yield func(Folder, error) bool) {
		f := &finder{ctx: ctx, Search: s, yield: yield}
		f.search(spot{dir: ".", store: root, open: func(context.Context) (storage.Store, error) { return root, nil }}, s.Depth)
	}
}

// finder is a search under way.
type finder struct {
	Search
	ctx    context.Context
	yield  func(Folder, error) bool
	listed int
}

// spot is a folder that a search is to look at.
type spot struct {
	dir   string        // for people: below the root of the search
	store storage.Store // nil for an archive that was not opened yet
	open  func(context.Context) (storage.Store, error)
	size  int64 // of an archive, in bytes
}

// search looks at a folder and up to depth folders below it; false once nothing more is to be looked at.
func (f *finder) search(root spot, depth int) bool {
	for level := []spot{root}; len(level) > 0; depth-- {
		if depth < 0 {
			f.left()
			return true
		}
		var next []spot
		for _, at := range level {
			if at.store == nil {
				if !f.archive(at, depth) {
					return false
				}
				continue
			}
			below, ok := f.look(at)
			if !ok {
				return false
			}
			next = append(next, below...)
		}
		level = next
	}
	return true
}

// archive searches an archive to its end before anything else: it is held no longer than that.
func (f *finder) archive(at spot, depth int) bool {
	switch {
	case at.size <= f.Archive:
	case f.Large == nil:
		f.left()
		return true
	default:
		*f.Large = append(*f.Large, at.dir)
		return true
	}
	var err error
	if at.store, err = at.open(f.ctx); err != nil {
		found := Folder{Dir: at.dir, Err: err}
		if Stopped(err) {
			f.yield(found, err)
			return false
		}
		return f.yield(found, nil)
	}
	return f.search(at, depth)
}

func (f *finder) left() {
	if f.Left != nil {
		*f.Left = true
	}
}

// look lists one folder; below are the folders in it that are worth looking at. ok is false once nothing more is to be
// looked at.
func (f *finder) look(at spot) (below []spot, ok bool) {
	if f.listed++; f.Folders > 0 && f.listed > f.Folders {
		f.left()
		return nil, false
	}
	found := Folder{Dir: at.dir, Store: at.store, Open: at.open}
	l := Listing{Name: at.dir}
	for e, err := range at.store.List(f.ctx, ".") {
		if Stopped(err) {
			f.yield(found, err)
			return nil, false
		}
		if err != nil {
			found.Err = err
			break
		}
		l.Entries = append(l.Entries, e)
	}
	found.IsCheckpoint = l.LooksLikeCheckpoint()
	if !f.yield(found, nil) {
		return nil, false
	}
	if found.IsCheckpoint {
		return nil, true
	}
	packed := storage.Packed(at.store)
	for _, e := range l.Entries {
		dir := path.Join(at.dir, e.Name)
		switch {
		case storage.Added(e.Name) || e.Name == "_delta_log" || e.Name == "_spark_metadata":
		case e.Dir:
			below = append(below, spot{dir: dir, store: storage.Sub(at.store, e.Name),
				open: func(ctx context.Context) (storage.Store, error) {
					around, err := at.open(ctx)
					if err != nil {
						return nil, err
					}
					return storage.Sub(around, e.Name), nil
				}})
		case storage.ArchiveName(e.Name) && !packed && !snapshot(e.Name):
			below = append(below, spot{dir: dir, size: e.Size, open: func(ctx context.Context) (storage.Store, error) {
				return storage.OpenWithin(ctx, at.store, e.Name, e.Size, storage.Options{Inside: Inside, Wanted: Wanted})
			}})
		}
	}
	return below, true
}

// snapshot reports whether an archive is one that a state store of Spark writes, by its name: 12.zip, 12_<id>.zip.
func snapshot(name string) bool {
	digits := strings.TrimLeft(name, "0123456789")
	return len(digits) < len(name) && (digits == ".zip" || strings.HasPrefix(digits, "_") && strings.HasSuffix(digits, ".zip"))
}

// Archives are the archives among the entries, by their names, in byte order; snapshots of state are none.
func (l *Listing) Archives() (names []string) {
	for _, e := range l.Entries {
		if !e.Dir && storage.ArchiveName(e.Name) && !snapshot(e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}
