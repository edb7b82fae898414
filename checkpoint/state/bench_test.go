package state

import "testing"

// A restart asks this of each store: 200 partitions of a join are 800.
func BenchmarkChain(b *testing.B) {
	var files []File
	for v := int64(1); v <= 300; v++ {
		files = append(files, File{Version: v, Size: 100})
		if v%10 == 0 {
			files = append(files, File{Version: v, Size: 100, Role: Snapshot})
		}
	}
	Sort(files)
	for b.Loop() {
		if c := ChainOf(files, 299, Rules{Repairs: true}); len(c.Files) != 10 {
			b.Fatal(len(c.Files))
		}
	}
}
