package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"iter"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// The rows of Spark's own file with row checksums: every one agrees, and none of any other golden
// checkpoint is taken for one.
func TestRowSumsOfGoldenFiles(t *testing.T) {
	t.Parallel()
	checked, others := 0, 0
	for _, archive := range archives(t) {
		if strings.Contains(archive, "damage") {
			continue
		}
		summed := archive == "state-4.3-hdfs-row-checksum"
		for f := range stateFiles(t, archive) {
			for ch, err := range read(f.name, bytes.NewReader(f.data)) {
				if err != nil {
					t.Fatal(err)
				}
				if RocksDBRowSums.Fits(ch) || HDFSRowSums.Fits(ch) != summed || NoRowSums.Fits(ch) {
					t.Fatalf("%s %s@%d: fits %t, %t", archive, f.name, ch.At, HDFSRowSums.Fits(ch), RocksDBRowSums.Fits(ch))
				}
				if !summed {
					others++
					continue
				}
				checked++
				trimmed, problem := HDFSRowSums.Trim(f.name, ch)
				if problem != nil || len(trimmed.Value)%8 != 0 || !bytes.HasSuffix(ch.Value, trimmed.Value) || !bytes.Equal(trimmed.Key, ch.Key) {
					t.Fatalf("%s@%d: %v, %x", f.name, ch.At, problem, trimmed.Value)
				}
				ch.Value[len(ch.Value)-1] ^= 1
				if _, problem := HDFSRowSums.Trim(f.name, ch); problem == nil || problem.Flaw != decode.Checksum || problem.Offset != ch.At {
					t.Fatalf("%s@%d: a changed bit gives %v", f.name, ch.At, problem)
				}
			}
		}
	}
	if checked < 30 || others < 1000 {
		t.Errorf("only %d rows with checksums and %d without", checked, others)
	}
}

// sum is data after the checksum of key and data, with its length between where length is true.
func sum(key, data string, length bool) string {
	out := binary.LittleEndian.AppendUint32(nil, crc32.Checksum([]byte(key+data), crc32.MakeTable(crc32.Castagnoli)))
	if length {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	}
	return string(out) + data
}

func TestRowSums(t *testing.T) {
	t.Parallel()
	list := sum("k", "one", true) + sum("k", "three", true)
	commas := sum("k", "one", true) + "," + sum("k", "three", true)
	for _, c := range []struct {
		story string
		form  RowSums
		in    Change
		want  string // key | value, or the flaw
	}{
		{"a store without", NoRowSums, Change{Key: []byte("k"), Value: []byte("v")}, "k | v"},
		{"HDFS put", HDFSRowSums, Change{Key: []byte("k"), Value: []byte(sum("k", "an8value", false))}, "k | an8value"},
		{"HDFS put of another key", HDFSRowSums, Change{Key: []byte("K"), Value: []byte(sum("k", "an8value", false))}, "checksum K | an8value"},
		{"HDFS put, bare", HDFSRowSums, Change{Key: []byte("k"), Value: []byte("an8value")}, "malformed k | an8value"},
		{"HDFS put, no value", HDFSRowSums, Change{Key: []byte("k"), Value: []byte{}}, "malformed k | "},
		{"HDFS delete", HDFSRowSums, Change{Op: Delete, Key: []byte(sum("", "some key", false))}, "some key | "},
		{"HDFS delete, changed", HDFSRowSums, Change{Op: Delete, Key: []byte("0000some key")}, "checksum some key | "},
		{"HDFS delete, bare", HDFSRowSums, Change{Op: Delete, Key: []byte("some key")}, "malformed some key | "},
		{"RocksDB put", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(sum("k", "value", true))}, "k | value"},
		{"RocksDB put, empty value", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(sum("k", "", true))}, "k | "},
		{"RocksDB put, bare", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte("a bare value")}, "malformed k | a bare value"},
		{"RocksDB put, no value", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte{}}, "malformed k | "},
		{"RocksDB list", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(list)}, "k | onethree"},
		{"RocksDB list with commas", RocksDBRowSums, Change{Op: Merge, Key: []byte("k"), Value: []byte(commas)}, "k | one,three"},
		{"RocksDB list, an element of another key", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(sum("k", "a", true) + sum("j", "b", true))}, "checksum k | ab"},
		{"RocksDB list, cut", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(list[:len(list)-1])}, "malformed k | " + list[:len(list)-1]},
		{"RocksDB list, a comma at the end", RocksDBRowSums, Change{Key: []byte("k"), Value: []byte(list + ",")}, "malformed k | " + list + ","},
		{"RocksDB delete", RocksDBRowSums, Change{Op: Delete, Key: []byte(sum("", "key", false))}, "key | "},
		{"RocksDB range", RocksDBRowSums, Change{Op: DeleteRange, Key: []byte("a"), Value: []byte(sum("a", "b", true))}, "a | b"},
	} {
		got, problem := c.form.Trim("1.delta!lz4", c.in)
		told := string(got.Key) + " | " + string(got.Value)
		if problem != nil {
			told = string(problem.Flaw) + " " + told
		}
		if told != c.want {
			t.Errorf("%s: got %q, want %q (%v)", c.story, told, c.want, problem)
		}
	}
}

