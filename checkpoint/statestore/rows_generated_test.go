package statestore

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/OneOfOne/xxhash"
	"github.com/zeebo/xxh3"

	"tidemark/checkpoint"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// generated is a checkpoint of any size whose large files are made as they are read: every partition holds the
// rows {"k":"0000000000000000"} → {"v":"…"}, counted up. Nothing of them is kept.
type generated struct {
	*memory
	large map[string]largeFile
}

// largeFile is a file of blocks of one length, and an end.
type largeFile struct {
	blocks int64
	length int64                     // of a block
	block  func(dst []byte, i int64) // fills in block i
	end    func() []byte
	ends   int64 // how long the end is
}

func (f largeFile) size() int64 { return f.blocks*f.length + f.ends }

// List tells the sizes that the large files have once they are made.
func (g *generated) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		for e, err := range g.memory.List(ctx, dir) {
			if f, ok := g.large[dir+"/"+e.Name]; ok {
				e.Size = f.size()
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (g *generated) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f, ok := g.large[name]
	if !ok {
		return g.memory.Open(ctx, name, offset, length)
	}
	if length < 0 || offset+length > f.size() {
		length = max(f.size()-offset, 0)
	}
	return io.NopCloser(io.LimitReader(&largeReader{f: f, at: offset}, length)), nil
}

type largeReader struct {
	f    largeFile
	at   int64
	buf  []byte
	made int64 // the number of the block in buf and 1
	end  []byte
}

func (r *largeReader) Read(p []byte) (int, error) {
	i := r.at / r.f.length
	if i >= r.f.blocks {
		if r.end == nil {
			r.end = r.f.end()
		}
		rest := r.end[r.at-r.f.blocks*r.f.length:]
		if len(rest) == 0 {
			return 0, io.EOF
		}
		n := copy(p, rest)
		r.at += int64(n)
		return n, nil
	}
	if r.made != i+1 {
		if r.buf == nil {
			r.buf = make([]byte, r.f.length)
		}
		r.f.block(r.buf, i)
		r.made = i + 1
	}
	n := copy(p, r.buf[r.at%r.f.length:])
	r.at += int64(n)
	return n, nil
}

// number writes n as 16 hexadecimal digits, so that the bytes of keys ascend as they do.
func number16(dst []byte, n int64) {
	const digits = "0123456789abcdef"
	for i := range 16 {
		dst[15-i] = digits[n>>(4*i)&15]
	}
}

// rowValue is the value of every row, of 64 characters.
var rowValue = unsafeRow(strings.Repeat("v", 64))

// snapshotOf is a snapshot of the HDFS-backed provider of about size bytes, in LZ4 blocks that are not
// compressed, as Spark writes what does not compress.
func snapshotOf(size int64) (f largeFile, rows int64) {
	const perBlock = 270
	record := putRecord(unsafeRow("0000000000000000"), rowValue)
	at := strings.Index(record, "0000000000000000")
	plain := bytes.Repeat([]byte(record), perBlock)
	header := func(dst []byte, data []byte) []byte {
		dst = append(append(dst, "LZ4Block"...), 0x15)
		for _, v := range []uint32{uint32(len(data)), uint32(len(data)), xxhash.Checksum32S(data, 0x9747b28c) & 0x0fffffff} {
			dst = binary.LittleEndian.AppendUint32(dst, v)
		}
		return dst
	}
	f.length = int64(21 + len(plain))
	f.blocks = max(size/f.length, 1)
	f.block = func(dst []byte, i int64) {
		data := dst[21:]
		copy(data, plain)
		for j := range perBlock {
			number16(data[j*len(record)+at:], i*perBlock+int64(j))
		}
		header(dst[:0], data)
	}
	f.end = func() []byte {
		mark := []byte("\xff\xff\xff\xff")
		end := append(header(nil, mark), mark...)
		return append(append(end, "LZ4Block\x15"...), make([]byte, 12)...)
	}
	f.ends = int64(len(f.end()))
	return f, f.blocks * perBlock
}

// tableOf is an SST file of so many blocks, whose keys begin with that of row first: format 5, XXH3, not
// compressed. Its blocks have an eighth of what RocksDB puts into one, so that it has a large index.
func tableOf(blocks, first int64) (f largeFile, rows int64) {
	const perBlock = 4
	le32 := binary.LittleEndian.AppendUint32
	key := "\x00" + unsafeRow("0000000000000000")
	at := strings.Index(key, "0000000000000000")
	entry := func(dst []byte, key, value string) []byte {
		dst = append(dst, 0)
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(len(key))), uint64(len(value)))
		return append(append(dst, key...), value...)
	}
	finish := func(content []byte, restarts []uint32) []byte {
		for _, r := range restarts {
			content = le32(content, r)
		}
		return le32(content, uint32(len(restarts)))
	}
	trailed := func(content []byte) []byte { // with the trailer of a block that is not compressed
		return le32(append(content, 0), uint32(xxh3.Hash(content)))
	}
	var plain []byte
	var restarts []uint32
	for range perBlock {
		restarts = append(restarts, uint32(len(plain)))
		plain = entry(plain, key+"\x01\x01\x00\x00\x00\x00\x00\x00", "\x00"+rowValue)
	}
	each := len(plain) / perBlock
	inEntry := 3 + at
	plain = finish(plain, restarts)
	f.blocks, f.length = blocks, int64(len(plain)+5)
	f.block = func(dst []byte, i int64) {
		copy(dst, plain)
		for j := range perBlock {
			number16(dst[j*each+inEntry:], first+i*perBlock+int64(j))
		}
		trailed(dst[:len(plain)])
	}
	f.end = func() []byte {
		var end []byte
		add := func(content []byte) (handle string) {
			h := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(blocks*f.length+int64(len(end)))), uint64(len(content)))
			end = append(end, trailed(content)...)
			return string(h)
		}
		var index []byte
		var restarts []uint32
		last := []byte(key)
		for i := range blocks {
			number16(last[at:], first+i*perBlock+perBlock-1)
			restarts = append(restarts, uint32(len(index)))
			index = entry(index, string(last), string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(i*f.length)), uint64(len(plain)))))
		}
		top := add(finish(index, restarts))
		props := entry(nil, "rocksdb.index.key.is.user.key", "\x01")
		second := uint32(len(props))
		props = entry(props, "rocksdb.num.entries", string(binary.AppendUvarint(nil, uint64(blocks*perBlock))))
		meta := add(finish(entry(nil, "rocksdb.properties", add(finish(props, []uint32{0, second}))), []uint32{0}))
		footer := append(append([]byte{4}, meta...), top...)
		footer = append(append(footer, make([]byte, 41-len(footer))...), 5, 0, 0, 0, 0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88)
		return append(end, footer...)
	}
	f.ends = int64(len(f.end()))
	return f, blocks * perBlock
}

