package examine

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/zeebo/xxh3"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// goldenFiles are the files of a checkpoint that Spark wrote, without checksum files.
func goldenFiles(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, file := range untar(t, "../../../testdata/golden/"+name+".tar.gz") {
		if name, ok := strings.CutPrefix(name, "checkpoint/"); ok && path.Ext(name) != ".crc" {
			files[name] = file
		}
	}
	return files
}

func examinedWith(t testing.TB, files fstest.MapFS, opt Options) (v checks.Verdict) {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	opt.Now = time.UnixMilli(1764403200000)
	for e := range Examine(t.Context(), cp, opt) {
		v.Add(e)
	}
	return v
}

// moved is a change of a golden: the file at the first name takes the bytes of the second; "" removes it.
type moved struct{ to, from string }

// TestASnapshotThatIsNotWhatTheFilesBeforeItMake puts snapshots in the places of others: each file is whole.
func TestASnapshotThatIsNotWhatTheFilesBeforeItMake(t *testing.T) {
	t.Parallel()
	const hdfs, rocks = "state-3.5-hdfs-window-agg", "state-4.3-rockscl-window-agg"
	for _, c := range []struct {
		name   string
		golden string
		places []moved
		deep   bool
		want   []string // severity, file and words of each finding
		intact string
	}{
		{"nothing is changed", hdfs, nil, true, nil, "yes"},
		{"an older snapshot in place of the newest", hdfs, []moved{{"state/0/0/12.snapshot", "state/0/0/4.snapshot"}}, false,
			[]string{"critical state/0/0/12.snapshot: 12.snapshot has 8 rows; 8.snapshot with 9.delta to 12.delta gives"}, "no"},
		{"the snapshot of another partition", hdfs, []moved{{"state/0/0/12.snapshot", "state/0/1/12.snapshot"}}, false,
			[]string{"critical state/0/0/12.snapshot: "}, "no"},
		{"the files before it are not all there", hdfs, []moved{{"state/0/0/12.snapshot", "state/0/0/4.snapshot"}, {"state/0/0/10.delta", ""}}, true, nil, "yes"},
		{"no snapshot before it", hdfs, []moved{{"state/0/0/12.snapshot", "state/0/0/4.snapshot"}, {"state/0/0/4.snapshot", ""}, {"state/0/0/8.snapshot", ""}}, false,
			[]string{"critical state/0/0/12.snapshot: 12.snapshot has 8 rows; 1.delta to 12.delta give"}, "no"},
		{"the older one is wrong", hdfs, []moved{{"state/0/1/8.snapshot", "state/0/1/4.snapshot"}}, false, []string{"medium state/0/1/8.snapshot: 8.snapshot has"}, "yes"},
		{"the older one is wrong, looked at deep", hdfs, []moved{{"state/0/1/8.snapshot", "state/0/1/4.snapshot"}}, true,
			[]string{"medium state/0/1/8.snapshot: 8.snapshot has"}, "yes"},
		{"both are wrong", hdfs, []moved{{"state/0/1/8.snapshot", "state/0/1/4.snapshot"}, {"state/0/1/12.snapshot", "state/0/1/4.snapshot"}}, true,
			[]string{"critical state/0/1/12.snapshot: 12.snapshot has 4 rows; 4.snapshot with 5.delta to 12.delta gives", "medium state/0/1/8.snapshot: 8.snapshot has"}, "no"},
		{"RocksDB", rocks, []moved{{"state/0/0/12.zip", "state/0/0/9.zip"}}, true,
			[]string{"critical state/0/0/12.zip: 12.zip has 8 rows; 9.zip with 10.changelog to 12.changelog gives"}, "no"},
		{"RocksDB, where it is little to read", rocks, []moved{{"state/0/0/12.zip", "state/0/0/9.zip"}}, false, []string{"critical state/0/0/12.zip: 12.zip has 8 rows; "}, "no"},
	} {
		files := goldenFiles(t, c.golden)
		was := maps.Clone(files)
		for _, p := range c.places {
			delete(files, p.to)
			if p.from != "" {
				files[p.to] = was[p.from]
			}
		}
		v := examinedWith(t, files, Options{Deep: c.deep})
		var got []string
		for _, f := range v.Findings {
			got = append(got, fmt.Sprintf("%s %s: %s", f.Severity, f.Where.File, f.Evidence))
		}
		ok := len(got) == len(c.want) && v.Restart.Outcome == checks.Next && v.Questions[0].Answer == c.intact
		for i := range c.want {
			ok = ok && strings.HasPrefix(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%s: intact %s (%s), restart %s (%s)\ngot  %q\nwant %q", c.name, v.Questions[0].Answer, v.Questions[0].Because, v.Restart.Outcome, v.Restart.Because, got, c.want)
		}
	}
}

// TestTheAnswerSaysWhatWasCompared: what was not compared is not called compared.
func TestTheAnswerSaysWhatWasCompared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		golden string
		deep   bool
		want   []string
		not    []string
	}{
		{"state-3.5-hdfs-window-agg", false, []string{"2 state snapshots with the older files that rebuild their versions", "state files the restart does not load were checked by name and size only"}, []string{"rows"}},
		{"state-3.5-hdfs-window-agg", true, []string{"6 state snapshots with the older files", "state rows with their recorded schema"}, []string{"by name and size"}},
		{"state-4.3-rockscl-window-agg", false, []string{"SST files with the MANIFEST of their snapshot", "2 state snapshots with the older files that rebuild their versions", "2 state snapshots with the number of keys they record"}, []string{"not compared"}},
		{"state-4.3-rockscl-window-agg", true, []string{"2 state snapshots with the number of keys they record", "8 state snapshots with the older files"}, []string{"by name and size", "not compared"}},
	} {
		v := examinedWith(t, goldenFiles(t, c.golden), Options{Deep: c.deep})
		said := v.Questions[0].Because
		if brief := v.Questions[0].Short(); len(brief) > 320 || !strings.Contains(brief, "; compared: ") || !strings.Contains(brief, "state snapshots") {
			t.Errorf("%s, deep %v: on one line %q", c.golden, c.deep, brief)
		}
		if q := &v.Questions[0]; len(q.Compared) == 0 || (len(q.Less) > 0) == c.deep {
			t.Errorf("%s, deep %v: compared %q, less %q", c.golden, c.deep, q.Compared, q.Less)
		}
		for _, w := range c.want {
			if !strings.Contains(said, w) {
				t.Errorf("%s, deep %v: no %q in %q", c.golden, c.deep, w, said)
			}
		}
		for _, w := range c.not {
			if strings.Contains(said, w) {
				t.Errorf("%s, deep %v: %q in %q", c.golden, c.deep, w, said)
			}
		}
	}
}

