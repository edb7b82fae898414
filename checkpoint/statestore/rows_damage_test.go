package statestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// placesOf is at how many bytes a file is damaged, 0 for all of a short one, and whether every file of every
// golden is. TIDEMARK_DAMAGE says it ("25", "all"); without it one file of a kind is, at some bytes.
func placesOf() (places int, everyFile bool) {
	set := os.Getenv("TIDEMARK_DAMAGE")
	n, err := strconv.Atoi(set)
	switch {
	case err == nil:
		return n, true
	case set != "":
		return 0, true
	case testing.Short():
		return 1, false
	}
	return 10, false
}

// memory is a Store of files in memory: a golden is opened thousands of times.
type memory struct {
	files map[string][]byte
	dirs  map[string][]storage.Entry
}

func inMemory(files map[string][]byte) *memory {
	m := &memory{files, map[string][]storage.Entry{}}
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		e := storage.Entry{Name: path.Base(name), Size: int64(len(files[name]))}
		for dir := path.Dir(name); !known[path.Join(dir, e.Name)]; dir = path.Dir(dir) {
			known[path.Join(dir, e.Name)] = true
			m.dirs[dir] = append(m.dirs[dir], e)
			if dir == "." {
				break
			}
			e = storage.Entry{Name: path.Base(dir), Dir: true}
		}
	}
	for _, list := range m.dirs {
		slices.SortFunc(list, func(a, b storage.Entry) int { return strings.Compare(a.Name, b.Name) })
	}
	return m
}

func (m *memory) String() string { return "memory" }

