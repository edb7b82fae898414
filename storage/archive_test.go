package storage

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func openBytes(t *testing.T, data []byte, o Options) (Store, error) {
	t.Helper()
	return OpenArchive(t.Context(), "x", bytes.NewReader(data), int64(len(data)), o)
}

// ---- where the content begins

func TestArchiveOpensWhereItsContentBegins(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  []string
		inside []string
		want   string
	}{
		{"as it is", []string{"metadata", "offsets/0"}, nil, "metadata offsets/"},
		{"one folder around", []string{"checkpoint/metadata", "checkpoint/offsets/0"}, nil, "metadata offsets/"},
		{"an absolute path around", []string{"/data/cp/orders/metadata", "/data/cp/orders/offsets/0"}, nil, "metadata offsets/"},
		{"dots around", []string{"./metadata", "./offsets/0"}, nil, "metadata offsets/"},
		{"what macOS adds", []string{"cp/metadata", "cp/offsets/0", "__MACOSX/cp/._metadata", ".DS_Store"}, nil, "metadata offsets/"},
		{"two checkpoints", []string{"a/metadata", "b/metadata"}, nil, "a/ b/"},
		{"only one folder of it", []string{"offsets/0", "offsets/1"}, []string{"offsets"}, "offsets/"},
		{"only one folder of it, one around", []string{"cp/offsets/0"}, []string{"offsets"}, "offsets/"},
	} {
		files := map[string]string{}
		for _, f := range c.files {
			files[f] = "x"
		}
		for form, data := range map[string][]byte{"zip": zipped(t, files, zip.Deflate), "tar": tarred(t, files)} {
			s, err := openBytes(t, data, Options{Inside: c.inside})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, form, err)
				continue
			}
			if got := listing(t, s, "."); got != c.want {
				t.Errorf("%s, %s: listed %q, want %q", c.name, form, got, c.want)
			}
		}
	}
}

// Among other things, an archive is opened at the one folder that is looked for; of several it shows them all.
func TestArchiveOpensAtTheOneFolderThatIsWanted(t *testing.T) {
	t.Parallel()
	wanted := func(l []Entry) bool {
		return slices.ContainsFunc(l, func(e Entry) bool { return e.Name == "metadata" })
	}
	for _, c := range []struct {
		name, inner string
		files       []string
		want        string
	}{
		{"a file beside it", ".", []string{"README.md", "cp/metadata", "cp/offsets/0"}, "metadata offsets/"},
		{"deep among others", ".", []string{"notes/a.txt", "backup/2026/cp/metadata", "backup/2026/logs/x", "spec.yaml"}, "metadata"},
		{"what macOS adds looks like another", ".", []string{"README", "cp/metadata", "__MACOSX/cp/metadata", ".DS_Store"}, "metadata"},
		{"one within it does not count", ".", []string{"README", "cp/metadata", "cp/state/metadata"}, "metadata state/"},
		{"two of them", ".", []string{"README", "a/metadata", "b/metadata"}, "README a/ b/"},
		{"one of two by its name", "a", []string{"README", "a/metadata", "b/offsets/0", "b/metadata"}, "metadata"},
		{"none of them", ".", []string{"README", "a/x"}, "README a/"},
		{"it by its name", "cp", []string{"README", "cp/metadata"}, "metadata"},
		{"another folder by its name", "logs", []string{"README", "cp/metadata", "logs/x"}, "x"},
		{"a folder in it", "offsets", []string{"README", "cp/metadata", "cp/offsets/0"}, "0"},
	} {
		files := map[string]string{}
		for _, f := range c.files {
			files[f] = "x"
		}
		for form, data := range map[string][]byte{"zip": zipped(t, files, zip.Deflate), "tar": tarred(t, files)} {
			b, err := openArchive(t.Context(), readerAtPacked("x", bytes.NewReader(data), int64(len(data))), c.inner, Options{Wanted: wanted})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, form, err)
				continue
			}
			if got := listing(t, asStore(b), "."); got != c.want {
				t.Errorf("%s, %s: listed %q, want %q", c.name, form, got, c.want)
			}
		}
	}
}

