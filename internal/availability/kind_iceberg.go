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
	example: `a snapshot as the offset log has it; snapshots lists those that are left`,
	mark:    iceberg.Folder,
	look:    askIceberg,

	Listed: true,

	startAt: startIceberg,
	startFromTime: func(_ source.Offset, t time.Time) StartPosition {
		return StartPosition{Option: icebergOption, Value: strconv.FormatInt(t.UnixMilli(), 10)}
	},

	Expired: Loss{
		Meaning: `Iceberg finds what is new by going from this snapshot to the newest. It was expired or removed, so what came after it cannot be told from what
was read: a start stops ("Cannot load current offset at snapshot …, the snapshot was expired or removed").`,
		NextStep: fromLastCommit + ` Keep snapshots for longer than the query may stand still.`,
		Avoid:    keepSnapshotID,
	},
	SetAside: Loss{
		Meaning: `The newest snapshot of the table did not come from this one: the table was rolled back, or the query reads another branch. Rows that were read from
the snapshots left aside are in the sink, and no more in the table. A start stops as it looks for what comes next ("Cannot find snapshot after …: not an
ancestor of table's current snapshot").`,
		NextStep: fromLastCommit,
		Avoid:    keepSnapshotID,
	},
}

// icebergOption is the option with the time of the first snapshot that a query reads.
const icebergOption = "stream-from-timestamp"

const (
	fromLastCommit = `Compare the table with the sink to find what was not read yet. Then start a new checkpoint with stream-from-timestamp, set to when the last batch was
committed, and expect rows of that batch again.`
	keepSnapshotID = `Do not put another snapshot's id into the log: what lies between the two would be lost or read twice.`
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
		b.note("snapshot %d is not kept any more, nor when it was made: this is the oldest snapshot that is left, %d; what came before it is skipped, and what was read of it and later ones is read again", at.Num, k.Moments[0].ID)
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
