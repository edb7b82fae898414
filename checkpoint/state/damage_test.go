package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// samples are state files that differ in what they are: per codec, role and about the same size one, the
// smaller ones first.
func samples(t testing.TB) []stateFile {
	t.Helper()
	type kind struct {
		codec Codec
		role  Role
		id    bool
		size  int // in steps
		sum   uint32
	}
	seen := map[kind]bool{}
	var found []stateFile
	for _, archive := range archives(t) {
		for f := range stateFiles(t, archive) {
			_, codec, err := Inflate(f.name, bytes.NewReader(f.data))
			if _, _, e := readAll(f.name, f.data); err != nil || e != nil {
				continue
			}
			k := kind{codec: codec, role: f.Role, id: f.ID != "", size: len(f.data) / 60}
			if k.size < 3 { // small files: some of each content
				k.sum = crc32.ChecksumIEEE(f.data) % 4
			}
			if !seen[k] {
				seen[k] = true
				found = append(found, f)
			}
		}
	}
	data, err := os.ReadFile(lzfFile)
	if err != nil {
		t.Fatal(err)
	}
	found = append(found, stateFile{name: "state/0/0/7.delta", File: File{Version: 7}, data: data})
	slices.SortStableFunc(found, func(a, b stateFile) int { return len(a.data) - len(b.data) })
	if len(found) < 40 {
		t.Fatalf("only %d samples", len(found))
	}
	if testing.Short() { // every third, and all of the codec that has one
		return slices.DeleteFunc(found, func(f stateFile) bool { return !bytes.HasPrefix(f.data, []byte(lzfMagic)) && len(f.data)%3 != 0 })
	}
	return found
}

// endMarkOf is where the end mark of an LZ4 stream begins.
func endMarkOf(data []byte) int {
	end := 0
	for at := 0; at < len(data); at += 21 + int(binary.LittleEndian.Uint32(data[at+9:])) {
		end = at
	}
	return end
}

// A file that was cut anywhere is an error: a Cut, or a Loose one where Spark does not look.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, f := range samples(t) {
		end := len(f.data)
		if bytes.HasPrefix(f.data, []byte(lz4Magic)) {
			end = endMarkOf(f.data)
		}
		whole, n, _ := readAll(f.name, f.data)
		for cut := range f.data {
			told, changes, err := readAll(f.name, f.data[:cut])
			loose, isLoose := errors.AsType[*Loose](err)
			e, _ := errors.AsType[*decode.Error](err)
			switch {
			case cut >= end && !isLoose, cut < end && isLoose:
				t.Fatalf("%s (%d bytes) cut at %d: %s, the end mark of LZ4 is at %d", f.name, len(f.data), cut, tell(err), end)
			case isLoose && (changes != n || told != whole):
				t.Fatalf("%s cut at %d: loose %v, with %d changes of %d", f.name, cut, loose, changes, n)
			case e == nil || cut == 0 && e.Flaw != decode.Empty || cut > 0 && e.Flaw != decode.Cut:
				t.Fatalf("%s cut at %d: %s", f.name, cut, tell(err))
			case !strings.HasPrefix(whole, told):
				t.Fatalf("%s cut at %d: other changes than of the whole file", f.name, cut)
			}
		}
	}
}

// A changed byte anywhere in an LZ4 file is an error, or inflates to the same bytes: the half byte that
// says how large blocks may get, the distance back in a run of zeros. The other codecs have no checksum:
// what inflates and parses is all that can tell.
func TestChangedAnywhere(t *testing.T) {
	t.Parallel()
	unseen, changed, same := map[Codec]int{}, map[Codec]int{}, 0
	for _, f := range samples(t) {
		whole, _, _ := readAll(f.name, f.data)
		_, codec, _ := Inflate(f.name, bytes.NewReader(f.data))
		end := len(f.data)
		if codec == LZ4 {
			end = endMarkOf(f.data)
		}
		for at := range f.data {
			for _, mask := range []byte{0x01, 0x10, 0xff} {
				data := bytes.Clone(f.data)
				data[at] ^= mask
				told, _, err := readAll(f.name, data)
				_, isLoose := errors.AsType[*Loose](err)
				e, isData := errors.AsType[*decode.Error](err)
				changed[codec]++
				switch {
				case err != nil && (!isData || e.Where.Offset < 0 || e.Flaw == ""):
					t.Fatalf("%s: byte %d ^ 0x%02x: %s", f.name, at, mask, tell(err))
				case codec != LZ4:
					if err == nil {
						unseen[codec]++
					}
				case err == nil && told != whole:
					t.Fatalf("%s: byte %d ^ 0x%02x: other changes, and no word", f.name, at, mask)
				case err == nil:
					same++
				case err != nil && isLoose != (at >= end):
					t.Fatalf("%s: byte %d ^ 0x%02x: %s, the end mark of LZ4 is at %d", f.name, at, mask, tell(err), end)
				}
			}
		}
	}
	for _, codec := range []Codec{Snappy, Zstd, LZF} {
		if n := changed[codec]; n == 0 || unseen[codec] > n*3/4 {
			t.Errorf("%s: of %d changed files %d gave no error", codec, n, unseen[codec])
		}
	}
	if n := changed[LZ4]; same > n/20 {
		t.Errorf("of %d changed LZ4 files %d gave no error", n, same)
	}
}
