package statestore

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// goldenFiles is a checkpoint that Spark wrote, from those kept at the root of the project.
func goldenFiles(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	tree := fstest.MapFS{}
	for h, data := range testfiles.In(t, "../../testdata/golden/"+name+".tar.gz") {
		if file, ok := strings.CutPrefix(path.Clean(h.Name), "checkpoint/"); ok && h.Typeflag != tar.TypeDir {
			tree[file] = &fstest.MapFile{Data: data}
		}
	}
	return tree
}

// filesOf are the state files of a folder of tree.
func filesOf(tree fstest.MapFS, dir string) (files []File) {
	for name, m := range tree {
		if f, ok := state.ParseName(path.Base(name)); ok && path.Dir(name) == dir {
			f.Size = int64(len(m.Data))
			files = append(files, File{Dir: dir, File: f})
		}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name(), b.Name()) })
	return files
}

var noLimits = ReadLimits{File: math.MaxInt64, Total: math.MaxInt64, Marks: math.MaxInt}

func contentsOf(t *testing.T, s storage.Store, files []File, limits ReadLimits) []*Contents {
	t.Helper()
	c, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := ReadContents(t.Context(), c, slices.Values(files), limits)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(files) {
		t.Fatalf("%d files were asked for, %d came", len(files), len(found))
	}
	return found
}

// TestContentsOfWhatSparkWrote finds nothing in what real releases wrote, in every codec and layout.
func TestContentsOfWhatSparkWrote(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"state-3.3-hdfs-window-agg", "state-3.3-rocks-window-agg", "state-3.5-rockscl-window-agg", "state-4.1-rocks-window-agg",
		"state-4.3-hdfs-codec-snappy", "state-4.3-rockscl-codec-zstd", "state-4.3-rockscl-ckptv2-window-agg", "state-4.3-rocks-tws-ttl-avro",
	} {
		tree := goldenFiles(t, name)
		for _, dir := range []string{"state/0/0", "state/0/1"} {
			files := filesOf(tree, dir)
			if len(files) == 0 {
				t.Errorf("%s: no state in %s", name, dir)
			}
			for _, c := range contentsOf(t, storage.FromFS(tree, name), files, noLimits) {
				if len(c.Flaws)+len(c.Odd)+len(c.Partly)+len(c.Unread) > 0 || c.Digest == [32]byte{} {
					t.Errorf("%s: %s: %+v", name, c.Path(), c)
				}
			}
		}
	}
}

// TestContentsWithinLimits: what is longer than the limits is told to be known by its marks only, and
// where not even those were looked at, nothing is asked for.
func TestContentsWithinLimits(t *testing.T) {
	t.Parallel()
	tree := goldenFiles(t, "state-4.3-rocks-window-agg")
	const newest = "state/0/0/12.zip"
	files := slices.DeleteFunc(filesOf(tree, "state/0/0"), func(f File) bool { return f.Version != 12 })
	for _, c := range []struct {
		name   string
		limits ReadLimits
		partly int // files
		opens  int // of SST files
	}{
		{"none", noLimits, 0, 3},
		{"files of more than a kilobyte by their marks", ReadLimits{File: 5000, Total: 1300, Marks: 10}, 2, 3},
		{"one of them", ReadLimits{File: 5000, Total: 1300, Marks: 1}, 2, 2},
		{"not even the snapshot", ReadLimits{File: 100, Total: 1 << 20, Marks: 10}, 1, 0},
	} {
		s := &openings{Store: storage.FromFS(tree, "rocks"), opened: map[string]bool{}}
		found := contentsOf(t, s, files, c.limits)
		if f := found[0]; f.Path() != newest || len(f.Partly) != c.partly || len(f.Flaws) > 0 {
			t.Errorf("%s: %+v", c.name, f)
		}
		if n := len(s.opened); n != c.opens {
			t.Errorf("%s: %d SST files were opened, want %d: %v", c.name, n, c.opens, s.opened)
		}
	}
}

// openings notes which SST files are opened.
type openings struct {
	storage.Store
	mu     sync.Mutex
	opened map[string]bool
}

func (s *openings) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if path.Ext(name) == ".sst" {
		s.mu.Lock()
		s.opened[name] = true
		s.mu.Unlock()
	}
	return s.Store.Open(ctx, name, offset, length)
}

// TestContentsOfABrokenTable: a table that several snapshots name is read once, and told of each.
func TestContentsOfABrokenTable(t *testing.T) {
	t.Parallel()
	tree := goldenFiles(t, "state-4.3-rocks-window-agg")
	const table = "state/0/0/SSTs/000017-44d7ddf1-3429-4b8e-a33a-341a9f73352a.sst"
	data := slices.Clone(tree[table].Data)
	data[20] ^= 0xFF
	tree[table] = &fstest.MapFile{Data: data}
	for _, f := range contentsOf(t, storage.FromFS(tree, "rocks"), filesOf(tree, "state/0/0"), noLimits) {
		names := f.Version >= 10 // as their metadata say
		switch {
		case names != (len(f.Flaws) == 1), !f.Loads():
			t.Errorf("%s: %+v", f.Name(), f.Flaws)
		case names && (f.Flaws[0].Kind != Hidden || f.Flaws[0].File != table):
			t.Errorf("%s: %+v", f.Name(), f.Flaws[0])
		}
	}
}

// TestContentsThatCannotBeHad: a store that fails in the middle of a file is no flaw of the file.
func TestContentsThatCannotBeHad(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"state-4.3-hdfs-window-agg", "state-4.3-rocks-window-agg"} {
		tree := goldenFiles(t, name)
		files := filesOf(tree, "state/0/0")
		for _, f := range contentsOf(t, &torn{storage.FromFS(tree, name)}, files, noLimits) {
			if len(f.Flaws)+len(f.Odd) > 0 || len(f.Unread) == 0 || !errors.Is(f.Unread[0].Err, errTorn) {
				t.Errorf("%s: %+v", f.Path(), f)
			}
		}
	}
}

var errTorn = errors.New("the connection broke")

// torn is a Store whose connections break after some bytes of a state file.
type torn struct{ storage.Store }

func (s *torn) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := s.Store.Open(ctx, name, offset, length)
	if err != nil || !strings.HasPrefix(name, "state/") {
		return r, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(r, 30), iotest.ErrReader(errTorn)), r}, nil
}