// generate is a checkpoint with state of about size bytes over some partitions, and how many rows it has. Tables
// of RocksDB have so many bytes each.
func generate(t testing.TB, rocksdb bool, size, table int64) (g *generated, rows int64) {
	t.Helper()
	const partitions = 4
	g = &generated{large: map[string]largeFile{}}
	files := map[string][]byte{}
	for name, text := range testfiles.Logs(0, "") {
		files[name] = []byte(text)
	}
	files["state/0/0/_metadata/schema"] = []byte(schemaV2("k string", "v string"))
	for p := range partitions {
		dir := fmt.Sprintf("state/0/%d/", p)
		if !rocksdb {
			f, n := snapshotOf(size / partitions)
			g.large[dir+"1.snapshot"], rows = f, rows+n
			continue
		}
		const block = 525
		var names []string
		for first := int64(0); first*132 < size/partitions; {
			f, n := tableOf(table/block, first)
			name := fmt.Sprintf("%06d-x.sst", len(names))
			g.large[dir+"SSTs/"+name] = f
			names = append(names, fmt.Sprintf(`{"localFileName":"%06d.sst","dfsSstFileName":%q,"sizeBytes":%d}`, len(names), name, f.size()))
			first, rows = first+n, rows+n
		}
		files[dir+"1.zip"] = zipOf(t, `{"sstFiles":[`+strings.Join(names, ",")+`],"numKeys":-1}`)
	}
	for name := range g.large {
		files[name] = nil
	}
	g.memory = inMemory(files)
	return g, rows
}

// zipOf is a snapshot of RocksDB with these metadata.
func zipOf(t testing.TB, metadata string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range [][2]string{{"metadata", "v1\n" + metadata}, {"CURRENT", "MANIFEST-000005\n"}, {"MANIFEST-000005", "x"}, {"OPTIONS-000007", "[Version]\n"}} {
		f, err := w.Create(m[0])
		if err == nil {
			_, err = io.WriteString(f, m[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGenerated: what is generated is what is read, so that the figures of the tests of memory mean something.
func TestGenerated(t *testing.T) {
	t.Parallel()
	for _, rocksdb := range []bool{false, true} {
		g, want := generate(t, rocksdb, 2<<20, 300<<10)
		c, err := checkpoint.Open(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		next := map[int]int64{}
		n := int64(0)
		for r, err := range rowsOfStore(t.Context(), c, rowsRequest{Batch: 0, Partition: -1}) {
			if err != nil {
				t.Fatal(err)
			}
			text := string(r.AppendJSON(nil))
			if line := fmt.Sprintf(`{"partition_id":%d,"key":{"k":"%016x"},"value":{"v":"%064s"}}`, r.Partition, next[r.Partition], strings.Repeat("v", 64)); text != line {
				t.Fatalf("%s\nwant %s", text, line)
			}
			next[r.Partition]++
			n++
		}
		if n != want || n < 10_000 {
			t.Errorf("%d rows, want %d", n, want)
		}
		files := slices.Collect(stateFilesOf(g))
		for _, f := range contentsOf(t, g, files, noLimits) {
			if len(f.Flaws)+len(f.Odd)+len(f.Unread)+len(f.Partly) > 0 {
				t.Errorf("%+v", f)
			}
		}
	}
	if _, err := (&generated{memory: inMemory(nil)}).Open(t.Context(), "x", 0, -1); err == nil {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
}
