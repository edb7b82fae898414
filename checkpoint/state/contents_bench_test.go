package state

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"
)

// A snapshot of 100 000 rows as an aggregation has them, by codec: MB/s are of the inflated bytes.
func BenchmarkChanges(b *testing.B) {
	var plain []byte
	for i := range 100_000 {
		key := append(make([]byte, 8), 7, 0, 0, 0, 16, 0, 0, 0)
		key = append(key, fmt.Sprintf("k%06d\x00", i)...)
		value := make([]byte, 8)
		for _, n := range []uint64{uint64(i % 97), uint64(i * 1000003), 1_700_000_000_000_000 + uint64(i)} {
			value = binary.LittleEndian.AppendUint64(value, n)
		}
		plain = append(plain, field(string(key))+field(string(value))...)
	}
	plain = append(plain, num(-1)...)
	snappied := []byte(snappyMagic + num(1) + num(1))
	for rest := plain; len(rest) > 0; rest = rest[min(len(rest), 32<<10):] {
		snappied = append(snappied, snappyBlock(string(rest[:min(len(rest), 32<<10)]))...)
	}
	for _, c := range []struct {
		codec Codec
		data  []byte
	}{{LZ4, lz4Stream(b, plain)}, {Zstd, []byte(zstded(b, string(plain)))}, {Snappy, snappied}} {
		b.Run(string(c.codec), func(b *testing.B) {
			b.SetBytes(int64(len(plain)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, err := range read("7.snapshot", bytes.NewReader(c.data)) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 100_000 {
					b.Fatal(n)
				}
			}
		})
	}
}

// A restart reads a delta per batch and partition, and most are small.
func BenchmarkSmallFiles(b *testing.B) {
	row := field("key") + field("value") + num(-1)
	for codec, data := range map[Codec]string{LZ4: raw(row) + lz4End, Zstd: zstded(b, row)} {
		b.Run(string(codec), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := readAll("7.delta", []byte(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
