package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/row"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/iceberg"
)

// icebergKind is an Iceberg table.
var icebergKind = &Kind{
	Name:    "iceberg",
	Version: "snapshot",
	mark:    iceberg.Folder,
	open:    func(f tablelog.Files, _ string) Sink { return &icebergSink{files: f} },
}

// icebergSink is an Iceberg table. A batch of a streaming query is a snapshot with the query id and the batch id
// in its summary. The connector walks from the current snapshot back: the first one with the query id is the
// newest batch, and no batch up to it is written again.
type icebergSink struct {
	files tablelog.Files
	file  string // the metadata file; "" for the newest
}

func (s *icebergSink) Look(ctx context.Context, q Query) (Held, error) {
	h := Held{Kind: "iceberg", Location: s.files.String(), Highest: -1, By: QueryID}
	var m *iceberg.Metadata
	var err error
	if s.file != "" {
		h.Location = Join(h.Location, s.file)
		m, err = iceberg.Read(ctx, s.files, s.file)
	} else {
		m, err = iceberg.Open(ctx, s.files)
	}
	problem, damaged := asDecode(err)
	switch {
	case errors.Is(err, iceberg.ErrNoMetadata):
		h.Unknown = "the folder metadata contains no metadata file of an Iceberg table"
		h.Settle = "Name the root of the table, or its newest metadata file, with --sink."
		return h, nil
	case damaged:
		h.Unknown = "the table metadata does not parse: " + problem.Error()
		h.Settle = "Name another metadata file of the table with --sink, or ask an engine that can open the table."
		return h, nil
	case err != nil:
		return h, err
	}
	h.TableID = m.UUID
	if t, err := row.ParseSchema(m.Schema); m.Schema != "" && err == nil && t.Kind == row.Struct {
		h.Schema = t
	}
	for _, p := range m.Problems {
		h.Notes = append(h.Notes, "a snapshot does not parse and was skipped: "+p.Error())
	}
	if m.Assumed {
		h.Notes = append(h.Notes, fmt.Sprintf("%s has the highest number and is likely the newest: only the catalog knows", m.File))
	}
	if s.file != "" || m.Assumed {
		h.AtLeast = true
	}
	walkSnapshots(m, q, &h)
	return h, nil
}

// walkSnapshots follows the current snapshot back.
func walkSnapshots(m *iceberg.Metadata, q Query, h *Held) {
	line, cut := m.Ancestors(m.Current)
	inLine := map[int64]bool{}
	others := map[string]bool{}
	for _, s := range line {
		inLine[s.ID] = true
		id, batch, ok := epoch(s)
		switch {
		case !ok:
		case id == q.ID && q.ID != "":
			h.Batches = append(h.Batches, snapshotBatch(s, batch))
		case !others[id]:
			others[id] = true
			h.Others = append(h.Others, Writer{ID: id, Highest: batch, Time: s.Time, Where: s.Where})
		}
	}
	if cut {
		h.Lost = "Older snapshots of the table are expired, and their records are lost"
	}
	if len(h.Batches) > 0 {
		h.Highest, h.Proof = h.Batches[0].ID, h.Batches[0].Proof
		h.Batches = h.Batches[:min(len(h.Batches), max(q.Newest, 1))]
	}
	elsewhere(m, q, h, inLine)
}

// epoch returns the query and the batch that a snapshot names.
func epoch(s *iceberg.Snapshot) (id string, batch int64, ok bool) {
	batch, err := strconv.ParseInt(s.Summary[iceberg.EpochID], 10, 64)
	return s.Summary[iceberg.QueryID], batch, err == nil && s.Summary[iceberg.QueryID] != ""
}

func snapshotBatch(s *iceberg.Snapshot, batch int64) Batch {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(s.Summary[name], 10, 64)
		if err != nil {
			return -1
		}
		return n
	}
	return Batch{ID: batch, Rows: number("added-records"), Files: number("added-data-files"), Proof: Proof{Where: s.Where, Version: s.ID, Time: s.Time}}
}

// elsewhere looks for batches of the query that are not behind the current snapshot: those of a table that was
// rolled back, or those of a branch.
func elsewhere(m *iceberg.Metadata, q Query, h *Held, inLine map[int64]bool) {
	var stray []*iceberg.Snapshot
	for id, s := range m.Snapshots {
		if who, batch, ok := epoch(s); ok && who == q.ID && q.ID != "" && !inLine[id] && batch > h.Highest {
			stray = append(stray, s)
		}
	}
	if len(stray) == 0 {
		return
	}
	slices.SortFunc(stray, func(a, b *iceberg.Snapshot) int { return cmp.Compare(a.Time, b.Time) })
	newest := stray[len(stray)-1]
	_, batch, _ := epoch(newest)
	for name, id := range m.Refs {
		if line, _ := m.Ancestors(id); name != "main" && slices.Contains(line, newest) {
			h.Unknown = fmt.Sprintf("the query writes to the branch %q, which has batch %d; the connector looks for written batches only in main, so it writes a re-run batch there again", name, batch)
			h.Settle = "Look in the branch for snapshots of the batch before a restart."
			return
		}
	}
	h.Notes = append(h.Notes, fmt.Sprintf("snapshot %d with batch %d no longer precedes the current one: the table was rolled back, and accepts the batch when Spark re-runs it", newest.ID, batch))
}
