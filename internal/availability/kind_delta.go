package availability

import (
	"strings"
	"time"

	"tidemark/checkpoint/source"
	"tidemark/internal/tablelog/delta"
)

// deltaKind is a Delta table, kept by versions.
var deltaKind = &Kind{
	Kind:    source.Delta,
	Ask:     AskLocation,
	example: `812, the version`,
	short:   wholeNumber,
	mark:    delta.Folder,
	look:    askDelta,

	Whole:    "versions",
	Ahead:    true,
	FilesToo: true,

	startAt:       startVersion,
	startFromTime: versionFromTime,

	OnLoss:    onVersionsGone,
	OnMissing: onFilesVacuumed,
}

// deltaSharing is a Delta table behind a sharing server. Who has the table itself at hand can have it looked into.
var deltaSharing = &Kind{
	Kind:    source.DeltaSharing,
	example: `812, the version`,
	short:   wholeNumber,
	look:    askDelta,

	Whole: "versions",
	Ahead: true,

	startAt:       startVersion,
	startFromTime: versionFromTime,

	OnLoss:    onVersionsGone,
	OnMissing: onFilesVacuumed,
}

const (
	onVersionsGone  = `The log of the table must hold every version from that of the checkpoint on. ` + failOnDataLoss
	onFilesVacuumed = `The log names them, and VACUUM deleted them after another version had removed them from the table. A task stops as it opens one, unless
spark.sql.files.ignoreMissingFiles is on; then its rows are missing without a word. The option failOnDataLoss is about the log, and does not decide this.
Where that version was an OPTIMIZE, the rows are in its own files, which a query does not read as new.`
)

// startVersion returns the version at which a new query begins, as far as it is there.
func startVersion(o source.Offset, k *Source) (StartPosition, bool) {
	b, ok := recordedStart(o)
	if !ok || len(k.Parts) == 0 {
		return b, ok
	}
	return b, b.versions(o, k)
}

// versions clamps the version of a Delta table to those that are there; false where it is another table.
func (b *StartPosition) versions(o source.Offset, k *Source) bool {
	if id := o.Identity(); k.TableID != "" && id != "" && !strings.EqualFold(k.TableID, id) {
		b.note("the table that is there now has the id %s, and the position is one in the table %s", k.TableID, id)
		return false
	}
	at, part := o.Parts[0].Position.Num, k.Parts[0]
	switch {
	case part.Earliest != nil && part.Earliest.Num > at:
		b.Value = part.Earliest.Text
		b.note("version %d is not kept any more: it begins at version %s, the oldest that is left, and skips %d versions", at, b.Value, part.Earliest.Num-at)
	case part.Latest != nil && at >= part.Latest.Num:
		b.note("version %d is not written yet, and Delta refuses it until it is: start then, or with the value latest if nothing is written before the query starts", at)
	}
	return true
}

// versionFromTime begins with the first version that was written at t or later.
func versionFromTime(_ source.Offset, t time.Time) StartPosition {
	b := StartPosition{Option: "startingTimestamp", Value: t.UTC().Format("2006-01-02 15:04:05.000")}
	b.note("Spark takes this time in the time zone of its session: it is written in UTC")
	return b
}
