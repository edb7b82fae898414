package stores

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
)

// Without --deep, state is read to its end up to these bounds, and known by its marks beyond: a verdict
// must come soon from a store of hundreds of gigabytes.
const (
	ReadWhole  = 8 << 20   // bytes of one file
	readTables = 512 << 20 // bytes of SST files altogether
	openTables = 4096      // SST files that are opened for their marks
)

func readLimits(p *checks.Pass) statestore.ReadLimits {
	limits := statestore.ReadLimits{File: ReadWhole, Total: readTables, Marks: openTables}
	if p.Deep {
		limits = statestore.ReadLimits{File: math.MaxInt64, Total: math.MaxInt64, Marks: math.MaxInt}
	}
	limits.IDs = p.Spark.AtLeast(spark.Version{Major: 3, Minor: 4})
	return limits
}

// contents are the state files that were looked into.
type contents struct {
	files    map[string]*statestore.Contents // by path: those that a start loads, or could go back to
	unloaded []*statestore.Contents          // with --deep: the others that something is wrong with
	deep     bool                            // unloaded is filled in
	noRows   string                          // with --deep: the first store whose rows were not gone through, and why
	rebuilds *rebuilds                       // what came of holding snapshots against the files before them; nil before
	ahead    map[int64]bool                  // versions for which lookAhead is done
	Newest   map[int64]int64                 // what newestForAll found, by its limit
	twins    []string                        // paths of files that are the same where no two can be: one of each pair is wrong
	Wrong    map[string]bool                 // by path: files that load and that a finding says are not what they should be
}

func ContentsOf(p *checks.Pass) *contents {
	return checks.Note(p, func() *contents { return &contents{files: map[string]*statestore.Contents{}} })
}

// Looked returns the state files that were looked into, by their paths, in order.
func Looked(p *checks.Pass) []string { return slices.Sorted(maps.Keys(ContentsOf(p).files)) }

// ContentsWithout gives q, the pass over the checkpoint of p without some files, what p found in the files that stay:
// they are not read again.
func ContentsWithout(p, q *checks.Pass, names []string) {
	c := ContentsOf(p)
	out := &contents{files: maps.Clone(c.files), Wrong: c.Wrong}
	if c.rebuilds != nil {
		again := *c.rebuilds // what was compared is not compared again; what this start leaves out is no matter of the other
		out.rebuilds = &again
	}
	for _, name := range names {
		delete(out.files, name)
	}
	checks.Note(q, func() *contents { return out })
}

// Suspect notes the state files that load and that are not what they should be: among those that findings name, and those of
// which two are the same.
func Suspect(p *checks.Pass, named []string) {
	c := ContentsOf(p)
	c.Wrong, c.ahead, c.Newest = map[string]bool{}, nil, nil
	for _, file := range named {
		if strings.HasPrefix(file, "state/") {
			name, _, _ := strings.Cut(file, "!")
			c.Wrong[name] = true
		}
	}
	for _, name := range c.twins {
		c.Wrong[name] = true
	}
}

// Contents returns what was found in a file of the store; nil where it was not looked into.
func (n *Need) Contents(p *checks.Pass, f state.File) *statestore.Contents {
	return ContentsOf(p).files[n.Path(f.Name())]
}

// ReadContents looks into the state files that the next start loads. Where a whole file does not load and
// the release goes back to an older one, those that it then loads are looked into too. Its error means
// that nothing more will be read.
func ReadContents(ctx context.Context, p *checks.Pass) error {
	for {
		var files []statestore.File
		for n := range Needs(p) {
			files = append(files, n.unread(p, &n.Chain)...)
		}
		if len(files) == 0 {
			return nil
		}
		if err := look(ctx, p, files); err != nil {
			return err
		}
	}
}

// unread are the files of a chain of this store that have bytes and were not looked into.
func (n *Need) unread(p *checks.Pass, c *state.Chain) (files []statestore.File) {
	for _, f := range c.Files {
		if f.Size > 0 && n.Contents(p, f) == nil {
			files = append(files, statestore.File{Dir: n.Dir, File: f})
		}
	}
	return files
}

// look looks into state files and keeps what was found.
func look(ctx context.Context, p *checks.Pass, files []statestore.File) error {
	if len(files) == 0 {
		return nil
	}
	found, err := statestore.ReadContents(ctx, p.Checkpoint, slices.Values(files), readLimits(p))
	for _, f := range found {
		ContentsOf(p).files[f.Path()] = f
		for _, u := range f.Unread {
			p.Unread(u)
		}
	}
	if err == nil && len(found) < len(files) {
		err = context.Canceled // cannot be: it would be asked for again for ever
	}
	return err
}

// stateFlaw is a flaw of a file that the next start loads, or would load if it were whole.
type stateFlaw struct {
	Need
	statestore.FileFlaw
	file   state.File // that has it, or names the one that has it
	more   int        // further flaws in the same place
	passed bool       // an older file stands in for this one
}

// stateFlaws yields the flaws of the state that the next start loads, those of one place as one.
func stateFlaws(p *checks.Pass) iter.Seq[stateFlaw] {
	return func(yield func(stateFlaw) bool) {
		for n := range Needs(p) {
			for _, files := range []struct {
				files  []state.File
				passed bool
			}{{n.Chain.Files, false}, {n.Chain.Passed, true}} {
				for _, f := range files.files {
					c := n.Contents(p, f)
					if c == nil {
						continue
					}
					for _, flaw := range onePerPlace(c.Flaws) {
						flaw.Need, flaw.file, flaw.passed = n, f, files.passed
						if !yield(flaw) {
							return
						}
					}
				}
			}
		}
	}
}

// onePerPlace puts the flaws of one kind in one file together.
func onePerPlace(flaws []statestore.FileFlaw) (all []stateFlaw) {
	for _, f := range flaws {
		if n := len(all) - 1; n >= 0 && all[n].Kind == f.Kind && all[n].File == f.File {
			all[n].more++
			continue
		}
		all = append(all, stateFlaw{FileFlaw: f})
	}
	return all
}

var ErrUnread = errors.New("the read stopped before it")
