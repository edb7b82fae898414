package examine

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/stores"
	"tidemark/storage"
)

// harmless says of files of a class which changed bytes check may pass over without a word: cuts it never may.
var harmless = map[string]string{
	"delta lz4":        "what inflates to the same bytes",
	"snapshot lz4":     "what inflates to the same bytes",
	"changelog lz4":    "what inflates to the same bytes",
	"delta snappy":     "no checksum in the format",
	"delta zstd":       "no checksum in the format",
	"snapshot snappy":  "no checksum in the format",
	"snapshot zstd":    "no checksum in the format",
	"changelog snappy": "no checksum in the format",
	"changelog zstd":   "no checksum in the format",
	"zip":              "times in headers, and the directory, which a start does not read",
	"schema":           "names of columns",
}

// TestDamagedStateIsFound cuts and changes each kind of file that the next start loads from state, in goldens
// of every provider, codec and release: check says so. Checksum files are taken away, so that only the file
// itself can tell. TIDEMARK_DAMAGE ("25", "all") does it in every golden, and at so many bytes or at many.
func TestDamagedStateIsFound(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../../testdata/golden/state-*.tar.gz")
	if err != nil || len(archives) < 100 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	places, each := 5, 4
	switch set := os.Getenv("TIDEMARK_DAMAGE"); {
	case set != "":
		each = 1
		if places, err = strconv.Atoi(set); err != nil {
			places = 500
		}
	case testing.Short():
		places, each = 1, 8
	}
	found := damaged{seen: map[string]int{}, all: map[string]int{}, quiet: map[string]int{}}
	for i, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		if strings.HasSuffix(name, ".rows") || strings.Contains(name, "-damage-") {
			continue
		}
		found.golden(t, archive, rand.New(rand.NewPCG(7, uint64(i))), places, each)
	}
	for _, class := range slices.Sorted(maps.Keys(found.all)) {
		t.Logf("%-18s %6d damages, %4d without a word", class, found.all[class], found.quiet[class])
		if found.quiet[class] > found.all[class]/2 {
			t.Errorf("%s: most changes are passed over", class)
		}
	}
	for class := range harmless {
		if found.all[class] == 0 {
			t.Errorf("no %s was damaged", class)
		}
	}
}

type damaged struct{ seen, all, quiet map[string]int }

func (d *damaged) golden(t *testing.T, archive string, random *rand.Rand, places, each int) {
	files := fstest.MapFS{}
	for name, file := range untar(t, archive) {
		if name, ok := strings.CutPrefix(name, "checkpoint/"); ok && path.Ext(name) != ".crc" {
			files[name] = file
		}
	}
	before, loaded := examined(t, files)
	here := map[string]bool{}
	for _, name := range loaded {
		data := files[name].Data
		class := classOf(name, data)
		if class == "" || here[class] || len(data) == 0 {
			continue // one of a kind in each golden
		}
		here[class] = true
		if d.seen[class]++; (d.seen[class]-1)%each != 0 && !strings.HasSuffix(class, "snappy") && !strings.HasSuffix(class, "zstd") {
			continue
		}
		try := func(data []byte, how string) (quiet bool) {
			tree := maps.Clone(files)
			tree[name] = &fstest.MapFile{Data: data}
			d.all[class]++
			if after, _ := examined(t, tree); after == before {
				d.quiet[class]++
				return true
			}
			return false
		}
		for range places {
			at := random.IntN(len(data))
			if try(data[:at], "cut") {
				t.Errorf("%s: %s cut at %d of %d: nothing is found", archive, name, at, len(data))
			}
			changed := bytes.Clone(data)
			changed[at] ^= 1 << random.IntN(8)
			if try(changed, "changed") && harmless[class] == "" {
				t.Errorf("%s: %s changed at %d of %d: nothing is found", archive, name, at, len(data))
			}
		}
	}
}

// examined is what check finds, and the files of state that the next start loads.
func examined(t *testing.T, files fstest.MapFS) (findings string, loaded []string) {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var v checks.Verdict
	x := newExamination(t.Context(), cp, Options{Now: time.UnixMilli(1764403200000)}, All, func(e checks.Event) bool { v.Add(e); return true })
	x.run()
	for _, name := range stores.Looked(x.pass) {
		if loaded = append(loaded, name); path.Ext(name) != ".zip" || files[name] == nil {
			continue
		}
		data := files[name].Data
		if z, err := state.OpenZip(name, bytes.NewReader(data), int64(len(data))); err == nil {
			for _, s := range z.SSTs {
				loaded = append(loaded, path.Join(path.Dir(name), "SSTs", s.Name))
			}
		}
	}
	for name := range files {
		if classOf(name, nil) == "schema" {
			loaded = append(loaded, name)
		}
	}
	slices.Sort(loaded)
	return tell(&v) + fmt.Sprint(v.NotRun), loaded
}

// classOf is what a file is, as far as it matters for what can be told of its bytes.
func classOf(name string, data []byte) string {
	f, ok := state.ParseName(path.Base(name))
	switch {
	case ok && f.Role == state.Zip:
		return "zip"
	case ok:
		_, codec, _ := state.Inflate(name, bytes.NewReader(data))
		return f.Role.String() + " " + string(codec)
	case path.Ext(name) == ".sst":
		return "sst"
	case strings.HasPrefix(name, "state/") && (path.Base(name) == "schema" || strings.Contains(name, "/_stateSchema/")):
		return "schema"
	}
	return ""
}

// TestBrokenSchemaBesideThePartitions: the schema that metadata of version 2 names is read at each start.
func TestBrokenSchemaBesideThePartitions(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, file := range untar(t, "../../../testdata/golden/state-4.3-rockscl-tws-timers.tar.gz") {
		if name, ok := strings.CutPrefix(name, "checkpoint/"); ok {
			files[name] = file
		}
	}
	const schema = "state/0/_stateSchema/default/0_1855d404-f2c3-45bb-a215-0e3b4eb3ec7a"
	if found, _ := examined(t, files); strings.Contains(found, schema) {
		t.Fatal(found)
	}
	files[schema] = &fstest.MapFile{Data: files[schema].Data[:1000]}
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var v checks.Verdict
	for e := range Examine(t.Context(), cp, Options{}) {
		v.Add(e)
	}
	if v.Restart.Outcome != checks.Refuses || !strings.Contains(tell(&v), "critical state-file-damaged batch=-1 "+schema) {
		t.Errorf("%+v\n%s", v.Restart, tell(&v))
	}
}
