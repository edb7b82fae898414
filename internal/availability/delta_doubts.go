package availability

import (
	"fmt"
	"time"
)

// clockSlack is how far the clocks of a driver and of the writer of a table may disagree.
const clockSlack = time.Minute

// doubts hold the end of the newest plan against the commits: Spark plans up to what the table has, so it names neither a version that was
// written later nor a file the version does not have (DeltaSource.latestOffset, buildOffsetFromIndexedFile).
func (w *deltaWindow) doubts() {
	if w.snapshot || w.r.Time <= 0 {
		return
	}
	read := w.newest.Num - 1 // the newest version of which the plan read something
	if w.newest.Sub >= 0 {
		read++
	}
	for _, c := range w.commits {
		if c.version == read && c.at > w.r.Time+clockSlack.Milliseconds() {
			w.s.Doubts = append(w.s.Doubts, fmt.Sprintf("the batch planned at %s ends past version %d, which was written at %s", utc(w.r.Time), read, utc(c.at)))
		}
		if c.version == w.newest.Num && w.newest.Sub >= int64(c.adds) && w.newest.Sub >= 0 && !w.feeds() {
			w.s.Doubts = append(w.s.Doubts, fmt.Sprintf("the position names file %d of version %d, which has %s", w.newest.Sub, c.version, files(c.adds)))
		}
	}
}

// feeds reports whether the query may read the change data feed, which numbers files in another way.
func (w *deltaWindow) feeds() bool {
	return w.changeFeed() || w.setting("delta.enableChangeDataFeed") == "true"
}
