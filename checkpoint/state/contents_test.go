package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/checkpoint/decode"
)

// read yields the changes of a compressed file, of whatever kind it is.
func read(name string, r io.Reader) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		inner, codec, err := Inflate(name, r)
		if err != nil {
			yield(Change{}, err)
			return
		}
		if !strings.HasSuffix(name, ".changelog") {
			Changes(codec.In(name), inner)(yield)
			return
		}
		c, err := OpenChangelog(codec.In(name), inner)
		if err != nil && !yield(Change{}, err) || c == nil {
			return
		}
		c.Changes()(yield)
	}
}

// readAll is a hash of all changes of a file, and its last error.
func readAll(name string, data []byte) (told string, count int, err error) {
	var all bytes.Buffer
	for ch, e := range read(name, bytes.NewReader(data)) {
		if e != nil {
			err = e
			continue
		}
		count++
		fmt.Fprintf(&all, "%d %d %x %x\n", ch.At, ch.Op, ch.Key, ch.Value)
	}
	return all.String(), count, err
}

// tell is an error in the short form of these tests.
func tell(err error) string {
	if err == nil {
		return "fine"
	}
	loose, isLoose := errors.AsType[*Loose](err)
	e, ok := errors.AsType[*decode.Error](err)
	switch {
	case !ok:
		return "reaching: " + err.Error()
	case isLoose:
		return "loose " + string(e.Flaw) + " " + loose.Error()
	}
	return string(e.Flaw) + " " + err.Error()
}

// Every file that Spark wrote parses to its exact end; those that were damaged on purpose say where.
func TestGoldenFiles(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"state-4.1-hdfs-damage-flipped-delta":             "malformed state/0/0/10.delta@21: LZ4 block: 86 bytes do not decompress to 196",
		"state-4.1-rockscl-damage-flipped-changelog":      "checksum state/0/0/10.changelog: LZ4 block: the checksum of the block is 0x0cd3de03, its header records 0x034e4738",
		"state-4.3-hdfs-damage-flipped-delta":             "checksum state/0/0/12.delta: LZ4 block: the checksum of the block is 0x0bbb3d86, its header records 0x00f69b7f",
		"state-4.3-hdfs-damage-flipped-snapshot":          "malformed state/0/0/12.snapshot@21: LZ4 block: 284 bytes do not decompress to 764",
		"state-4.3-hdfs-damage-flipped-snapshot-norepair": "malformed state/0/0/12.snapshot@21: LZ4 block: 284 bytes do not decompress to 764",
		"state-4.3-hdfs-damage-no-end-mark":               "cut state/0/0/12.delta!lz4@64: delta record: the records end without an end mark",
		"state-4.3-hdfs-damage-truncated-delta":           "cut state/0/0/12.delta@47: LZ4 block: the file ends inside a block",
		"state-4.3-hdfs-damage-zero-delta":                "empty state/0/0/12.delta: compressed file: the file is empty",
		"state-4.3-rockscl-damage-flipped-changelog":      "checksum state/0/0/12.changelog: LZ4 block: the checksum of the block is 0x0ef1cabe, its header records 0x0a1815b1",
	}
	got, files, codecs, changelogs, ops := map[string]string{}, 0, map[Codec]bool{}, map[int]bool{}, map[Op]bool{}
	for _, archive := range archives(t) {
		for f := range stateFiles(t, archive) {
			files++
			inner, codec, err := Inflate(f.name, bytes.NewReader(f.data))
			codecs[codec] = true
			if err == nil && f.Role == Changelog {
				if c, err := OpenChangelog(f.name, inner); err == nil {
					changelogs[c.Version] = true
				}
			}
			for ch, err := range read(f.name, bytes.NewReader(f.data)) {
				if err != nil {
					got[archive] += tell(err)
				}
				ops[ch.Op] = true
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("damaged files (-want +got):\n%s", diff)
	}
	if files < 1500 {
		t.Errorf("only %d files were read", files)
	}
	if want := map[int]bool{1: true, 2: true, 3: true}; !cmp.Equal(changelogs, want) {
		t.Errorf("changelogs of versions %v", changelogs)
	}
	for _, codec := range []Codec{LZ4, Zstd, Snappy} {
		if !codecs[codec] {
			t.Errorf("no file was compressed with %s", codec)
		}
	}
	if !ops[Put] || !ops[Delete] || !ops[Merge] {
		t.Errorf("only the operations %v were seen", ops)
	}
}

// A version as a snapshot holds the same rows as all changes up to it.
func TestSnapshotIsWhatTheDeltasMake(t *testing.T) {
	t.Parallel()
	snapshots := 0
	for _, archive := range archives(t) {
		if strings.Contains(archive, "damage") {
			continue
		}
		deltas, whole := map[string]map[int64]stateFile{}, []stateFile{}
		for f := range stateFiles(t, archive) {
			dir := f.name[:strings.LastIndex(f.name, "/")]
			switch f.Role {
			case Delta:
				if deltas[dir] == nil {
					deltas[dir] = map[int64]stateFile{}
				}
				deltas[dir][f.Version] = f
			case Snapshot:
				whole = append(whole, f)
			}
		}
		for _, s := range whole {
			dir := s.name[:strings.LastIndex(s.name, "/")]
			got, want := map[string]string{}, map[string]string{}
			apply(t, want, s)
			complete := true
			for v := int64(1); v <= s.Version; v++ {
				d, ok := deltas[dir][v]
				complete = complete && ok
				if ok {
					apply(t, got, d)
				}
			}
			if !complete {
				continue
			}
			snapshots++
			if !maps.Equal(got, want) {
				t.Errorf("%s %s: %d rows, the deltas make %d others", archive, s.name, len(want), len(got))
			}
		}
	}
	if snapshots < 20 {
		t.Errorf("only %d snapshots have all their deltas", snapshots)
	}
}

// apply makes the changes of a file in rows.
func apply(t *testing.T, rows map[string]string, f stateFile) {
	t.Helper()
	for ch, err := range read(f.name, bytes.NewReader(f.data)) {
		switch {
		case err != nil:
			t.Fatal(err)
		case ch.Op == Delete:
			delete(rows, string(ch.Key))
		default:
			rows[string(ch.Key)] = string(ch.Value)
		}
	}
}

func TestLineage(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, archive := range archives(t) {
		for f := range stateFiles(t, archive) {
			if f.Role != Changelog || f.ID == "" {
				continue
			}
			inner, codec, err := Inflate(f.name, bytes.NewReader(f.data))
			if err != nil {
				t.Fatal(err)
			}
			c, err := OpenChangelog(codec.In(f.name), inner)
			if err != nil || c.Version < 3 {
				t.Fatalf("%s: version %d, %v", f.name, c.Version, err)
			}
			seen++
			for i, link := range c.Lineage {
				if want := f.Version - int64(len(c.Lineage)-i); link.Version != want || len(link.ID) != 36 {
					t.Errorf("%s: item %d is %v, want version %d", f.name, i, link, want)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no changelog has a lineage")
	}
}
