package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"tidemark/checkpoint/decode"
)

// FuzzChanges reads any bytes as a file of each kind.
func FuzzChanges(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.data, byte(s.Role))
	}
	f.Fuzz(func(t *testing.T, data []byte, role byte) {
		fuzzed(t, data, Name(7, "", []Role{Delta, Snapshot, Changelog}[role%3]))
	})
}

// FuzzRecords reads any bytes as what is inside such a file: no checksum stands in the way there.
func FuzzRecords(f *testing.F) {
	for _, s := range samples(f) {
		if inner, _, err := Inflate(s.name, bytes.NewReader(s.data)); err == nil {
			plain, _ := io.ReadAll(inner)
			f.Add(plain, byte(s.Role))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, role byte) {
		fuzzed(t, lz4Stream(t, data), Name(7, "", []Role{Delta, Snapshot, Changelog}[role%3]))
	})
}

// fuzzed reads a file to its end: places never run back, keys and values stand within the file, and
// errors are of the kind that says what the bytes are.
func fuzzed(t *testing.T, data []byte, name string) {
	t.Helper()
	last := int64(-1)
	for ch, err := range read(name, bytes.NewReader(data)) {
		if err != nil {
			e, ok := errors.AsType[*decode.Error](err)
			if !ok || e.Flaw == "" || e.Offset < 0 || e.File == "" {
				t.Fatalf("%v", err)
			}
			continue
		}
		if ch.At <= last {
			t.Fatalf("a change at %d after one at %d", ch.At, last)
		}
		last = ch.At
		for _, form := range []RowSums{HDFSRowSums, RocksDBRowSums} {
			trimmed, problem := form.Trim(name, ch)
			if len(trimmed.Key) > len(ch.Key) || len(trimmed.Value) > len(ch.Value) {
				t.Fatalf("%d became longer: %v", form, problem)
			}
		}
	}
}

// FuzzInflate inflates any bytes behind the first ones of each codec. What comes out does not depend on how much
// is asked for at once, and neither does the error.
func FuzzInflate(f *testing.F) {
	for _, s := range samples(f) {
		for i, m := range magics {
			if bytes.HasPrefix(s.data, m.magic) && len(s.data) < 1000 {
				f.Add(s.data[len(m.magic):], byte(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, codec byte) {
		data = append(bytes.Clone(magics[int(codec)%len(magics)].magic), data...)
		var told [2]string
		for i, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
			r, _, err := Inflate("7.delta", in)
			if err != nil {
				t.Fatal(err) // the first bytes are those of a codec
			}
			plain, err := io.ReadAll(io.LimitReader(r, 1<<20))
			e, ok := errors.AsType[*decode.Error](err)
			if err != nil && (!ok || e.Flaw == "" || e.Offset < 0 || e.Offset > int64(len(data))) {
				t.Fatalf("%v in %d bytes", err, len(data))
			}
			told[i] = fmt.Sprintf("%x %v", plain, err)
		}
		// Zstandard is read ahead: how far its reader has come says nothing.
		if told[0] != told[1] && magics[int(codec)%len(magics)].codec != Zstd {
			t.Fatalf("%.200s\n%.200s", told[0], told[1])
		}
	})
}

// FuzzRowSums puts checksums on rows and takes them off again; any bytes are taken apart without them, too.
func FuzzRowSums(f *testing.F) {
	f.Add([]byte("k"), []byte("an8value"), byte(0))
	f.Add([]byte("key"), []byte("value of a list"), byte(2))
	f.Fuzz(func(t *testing.T, key, value []byte, op byte) {
		ch := Change{Op: Op(op % 4), Key: key, Value: value}
		for _, form := range []RowSums{HDFSRowSums, RocksDBRowSums} {
			form.Trim("7.delta", ch)
			form.Fits(ch)
			with := Change{Op: Put, Key: key, Value: []byte(sum(string(key), string(value), form == RocksDBRowSums))}
			if form == HDFSRowSums && len(value)%8 != 0 {
				continue
			}
			got, problem := form.Trim("7.delta", with)
			if problem != nil || string(got.Value) != string(value) {
				t.Fatalf("%d: %x becomes %x, %v", form, value, got.Value, problem)
			}
			at := int(op) % len(with.Value)
			with.Value[at] ^= 0x10
			if got, problem := form.Trim("7.delta", with); problem == nil {
				t.Fatalf("%d: a changed bit at %d of %x, and no word: %x", form, at, with.Value, got.Value)
			}
		}
	})
}

// FuzzChecksum reads any bytes as a checksum file.
func FuzzChecksum(f *testing.F) {
	f.Add([]byte(`{"algorithm":"CRC32C","value":-1486427,"mainFileSize":211}`))
	f.Add([]byte(`{"algorithm":"SHA","value":1e3}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, problem := ParseChecksum("7.delta.crc", data)
		switch {
		case problem != nil && (problem.Flaw == "" || problem.Offset < 0 || problem.Offset > int64(len(data))):
			t.Fatalf("%v", problem)
		case problem == nil && c.Compare("7.delta", "7.delta.crc", c.Size, uint32(c.Value)) != nil:
			t.Fatalf("%+v disagrees with itself", c)
		case problem == nil && c.Compare("7.delta", "7.delta.crc", c.Size, uint32(c.Value)^1) == nil:
			t.Fatalf("%+v agrees with other bytes", c)
		}
	})
}
