package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"tidemark/checkpoint/decode"
)

// raw is an LZ4 stream of one block that is not compressed, and no end mark.
func raw(data string) string {
	var b bytes.Buffer
	b.WriteString(lz4Magic)
	b.WriteByte(lz4Raw<<4 | 6)
	for _, n := range []uint32{uint32(len(data)), uint32(len(data)), lz4Sum([]byte(data))} {
		binary.Write(&b, binary.LittleEndian, n)
	}
	return b.String() + data
}

const lz4End = lz4Magic + "\x15\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// num is a big-endian int32.
func num(n int32) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }

// field is a length and so many bytes.
func field(s string) string { return num(int32(len(s))) + s }

func zstded(t testing.TB, data string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(data), nil))
}

// What Spark reads over is told apart from what stops it.
func TestLoose(t *testing.T) {
	t.Parallel()
	row, end := field("key")+field("value"), num(-1)
	snappied := snappyMagic + num(1) + num(1)
	block := string(snappyBlock(row + end))
	for _, c := range []struct {
		story, data, want string
	}{
		{"as Spark writes it", raw(row+end) + lz4End, "fine"},
		{"the end mark in a block of its own", raw(row) + raw(end) + lz4End, "fine"},
		{"two streams joined", raw(row) + lz4End + raw(end) + lz4End, "fine"},
		{"LZ4 end mark lost", raw(row + end), "loose cut 7.delta@41: LZ4 block: the file ends without the end mark of LZ4"},
		{"LZ4 end mark cut", raw(row+end) + lz4End[:20], "loose cut 7.delta@61: LZ4 block: the file ends inside the header of a block"},
		{"LZ4 end mark changed", raw(row+end) + "LZ4blah!" + lz4End[8:], `loose malformed 7.delta@41: LZ4 block: "LZ4blah!" in place of the block start "LZ4Block"`},
		{"a line feed after the file", raw(row+end) + lz4End + "\n", `loose malformed 7.delta@62: LZ4 block: "\n" in place of the block start "LZ4Block"`},
		{"zeros after the file", raw(row+end) + lz4End + strings.Repeat("\x00", 99), `loose malformed 7.delta@62: LZ4 block: "\x00\x00\x00\x00\x00\x00\x00\x00" in place of the block start "LZ4Block"`},
		{"more records after the end", raw(row+end+row) + lz4End, "loose malformed 7.delta!lz4@20: delta record: bytes follow the end mark"},
		{"a whole file twice", raw(row+end) + lz4End + raw(row+end) + lz4End, "loose malformed 7.delta!lz4@20: delta record: bytes follow the end mark"},
		{"LZ4 end mark lost, and the records' too", raw(row), "cut 7.delta@37: LZ4 block: the file ends without the end mark of LZ4"},
		{"the records' end mark lost", raw(row) + lz4End, "cut 7.delta!lz4@16: delta record: the records end without an end mark"},
		{"damage before the end mark", raw(row) + "LZ4blah!" + raw(end) + lz4End, `malformed 7.delta@37: LZ4 block: "LZ4blah!" in place of the block start "LZ4Block"`},

		{"zstd", zstded(t, row+end), "fine"},
		{"zstd, garbage after the frame", zstded(t, row+end) + "garbage", "loose malformed 7.delta@33: zstd frame: invalid input: magic number mismatch"},
		{"zstd, the frame cut after the records", zstdCut(t, row+end), "cut 7.delta@29: zstd frame: the file ends inside a frame"},

		{"snappy", snappied + block, "fine"},
		{"snappy, two streams joined", snappied + string(snappyBlock(row)) + snappied + string(snappyBlock(end)), "fine"},
		{"snappy, garbage after the block", snappied + block + "?", "loose cut 7.delta@43: snappy block: the file ends inside the length of a block"},
		{"snappy, no records", snappied, "cut 7.delta!snappy: delta record: the records end without an end mark"},
	} {
		_, n, err := readAll("7.delta", []byte(c.data))
		if got := tell(err); got != c.want {
			t.Errorf("%s: got  %s\n\twant %s", c.story, got, c.want)
		}
		if _, loose := errors.AsType[*Loose](err); (err == nil || loose) && n != 1 {
			t.Errorf("%s: %d changes", c.story, n)
		}
	}
}

// records told in short, with the error in its place.
func tellRecords(file, data string) string {
	var b strings.Builder
	changes := Changes(file, strings.NewReader(data))
	if strings.HasSuffix(file, ".changelog") {
		c, err := OpenChangelog(file, strings.NewReader(data))
		if err != nil {
			fmt.Fprintf(&b, "%s\n", tell(err))
		}
		if c == nil {
			return b.String()
		}
		fmt.Fprintf(&b, "v%d %v\n", c.Version, c.Lineage)
		changes = c.Changes()
	}
	for ch, err := range changes {
		fmt.Fprintf(&b, "@%d %s %q %q %s\n", ch.At, [...]string{"put", "delete", "merge", "range"}[ch.Op], ch.Key, ch.Value, tell(err))
	}
	return b.String()
}

