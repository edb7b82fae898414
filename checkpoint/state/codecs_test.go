package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/OneOfOne/xxhash"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"tidemark/checkpoint/decode"
)

func lz4Sum(data []byte) uint32 { return xxhash.Checksum32S(data, lz4Seed) & 0x0fffffff }

// snappyBlock is a length and a block.
func snappyBlock(data string) []byte {
	packed := snappy.Encode(nil, []byte(data))
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(packed))), packed...)
}

// zstdCut is a frame without its last block, which is empty.
func zstdCut(t *testing.T, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, data); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// lz4Stream compresses as lz4-java does: blocks of 32 KiB, raw where that is shorter.
func lz4Stream(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for len(data) > 0 {
		block := data[:min(len(data), 32<<10)]
		data = data[len(block):]
		packed := make([]byte, lz4.CompressBlockBound(len(block)))
		n, err := new(lz4.Compressor).CompressBlock(block, packed)
		if err != nil {
			t.Fatal(err)
		}
		token := byte(lz4Fast<<4 | 5)
		if packed = packed[:n]; n == 0 || n >= len(block) {
			token, packed = lz4Raw<<4|5, block
		}
		out.WriteString(lz4Magic)
		out.WriteByte(token)
		for _, n := range []uint32{uint32(len(packed)), uint32(len(block)), lz4Sum(block)} {
			binary.Write(&out, binary.LittleEndian, n)
		}
		out.Write(packed)
	}
	out.WriteString(lz4End)
	return out.Bytes()
}

// Streams of many blocks come out as they went in, compressible or not.
func TestInflateLarge(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	data := bytes.Repeat([]byte("0000000000000000 key and value, "), 5000)
	for range 100_000 {
		data = append(data, byte(random.Uint32()))
	}
	snappied := []byte(snappyMagic + num(1) + num(1))
	for chunk := range bytes.Lines(bytes.ReplaceAll(data, []byte("\n"), []byte("\n\n"))) {
		snappied = append(snappied, snappyBlock(string(chunk))...)
	}
	for codec, packed := range map[Codec]string{
		LZ4:    string(lz4Stream(t, data)),
		Zstd:   zstded(t, string(data)) + zstded(t, "another frame"),
		Snappy: string(snappied),
	} {
		want := data
		switch codec {
		case Zstd:
			want = append(bytes.Clone(data), "another frame"...)
		case Snappy:
			want = bytes.ReplaceAll(data, []byte("\n"), []byte("\n\n"))
		}
		r, got, err := Inflate("7.delta", strings.NewReader(packed))
		if err != nil || got != codec {
			t.Fatalf("%s: %s, %v", codec, got, err)
		}
		if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, want) {
			t.Errorf("%s: %d bytes, %v, want %d", codec, len(plain), err, len(want))
		}
	}
}

// lzfFile is a delta of 60 rows, every seventh from the third on removed, in two blocks as LZFOutputStream
// of compress-lzf 1.1.2 made them.
const lzfFile = "testdata/compress-lzf-1.1.2.delta"

// No checkpoint of the golden set is compressed with LZF, so this is the library that Spark calls.
func TestInflateCompressLZF(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(lzfFile)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for ch, err := range read("7.delta", bytes.NewReader(data)) {
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprintf("%-24s", "\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x10\x00\x00\x00"+fmt.Sprintf("key%d", i))
		key = strings.ReplaceAll(key, " ", "\x00")
		value := num(0) + num(0) + num(int32(i*i)) + num(int32(i))
		if i%7 == 3 {
			value = ""
		}
		if string(ch.Key) != key || string(ch.Value) != value || (ch.Op == Delete) != (i%7 == 3) {
			t.Errorf("row %d: %d %q %q", i, ch.Op, ch.Key, ch.Value)
		}
		i++
	}
	if i != 60 {
		t.Errorf("%d rows", i)
	}
}

// What a block may hold and what not, put together by hand from the format.
func TestInflateLZF(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ story, data, want string }{
		{"raw", "ZV\x00\x00\x03abc", "abc"},
		{"two blocks", "ZV\x00\x00\x03abcZV\x00\x00\x01d", "abcd"},
		{"literals", "ZV\x01\x00\x04\x00\x03\x02abc", "abc"},
		{"a short copy", "ZV\x01\x00\x06\x00\x06\x02abc\x20\x02", "abcabc"},
		{"a copy that reads itself", "ZV\x01\x00\x04\x00\x09\x00a\xc0\x00", "aaaaaaaaa"},
		{"a long copy", "ZV\x01\x00\x05\x00\x0c\x00a\xe0\x02\x00", "aaaaaaaaaaaa"},
		{"a kind that is none", "ZV\x02\x00\x03abc", `malformed 7.delta@2: lzf block: unknown block type 2`},
		{"no block", "ZV\x00\x00\x01aXX\x00\x00\x01b", `malformed 7.delta@6: lzf block: "XX\x00\x00\x01" in place of the block start "ZV"`},
		{"cut in the header", "ZV\x00\x00", `cut 7.delta@4: lzf block: the file ends inside the header of a block`},
		{"cut in the length", "ZV\x01\x00\x04\x00", `cut 7.delta@6: lzf block: the file ends inside the header of a block`},
		{"cut in a block", "ZV\x00\x00\x03ab", `cut 7.delta@7: lzf block: the file ends inside a block`},
		{"shorter than it says", "ZV\x01\x00\x04\x00\x04\x02abc", `malformed 7.delta@11: lzf block: 4 bytes decompress to 3, the header records 4`},
		{"longer than it says", "ZV\x01\x00\x04\x00\x02\x02abc", `malformed 7.delta@7: lzf block: bytes go beyond the end of the block`},
		{"a copy from before the block", "ZV\x01\x00\x06\x00\x06\x02abc\x20\x03", `malformed 7.delta@11: lzf block: a copy of 3 bytes from 4 back is outside the block`},
		{"a copy cut", "ZV\x01\x00\x05\x00\x06\x02abc\x20", `malformed 7.delta@11: lzf block: the block ends inside a copy`},
	} {
		r, codec, err := Inflate("7.delta", strings.NewReader(c.data))
		if err != nil || codec != LZF {
			t.Fatalf("%s: %s, %v", c.story, codec, err)
		}
		plain, err := io.ReadAll(r)
		got := string(plain)
		if err != nil {
			got = tell(err)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.story, got, c.want)
		}
	}
}

