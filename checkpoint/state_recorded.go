package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// Recorded is what a snapshot of RocksDB says of itself.
type Recorded struct {
	StateFile
	Keys   int64 // live keys, as Spark counted them; -1 where it did not count, and where Err is set
	Tables int64 // bytes of the SST files that it names; they may serve other versions too
	Err    error // why it could not be read, or does not parse
}

// Recorded reads what snapshots of RocksDB say of themselves, several at once, in the order of files. One
// of more than limit bytes is an error in its place; an error of the sequence means that nothing more
// will be read.
func (c *Checkpoint) Recorded(ctx context.Context, files iter.Seq[StateFile], limit int64) iter.Seq2[Recorded, error] {
	return storage.ParallelMap(ctx, readsAhead, files, func(ctx context.Context, f StateFile) (Recorded, error) {
		r := Recorded{StateFile: f, Keys: -1}
		data, err := c.Read(ctx, f.Path(), limit)
		if err != nil {
			r.Err = fmt.Errorf("%s: %w", f.Path(), err)
			if Stopped(err) {
				return r, err
			}
			return r, nil
		}
		zip, err := state.OpenZip(f.Path(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			r.Err = err
			return r, nil
		}
		r.Keys = zip.NumKeys
		for _, t := range zip.SSTs {
			r.Tables += t.Size
		}
		return r, nil
	})
}
