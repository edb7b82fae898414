package storage

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// written is when the files of all test stores were written.
var written = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// backends has one line per way to reach files; all pass one suite.
var backends = []struct {
	name  string
	build builder
}{
	{"fs.FS", func(t *testing.T, files map[string]string) Store { return FromFS(mapFS(files), "memory") }},
	{"folder", func(t *testing.T, files map[string]string) Store { return open(t, onDisk(t, files), Options{}) }},
	{"folder by file: URI", func(t *testing.T, files map[string]string) Store {
		return open(t, "file://"+onDisk(t, files), Options{Meter: new(Meter), MaxRequests: 1 << 40})
	}},
	{"zip", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.zip", zipped(t, files, zip.Deflate)), Options{Inside: inside(files)})
	}},
	{"zip, stored", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.zip", zipped(t, files, zip.Store)), Options{Inside: inside(files)})
	}},
	{"tar", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.tar", tarred(t, files)), Options{Inside: inside(files)})
	}},
	{"tar.gz", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.tgz", gz(t, tarred(t, files))), Options{Inside: inside(files)})
	}},
	{"tar.zst", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.tar.zst", zst(t, tarred(t, files))), Options{Inside: inside(files)})
	}},
	{"tar.gz, nothing kept", func(t *testing.T, files map[string]string) Store {
		return open(t, archiveFile(t, "cp.tar.gz", gz(t, tarred(t, files))), Options{CacheBytes: 1, Inside: inside(files)})
	}},
	{"s3", s3Store},
	{"all that is put around a remote store", func(t *testing.T, files map[string]string) Store {
		return remote(&fsBackend{mapFS(files), "memory"}, Options{Meter: new(Meter), MaxRequests: 1 << 40, CacheBytes: 10_000})
	}},
	{"a part of a store", func(t *testing.T, files map[string]string) Store {
		below := map[string]string{"beside": "x"}
		for name, data := range files {
			below["a/b c/"+name] = data
		}
		return Sub(Sub(FromFS(mapFS(below), "memory"), "a"), "b c")
	}},
	{"bytes of an archive", func(t *testing.T, files map[string]string) Store {
		data := gz(t, tarred(t, files))
		s, err := OpenArchive(t.Context(), "demo", bytes.NewReader(data), int64(len(data)), Options{Inside: inside(files)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}},
}

func TestStores(t *testing.T) {
	for _, b := range backends {
		t.Run(b.name, func(t *testing.T) { testStore(t, b.build) })
	}
}

func open(t *testing.T, location string, o Options) Store {
	t.Helper()
	s, err := Open(t.Context(), location, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func archiveFile(t *testing.T, name string, data []byte) string {
	t.Helper()
	place := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(place, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return place
}

// inside is the first part of every name.
func inside(files map[string]string) []string {
	var names []string
	for name := range files {
		first, _, _ := strings.Cut(name, "/")
		names = append(names, first)
	}
	return names
}

func mapFS(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			m[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		m[name] = &fstest.MapFile{Data: []byte(data), ModTime: written}
	}
	return m
}

func onDisk(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, data := range files {
		place := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(place, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(place, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func zipped(t *testing.T, files map[string]string, method uint16) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: written})
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(f, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarred(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var headers []tar.Header
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600, ModTime: written, Typeflag: tar.TypeReg}
		if strings.HasSuffix(name, "/") {
			h.Typeflag = tar.TypeDir
		}
		headers = append(headers, h)
	}
	return tarOf(t, files, headers...)
}

// tarOf writes headers in their order, each with the file of its name.
func tarOf(t *testing.T, files map[string]string, headers ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range headers {
		err := w.WriteHeader(&h)
		if err == nil && h.Size > 0 {
			_, err = io.WriteString(w, files[h.Name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gz(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	return compressed(t, &out, gzip.NewWriter(&out), data)
}

func zst(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	return compressed(t, &out, w, data)
}

func compressed(t *testing.T, out *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipFast(w io.Writer) *gzip.Writer {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one of its own
	}
	return z
}