func TestRecords(t *testing.T) {
	t.Parallel()
	end := num(-1)
	lineage := `[{"version":6,"checkpointUniqueId":"a6"},{"version":7,"checkpointUniqueId":"b7"}]`
	short := func(s string) string { return string(binary.BigEndian.AppendUint16(nil, uint16(len(s)))) + s }
	for _, c := range []struct {
		story, file, data, want string
	}{
		{"puts and removals", "7.delta", field("a") + field("1") + field("b") + num(-1) + field("") + field("") + end,
			"@0 put \"a\" \"1\" fine\n@10 delete \"b\" \"\" fine\n@19 put \"\" \"\" fine\n"},
		{"a removal in a snapshot costs itself", "7.snapshot", field("a") + num(-1) + field("b") + field("2") + end,
			"@0 delete \"a\" \"\" malformed 7.snapshot@5: snapshot record: a removal, which a snapshot never contains\n@9 put \"b\" \"2\" fine\n"},
		{"a length that no key has", "7.delta", field("a") + field("1") + num(-2),
			"@0 put \"a\" \"1\" fine\n@10 put \"\" \"\" malformed 7.delta@10: delta record: -2 is not the length of a key\n"},
		{"a length that no value has", "7.delta", field("a") + num(-7),
			"@0 put \"a\" \"\" malformed 7.delta@5: delta record: -7 is not the length of a value\n"},
		{"a key of gigabytes that is not there", "7.delta", num(0x7fffffff) + "abc",
			"@0 put \"\" \"\" cut 7.delta@7: delta record: the records end inside a key\n"},
		{"a value of gigabytes that is not there", "7.delta", field("a") + num(0x03ffffff) + "abc",
			"@0 put \"a\" \"abc\" cut 7.delta@12: delta record: the records end inside a value\n"},
		{"a changelog of version 1", "7.changelog", field("a") + field("1") + field("b") + num(-1) + end,
			"v1 []\n@0 put \"a\" \"1\" fine\n@10 delete \"b\" \"\" fine\n"},
		{"a changelog of nothing", "7.changelog", end, "v1 []\n"},
		{"typed records", "7.changelog", short("v2") + "\x01" + field("a") + field("1") + "\x10" + field("b") + num(-1) + "\x11" + field("c") + field("3") + "\x20" + field("d") + field("e") + "\x00",
			"v2 []\n@4 put \"a\" \"1\" fine\n@15 delete \"b\" \"\" fine\n@25 merge \"c\" \"3\" fine\n@36 range \"d\" \"e\" fine\n"},
		{"a type that is none", "7.changelog", short("v2") + "\x02" + field("a"),
			"v2 []\n@4 put \"\" \"\" malformed 7.changelog@4: changelog record: unknown record type 0x02\n"},
		{"a delete with a value", "7.changelog", short("v2") + "\x10" + field("b") + field("1") + "\x00",
			"v2 []\n@4 delete \"b\" \"\" malformed 7.changelog@10: changelog record: a delete has 1 instead of -1\n"},
		{"typed records without end", "7.changelog", short("v2"),
			"v2 []\n@4 put \"\" \"\" cut 7.changelog@4: changelog record: the records end without an end mark\n"},
		{"a lineage", "7.changelog", short("v3") + short(lineage) + field("a") + field("1") + end,
			"v3 [{6 a6} {7 b7}]\n@87 put \"a\" \"1\" fine\n"},
		{"a lineage and typed records", "7.changelog", short("v4") + short("[]") + "\x01" + field("a") + field("1") + "\x00",
			"v4 []\n@8 put \"a\" \"1\" fine\n"},
		{"a broken lineage costs itself", "7.changelog", short("v4") + short(`[{"version":6}]`) + "\x00",
			"value 7.changelog@7: changelog lineage: \"{\\\"version\\\":6}\" does not name a version\nv4 []\n"},
		{"a lineage that is cut", "7.changelog", short("v3") + short(lineage)[:20], "cut 7.changelog@24: changelog record: the records end inside the lineage\n"},
		{"a version to come", "7.changelog", short("v5"), "version unknown 7.changelog@2: changelog record: unknown version \"v5\" (known: v2, v3, v4, or none for 1)\n"},
		{"no bytes", "7.changelog", "", "v1 []\n@0 put \"\" \"\" cut 7.changelog: changelog record: the records end without an end mark\n"},
		{"part of a version", "7.changelog", "\x00\x02v", "v1 []\n@0 put \"\" \"\" cut 7.changelog@3: changelog record: the records end inside the length of a key\n"},
	} {
		if diff := cmp.Diff(c.want, tellRecords(c.file, c.data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.story, diff)
		}
	}
}

// A value too long to be kept is passed over; what follows is read.
func TestRecordTooLarge(t *testing.T) {
	t.Parallel()
	long := int64(recordLimit + 1)
	data := io.MultiReader(strings.NewReader(field("a")+num(int32(long))), io.LimitReader(zeros{}, long), strings.NewReader(field("b")+field("2")+num(-1)))
	var told []string
	for ch, err := range Changes("7.delta", data) {
		told = append(told, fmt.Sprintf("%q %q %s", ch.Key, ch.Value, tell(err)))
	}
	want := []string{`"a" "" too large 7.delta@5: delta record: a value of 67108865 bytes`, `"b" "2" fine`}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A connection that breaks is no damage, whichever end it pretends to be.
func TestReachingIsNotDamage(t *testing.T) {
	t.Parallel()
	for _, broke := range []error{errors.New("connection reset"), io.ErrUnexpectedEOF} {
		for _, f := range samples(t)[:10] {
			for cut := range f.data {
				for _, err := range read(f.name, io.MultiReader(bytes.NewReader(f.data[:cut]), iotest.ErrReader(broke))) {
					if _, damage := errors.AsType[*decode.Error](err); damage {
						t.Fatalf("%s broken at %d by %v: %s", f.name, cut, broke, tell(err))
					}
				}
			}
		}
	}
}
