package availability

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tidemark/checkpoint/source"
	"tidemark/internal/tablelog/iceberg"
)

// icebergKind is an Iceberg table, kept by snapshots.
var icebergKind = &Kind{
	Kind:    source.Iceberg,
	Ask:     AskLocation,
	example: `a snapshot as in the offset log; snapshots lists the remaining ones`,
	mark:    iceberg.Folder,
	look:    askIceberg,

	Listed: true,

	startAt: startIceberg,
	startFromTime: func(_ source.Offset, t time.Time) StartPosition {
		return StartPosition{Option: icebergOption, Value: strconv.FormatInt(t.UnixMilli(), 10)}
	},

	Expired: Loss{
		Meaning: `Iceberg finds new data on the path from this snapshot to the newest one. This snapshot was expired or removed, so Iceberg
cannot separate new data from data already read. A start fails: "Cannot load current offset at snapshot …, the snapshot was expired or
removed".`,
		NextStep: fromLastCommit + ` Keep snapshots longer than the query may be stopped.`,
		Avoid:    keepSnapshotID,
	},
	SetAside: Loss{
		Meaning: `The newest snapshot of the table is not a descendant of this one. The table was rolled back, or the query reads another
branch. The sink has rows from snapshots the table no longer contains. A start fails when it looks for the next snapshot: "Cannot find
snapshot after …: not an ancestor of table's current snapshot".`,
		NextStep: fromLastCommit,
		Avoid:    keepSnapshotID,
	},
}

// icebergOption is the option with the time of the first snapshot that a query reads.
const icebergOption = "stream-from-timestamp"

const (
	fromLastCommit = `Compare the table with the sink to find the rows not read yet. Then start a new checkpoint with
stream-from-timestamp, set to the time of the last commit. It reads rows of that batch again.`
	keepSnapshotID = `Do not write another snapshot ID into the log: the data between the two would be lost or read twice.`
)

// startIceberg returns the time from which a new query reads on. The option names whole snapshots: where some files of one
// were read, it is read again.
func startIceberg(o source.Offset, k *Source) (StartPosition, bool) {
	b := StartPosition{Option: icebergOption}
	if len(o.Parts) == 0 {
		return b, false
	}
	at := o.Parts[0].Position
	m, ok := k.Moment(at.Num)
	switch {
	case !ok && len(k.Moments) > 0 && k.Snapshots != nil && !slices.Contains(k.Snapshots, at.Num):
		b.Value = strconv.FormatInt(k.Moments[0].Time, 10)
		b.note("snapshot %d and its creation time are no longer recorded; the oldest snapshot left is %d. Older data is skipped, and data of this and later snapshots is read again", at.Num, k.Moments[0].ID)
		return b, true
	case !ok:
		return b, false
	case m.Files >= 0 && at.Sub >= m.Files:
		b.Value = strconv.FormatInt(m.Time+1, 10)
		return b, true
	}
	b.Value = strconv.FormatInt(m.Time, 10)
	if at.Sub > 0 {
		b.Repeats = fmt.Sprintf("%d files of snapshot %d", at.Sub, at.Num)
	}
	return b, true
}
