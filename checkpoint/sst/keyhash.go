package sst

import (
	"encoding/binary"
	"math/bits"
)

// Two hashes of keys, by which filters find their bits. Both are part of the format: a table that was
// written with another hash would lack its own keys.

// keyHash is the hash of keys in filters from format version 5 on: XXH3 as it was in version 0.7.2, before
// its results were settled (XXPH3_64bits in util/xxph3.h). It mixes 16 bytes at a time with those of a
// fixed secret, and in a key of more than 240 bytes eight sums side by side.
func keyHash(key []byte) uint64 {
	n := len(key)
	switch {
	case n > 240:
		return longHash(key)
	case n > 128:
		h := uint64(n) * prime64A
		for i := range 8 {
			h += mix16(key[16*i:], secret[16*i:])
		}
		h = avalanche(h)
		for i := 8; i < n/16; i++ {
			h += mix16(key[16*i:], secret[16*(i-8)+3:])
		}
		return avalanche(h + mix16(key[n-16:], secret[119:]))
	case n > 16:
		// From both ends to the middle, where the last two may overlap.
		h := uint64(n) * prime64A
		for i := range (n + 31) / 32 {
			h += mix16(key[16*i:], secret[32*i:]) + mix16(key[n-16*(i+1):], secret[32*i+16:])
		}
		return avalanche(h)
	case n > 8:
		a, b := word(key)^word(secret[:]), word(key[n-8:])^word(secret[8:])
		return avalanche(uint64(n) + a + b + fold(a, b))
	case n > 3:
		h := uint64(half(key)) | uint64(half(key[n-4:]))<<32
		h ^= word(secret[:])
		h = uint64(n) + (h^h>>51)*prime32A
		return avalanche((h ^ h>>47) * prime64B)
	case n > 0:
		h := uint64(key[0]) | uint64(key[n/2])<<8 | uint64(key[n-1])<<16 | uint64(n)<<24
		return avalanche((h ^ uint64(half(secret[:]))) * prime64A)
	}
	return fold(word(secret[:]), prime64B)
}

// longHash is the hash of a key of more than 240 bytes, taken 64 at a time.
func longHash(key []byte) uint64 {
	sums := [8]uint64{prime32C, prime64A, prime64B, prime64C, prime64D, prime32B, prime64E, prime32A}
	add := func(b, secret []byte) {
		for i := range sums {
			data := word(b[8*i:])
			mixed := data ^ word(secret[8*i:])
			sums[i] += data + uint64(uint32(mixed))*(mixed>>32)
		}
	}
	n := len(key)
	for i := range n / 64 {
		add(key[64*i:], secret[i%16*8:])
		if i%16 < 15 {
			continue
		}
		for k, s := range sums { // the secret begins anew
			sums[k] = (s ^ s>>47 ^ word(secret[128+8*k:])) * prime32A
		}
	}
	if n%64 != 0 {
		add(key[n-64:], secret[121:])
	}
	h := uint64(n) * prime64A
	for i := 0; i < len(sums); i += 2 {
		h += fold(sums[i]^word(secret[11+8*i:]), sums[i+1]^word(secret[19+8*i:]))
	}
	return avalanche(h)
}

// The numbers of XXH32 and XXH64, in their order.
const (
	prime32A = 0x9E3779B1
	prime32B = 0x85EBCA77
	prime32C = 0xC2B2AE3D

	prime64A = 0x9E3779B185EBCA87
	prime64B = 0xC2B2AE3D27D4EB4F
	prime64C = 0x165667B19E3779F9
	prime64D = 0x85EBCA77C2B2AE63
	prime64E = 0x27D4EB2F165667C5
)

// secret is the default secret of XXH3.
var secret = [192]byte{
	0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
	0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
	0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
	0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
	0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
	0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
	0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
	0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
	0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
	0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
	0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func half(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// fold is both halves of a product of 128 bits, one over the other.
func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// mix16 mixes 16 bytes with 16 of the secret.
func mix16(b, secret []byte) uint64 {
	return fold(word(b)^word(secret), word(b[8:])^word(secret[8:]))
}

// avalanche lets every bit of a hash depend on all others.
func avalanche(h uint64) uint64 {
	h = (h ^ h>>37) * prime64C
	return h ^ h>>32
}

// oldKeyHash is the hash of keys in filters before format version 5 (BloomHash in util/hash.h). The up to
// three bytes behind the last four count as signed, as they did where it was first compiled.
func oldKeyHash(key []byte) uint32 {
	const seed, m = 0xbc9f1d34, 0xc6a4a793
	h := seed ^ uint32(len(key))*m
	for ; len(key) >= 4; key = key[4:] {
		h = (h + half(key)) * m
		h ^= h >> 16
	}
	if len(key) == 0 {
		return h
	}
	for i, b := range key {
		h += uint32(int8(b)) << (8 * i)
	}
	h *= m
	return h ^ h>>24
}