// ofAnotherSession gives a table another session in its properties, with the checksum that goes with it: it is whole, and has the same size.
func ofAnotherSession(t *testing.T, data []byte) []byte {
	t.Helper()
	data = bytes.Clone(data)
	footer := data[len(data)-53:]
	handle := func(b []byte) (at, size uint64) {
		at, n := binary.Uvarint(b)
		size, _ = binary.Uvarint(b[n:])
		return at, size
	}
	at, size := handle(footer[1:])
	const name = "rocksdb.properties"
	meta := data[at:][:size]
	found := bytes.Index(meta, []byte(name))
	at, size = handle(meta[found+len(name):])
	block := data[at:][:size+1] // with the type of compression
	const session = "rocksdb.creating.session.identity"
	value := bytes.Index(block, []byte(session[len("rocksdb.creating."):]))
	if found < 0 || value < 0 || block[size] != 0 {
		t.Fatal("no properties of this form")
	}
	digit := &block[value+len(session)-len("rocksdb.creating.")+5]
	*digit = map[bool]byte{true: 'A', false: 'B'}[*digit != 'A']
	var sum uint32
	switch footer[0] {
	case 1:
		c := crc32.Checksum(block, crc32.MakeTable(crc32.Castagnoli))
		sum = (c>>15 | c<<17) + 0xa282ead8
	case 4:
		sum = uint32(xxh3.Hash(block[:size])) ^ uint32(block[size])*0x6b9083d9
	}
	binary.LittleEndian.PutUint32(data[at+size+1:], sum)
	return data
}

// rezipped is a snapshot with one member changed.
func rezipped(t *testing.T, data []byte, member string, change func(string) string) []byte {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(f.Name, member) {
			content = []byte(change(string(content)))
		}
		w, err := out.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(content)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestATableOfAnotherAttempt: an SST file that is whole, with the right name and size, of another session.
func TestATableOfAnotherAttempt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		golden string
		spark  spark.Version
		want   string // in the finding's title
		error  string
	}{
		{"state-3.5-rocks-window-agg", spark.Version{}, "is from another attempt", "SparkException: RocksDBException: Mismatch in unique ID on table file "},
		{"state-3.5-rocks-window-agg", spark.Version{Major: 3, Minor: 3}, "is from another attempt", ""},
		{"state-4.3-rocks-window-agg", spark.Version{}, "is from another attempt", "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED: RocksDBException: Mismatch in unique ID on table file "},
		{"state-4.3-rocks-window-agg", spark.Version{Major: 4, Minor: 1}, "is from another attempt", "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED: RocksDBException: Mismatch in unique ID on table file "},
	} {
		files := goldenFiles(t, c.golden)
		zip := files["state/0/0/12.zip"].Data
		z, err := state.OpenZip("12.zip", bytes.NewReader(zip), int64(len(zip)))
		if err != nil {
			t.Fatal(err)
		}
		name := "state/0/0/SSTs/" + z.SSTs[0].Name
		files[name] = &fstest.MapFile{Data: ofAnotherSession(t, files[name].Data)}
		v := examinedWith(t, files, Options{Spark: c.spark})
		if v.Questions[0].Answer != "no" || len(v.Findings) == 0 || v.Findings[0].Where.File != name || v.Findings[0].Severity != checks.Critical || !strings.Contains(v.Findings[0].Title, c.want) {
			t.Errorf("%s for %s: %+v\n%s", c.golden, c.spark, v.Questions[0], tell(&v))
		}
		outcome := checks.Refuses
		if c.error == "" {
			outcome = checks.Next
		}
		if v.Restart.Outcome != outcome || !strings.HasPrefix(v.Restart.Error, c.error) {
			t.Errorf("%s for %s: %s, %q", c.golden, c.spark, v.Restart.Outcome, v.Restart.Error)
		}
	}
}

