package checkpoint

import "tidemark/checkpoint/source"

// Reads is what one batch reads, for each source of its plan: its parts with their ranges. before and
// after are the batches beside it in a list, nil where there is none. Most kinds log where a batch
// ends, so it starts where the one before it ended; others log where it starts. A start or an end
// that stands in a batch which is missing is not known.
func Reads(before, b, after *Batch) [][]source.Range {
	if b == nil || b.Plan == nil {
		return nil
	}
	out := make([][]source.Range, len(b.Plan.Sources))
	for i, o := range b.Plan.Sources {
		if o.LogsStart() {
			out[i] = source.Ranges(o, sameSource(after, b.ID+1, o, i))
		} else {
			out[i] = source.Ranges(sameSource(before, b.ID-1, o, i), o)
		}
	}
	return out
}

// sameSource is the line of source o in batch id: by its name where it has one, else by its place in
// the plan. None where it is not known.
func sameSource(b *Batch, id int64, o source.Offset, i int) source.Offset {
	none := source.Offset{None: true}
	if b == nil || b.Plan == nil || b.ID != id {
		return none
	}
	if o.Name != "" {
		for _, p := range b.Plan.Sources {
			if p.Name == o.Name {
				return p
			}
		}
		return none
	}
	if i < len(b.Plan.Sources) {
		return b.Plan.Sources[i]
	}
	return none
}
