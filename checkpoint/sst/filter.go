package sst

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A filter tells of most keys that are not in a table that they are not, so that no data block need be
// read for them. It is a Bloom filter: the hash of a key says which bits are set for it; where one of them
// is not, the key is not there. Where all are it may be: 1 of 100 keys that are not there look so with the
// 10 bits a key that Spark asks for. It knows user keys, each with the id of a column family that Spark
// puts in front, of entries of every type; range deletions are not in it.
//
// The metaindex names its block: "fullfilter.rocksdb.BuiltinBloomFilter". The block is never compressed.
// Its last 5 bytes say what stands before them. This is one of the example in sst.go:
//
//	14 20 71 00 …            64 bytes: one line of 512 bits
//	ff                       the layout of format version 5 and later; fe would be a ribbon filter
//	00                       lines of bits
//	18                       lower 5 bits: 24 bits are set for a key, as few keys share the line; above
//	                         them, 0: lines of 64 bytes
//	00 00                    reserved
//
// and before format version 5:
//
//	06                       6 bits are set for a key; up to 127
//	01 00 00 00              u32 number of lines; their size, a power of two, follows from it
//
// All bits of a key are in one line. With "partitionedfilter." in place of "fullfilter.", which Spark does
// not set, the block is an index block (see index.go) of many filters, each for a run of keys. What is
// called "filter." is not asked: Spark 3.3 and before write it, a filter for every 2 KiB of the file.
//
// Written by FastLocalBloomBitsBuilder and LegacyBloomBitsBuilder (table/block_based/filter_policy.cc,
// util/bloom_impl.h), FullFilterBlockBuilder and PartitionedFilterBlockBuilder.

// filterNames are the names of the filters that come with RocksDB; 7.0.0 wrote the second and third for a
// while. All have the layouts above, and say themselves which.
var filterNames = []string{"rocksdb.BuiltinBloomFilter", "bloomfilter", "ribbonfilter"}

const (
	filterWhole = "fullfilter."
	filterParts = "partitionedfilter."
	filterEnd   = 5 // bytes behind the bits

	whatFilter = "SST filter"
)

// lacks reports whether the filter of the table says that the user key is not in it. Nothing is said
// where there is none, where it does not know whole keys, where its layout is not known here, and where it
// is damaged: then the data blocks tell, and Verify tells of the damage. The error is one of reaching the
// bytes.
//
// A filter can save one data block. Where it is not in the part of the file that Open has read, and is
// larger than a data block, it is left alone: that of a table of 64 MiB may have more than 1 MiB.
func (t *Table) lacks(key []byte) (bool, error) {
	if !t.wholeKeys {
		return false, nil
	}
	for _, name := range filterNames {
		if h, ok := t.named[filterWhole+name]; ok {
			return t.filterLacks(h, key)
		}
		if h, ok := t.named[filterParts+name]; ok {
			return t.partLacks(h, key)
		}
	}
	return false, nil
}

// filterLacks asks the filter in a block.
func (t *Table) filterLacks(h handle, key []byte) (bool, error) {
	block, err := t.affordable(h)
	if err != nil || block == nil {
		return false, err
	}
	return !mayHold(block, key), nil
}

// partLacks asks the one of many filters that is about the key: the first that does not end before it.
func (t *Table) partLacks(h handle, key []byte) (bool, error) {
	block, err := t.affordable(h)
	if err != nil || block == nil {
		return false, err
	}
	for parts := t.parts(block, h, whatFilter); parts.next(); {
		if string(parts.userKey()) >= string(key) {
			return t.filterLacks(parts.last, key)
		}
	}
	return false, nil
}

// parts goes through the handles of the filters of an index block, which is kept.
func (t *Table) parts(block []byte, h handle, what string) *handleIter {
	form := t.indexing
	form.kind = 0
	parts := &handleIter{}
	parts.start(t, slices.Clone(block), h.offset, form)
	parts.what = what
	return parts
}

// affordable is a block of a filter, nil where it would cost more than it can save, or is damaged.
func (t *Table) affordable(h handle) ([]byte, error) {
	if _, there := t.tail.has(h.offset, h.size+trailer); !there && h.size > t.blockSize() {
		return nil, nil
	}
	r := reader{window: window{t: t}}
	block, err := r.block(h, whatFilter)
	if err != nil && !fatal(err) {
		return nil, nil
	}
	return block, err
}

// blockSize is about how many bytes a data block has.
func (t *Table) blockSize() int64 {
	p := t.Properties
	return max(4<<10, p.DataSize/max(1, p.DataBlocks))
}

// mayHold reports whether a filter leaves it open that the key is in its table.
func mayHold(filter, key []byte) bool {
	n := len(filter) - filterEnd
	if n <= 0 {
		return true
	}
	bits, end := filter[:n], filter[n:]
	switch {
	case end[0] == 0xff && end[1] == 0 && end[3] == 0 && end[4] == 0:
		return probe(bits, int(end[2]), key)
	case end[0] >= 1 && end[0] <= 127:
		return probeOld(bits, int(end[0]), binary.LittleEndian.Uint32(end[1:]), key)
	}
	return true
}

// probe asks a filter of the layout of format version 5. The lower half of the hash chooses the line, as
// the share of the way through them that it is of 2³²; the upper 9 bits of the other half the bit.
func probe(lines []byte, probes int, key []byte) bool {
	const size = 64
	if probes < 1 || probes > 30 || len(lines)%size != 0 {
		return true
	}
	h := keyHash(key)
	chosen := uint64(uint32(h)) * uint64(len(lines)/size) >> 32
	line := lines[chosen*size:][:size]
	for h := uint32(h >> 32); probes > 0; probes-- {
		if bit := h >> 23; line[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
		h *= 0x9e3779b9
	}
	return true
}

// probeOld asks a filter of the layout before format version 5: the remainder of the hash by the number of
// lines chooses the line, its lower bits the bit.
func probeOld(lines []byte, probes int, count uint32, key []byte) bool {
	all := uint64(len(lines))
	if count == 0 || all%uint64(count) != 0 {
		return true
	}
	size := all / uint64(count)
	if bits.OnesCount64(size) != 1 {
		return true
	}
	h := oldKeyHash(key)
	line := lines[uint64(h%count)*size:][:size]
	for step := bits.RotateLeft32(h, 15); probes > 0; probes-- {
		if bit := uint64(h) % (8 * size); line[bit/8]>>(bit%8)&1 == 0 {
			return false
		}
		h += step
	}
	return true
}
