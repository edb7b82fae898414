package statestore

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// Recorded is what a snapshot of RocksDB says of itself.
type Recorded struct {
	File
	Keys   int64 // live keys, as Spark counted them; -1 where it did not count, and where Err is set
	Tables int64 // bytes of the SST files that it names; they may serve other versions too
	Err    error // why it could not be read, or does not parse
}

// ReadRecorded reads what snapshots of RocksDB say of themselves, several at once, in the order of files. One
// of more than limit bytes is an error in its place; an error of the sequence means that nothing more
// will be read.
func ReadRecorded(ctx context.Context, c *checkpoint.Checkpoint, files iter.Seq[File], limit int64) iter.Seq2[Recorded, error] {
	return storage.ParallelMap(ctx, checkpoint.ReadsAhead, files, func(ctx context.Context, f File) (Recorded, error) {
		r := Recorded{File: f, Keys: -1}
		data, err := c.Read(ctx, f.Path(), limit)
		if err != nil {
			r.Err = fmt.Errorf("%s: %w", f.Path(), err)
			if checkpoint.Stopped(err) {
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
