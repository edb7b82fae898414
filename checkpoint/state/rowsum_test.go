package state

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// The rows of Spark's own file with row checksums: every one agrees, and none of any other golden
// checkpoint is taken for one.
func TestRowSumsOfGoldenFiles(t *testing.T) {
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
