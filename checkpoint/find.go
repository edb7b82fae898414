package checkpoint

import (
	"context"
	"iter"
	"path"

	"tidemark/storage"
)

// Folder is one folder that a search for checkpoints has looked at.
type Folder struct {
	Dir          string // below the root of the search; "." is the root itself
	IsCheckpoint bool   // by its listing alone
	Err          error  // why it could not be listed to its end; nil where it was
}

// Search is how far a search for checkpoints goes.
type Search struct {
	Depth   int // folders below the root
	Folders int // folders that are listed; 0 for no limit
	// Left, where it is not nil, is told whether there was more than the search looked at.
	Left *bool
}

// Find looks for checkpoints in a folder and below it, level by level, and yields every folder that it has
// listed. It looks neither into a checkpoint nor into the logs of tables. An error means that nothing more
// will be read (see Stopped); what could not be listed for another reason is in its Folder.
func Find(ctx context.Context, root storage.Store, s Search) iter.Seq2[Folder, error] {
	left := func() {
		if s.Left != nil {
			*s.Left = true
		}
	}
	return func(yield func(Folder, error) bool) {
		listed := 0
		level := []string{"."}
		for depth := 0; len(level) > 0; depth++ {
			if depth > s.Depth {
				left()
				return
			}
			var next []string
			for _, dir := range level {
				if listed++; s.Folders > 0 && listed > s.Folders {
					left()
					return
				}
				f, below, err := look(ctx, root, dir)
				if err != nil {
					yield(f, err)
					return
				}
				if !yield(f, nil) {
					return
				}
				next = append(next, below...)
			}
			level = next
		}
	}
}

// look lists one folder; below are the folders in it that are worth looking at. Its error ends the search.
func look(ctx context.Context, root storage.Store, dir string) (f Folder, below []string, err error) {
	f.Dir = dir
	l := Listing{Name: dir}
	for e, err := range root.List(ctx, dir) {
		if Stopped(err) {
			return f, nil, err
		}
		if err != nil {
			f.Err = err
			break
		}
		l.Entries = append(l.Entries, e)
	}
	if f.IsCheckpoint = l.LooksLikeCheckpoint(); f.IsCheckpoint {
		return f, nil, nil
	}
	for _, e := range l.Entries {
		if e.Dir && e.Name != "_delta_log" && e.Name != "_spark_metadata" {
			below = append(below, path.Join(dir, e.Name))
		}
	}
	return f, below, nil
}
