package delta

// Flaw is why Delta cannot open a table, whoever reads or writes it (SnapshotManagement.getLogSegmentForVersion, Delta 3.3).
type Flaw struct {
	Error       string // the condition of Delta
	First, Last int64  // versions whose commits are missing, both included
}

// Flaw returns what is missing of the newest state of the table: it is the newest complete checkpoint, and every commit after it; without a
// checkpoint every commit from the first on. nil where nothing is missing that the listing could show.
func (l *Log) Flaw() *Flaw {
	base := int64(-1)
	if c := l.Checkpoint(); c != nil {
		base = c.Version
	}
	if base < 0 && l.From == 0 && len(l.Partial) == 0 && len(l.Commits) > 0 && l.Commits[0].Version > 0 {
		return &Flaw{"DELTA_TRUNCATED_TRANSACTION_LOG", 0, l.Commits[0].Version - 1}
	}
	before := base
	for i := range l.Commits {
		v := l.Commits[i].Version
		if v <= base {
			continue
		}
		if before >= 0 && v > before+1 {
			return &Flaw{"DELTA_VERSIONS_NOT_CONTIGUOUS", before + 1, v - 1}
		}
		before = v
	}
	return nil
}
