package availability

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/iceberg"
)

// An Iceberg source goes from the snapshot of its position to the newest, each of which names the one it was made
// from. So that snapshot must be there, and the newest must have come from it (SnapshotUtil.snapshotAfter).
// Only snapshots that append are read: those that replace files are passed over, and those that delete or overwrite
// stop the query unless streaming-skip-delete-snapshots or streaming-skip-overwrite-snapshots is set.

// Moment is one snapshot on the way to the newest.
type Moment struct {
	ID    int64
	Time  int64 // ms since the epoch, UTC
	Files int64 // data files that it added; -1 where it does not say
}

func askIceberg(ctx context.Context, f tablelog.Files, r *SourceProgress, s *Source) error {
	m, err := iceberg.Open(ctx, f)
	if m == nil {
		return err
	}
	if err != nil {
		s.Unseen = append(s.Unseen, err.Error())
		return nil
	}
	fact := func(format string, args ...any) { s.Facts = append(s.Facts, fmt.Sprintf(format, args...)) }
	if m.Assumed {
		fact("%s has the highest number and is likely the newest; only the catalog knows", m.File)
	}
	if len(m.Problems) > 0 { // a snapshot that was not read is not gone
		s.Unseen = append(s.Unseen, fmt.Sprintf("%s was not read completely, so the remaining snapshots are unknown: %v", m.File, m.Problems[0]))
		return nil
	}
	s.Snapshots = slices.Sorted(maps.Keys(m.Snapshots))
	if s.Snapshots == nil {
		s.Snapshots = []int64{}
	}
	line, _ := m.Ancestors(m.Current)
	for _, x := range slices.Backward(line) {
		s.Moments = append(s.Moments, Moment{x.ID, x.Time, number64(x.Summary["added-data-files"])})
	}
	for _, id := range s.Snapshots {
		if !slices.ContainsFunc(line, func(x *iceberg.Snapshot) bool { return x.ID == id }) {
			s.Aside = append(s.Aside, id)
		}
	}
	if len(line) > 0 {
		s.Parts = []Part{{Earliest: snapshotAt(line[len(line)-1].ID), Latest: snapshotAt(m.Current)}}
	}
	ahead(fact, line, r)
	s.Seen = true
	return nil
}

func snapshotAt(id int64) *source.Position {
	return &source.Position{Text: strconv.FormatInt(id, 10), Order: source.Within, Num: id}
}

func number64(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// ahead tells what comes behind the position: how many snapshots, and those that stop the query.
func ahead(fact func(string, ...any), line []*iceberg.Snapshot, r *SourceProgress) {
	o := r.To
	if o.None {
		o = r.From
	}
	if len(o.Parts) == 0 {
		return
	}
	at := slices.IndexFunc(line, func(x *iceberg.Snapshot) bool { return x.ID == o.Parts[0].Position.Num })
	if at < 0 {
		return
	}
	if at == 0 {
		fact("snapshot %d, where the recorded batches end, is the newest", line[0].ID)
		return
	}
	appends, stops := 0, []string{}
	for _, x := range slices.Backward(line[:at]) {
		switch op := x.Summary["operation"]; op {
		case "append":
			appends++
		case "delete", "overwrite":
			stops = append(stops, fmt.Sprintf("%d (%s, %s)", x.ID, op, utc(x.Time)))
		}
	}
	fact("%d snapshots follow snapshot %d, where the recorded batches end; %d of them append", at, line[at].ID, appends)
	if len(stops) > 0 {
		fact("the query stops at snapshot %s unless the option streaming-skip-delete-snapshots or streaming-skip-overwrite-snapshots is on", phrase.List(stops, 4))
	}
}

// Moment returns the snapshot of this id, if the newest came from it.
func (s *Source) Moment(id int64) (Moment, bool) {
	i := slices.IndexFunc(s.Moments, func(m Moment) bool { return m.ID == id })
	if i < 0 {
		return Moment{}, false
	}
	return s.Moments[i], true
}
