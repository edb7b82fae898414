package state

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tidemark/checkpoint/decode"
)

// allocated is how many bytes f allocates, and all that it throws away counts.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileLengths reads files that claim more than they hold, or inflate to more than anyone wants: each
// ends in an error, and takes little memory.
func TestHostileLengths(t *testing.T) {
	block := func(token byte, packed, plain uint32, data string) string {
		b := append([]byte(lz4Magic), token)
		for _, v := range []uint32{packed, plain, 0} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return string(b) + data
	}
	lzf := func(data string) string {
		return "ZV\x00" + string(binary.BigEndian.AppendUint16(nil, uint16(len(data)))) + data
	}
	zeros := strings.Repeat("\x00", 1<<20)
	var bomb bytes.Buffer // 1 GiB of zeros, in some kilobytes
	w, err := zstd.NewWriter(&bomb)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, num(1<<30)) // the length of a key, which is passed over
	for range 1024 {
		io.WriteString(w, zeros)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	snappied := snappyMagic + num(1) + num(1)
	for _, c := range []struct{ name, story, data string }{
		{"1.delta", "LZ4: two gigabytes", block(0x25, 1<<31, 1<<31, "ab")},
		{"1.delta", "LZ4: 32 MiB of their own size", block(0x1f, 32<<20, 32<<20, "ab")},
		{"1.delta", "LZ4: 8 MiB in 40 kilobytes", block(0x2f, 40<<10, 8<<20, zeros[:40<<10])},
		{"1.delta", "snappy: a block of two gigabytes", snappied + num(1<<31-1) + "ab"},
		{"1.delta", "snappy: 4 GiB from ten bytes", snappied + num(10) + "\xff\xff\xff\xff\x0fabcde"},
		{"1.delta", "zstd: a window of two gigabytes", "\x28\xb5\x2f\xfd\x00\xa8" + zeros[:100]},
		{"1.delta", "zstd: a window of 3.75 TiB", "\x28\xb5\x2f\xfd\x00\xff" + zeros[:100]},
		{"1.delta", "zstd: a content of 16 EiB", "\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\xff" + zeros[:100]},
		{"1.delta", "zstd: a frame to pass over, of 4 GiB", "\x28\xb5\x2f\xfd\x00\x00\x01\x00\x00\x50\x2a\x4d\x18\xff\xff\xff\xff"},
		{"1.delta", "zstd: a bomb", bomb.String()},
		{"1.delta", "a key of two gigabytes", lzf(num(1<<31-1) + "ab")},
		{"1.delta", "a value of 64 MiB", lzf(num(1) + "k" + num(64<<20) + "ab")},
		{"1.delta", "a value of two gigabytes", lzf(num(1) + "k" + num(1<<31-1) + "ab")},
		{"1.snapshot", "a negative length", lzf(num(-2) + "ab")},
		{"1.changelog", "typed: a key of two gigabytes", lzf("\x00\x02v2\x01" + num(1<<31-1))},
		{"1.changelog", "a lineage of 64 KiB", lzf("\x00\x02v3\xff\xff[")},
		{"1.changelog", "a range of two gigabytes", lzf("\x00\x02v4\x00\x02[]\x20" + num(1<<31-1))},
	} {
		var last error
		taken := allocated(func() {
			for _, err := range read(c.name, strings.NewReader(c.data)) {
				last = err
			}
		})
		if e, ok := errors.AsType[*decode.Error](last); !ok || e.Flaw == "" {
			t.Errorf("%s: %v", c.story, last)
		}
		if taken > blockLimit+2<<20 {
			t.Errorf("%s: %.1f MB allocated for a file of %d bytes: %v", c.story, float64(taken)/1e6, len(c.data), last)
		}
	}
}