// The archive in a key may stand in its middle: then a folder in it is meant.
func TestArchiveKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prefix, key, inner string }{
		{"backups/a.zip", "backups/a.zip", "."},
		{"backups/a.tar.gz/orders/cp", "backups/a.tar.gz", "orders/cp"},
		{"a.zip/b.zip", "a.zip", "b.zip"},
		{"cp/offsets", "", ""},
		{"", "", ""},
	} {
		if key, inner := archiveKey(c.prefix); key != c.key || inner != c.inner {
			t.Errorf("%s: %q and %q, want %q and %q", c.prefix, key, inner, c.key, c.inner)
		}
	}
}

// TestPlace: one folder has one place, however it is spelled; an archive has none.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cp/offsets", "here"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "cp"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.zip"), zipped(t, map[string]string{"cp/metadata": "x"}, zip.Deflate), 0o644); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, "cp"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "here"))
	var reopener Reopener
	for _, o := range []Options{{}, {Meter: &Meter{}, MaxRequests: 5}, {reopener: &reopener}} {
		for _, spelled := range []string{dir + "/cp", dir + "/cp/", dir + "/link", dir + "/here/../cp/.", "../cp", "../link/", "file:" + dir + "/cp", "file://" + dir + "/link"} {
			s, err := Open(t.Context(), spelled, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := LocalPath(s); got != real {
				t.Errorf("%s: %q, want %q", spelled, got, real)
			}
			if got, want := LocalPath(Sub(s, "offsets")), filepath.Join(real, "offsets"); got != want {
				t.Errorf("offsets in %s: %q, want %q", spelled, got, want)
			}
		}
	}
	s, err := Open(t.Context(), "../a.zip", Options{})
	if err != nil || LocalPath(s) != "" || !Packed(s) {
		t.Errorf("an archive: place %q, packed %t, %v", LocalPath(s), Packed(s), err)
	}
}

func TestFolderWithinAnArchive(t *testing.T) {
	place := archiveFile(t, "backup.zip", zipped(t, map[string]string{"prod/orders/metadata": "o", "prod/clicks/metadata": "c"}, zip.Deflate))
	for inner, want := range map[string]string{"": "clicks/ orders/", "/orders": "metadata", "/prod/clicks/": "metadata", "/prod": "clicks/ orders/"} {
		s := open(t, place+inner, Options{})
		if got := listing(t, s, "."); got != want {
			t.Errorf("%s: listed %q, want %q", inner, got, want)
		}
		if want := strings.TrimSuffix(place+inner, "/"); s.String() != want {
			t.Errorf("it is called %s, want %s", s, want)
		}
	}
	for _, inner := range []string{"/none", "/orders/metadata", "/../x"} {
		if _, err := Open(t.Context(), place+inner, Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want fs.ErrNotExist", inner, err)
		}
	}
}

// ---- what a tar may hold

func TestTarMembers(t *testing.T) {
	long := strings.Repeat("long-folder-name/", 12) + strings.Repeat("n", 150)
	header := func(name string, typ byte, size int, link string) tar.Header {
		return tar.Header{Name: name, Typeflag: typ, Size: int64(size), Linkname: link, Mode: 0o600, ModTime: written}
	}
	data := tarOf(t, map[string]string{"f": "file", long: "long", "d/twice": "second"},
		tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": "made by git"}},
		header("f", tar.TypeReg, 4, ""), header(long, tar.TypeReg, 4, ""), header("d/twice", tar.TypeReg, 0, ""), header("d/twice", tar.TypeReg, 6, ""),
		header("hard", tar.TypeLink, 0, "f"), header("hard to nothing", tar.TypeLink, 0, "../none"), header("soft", tar.TypeSymlink, 0, "/etc/passwd"),
		header("pipe", tar.TypeFifo, 0, ""), header("device", tar.TypeChar, 0, ""))
	for form, data := range map[string][]byte{"tar": data, "tar.gz": gz(t, data), "tar.zst": zst(t, data)} {
		s, err := openBytes(t, data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := listing(t, s, "."), "d/ device f hard hard to nothing long-folder-name/ pipe soft"; got != want {
			t.Errorf("%s: listed %q, want %q", form, got, want)
		}
		for name, want := range map[string]string{"f": "file", "hard": "file", long: "long", "d/twice": "second"} {
			if got, err := read(t.Context(), s, name, 0, -1); err != nil || got != want {
				t.Errorf("%s: %.20s: %q with %v, want %q", form, name, got, err, want)
			}
		}
		for _, name := range []string{"hard to nothing", "soft", "pipe", "device"} {
			if got, err := read(t.Context(), s, name, 0, -1); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %s: %q with %v, want an error that names it", form, name, got, err)
			}
		}
		for e := range s.List(t.Context(), ".") {
			if e.Name == "f" && (e.Size != 4 || !e.Modified.Equal(written)) {
				t.Errorf("%s: f is %+v", form, e)
			}
		}
	}
}

