package state

import (
	"encoding/binary"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// bomb is a compressed file that repeats one block as Spark would write it, so often: little to store, much to inflate.
type bomb struct {
	head, block []byte
	times, at   int
}

func (b *bomb) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		whole := len(b.head) + b.times*len(b.block)
		if b.at == whole {
			if n == 0 {
				return 0, io.EOF
			}
			return n, nil
		}
		from := b.head
		if b.at >= len(b.head) {
			from = b.block[(b.at-len(b.head))%len(b.block):]
		} else {
			from = from[b.at:]
		}
		m := copy(p[n:], from)
		n, b.at = n+m, b.at+m
	}
	return n, nil
}

// TestBombsInBlocks reads deltas and changelogs of which each block inflates to as much as is allowed, as endless empty
// records and as one endless key: memory stays small whatever comes out. TIDEMARK_MORE=1 makes them 64 times as long.
func TestBombsInBlocks(t *testing.T) {
	size := 16 << 20 // bytes once inflated
	if os.Getenv("TIDEMARK_MORE") != "" {
		size <<= 6
	}
	for _, content := range []struct{ name, begin string }{{"empty records", ""}, {"a long key", "\x40\x00\x00\x00"}, {"a changelog's lineage", "\x00\x02v3\xff\xff"}, {"a changelog", "\x00\x02v2"}} {
		plain := []byte(content.begin + strings.Repeat("\x00", 4<<20-len(content.begin)))
		packed := make([]byte, lz4.CompressBlockBound(len(plain)))
		n, err := lz4.CompressBlock(plain, packed, nil)
		if err != nil || n == 0 {
			t.Fatal(err)
		}
		framed := append([]byte(lz4Magic), 0x2c)
		for _, v := range []uint32{uint32(n), uint32(len(plain)), lz4Sum(plain)} {
			framed = binary.LittleEndian.AppendUint32(framed, v)
		}
		framed = append(framed, packed[:n]...)
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		snapped := s2.EncodeSnappyBetter(nil, plain)
		for codec, b := range map[string]*bomb{
			"lz4":    {nil, framed, size / len(plain), 0},
			"zstd":   {nil, w.EncodeAll(plain, nil), size / len(plain), 0},
			"snappy": {[]byte(snappyMagic + num(1) + num(1)), []byte(num(int32(len(snapped))) + string(snapped)), size / len(plain), 0},
		} {
			for what, read := range map[string]func(io.Reader){
				"delta": func(r io.Reader) {
					for range Skim("1.delta", r) {
					}
				},
				"changelog": func(r io.Reader) {
					if inside, _, err := Inflate("1.changelog", r); err == nil {
						if c, err := OpenChangelog("1.changelog!", inside); err == nil {
							for range c.Skim() {
							}
						}
					}
				},
			} {
				b.at = 0
				if most := peak(func() { read(b) }); most > 160<<20 {
					t.Errorf("%s of %s in %s: %d MiB at once", content.name, what, codec, most>>20)
				}
			}
		}
	}
}

// peak is how many bytes were in use at once while f ran, beyond those before, as seen now and then.
func peak(f func()) uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most.Store(max(most.Load(), m.HeapAlloc))
			}
		}
	}()
	f()
	close(done)
	<-ended
	return max(most.Load(), before) - before
}