func (m *memory) List(_ context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		for _, e := range m.dirs[dir] {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (m *memory) Open(_ context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	data, ok := m.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data = data[min(offset, int64(len(data))):]
	if length >= 0 {
		data = data[:min(length, int64(len(data)))]
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// replaced is a Store with other bytes in one file.
type replaced struct {
	storage.Store
	name string
	data []byte
}

func (r *replaced) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		for e, err := range r.Store.List(ctx, dir) {
			if path.Join(dir, e.Name) == r.name {
				e.Size = int64(len(r.data))
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (r *replaced) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if name != r.name {
		return r.Store.Open(ctx, name, offset, length)
	}
	one := memory{files: map[string][]byte{name: r.data}}
	return one.Open(ctx, name, offset, length)
}

// class is what a file is, as far as it matters for what its damage can hide.
func class(name string, data []byte) string {
	base := path.Base(name)
	f, ok := state.ParseName(base)
	switch {
	case ok && f.Role == state.Zip:
		return "zip"
	case ok:
		_, codec, err := state.Inflate(name, bytes.NewReader(data))
		if err != nil {
			return ""
		}
		return f.Role.String() + " " + string(codec)
	case strings.HasPrefix(base, "."), strings.HasSuffix(base, ".crc"):
		return ""
	case path.Ext(base) == ".sst":
		return "sst"
	case base == "schema" || strings.Contains(name, "/_stateSchema/"):
		return "schema"
	case strings.HasPrefix(name, "state/") && strings.Contains(name, "/_metadata/"):
		return "operator metadata"
	case path.Dir(name) == "offsets" || path.Dir(name) == "commits":
		return path.Dir(name)
	}
	return ""
}

// silent are the classes of files where a changed byte can change rows without a word, for want of any
// checksum in their format. Where Spark or Hadoop laid a checksum file beside one, check compares it.
//
//   - Deltas, snapshots and changelogs in Snappy, Zstandard (as Spark writes it) and LZF: a changed byte of a
//     key or a value, or of where a copy comes from.
//   - Schema files and operator metadata: a changed letter of a name.
//   - Plans: a changed setting that rows depend on. Commits: none that is not noticed.
//
// In all others, and at a cut in any, rows are right or an error stands beside them.
var silent = []string{
	"delta snappy", "delta zstd", "snapshot snappy", "snapshot zstd", "changelog snappy", "changelog zstd",
	"schema", "operator metadata", "offsets",
}

// victim is a file that is damaged, and the rows that depend on it.
type victim struct {
	name  string
	class string
	data  []byte
	at    []reading
}

// reading is one partition of one view as one batch left it.
type reading struct {
	operator, partition int // partition is -1 for all
	store               string
	batch               int64
}

// victims are the files of a golden that rows are read from.
func victims(c *checkpoint.Checkpoint, files map[string][]byte) (all []victim) {
	last := c.Commits.Last()
	ofTable := map[string]victim{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		v := victim{name: name, class: class(name, files[name]), data: files[name]}
		if v.class == "" {
			continue
		}
		parts := strings.Split(name, "/")
		f, isState := state.ParseName(parts[len(parts)-1])
		operator := -1
		if parts[0] == "state" {
			operator, _ = strconv.Atoi(parts[1])
		}
		switch {
		case isState:
			partition, _ := strconv.Atoi(parts[2])
			r := reading{operator, partition, "default", f.Version - 1}
			if len(parts) == 5 {
				r.store = parts[3]
			}
			v.at = append(v.at, r)
			if f.Role != state.Zip {
				break
			}
			z, err := state.OpenZip(name, bytes.NewReader(v.data), int64(len(v.data)))
			if err != nil {
				break
			}
			for _, s := range z.SSTs {
				table := path.Join(path.Dir(name), "SSTs", s.Name)
				if data, ok := files[table]; ok {
					ofTable[table] = victim{table, "sst", data, []reading{r}}
				}
			}
		case v.class == "sst":
			continue
		case v.class == "offsets" || v.class == "commits":
			id, err := strconv.ParseInt(parts[1], 10, 64)
			for _, o := range c.State.Entries {
				if operator, e := strconv.Atoi(o.Name); err == nil && e == nil && id <= last {
					v.at = append(v.at, reading{operator, -1, "", id})
				}
			}
		default:
			v.at = append(v.at, reading{operator, 0, "", last})
		}
		if len(v.at) > 0 {
			all = append(all, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ofTable)) {
		all = append(all, ofTable[name])
	}
	return all
}

// rowsAt are the rows of all views at a reading, sorted, and the errors beside them.
func rowsAt(ctx context.Context, s storage.Store, r reading) (rows []string, errs []error) {
	c, err := checkpoint.Open(ctx, s)
	if err != nil {
		return nil, []error{err}
	}
	at, err := At(ctx, c, r.operator, r.batch)
	if err != nil {
		return nil, []error{err}
	}
	if at.Problem != nil { // there is less to look at than there was
		errs = append(errs, at.Problem)
	}
	if len(at.Views) == 0 && at.Problem == nil {
		errs = append(errs, errors.New("no views, and no word"))
	}
	for i := range at.Views {
		v := &at.Views[i]
		if r.store != "" && v.Store != r.store && (v.counts == nil || v.counts.Store != r.store) {
			continue
		}
		for row, err := range at.Rows(ctx, v, r.partition) {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			rows = append(rows, v.Name+" "+string(row.AppendJSON(nil)))
		}
	}
	slices.Sort(rows)
	return rows, errs
}

// offsetsOf are the bytes at which a file is damaged: all of a short one; of a long one its ends, the places
// around every 4096th byte, and some others.
func offsetsOf(data []byte, few int, random *rand.Rand) []int {
	var at []int
	for i := range data {
		if len(data) <= 4096 || i < 512 || i >= len(data)-512 || i%4096 < 2 || i%4096 == 4095 {
			at = append(at, i)
		}
	}
	for range 200 {
		at = append(at, random.IntN(max(len(data), 1)))
	}
	if few > 0 {
		random.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		at = at[:min(few, len(at))]
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// TestDamageIsNeverSilent cuts files that Spark wrote, and changes bits and bytes of them: whoever reads the
// rows then gets the right ones, or is told. Every damage costs one file only, so the error names it or a file
// that depends on it.
func TestDamageIsNeverSilent(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(goldens + "/state-*.tar.gz")
	if err != nil || len(archives) < 100 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	total := &damages{silent: map[string]int{}, all: map[string]int{}, seen: map[string]int{}}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		if strings.HasSuffix(name, ".rows") || strings.Contains(name, "-damage-") {
			continue
		}
		files := map[string][]byte{}
		for file, m := range goldenFiles(t, name) {
			files[file] = m.Data
		}
		total.golden(t, name, files)
	}
	for _, class := range slices.Sorted(maps.Keys(total.all)) {
		t.Logf("%-18s %7d damages, %5d without a word and with other rows", class, total.all[class], total.silent[class])
		if total.silent[class] > 0 && !slices.Contains(silent, class) {
			t.Errorf("damage of %s is silent", class)
		}
	}
	for _, class := range []string{"delta lz4", "snapshot lz4", "changelog lz4", "delta zstd", "delta snappy", "changelog zstd", "changelog snappy", "zip", "sst", "schema", "operator metadata", "offsets", "commits"} {
		if total.all[class] == 0 {
			t.Errorf("no %s was damaged", class)
		}
	}
}

type damages struct {
	seen, all, silent map[string]int // by class
}

// golden damages the files of one golden.
func (d *damages) golden(t *testing.T, golden string, files map[string][]byte) {
	places, everyFile := placesOf()
	store := inMemory(files)
	c, err := checkpoint.Open(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, uint64(len(files))))
	inGolden := map[string]int{}
	for _, v := range victims(c, files) {
		if inGolden[v.class]++; !everyFile && inGolden[v.class] > 1 {
			continue // the first is enough
		}
		if d.seen[v.class]++; !everyFile && d.seen[v.class]%3 != 1 {
			continue // goldens lie in the order of what they are made with: every third is enough
		}
		for _, r := range v.at {
			want, errs := rowsAt(t.Context(), store, r)
			if len(errs) > 0 {
				continue // not whole to begin with: a version that was cleaned up, a batch without state
			}
			for _, i := range offsetsOf(v.data, places, random) {
				d.damage(t, golden, store, v, r, want, v.data[:i], fmt.Sprintf("cut at %d of %d", i, len(v.data)))
				for _, mask := range []byte{1 << random.IntN(8), 0xff} {
					data := bytes.Clone(v.data)
					data[i] ^= mask
					d.damage(t, golden, store, v, r, want, data, fmt.Sprintf("byte %d of %d ^ %#02x", i, len(v.data), mask))
				}
			}
		}
	}
}

// damage reads rows with one file damaged.
func (d *damages) damage(t *testing.T, golden string, store storage.Store, v victim, r reading, want []string, data []byte, how string) {
	rows, errs := rowsAt(t.Context(), &replaced{store, v.name, data}, r)
	d.all[v.class]++
	where := func() string {
		return fmt.Sprintf("%s: %s %s (batch %d, operator %d)", golden, v.name, how, r.batch, r.operator)
	}
	passed := true // only errors that say that the rows are right
	for _, err := range errs {
		_, isPassed := errors.AsType[*PassedError](err)
		passed = passed && isPassed
		if !isTold(err) {
			t.Errorf("%s: %T %v", where(), err, err)
		}
	}
	switch {
	case !passed || slices.Equal(rows, want):
	case len(data) < len(v.data) || len(errs) > 0:
		t.Errorf("%s: %d rows and %d errors, %d rows in truth", where(), len(rows), len(errs), len(want))
	default:
		if d.silent[v.class]++; !slices.Contains(silent, v.class) {
			t.Errorf("%s: other rows, and no word", where())
		}
	}
}

// isTold reports whether an error of a partition says what is wrong with a file, or that a file is not there,
// and no error is a panic that was caught.
func isTold(err error) bool {
	_, ofPartition := errors.AsType[*PartitionError](err)
	return (!ofPartition || unloadable(err)) && !strings.Contains(err.Error(), "broke down")
}
