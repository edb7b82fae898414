package checkpoint

// LooksLikeCheckpoint reports whether a folder, by its listing alone, holds a log of batches beside
// something else of a checkpoint. It is how checkpoints are told among many folders; IsCheckpoint
// looks closer.
func (l *Listing) LooksLikeCheckpoint() bool {
	is := func(name string, dir bool) bool { // in a bucket an empty key "offsets" may lie beside the folder
		for i := range l.Entries {
			if e := &l.Entries[i]; e.Name == name && e.Dir == dir {
				return true
			}
		}
		return false
	}
	n := 0
	for _, name := range []string{"offsets", "commits", "state", "sources"} {
		if is(name, true) {
			n++
		}
	}
	return n > 1 || n == 1 && is("metadata", false)
}
