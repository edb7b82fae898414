package output

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/hudi"
)

// hudiWalk is how many commits are read, from the newest back: compactions and writes of others lack the key.
const hudiWalk = 64

// hudiKind is a Hudi table.
var hudiKind = &Kind{
	Name: "hudi",
	mark: hudi.Folder,
	open: func(f tablelog.Files, _ string) Sink { return &hudiSink{f} },
}

// hudiSink is a Hudi table. Its commits record the batch id under an identifier, "default_single_writer" where
// nobody chose one, and no query id.
type hudiSink struct{ files tablelog.Files }

func (s *hudiSink) Look(ctx context.Context, q Query) (Held, error) {
	h := Held{Kind: "hudi", Location: s.files.String(), Highest: -1, By: Identifier}
	t, err := hudi.List(ctx, s.files)
	switch {
	case err != nil:
		return h, err
	case t.Newer:
		h.Unknown = "the table has a timeline of table version 8, which is Avro; tidemark does not read it"
		h.Settle = "Look in the newest commit of the timeline for " + hudi.Key + ", which has the newest batch ID."
		return h, nil
	case len(t.Instants) == 0:
		h.Absent = true
		return h, nil
	}
	found := map[string]Batch{}
	for n, i := range t.Instants {
		if n == hudiWalk || len(found) > 0 && n > 0 {
			break
		}
		ids, where, err := hudi.Batches(ctx, s.files, i)
		if problem, ok := asDecode(err); ok {
			h.Notes = append(h.Notes, "a commit does not parse and was skipped: "+problem.Error())
			continue
		}
		if err != nil {
			return h, err
		}
		for id, batch := range ids {
			found[id] = Batch{ID: batch, Rows: -1, Files: -1, Proof: Proof{Where: where, Version: -1, Time: i.Modified}}
		}
	}
	s.choose(&h, found, q)
	return h, nil
}

// choose takes the identifier for that of the query: the only one, or the only one that stands where the
// checkpoint does.
func (s *hudiSink) choose(h *Held, found map[string]Batch, q Query) {
	ids := slices.Sorted(maps.Keys(found))
	mine := ids
	if len(ids) > 1 {
		mine = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			return found[id].ID != q.Committed &&
				found[id].ID != q.Planned
		})
	}
	for _, id := range ids {
		if !slices.Contains(mine, id) || len(mine) > 1 {
			h.Others = append(h.Others, Writer{ID: id, Highest: found[id].ID, Time: found[id].Time, Where: found[id].Where})
		}
	}
	switch {
	case len(ids) == 0:
		h.Unknown = "no commit in the active timeline records a batch of a streaming query"
		h.Settle = "Older commits are archived: ask an engine that can open the table. A query that deletes records nothing."
	case len(mine) != 1:
		h.Unknown = fmt.Sprintf("several writers are recorded, and nothing shows which one is this query: %s", strings.Join(ids, ", "))
		h.Settle = "Compare with the query's option hoodie.datasource.write.streaming.checkpoint.identifier."
	default:
		b := found[mine[0]]
		h.Under, h.Highest, h.Proof, h.Batches = mine[0], b.ID, b.Proof, []Batch{b}
		h.Notes = append(h.Notes, "with hoodie.datasource.write.streaming.ignore.failed.batch a failed batch counts as written")
	}
	slices.SortFunc(h.Others, func(a, b Writer) int { return cmp.Compare(a.ID, b.ID) })
}
