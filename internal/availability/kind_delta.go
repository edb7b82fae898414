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
	onVersionsGone  = `The table log must have every version from the checkpoint's version on. ` + failOnDataLoss
	onFilesVacuumed = `The log names them. A later version removed them from the table, and VACUUM then deleted them. A task fails when it
opens one. With spark.sql.files.ignoreMissingFiles on, Spark silently skips their rows instead. failOnDataLoss applies to the log only,
and does not change this. If that version was an OPTIMIZE, its files have the rows, but the query does not read them as new.`
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
		b.note("the table now has the ID %s, and the position belongs to the table %s", k.TableID, id)
		return false
	}
	at, part := o.Parts[0].Position.Num, k.Parts[0]
	switch {
	case part.Earliest != nil && part.Earliest.Num > at:
		b.Value = part.Earliest.Text
		b.note("version %d no longer exists: the start uses version %s, the oldest left, and skips %d versions", at, b.Value, part.Earliest.Num-at)
	case part.Latest != nil && at >= part.Latest.Num:
		b.note("version %d is not written yet, and Delta rejects it until then: start later. Use the value latest if nothing is written before the start", at)
	}
	return true
}

// versionFromTime begins with the first version that was written at t or later.
func versionFromTime(_ source.Offset, t time.Time) StartPosition {
	b := StartPosition{Option: "startingTimestamp", Value: t.UTC().Format("2006-01-02 15:04:05.000")}
	b.note("Spark reads this time in the session time zone; this one is in UTC")
	return b
}