// Files that do not fit into memory are inflated again, from where the last reader stopped if it can be.
func TestTarStreamsWhatIsNotKept(t *testing.T) {
	random := make([]byte, 3<<20)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(random)
	files := map[string]string{"a/1": string(random[:1<<20]), "a/2": string(random[1<<20 : 2<<20]), "b": string(random[2<<20:])}
	packed := &counted{data: gz(t, tarred(t, files))}
	s, err := OpenArchive(t.Context(), "x", packed, int64(len(packed.data)), Options{CacheBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	once := packed.n
	if once > int64(len(packed.data))+1024 {
		t.Errorf("the index took %d bytes of %d, want one pass", once, len(packed.data))
	}
	for i := range int64(16) { // an index, a block, the next block …
		want := files["b"][i<<16 : (i+1)<<16]
		if got, err := read(t.Context(), s, "b", i<<16, 1<<16); err != nil || got != want {
			t.Fatalf("block %d: %d bytes with %v", i, len(got), err)
		}
	}
	if n := packed.n - once; n > 2*once {
		t.Errorf("sixteen blocks in order took %d bytes of an archive of %d, want about one pass", n, once)
	}
	for name, want := range files {
		if got, err := read(t.Context(), s, name, 7, -1); err != nil || got != want[7:] {
			t.Errorf("%s: %d bytes with %v", name, len(got), err)
		}
	}
}

// counted counts the bytes that are read of it.
type counted struct {
	data []byte
	n    int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := bytes.NewReader(c.data).ReadAt(p, off)
	c.n += int64(n)
	return n, err
}

func TestTarJumpsOverLargeFiles(t *testing.T) {
	tarData := &counted{data: tarred(t, map[string]string{"a": strings.Repeat("x", 20<<20), "b": "last"})}
	s, err := OpenArchive(t.Context(), "x", tarData, int64(len(tarData.data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), s, "b", 0, -1); err != nil || got != "last" {
		t.Errorf("read %q with %v", got, err)
	}
	if tarData.n > 1<<20 {
		t.Errorf("%d bytes were read to find one small file", tarData.n)
	}
}

func TestZipReadsOnlyWhatIsAsked(t *testing.T) {
	z := &counted{data: zipped(t, map[string]string{"a": strings.Repeat("x", 20<<20), "b": "last"}, zip.Store)}
	s, err := OpenArchive(t.Context(), "x", z, int64(len(z.data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), s, "a", 10<<20, 5); err != nil || got != "xxxxx" {
		t.Errorf("read %q with %v", got, err)
	}
	if z.n > 1<<20 {
		t.Errorf("%d bytes were read for five", z.n)
	}
}

// ---- damage and malice

// Cut or bent anywhere, an archive gives an error somewhere and never wrong content in silence.
func TestArchiveCutAnywhere(t *testing.T) {
	files := map[string]string{"metadata": "{}", "offsets/0": strings.Repeat("v1 some text ", 60), "offsets/1": "v1"}
	for form, whole := range map[string][]byte{
		"zip": zipped(t, files, zip.Deflate), "tar": tarred(t, files), "tar.gz": gz(t, tarred(t, files)), "tar.zst": zst(t, tarred(t, files)),
	} {
		step := max(1, len(whole)/700)
		if form == "tar" {
			step = 64 // whole blocks too: a tar may end there and look complete
			whole = bytes.TrimRight(whole, "\x00")
		}
		for n := 0; n < len(whole); n += step {
			s, err := openBytes(t, whole[:n], Options{})
			if err == nil {
				err = everything(t.Context(), s, files)
			}
			if err == nil {
				t.Errorf("%s cut at %d of %d: no error", form, n, len(whole))
			}
		}
	}
}

// everything lists and reads all of s. Content other than in files is an error that fails the test.
func everything(ctx context.Context, s Store, files map[string]string) error {
	var problems []error
	var walk func(dir string)
	walk = func(dir string) {
		for e, err := range s.List(ctx, dir) {
			name := strings.TrimPrefix(dir+"/"+e.Name, "./")
			switch {
			case err != nil:
				problems = append(problems, err)
			case e.Dir:
				walk(name)
			default:
				rc, err := s.Open(ctx, name, 0, 1<<20)
				if err == nil {
					_, err = io.Copy(io.Discard, rc)
					err = errors.Join(err, rc.Close())
				}
				problems = append(problems, err)
			}
		}
	}
	walk(".")
	for name, want := range files {
		got, err := read(ctx, s, name, 0, -1)
		if err == nil && got != want {
			err = fmt.Errorf("%s: %d other bytes than were packed", name, len(got))
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func FuzzArchive(f *testing.F) {
	t := new(testing.T)
	files := map[string]string{"metadata": "{}", "offsets/0": "v1", "state/0/0/1.delta": strings.Repeat("x", 3000)}
	for _, data := range [][]byte{zipped(t, files, zip.Deflate), zipped(t, files, zip.Store), tarred(t, files), gz(t, tarred(t, files)), zst(t, tarred(t, files))} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		s, err := OpenArchive(ctx, "x", bytes.NewReader(data), int64(len(data)), Options{CacheBytes: 1000})
		if err != nil {
			return
		}
		_ = everything(ctx, s, nil)
		if ctx.Err() != nil {
			t.Error("it takes longer than ten seconds")
		}
		for _, name := range []string{"../x", "/x", "..", "a/../../x"} {
			if _, err := s.Open(ctx, name, 0, -1); err == nil {
				t.Errorf("%s was opened", name)
			}
		}
	})
}

func TestArchiveNamesLeadNowhere(t *testing.T) {
	files := map[string]string{"../../etc/passwd": "up", "/abs": "root", "a/../b": "b", "c//d": "cd", "e/./f": "ef", "ok": "ok"}
	for form, data := range map[string][]byte{"zip": zipped(t, files, zip.Deflate), "tar": tarred(t, files), "tar.gz": gz(t, tarred(t, files))} {
		s, err := openBytes(t, data, Options{})
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if got, want := listing(t, s, "."), "abs b c/ e/ etc/ ok"; got != want {
			t.Errorf("%s: listed %q, want %q", form, got, want)
		}
		if got, err := read(t.Context(), s, "etc/passwd", 0, -1); err != nil || got != "up" {
			t.Errorf("%s: read %q with %v", form, got, err)
		}
	}
}

func TestArchiveBombs(t *testing.T) {
	deep := strings.Repeat("a/", maxDepth+1) + "f"
	zeros := func(n int64) []byte { // a tar with one file of n zeros
		var head bytes.Buffer
		w := tar.NewWriter(&head)
		if err := w.WriteHeader(&tar.Header{Name: "zeros", Size: n, Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		return gzOf(t, io.MultiReader(&head, io.LimitReader(zeroReader{}, n+1024)))
	}
	claims := zipped(t, map[string]string{"a": "x"}, zip.Store)
	binary.LittleEndian.PutUint16(claims[len(claims)-22+10:], 0xffff) // more files than there are
	for _, c := range []struct {
		name, words string
		data        []byte
	}{
		{"deep folders in a tar", "folders", tarred(t, map[string]string{deep: "x"})},
		{"deep folders in a zip", "folders", zipped(t, map[string]string{deep: "x"}, zip.Store)},
		{"a name without end", "longer", tarred(t, map[string]string{strings.Repeat("n", maxNameLen+1): "x"})},
		{"zeros without end", "bomb", zeros(freeInflate + 1<<20)},
		{"a zip that claims more files", "", claims},
		{"gzip of something else", "tar.gz", gz(t, []byte("no tar at all"))},
		{"zstd of something else", "tar.zst", zst(t, bytes.Repeat([]byte("no tar at all"), 100))},
		{"text", "neither", []byte("hello")},
		{"nothing", "neither", nil},
	} {
		began := time.Now()
		s, err := openBytes(t, c.data, Options{})
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v with %v, want an error that says %q", c.name, s, err, c.words)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: refused after %v", c.name, took)
		}
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func gzOf(t *testing.T, r io.Reader) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzipFast(&out)
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Content that is not what the directory says is told, not shown as if it were.
func TestZipTellsOtherContent(t *testing.T) {
	files := map[string]string{"f": "0123456789abcdef"}
	whole := zipped(t, files, zip.Store)
	at := bytes.Index(whole, []byte(files["f"]))
	bent := bytes.Clone(whole)
	bent[at] ^= 1
	s, err := openBytes(t, bent, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), s, "f", 0, -1); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("read %q with %v, want an error about the checksum", got, err)
	}
	entry := bytes.LastIndex(whole, []byte("PK\x01\x02"))
	for _, c := range []struct {
		name, words string
		bend        func(entry []byte)
	}{
		{"encrypted", "encrypted", func(e []byte) { e[8] |= 1 }},
		{"an unknown method", "method 99", func(e []byte) { e[10] = 99 }},
		{"two sizes", "two sizes", func(e []byte) { e[24]++ }},
		{"an impossible offset", "", func(e []byte) { binary.LittleEndian.PutUint32(e[42:], 1<<30) }},
	} {
		bent := bytes.Clone(whole)
		c.bend(bent[entry:])
		s, err := openBytes(t, bent, Options{})
		if err == nil {
			_, err = read(t.Context(), s, "f", 0, -1)
		}
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want an error that says %q", c.name, err, c.words)
		}
	}
}

func TestTarWithHoles(t *testing.T) {
	// 1.0 of the PAX form: the map of data stands before the data
	content := "1\n1048576\n4\n" + strings.Repeat("\x00", 512-12) + "tail"
	data := tarOf(t, map[string]string{"sparse": content, "after": "x"},
		tar.Header{Name: "after", Size: 1, Mode: 0o600},
	)
	sparse := sparseTar(t, content)
	whole := append(sparse, data...)
	for form, data := range map[string][]byte{"tar": whole, "tar.gz": gz(t, whole)} {
		s, err := openBytes(t, data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(t.Context(), s, "sparse", 1048570, 100)
		if err != nil || got != "\x00\x00\x00\x00\x00\x00tail" {
			t.Errorf("%s: read %q with %v", form, got, err)
		}
		if got, err := read(t.Context(), s, "after", 0, -1); err != nil || got != "x" {
			t.Errorf("%s: the file after it: %q with %v", form, got, err)
		}
	}
}

// sparseTar is a tar without its end mark, with one file of 1 MiB and four bytes at its end. The writer
// of archive/tar refuses such records, so they are renamed after it.
func sparseTar(t *testing.T, content string) []byte {
	t.Helper()
	data := tarOf(t, map[string]string{"sparse": content}, tar.Header{
		Name: "sparse", Size: int64(len(content)), Mode: 0o600, Format: tar.FormatPAX,
		PAXRecords: map[string]string{"XXX.sparse.major": "1", "XXX.sparse.minor": "0", "XXX.sparse.name": "sparse", "XXX.sparse.realsize": "1048580"},
	})
	data = bytes.ReplaceAll(data, []byte("XXX.sparse."), []byte("GNU.sparse."))
	return data[:len(data)-1024]
}

// TestZipOfManyFiles: what is kept of an archive is bounded by its directory, and is some hundred bytes a file.
func TestZipOfManyFiles(t *testing.T) {
	const files = 20_000
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range files {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("cp/state/0/0/%d.delta", i), Comment: strings.Repeat("c", 500), Method: zip.Store}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	held := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	s, err := OpenArchive(t.Context(), "many.zip", bytes.NewReader(b.Bytes()), int64(b.Len()), Options{Inside: []string{"state"}})
	if err != nil {
		t.Fatal(err)
	}
	if a := held(); a > before && (a-before)/files > 700 {
		t.Errorf("%d bytes are kept for a file", (a-before)/files)
	}
	n := 0
	for _, err := range s.List(t.Context(), "state/0/0") {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != files {
		t.Errorf("%d files are listed", n)
	}
	runtime.KeepAlive(b)
}
