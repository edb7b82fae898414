package state

import (
	"archive/zip"
	"bytes"
	"errors"
	"path"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
	"tidemark/internal/testfiles"
)

// snapshotOf is a RocksDB snapshot that Spark wrote, from the checkpoints kept at the root of the project.
func snapshotOf(t testing.TB, golden, name string) []byte {
	t.Helper()
	for h, data := range testfiles.In(t, "../../testdata/golden/"+golden+".tar.gz") {
		if strings.HasSuffix(path.Clean(h.Name), "/"+name) {
			return data
		}
	}
	t.Fatalf("%s holds no %s", golden, name)
	return nil
}

func TestMembersAgreesWithTheDirectory(t *testing.T) {
	t.Parallel()
	for _, golden := range []string{"state-3.5-rocks-window-agg", "state-4.3-rocks-window-agg"} {
		data := snapshotOf(t, golden, "state/0/0/7.zip")
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for m, err := range Members("7.zip", bytes.NewReader(data)) {
			if err != nil {
				t.Fatal(err)
			}
			if f := z.File[n]; m.Name != f.Name || m.Size != int64(f.UncompressedSize64) {
				t.Errorf("member %d: %q of %d bytes, the directory says %q of %d", n, m.Name, m.Size, f.Name, f.UncompressedSize64)
			}
			n++
		}
		if n != len(z.File) || n < 4 {
			t.Errorf("%s: %d members, the directory names %d", golden, n, len(z.File))
		}
	}
}

// TestMembersOfACutZip cuts a snapshot everywhere: within a member that is an error at the cut, and
// the directory at the end is not missed.
func TestMembersOfACutZip(t *testing.T) {
	t.Parallel()
	data := snapshotOf(t, "state-4.3-rocks-window-agg", "state/0/0/7.zip")
	var begins []int64
	for m := range Members("7.zip", bytes.NewReader(data)) {
		begins = append(begins, m.At)
	}
	all := len(begins)
	for cut := range len(data) {
		read, bad := 0, error(nil)
		for _, err := range Members("7.zip", bytes.NewReader(data[:cut])) {
			if err != nil {
				bad = err
				continue
			}
			read++
		}
		if e, ok := errors.AsType[*decode.Error](bad); bad != nil && (!ok || e.Flaw != decode.Cut || e.Offset != int64(cut)) {
			t.Fatalf("cut at %d: %v, want a cut there", cut, bad)
		}
		atHeader := read < all && int64(cut) < begins[read]+30
		if bad == nil && read < all && !atHeader {
			t.Errorf("cut at %d: %d members and no error", cut, read)
		}
	}
}

// TestMembersOfAChangedZip changes each byte of a snapshot: what is read is the same, or not all, or an
// error. A change of a time or of a version is no news.
func TestMembersOfAChangedZip(t *testing.T) {
	t.Parallel()
	data := snapshotOf(t, "state-4.3-rocks-window-agg", "state/0/0/7.zip")
	var whole []Member
	for m := range Members("7.zip", bytes.NewReader(data)) {
		whole = append(whole, m)
	}
	last := whole[len(whole)-1].At
	found := 0
	for at := range int(last) {
		changed := bytes.Clone(data)
		changed[at] ^= 0xFF
		var read []Member
		bad := false
		for m, err := range Members("7.zip", bytes.NewReader(changed)) {
			if bad = err != nil; !bad {
				read = append(read, m)
			}
		}
		if bad || len(read) < len(whole) {
			found++
		}
	}
	if found < int(last)*9/10 {
		t.Errorf("%d of %d changed bytes are noticed", found, last)
	}
}

func FuzzMembers(f *testing.F) {
	f.Add(snapshotOf(f, "state-4.3-rocks-window-agg", "state/0/0/7.zip"))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, err := range Members("7.zip", bytes.NewReader(data)) {
			if err != nil {
				if _, ok := errors.AsType[*decode.Error](err); !ok {
					t.Fatalf("%v is no *decode.Error", err)
				}
			}
		}
	})
}
