package source

import (
	"fmt"

	"tidemark/checkpoint/decode"
)

// Paimon is a Paimon table as a source. A line holds a snapshot of the table and the last of its
// splits that belongs to the batch; index -1 stands before the first:
//
//	{"snapshotId":12,"index":3,"scanSnapshot":false}
//	{"snapshotId":12,"index":3,"scanSnapshot":true,"totalSplits":4}
//
// Snapshots are numbered upwards. scanSnapshot says that the table as of that snapshot is read whole,
// not only what the snapshot added; totalSplits, of newer releases, says how many splits it has.
//
// Written by PaimonSourceOffset.
var Paimon = &Kind{
	Name:      "paimon",
	Unit:      "splits",
	Claims:    func(line decode.JSON) bool { return has(line, "snapshotId", "index", "scanSnapshot") },
	Parts:     paimonParts,
	Inclusive: true,
	Count:     sameNum,
	Snapshot:  paimonSnapshot,

	Table: PaimonTable,
}

func paimonParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	_, lead := r.int("snapshotId", 0)
	index, follow := r.int("index", -1)
	r.bool("scanSnapshot")
	if v, ok := line.Get("totalSplits"); ok && v.Kind != decode.Null {
		if total := r.number(v, "totalSplits", 0); index >= total && total > 0 {
			r.reject(follow, "index %d is beyond the last of %d splits", index, total)
		}
	}
	return composite(Pair, lead, follow), r.err()
}

func paimonSnapshot(line decode.JSON) (string, bool) {
	if !truth(line, "scanSnapshot") {
		return "", false
	}
	id, index, total := integer(line, "snapshotId"), integer(line, "index"), integer(line, "totalSplits")
	switch {
	case total > 0 && index == total-1:
		return "", false // the last split is read
	case index < 0:
		return fmt.Sprintf("snapshot %d, none of its splits read yet", id), true
	case total > 0:
		return fmt.Sprintf("snapshot %d, splits 0 to %d read, of %d", id, index, total), true
	}
	return fmt.Sprintf("snapshot %d, splits 0 to %d read", id, index), true
}