// TestSkimKeepsLittle: who asks whether a file is whole does not pay for what is in it.
func TestSkimKeepsLittle(t *testing.T) {
	value := make([]byte, 20<<20)
	data := lz4Stream(t, []byte(num(1)+"k"+num(int32(len(value)))+string(value)+num(3)+"end"+num(tombstone)+num(endMark)))
	n := 0
	taken := allocated(func() {
		r, codec, err := Inflate("1.delta", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for ch, err := range Skim(codec.In("1.delta"), r) {
			if err != nil || n == 0 && ch.Value != nil || n == 1 && (string(ch.Key) != "end" || ch.Op != Delete) {
				t.Errorf("%+v, %v", ch, err)
			}
			n++
		}
	})
	if n != 2 || taken > 1<<20 {
		t.Errorf("%d records, %d bytes allocated", n, taken)
	}
}

// zipOf packs members; patch changes the bytes of the zip.
func zipOf(t *testing.T, members map[string]string, patch func([]byte) []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range members {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return patch(b.Bytes())
}

// TestHostileZips: the same of RocksDB snapshots.
func TestHostileZips(t *testing.T) {
	as := func(b []byte) []byte { return b }
	const sst = `{"localFileName":"000008.sst","dfsSstFileName":"000008-a.sst","sizeBytes":1064}`
	end := func(b []byte, at int, v uint64, size int) []byte { // a number of the end of the directory
		n := len(b) - 22 + at
		for i := range size {
			b[n+i] = byte(v >> (8 * i))
		}
		b[0] = 'X' // so that the directory is asked
		return b
	}
	for _, c := range []struct {
		story string
		data  []byte
	}{
		{"metadata of 50 MiB", zipOf(t, map[string]string{"metadata": "v1\n" + strings.Repeat(" ", 50<<20)}, as)},
		{"a MANIFEST with 50 MiB and no metadata", zipOf(t, map[string]string{"MANIFEST-000001": strings.Repeat("0", 50<<20)}, as)},
		{"metadata of two million values", zipOf(t, map[string]string{"metadata": "v1\n" + `{"sstFiles":[` + strings.Repeat("0,", 2<<20) + "0]}"}, as)},
		{"metadata nested without end", zipOf(t, map[string]string{"metadata": "v1\n" + strings.Repeat("[", 4<<20)}, as)},
		{"a directory of 65 535 members", zipOf(t, map[string]string{"CURRENT": "x"}, func(b []byte) []byte { return end(end(b, 8, 0xffff, 2), 10, 0xffff, 2) })},
		{"a directory of 4 GiB", zipOf(t, map[string]string{"CURRENT": "x"}, func(b []byte) []byte { return end(b, 12, 0xffffffff, 4) })},
		{"a name of 64 KiB that is not there", zipOf(t, map[string]string{"CURRENT": sst}, func(b []byte) []byte { b[26], b[27], b[28], b[29] = 0xff, 0xff, 0xff, 0xff; return b })},
		{"a stored member of 4 GiB", append([]byte("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x08\x00\x00\x00metadata"), make([]byte, 100)...)},
	} {
		var err error
		var z *ZipFile
		taken := allocated(func() { z, err = OpenZip("1.zip", bytes.NewReader(c.data), int64(len(c.data))) })
		if err == nil && len(z.Problems) == 0 {
			t.Errorf("%s: no error", c.story)
		}
		limit := uint64(4 << 20)
		if strings.HasPrefix(c.story, "metadata") {
			limit = 128 << 20 // as much as the longest that are read take
		}
		if strings.HasPrefix(c.story, "a MANIFEST") {
			limit = 16 << 20
		}
		if taken > limit {
			t.Errorf("%s: %.1f MB allocated for a file of %d bytes: %v", c.story, float64(taken)/1e6, len(c.data), err)
		}
	}
}

// TestHostileSchemas: and of schema files.
func TestHostileSchemas(t *testing.T) {
	for story, data := range map[string]string{
		"families without end": "\x00\x02v3\x7f\xff\xff\xff" + "\x00\x01a",
		"chunks without end":   "\x00\x02v2\x7f\xff\xff\xff" + "\x00\x01a",
		"a million empty ones": "\x00\x02v2\x00\x10\x00\x00" + strings.Repeat("\x00\x00", 1<<19),
		"a text of 64 KiB":     "\x00\x02v1\xff\xff{",
		"a version of 64 KiB":  "\xff\xffv1",
	} {
		var s *Schema
		taken := allocated(func() { s = ParseSchema("schema", []byte(data)) })
		if len(s.Problems) == 0 || taken > 4<<20 {
			t.Errorf("%s: %v, %d bytes allocated", story, s.Problems, taken)
		}
	}
}
