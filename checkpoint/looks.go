package checkpoint

// LooksLikeCheckpoint reports whether a folder, by its listing alone, holds a log of batches beside
// something else of a checkpoint. It is how checkpoints are told among many folders; IsCheckpoint
// looks closer.
func (l *Listing) LooksLikeCheckpoint() bool {
	is := func(name string, dir bool) bool { e := l.Find(name); return e != nil && e.Dir == dir }
	n := 0
	for _, name := range []string{"offsets", "commits", "state", "sources"} {
		if is(name, true) {
			n++
		}
	}
	return n > 1 || n == 1 && is("metadata", false)
}
