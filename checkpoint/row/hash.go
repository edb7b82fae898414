package row

import (
	"encoding/binary"
	"math/bits"
)

// Which partition holds a key: Spark hashes the grouping columns, each with the hash of those before
// it as the seed, and takes the remainder by the number of partitions, never negative.
//
// The hash is Murmur3 for 32 bits with seed 42, with one difference: where the length of a text or
// binary is no multiple of 4, each byte left over is mixed in on its own, as a signed 32-bit number.
// A null leaves the hash as it is. Structs, arrays and maps are hashed value by value.
//
// Written as Murmur3Hash and Pmod in HashPartitioning; Murmur3_x86_32.

const hashSeed = 42

// Partition is the partition among n that holds a key with these grouping columns; 0 where n is not
// positive. The columns are those that Spark distributes by: of a join without index and event time,
// of a session window without its start, of a map or list variable without what is within.
func Partition(columns []Value, n int) int {
	if n <= 0 {
		return 0
	}
	h := uint32(hashSeed)
	for _, c := range columns {
		h = hashValue(c, h)
	}
	return ((int(int32(h)) % n) + n) % n
}

func hashValue(v Value, seed uint32) uint32 {
	if v.Null || v.Type == nil {
		return seed
	}
	switch v.Type.Kind {
	case Boolean, Byte, Short, Integer, Date, YearMonth:
		return hashInt(uint32(v.Int), seed)
	case Float:
		return hashInt(uint32(canonical(v).Int), seed)
	case Double:
		return hashLong(uint64(canonical(v).Int), seed)
	case Interval:
		if len(v.Bytes) != 16 {
			return seed
		}
		seed = hashLong(binary.LittleEndian.Uint64(v.Bytes[8:]), seed)
		seed = hashInt(binary.LittleEndian.Uint32(v.Bytes[4:]), seed)
		return hashInt(binary.LittleEndian.Uint32(v.Bytes), seed)
	case Struct, Array, Map:
		for _, item := range v.Items {
			seed = hashValue(item, seed)
		}
		return seed
	}
	if v.Type.variable() {
		return hashBytes(v.Bytes, seed)
	}
	return hashLong(uint64(v.Int), seed)
}

func hashInt(n, seed uint32) uint32 { return finish(mix(seed, scramble(n)), 4) }

func hashLong(n uint64, seed uint32) uint32 {
	h := mix(seed, scramble(uint32(n)))
	return finish(mix(h, scramble(uint32(n>>32))), 8)
}

func hashBytes(b []byte, seed uint32) uint32 {
	h, size := seed, uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		h = mix(h, scramble(binary.LittleEndian.Uint32(b)))
	}
	for _, c := range b {
		h = mix(h, scramble(uint32(int32(int8(c)))))
	}
	return finish(h, size)
}

func scramble(k uint32) uint32 { return bits.RotateLeft32(k*0xCC9E2D51, 15) * 0x1B873593 }

func mix(h, k uint32) uint32 { return bits.RotateLeft32(h^k, 13)*5 + 0xE6546B64 }

func finish(h, size uint32) uint32 {
	h ^= size
	h = (h ^ h>>16) * 0x85EBCA6B
	h = (h ^ h>>13) * 0xC2B2AE35
	return h ^ h>>16
}