// Whether the rows of a file carry checksums is told by its first records; the setting counts only where
// they leave it open.
func TestRowSumsOfOneFile(t *testing.T) {
	t.Parallel()
	const plain = "some row" // 8 bytes, as rows have multiples of
	put := func(value string) Change { return Change{Op: Put, Key: []byte("k"), Value: []byte(value)} }
	remove := func(key string) Change { return Change{Op: Delete, Key: []byte(key)} }
	hdfs, rocks := sum("k", plain, false), sum("k", plain, true)
	wrong := "\x01\x02\x03\x04"
	for _, c := range []struct {
		story  string
		form   RowSums
		likely bool
		in     []Change
		want   string
	}{
		{"HDFS with, as set", HDFSRowSums, true, []Change{put(hdfs), remove(sum("", plain, false))}, "k=some row -some row"},
		{"HDFS with, and not set", HDFSRowSums, false, []Change{put(hdfs), remove(sum("", plain, false))}, "k=some row -some row"},
		{"HDFS without, as set", HDFSRowSums, false, []Change{put(plain), remove(plain)}, "k=some row -some row"},
		{"HDFS without, and set", HDFSRowSums, true, []Change{put(plain), remove(plain)}, "k=some row -some row"},
		{"RocksDB with, and not set", RocksDBRowSums, false, []Change{put(rocks), remove(sum("", "\x00"+plain, false))}, "k=some row -\x00some row"},
		{"RocksDB without, and set", RocksDBRowSums, true, []Change{put("\x00" + plain), remove("\x00" + plain)}, "k=\x00some row -\x00some row"},
		{"RocksDB, only a removal, without, and set", RocksDBRowSums, true, []Change{remove("\x00" + plain)}, "-\x00some row"},
		{"RocksDB, only a removal with a prefix, without, and set", RocksDBRowSums, true, []Change{remove("\x09\x00\x00\x00\x00" + plain + "\x00" + plain)}, "-\x09\x00\x00\x00\x00some row\x00some row"},
		{"RocksDB, only a removal, with, and not set", RocksDBRowSums, false, []Change{remove(sum("", "\x00"+plain, false))}, "-\x00some row"},
		{"a wrong one before a right one", HDFSRowSums, false, []Change{put(wrong + plain), put(hdfs)}, "checksum:k=some row k=some row"},
		{"only wrong ones, and set", HDFSRowSums, true, []Change{put(wrong + plain)}, "checksum:k=some row"},
		{"four bytes too many, as before 2.3", HDFSRowSums, false, []Change{put(plain + "\x00\x00\x00\x00")}, "k=some row\x00\x00\x00\x00"},
		{"one without among many with", HDFSRowSums, true, []Change{put(hdfs), put(plain)}, "k=some row malformed:k=some row"},
		{"no records", HDFSRowSums, true, nil, ""},
	} {
		for _, many := range []int{0, sampledRecords - 1, sampledRecords, 3 * sampledRecords} {
			all := slices.Repeat(c.in, 1+many)
			var got []string
			for ch, err := range c.form.TrimFile("1.delta!lz4", changesOf(all), c.likely) {
				text := string(ch.Key) + "=" + string(ch.Value)
				if ch.Op == Delete {
					text = "-" + string(ch.Key)
				}
				if e, ok := errors.AsType[*decode.Error](err); ok {
					text = string(e.Flaw) + ":" + text
				}
				got = append(got, text)
			}
			if want := strings.TrimSpace(strings.Repeat(c.want+" ", 1+many)); strings.Join(got, " ") != want && (many == 0 || len(c.in) > 0) {
				t.Errorf("%s, %d times: got %q, want %q", c.story, 1+many, got, want)
			}
		}
	}
	broken := errors.New("the connection broke")
	for ch, err := range HDFSRowSums.TrimFile("1.delta!lz4", func(yield func(Change, error) bool) { yield(Change{}, broken) }, true) {
		if err != broken || ch.Key != nil {
			t.Errorf("%v, %v", ch, err)
		}
	}
	for range HDFSRowSums.TrimFile("1.delta!lz4", changesOf([]Change{put(hdfs), put(hdfs)}), true) {
		break // it must not go on
	}
}

// changesOf yields changes whose slices are overwritten by the next, as those of a file are.
func changesOf(all []Change) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		var key, value []byte
		for _, c := range all {
			key, value = append(key[:0], c.Key...), append(value[:0], c.Value...)
			if c.Key = key; c.Op != Delete {
				c.Value = value
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// An SST file may hold rows of both kinds.
func TestRowSumsInSSTs(t *testing.T) {
	t.Parallel()
	const row = "\x00some row"
	list := "\x09\x00\x00\x00" + row
	for _, c := range []struct {
		story, value string
		likely       bool
		want         string
	}{
		{"with", sum("k", row, true), true, row},
		{"with, and not set", sum("k", row, true), false, row},
		{"without", row, false, row},
		{"without, and set", row, true, row},
		{"no columns", "\x00", true, "\x00"},
		{"a list with, and not set", sum("k", list, true) + sum("k", list, true), false, list + list},
		{"a list with commas", sum("k", list, true) + "," + sum("k", list, true), false, list + "," + list},
		{"a list without, and set", list + list, true, list + list},
		{"of another key", sum("j", row, true), true, "checksum " + row},
		{"what only looks like one", sum("j", row, true), false, sum("j", row, true)},
	} {
		value, problem := RocksDBRowSums.TrimStored("7.zip", []byte("k"), []byte(c.value), c.likely)
		got := string(value)
		if problem != nil {
			got = string(problem.Flaw) + " " + got
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.story, got, c.want)
		}
	}
}