// TestAnOlderSnapshotStandsIn: where changelogs make the same version without the foreign table, 4.2 and later go on.
func TestAnOlderSnapshotStandsIn(t *testing.T) {
	t.Parallel()
	files := goldenFiles(t, "state-4.3-rockscl-window-agg")
	data := files["state/0/0/12.zip"].Data
	z, err := state.OpenZip("12.zip", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	old := files["state/0/0/9.zip"].Data
	before, err := state.OpenZip("9.zip", bytes.NewReader(old), int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range z.SSTs {
		if fmt.Sprint(before.SSTs) == fmt.Sprint(z.SSTs) || strings.Contains(fmt.Sprint(before.SSTs), s.Name) {
			continue
		}
		name := "state/0/0/SSTs/" + s.Name
		files[name] = &fstest.MapFile{Data: ofAnotherSession(t, files[name].Data)}
	}
	if v := examinedWith(t, files, Options{}); v.Restart.Outcome != checks.Next || len(v.Findings) == 0 || v.Findings[0].Severity != checks.High {
		t.Errorf("4.3: %s\n%s", v.Restart.Outcome, tell(&v))
	}
	if v := examinedWith(t, files, Options{Spark: spark.Version{Major: 4, Minor: 1}}); v.Restart.Outcome != checks.Refuses {
		t.Errorf("4.1: %s\n%s", v.Restart.Outcome, tell(&v))
	}
}

// TestASnapshotThatDoesNotFitItself: metadata, MANIFEST and tables say other things of one another.
func TestASnapshotThatDoesNotFitItself(t *testing.T) {
	t.Parallel()
	const golden, file = "state-4.3-rocks-window-agg", "state/0/0/12.zip"
	keys := regexp.MustCompile(`"numKeys":\d+`)
	oneTable := regexp.MustCompile(`\{"localFileName":"[^}]*\},?`)
	manifest := func(s string) string { b := []byte(s); b[8] ^= 1; return string(b) }
	for _, c := range []struct {
		name, member string
		change       func(string) string
		deep         bool
		want         string
		outcome      checks.Outcome
	}{
		{"more keys than entries", "metadata", func(s string) string { return keys.ReplaceAllString(s, `"numKeys":900`) }, false, "high state-file-damaged batch=11 state/0/0/12.zip: 12.zip: the metadata counts 900 keys, and its tables have", checks.Next},
		{"one key too many", "metadata", func(s string) string { return keys.ReplaceAllString(s, `"numKeys":3`) }, true, "high state-file-damaged batch=11 state/0/0/12.zip: 12.zip", checks.Next},
		{"a table that the metadata do not name", "metadata", func(s string) string {
			return strings.Replace(strings.Replace(s, oneTable.FindString(s), "", 1), ",]", "]", 1)
		}, false, "critical state-file-damaged batch=11 state/0/0/12.zip!MANIFEST-", checks.Refuses},
		{"a changed MANIFEST", "MANIFEST-", manifest, false, "critical state-file-damaged batch=11 state/0/0/12.zip!MANIFEST-", checks.Refuses},
	} {
		files := goldenFiles(t, golden)
		files[file] = &fstest.MapFile{Data: rezipped(t, files[file].Data, c.member, c.change)}
		v := examinedWith(t, files, Options{Deep: c.deep, Spark: spark.Version{Major: 4, Minor: 1}})
		if got := tell(&v); !strings.HasPrefix(got, c.want) || v.Restart.Outcome != c.outcome || v.Questions[0].Answer != "no" {
			t.Errorf("%s: %s, intact %s\n%s", c.name, v.Restart.Outcome, v.Questions[0].Answer, got)
		}
	}
}

// TestRowsThatDoNotReadAreTold: what the reader of rows notices reaches the verdict with --deep.
func TestRowsThatDoNotReadAreTold(t *testing.T) {
	t.Parallel()
	files := goldenFiles(t, "state-3.5-hdfs-window-agg")
	var b bytes.Buffer
	lz4Block(&b, "\x00\x00\x00\x04key0\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00"+"\xff\xff\xff\xff")
	lz4Block(&b, "")
	files["state/0/0/12.snapshot"] = &fstest.MapFile{Data: b.Bytes()}
	delete(files, "state/0/0/10.delta") // nothing to hold it against
	if v := examinedWith(t, files, Options{}); len(v.Findings) > 0 {
		t.Error(tell(&v))
	}
	v := examinedWith(t, files, Options{Deep: true})
	if !strings.HasPrefix(tell(&v), "high state-file-damaged batch=11 state/0/0/12.snapshot: ") || len(v.Findings) != 1 || v.Questions[0].Answer != "no" || v.Restart.Outcome != checks.Next {
		t.Errorf("%s, intact %s\n%s", v.Restart.Outcome, v.Questions[0].Answer, tell(&v))
	}
}

// many is a golden with its partition 0 as often as is said, as the plans pin it.
func many(t testing.TB, golden string, partitions int) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	pinned := regexp.MustCompile(`"spark.sql.shuffle.partitions":"\d+"`)
	for name, file := range goldenFiles(t, golden) {
		switch rest, of0 := strings.CutPrefix(name, "state/0/0/"); {
		case of0:
			for i := range partitions {
				files[fmt.Sprintf("state/0/%d/%s", i, rest)] = file
			}
		case strings.HasPrefix(name, "state/0/1"):
		case strings.HasPrefix(name, "offsets/"):
			files[name] = &fstest.MapFile{Data: pinned.ReplaceAll(file.Data, fmt.Appendf(nil, `"spark.sql.shuffle.partitions":"%d"`, partitions))}
		default:
			files[name] = file
		}
	}
	return files
}

// counted counts what is opened, and the bytes that are read.
type countedStore struct {
	storage.Store
	opens, bytes int64
	count        chan struct{}
}

func (s *countedStore) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := s.Store.Open(ctx, name, offset, length)
	s.count <- struct{}{}
	s.opens++
	<-s.count
	if err != nil {
		return r, err
	}
	return &countedReader{r, s}, nil
}