// What a header claims is compared before memory is asked for.
func TestInflateLies(t *testing.T) {
	t.Parallel()
	header := func(token byte, packed, plain, sum uint32) string {
		b := append([]byte(lz4Magic), token)
		b = binary.LittleEndian.AppendUint32(b, packed)
		b = binary.LittleEndian.AppendUint32(b, plain)
		return string(binary.LittleEndian.AppendUint32(b, sum))
	}
	snappied := snappyMagic + num(1) + num(1)
	for _, c := range []struct{ story, data, want string }{
		{"no bytes", "", "empty 7.delta: compressed file: the file is empty"},
		{"part of a magic", "LZ4", "cut 7.delta@3: compressed file: the file ends inside the first bytes of lz4"},
		{"no codec", "PAR1....", `malformed 7.delta: compressed file: "PAR1...." begins no codec Spark writes (lz4, zstd, snappy, lzf)`},
		{"lz4: a method that is none", header(0x35, 1, 1, 0) + "a", "malformed 7.delta@8: LZ4 block: token 0x35 names no method"},
		{"lz4: larger than the token allows", header(0x20, 9, 1025, 0), "malformed 7.delta@13: LZ4 block: a block of 1025 bytes; the token 0x20 allows 1024"},
		{"lz4: raw and of two lengths", header(0x15, 9, 10, 0), "malformed 7.delta@9: LZ4 block: a block of 10 bytes cannot need 9"},
		{"lz4: nothing in many bytes", header(0x25, 9, 0, 0), "malformed 7.delta@9: LZ4 block: a block of 0 bytes cannot need 9"},
		{"lz4: longer when compressed", header(0x25, 1<<31, 10, 0), "malformed 7.delta@9: LZ4 block: a block of 10 bytes cannot need 2147483648"},
		{"lz4: 32 MiB in two bytes", header(0x2f, 2, 32<<20, 0) + "ab", "malformed 7.delta@9: LZ4 block: 2 bytes cannot decompress to 33554432"},
		{"lz4: 8 MiB that are not there", header(0x1f, 8<<20, 8<<20, 0) + "ab", "cut 7.delta@23: LZ4 block: the file ends inside a block"},
		{"lz4: more than is read at once", header(0x1f, 32<<20, 32<<20, 0) + "ab", "too large 7.delta@13: LZ4 block: a block of 33554432 bytes; tidemark reads at most 8388608"},
		{"lz4: an end mark with a checksum", header(0x15, 0, 0, 7), "malformed 7.delta@17: LZ4 block: an end mark has the checksum 0x00000007"},
		{"snappy: no length", snappied + num(-1), "malformed 7.delta@16: snappy block: -1 is not a block length"},
		{"snappy: a block that is not there", snappied + num(15<<20) + "ab", "cut 7.delta@22: snappy block: the file ends inside a block"},
		{"snappy: more than is read at once", snappied + num(255<<20) + "ab", "too large 7.delta@16: snappy block: a block of 267386880 bytes; tidemark reads at most 16777216"},
		{"snappy: gigabytes in ten bytes", snappied + num(10) + "\xff\xff\xff\xff\x0fabcde", "malformed 7.delta@20: snappy block: 10 bytes cannot decompress to 4294967295"},
		{"snappy: a version to come", snappyMagic + num(2) + num(2), "version unknown 7.delta@12: snappy block: readable from version 2; tidemark knows version 1"},
		{"snappy: cut in the header", snappyMagic + num(1), "cut 7.delta@12: snappy block: the file ends inside the header"},
		{"zstd: a window of gigabytes", "\x28\xb5\x2f\xfd\x00\xf8", "too large 7.delta@6: zstd frame: a frame needs more than 8388608 bytes of memory"},
	} {
		var plain []byte
		r, _, err := Inflate("7.delta", strings.NewReader(c.data))
		if err == nil {
			plain, err = io.ReadAll(r)
		}
		if got := tell(err); got != c.want || len(plain) > 0 {
			t.Errorf("%s: got %s (%d bytes)\n\twant %s", c.story, got, len(plain), c.want)
		}
	}
}

// A small file must not inflate without end.
func TestInflateHasACeiling(t *testing.T) {
	t.Parallel()
	block := make([]byte, 1<<20)
	b := blocks{src: &source{file: "7.delta"}, limit: 10 << 20, next: func() ([]byte, error) { return block, nil }}
	n, err := io.Copy(io.Discard, &b)
	e, ok := errors.AsType[*decode.Error](err)
	if !ok || e.Flaw != decode.TooLarge || n != 10<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}
