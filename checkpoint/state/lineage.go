package state

import (
	"cmp"
	"slices"
)

// Lineage is the ids in the names of the files that one version is made of, by version, in checkpoint
// format 2. Tasks that were tried again leave files of a version under several ids; only these count:
//
//	12              its own id, which the log of commits records
//	11, 10, 9 …     at the head of 12_<id>.changelog, down to the newest whole file before it
//	below           where none of those is a whole file that loads, at the head of the lowest one's changelog
//
// A version with a whole file of its own that loads needs nothing below it. links reads the head of a
// changelog, which is one of files; its error ends the search and comes back with what is known by then.
// What is not there is left out: then ChainOf says that it is missing. files are sorted; of r counts which
// whole files load, and not its ID.
//
// As RocksDB.loadWithCheckpointId and getLineage do.
func Lineage(files []File, version int64, id string, r Rules, links func(File) ([]Link, error)) (map[int64]string, error) {
	ids := map[int64]string{version: id}
	r.ID = func(version int64) (string, bool) { id, ok := ids[version]; return id, ok }
	for version > 0 {
		whole, step := pick(upTo(files, version), version, r)
		if whole != nil && (r.loads(whole) || !r.Repairs) || step == nil {
			return ids, nil
		}
		below, err := links(*step)
		lowest, reached := version, false
		for _, l := range below {
			if l.Version >= version {
				continue // it would be built on itself
			}
			ids[l.Version] = l.ID
			lowest = min(lowest, l.Version)
			whole, _ := pick(upTo(files, l.Version), l.Version, r)
			reached = reached || whole != nil && r.loads(whole)
		}
		if err != nil || reached || lowest == version {
			return ids, err
		}
		version = lowest
	}
	return ids, nil
}

// upTo are the files of no higher version.
func upTo(files []File, version int64) []File {
	end, _ := slices.BinarySearchFunc(files, version+1, func(f File, v int64) int { return cmp.Compare(f.Version, v) })
	return files[:end]
}