type countedReader struct {
	io.ReadCloser
	s *countedStore
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.s.count <- struct{}{}
	r.s.bytes += int64(n)
	<-r.s.count
	return n, err
}

// TestComparisonsAreBounded: on 100 partitions nothing more is read without --deep than the files that the start loads
// and, of snapshots whose size looks odd, those before them. Where some are wrong, the ways back take what a roll back would load of
// every partition, and the logs again for each way that is judged (from a bucket these are kept).
func TestComparisonsAreBounded(t *testing.T) {
	t.Parallel()
	var empty bytes.Buffer
	lz4Block(&empty, "\xff\xff\xff\xff")
	lz4Block(&empty, "")
	for _, c := range []struct {
		golden      string
		odd         int
		deep        bool
		least, most int64 // files that are opened
		found       int   // snapshots that are not what the files before them make
	}{
		{"state-3.5-hdfs-window-agg", 0, false, 130, 140, 0},
		{"state-3.5-hdfs-window-agg", 3, false, 700, 780, 3},
		{"state-3.5-hdfs-window-agg", 0, true, 3000, 3500, 0},
		{"state-4.3-rockscl-window-agg", 0, false, 230, 240, 0},
		{"state-4.3-rockscl-window-agg", 0, true, 5000, 5600, 0},
	} {
		files := many(t, c.golden, 100)
		for i := range c.odd {
			files[fmt.Sprintf("state/0/%d/12.snapshot", 10*i)] = &fstest.MapFile{Data: empty.Bytes()}
		}
		s := &countedStore{Store: storage.FromFS(files, "checkpoint"), count: make(chan struct{}, 1)}
		cp, err := checkpoint.Open(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		var v checks.Verdict
		began := time.Now()
		for e := range Examine(t.Context(), cp, Options{Deep: c.deep}) {
			v.Add(e)
		}
		found := 0
		for _, f := range v.Findings {
			if strings.Contains(f.Title, "lacks rows") {
				found++
			}
		}
		t.Logf("%s, %d emptied, deep %v: %d files opened, %d bytes, %v", c.golden, c.odd, c.deep, s.opens, s.bytes, time.Since(began))
		if s.opens < c.least || s.opens > c.most || found != c.found {
			t.Errorf("%s, %d emptied, deep %v: %d files were opened, want %d to %d; %d found: %s", c.golden, c.odd, c.deep, s.opens, c.least, c.most, found, v.Questions[0].Because)
		}
	}
}
