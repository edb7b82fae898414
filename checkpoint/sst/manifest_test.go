package sst

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// manifestOf is the MANIFEST of a snapshot, and its metadata.
func manifestOf(t testing.TB, data []byte) (name string, manifest []byte, tables []namedTable) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, nil
	}
	var about struct{ SSTFiles []namedTable }
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return "", nil, nil
		}
		switch {
		case strings.HasPrefix(f.Name, "MANIFEST-"):
			name, manifest = f.Name, content
		case f.Name == "metadata":
			_, text, _ := bytes.Cut(content, []byte("\n"))
			if err := json.Unmarshal(text, &about); err != nil {
				t.Fatal(err)
			}
		}
	}
	return name, manifest, about.SSTFiles
}

type namedTable struct {
	LocalFileName, DfsSstFileName string
	SizeBytes                     int64
}

// TestManifestsOfSpark reads the MANIFEST of every snapshot that Spark wrote: its live files are those of the metadata,
// with their sizes, and the ids in it are those that the tables' own properties make.
func TestManifestsOfSpark(t *testing.T) {
	t.Parallel()
	ids, none := 0, 0
	for _, archive := range goldens(t) {
		if strings.Contains(archive, "-damage-") {
			continue
		}
		all := map[string][]byte{}
		for name, data := range files(t, archive) {
			all[name] = data
		}
		for name, data := range all {
			if !strings.HasSuffix(name, ".zip") {
				continue
			}
			file, data, tables := manifestOf(t, data)
			m, err := ParseManifest(file, data)
			if err != nil {
				t.Fatal(archive, name, err)
			}
			if len(m.Live) != len(tables) {
				t.Errorf("%s %s: %d live files, %d in the metadata", archive, name, len(m.Live), len(tables))
			}
			for _, n := range tables {
				number, _ := strconv.ParseUint(strings.TrimSuffix(n.LocalFileName, ".sst"), 10, 64)
				live := m.Live[number]
				if live == nil || live.Size != n.SizeBytes {
					t.Errorf("%s %s: %s is %+v, the metadata say %d bytes", archive, name, n.LocalFileName, live, n.SizeBytes)
					continue
				}
				data := all[path.Join(path.Dir(name), "SSTs", n.DfsSstFileName)]
				table, err := Open(n.DfsSstFileName, bytes.NewReader(data), int64(len(data)))
				if err != nil {
					t.Fatal(err)
				}
				if live.ID == [2]uint64{} {
					none++
					continue
				}
				ids++
				if id, ok := table.Properties.UniqueID(); !ok || id != live.ID {
					t.Errorf("%s %s: %s has the id %x (%v), the MANIFEST says %x", archive, name, n.DfsSstFileName, id, ok, live.ID)
				}
				var first, last []byte
				for e := range table.Entries() {
					if first == nil {
						first = bytes.Clone(e.Key)
					}
					last = append(last[:0], e.Key...)
				}
				if !bytes.Equal(first, live.Smallest) || !bytes.Equal(last, live.Largest) {
					t.Errorf("%s %s: %s goes from %x to %x, the MANIFEST says %x to %x", archive, name, n.DfsSstFileName, first, last, live.Smallest, live.Largest)
				}
			}
		}
	}
	if t.Logf("%d ids agree, %d tables have none", ids, none); ids < 100 {
		t.Errorf("only %d ids", ids)
	}
}

// anEdit is a MANIFEST of one record.
func anEdit(edit []byte) []byte {
	record := append([]byte{0, 0, 0, 0, byte(len(edit)), byte(len(edit) >> 8), 1}, edit...)
	sum := masked(record[6:])
	copy(record, []byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)})
	return record
}

func TestManifestEdits(t *testing.T) {
	t.Parallel()
	internal := func(key string) string { return string(rune(len(key)+8)) + key + "\x01\x00\x00\x00\x00\x00\x00\x00" }
	file := func(tag byte, number byte, rest string) string {
		return string([]byte{tag, 0, number, 77}) + internal("a") + internal("b") + rest
	}
	whole := file(100, 9, "\x01\x02") + file(103, 10, "\x01\x02\x0c\x10ABCDEFGHIJKLMNOP\x01") + "\xe1\x40\x03dbi" + "\x04\x05"
	m, err := ParseManifest("M", append(anEdit([]byte(whole)), anEdit([]byte("\x06\x00\x09"+"\x06\x00\x0a"+file(103, 10, "\x01\x02\x01")))...))
	if err != nil || len(m.Live) != 1 || m.Live[10] == nil || m.Live[10].Size != 77 || string(m.Live[10].Largest) != "b" {
		t.Errorf("%+v, %v: a file is deleted, another moved to a new level", m, err)
	}
	for _, c := range []struct {
		name string
		data []byte
		flaw decode.Flaw
	}{
		{"a changed byte", func() []byte { d := anEdit([]byte(whole)); d[9] ^= 1; return d }(), decode.Checksum},
		{"an unknown field", anEdit([]byte{99, 0}), decode.VersionUnknown},
		{"a field that is cut", anEdit([]byte(whole[:20])), decode.Malformed},
		{"an unknown record", []byte{1, 2, 3, 4, 1, 0, 9, 9}, decode.VersionUnknown},
	} {
		_, err := ParseManifest("M", c.data)
		if e, ok := errors.AsType[*decode.Error](err); !ok || e.Flaw != c.flaw {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzManifest(f *testing.F) {
	for _, archive := range goldens(f)[:4] {
		for name, data := range files(f, archive) {
			if strings.HasSuffix(name, ".zip") {
				if _, manifest, _ := manifestOf(f, data); manifest != nil {
					f.Add(manifest)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest("M", data)
		if (m == nil) == (err == nil) {
			t.Error(m, err)
		}
		if _, ok := errors.AsType[*decode.Error](err); err != nil && !ok {
			t.Error(err)
		}
	})
}
