package delta

// Flaw is why Delta cannot open a table, whoever reads or writes it (SnapshotManagement.getLogSegmentForVersion, Delta 3.3).
type Flaw struct {
	Error       string // the condition of Delta
	First, Last int64  // versions whose commits are missing, both included
}

// Flaw returns what is missing of the newest state of the table, which needs every commit after the newest complete checkpoint; nil where
// nothing is missing that the listing shows. A log that begins late and has no checkpoint is left aside: only a part of it may be here.
func (l *Log) Flaw() *Flaw {
	before := int64(-1)
	if c := l.Checkpoint(); c != nil {
		before = c.Version
	}
	for i := range l.Commits {
		v := l.Commits[i].Version
		if before >= 0 && v > before+1 {
			return &Flaw{"DELTA_VERSIONS_NOT_CONTIGUOUS", before + 1, v - 1}
		}
		before = max(before, v)
	}
	return nil
}
