package statestore

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"path"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// File is a state file with the folder of its store.
type File struct {
	Dir string // "state/0/1"
	state.File
}

// Path is where it lies within the checkpoint.
func (f File) Path() string { return path.Join(f.Dir, f.Name()) }

// Verified is what the checksum files beside a state file say of it.
type Verified struct {
	File
	Size     *decode.Error // of Spark's checksum: another size is recorded than was listed
	Spark    *decode.Error // of Spark's checksum: other bytes, or the checksum does not parse
	Hadoop   *decode.Error // of Hadoop's checksum: the same
	Compared bool          // the bytes were read; false where none of the checksums could be compared
	Unread   []checkpoint.Unread
}

const (
	sumLimit  = 16 << 20 // bytes of a checksum file that are read
	sumsAhead = 16 << 20 // bytes of state files that are in memory at once, for Hadoop's checksums
)

// Verify compares state files with the checksum files beside them, several at once, in the order of
// files. Those without any, and the bytes of those longer than limit, are not read. Its error means
// that nothing more will be read.
func Verify(ctx context.Context, c *checkpoint.Checkpoint, files iter.Seq[File], limit int64) iter.Seq2[Verified, error] {
	whole := func(f File) bool { return f.Sums&state.HadoopSum != 0 && f.Size <= min(limit, log.Limit) }
	weight := func(f File) int64 {
		if whole(f) {
			return f.Size
		}
		return 0
	}
	return storage.ParallelMap(ctx, checkpoint.ReadsAhead, files, func(ctx context.Context, f File) (Verified, error) {
		v := Verified{File: f}
		var err error
		if f.Sums&state.SparkSum != 0 {
			err = verifySpark(ctx, c, &v, limit)
		}
		if whole(f) && err == nil {
			err = verifyHadoop(ctx, c, &v)
		}
		return v, err
	}, storage.MaxWeight(sumsAhead, weight))
}

func verifySpark(ctx context.Context, c *checkpoint.Checkpoint, v *Verified, limit int64) error {
	side := v.Path() + ".crc"
	data, err := fetchFor(ctx, c, v, side, sumLimit)
	if data == nil {
		return err
	}
	sum, problem := state.ParseChecksum(side, data)
	if problem != nil {
		v.Spark = problem
		return nil
	}
	v.Size = sum.CompareSize(v.Path(), side, v.File.Size)
	if v.Size != nil || v.File.Size > limit {
		return nil
	}
	r, err := c.Store().Open(ctx, v.Path(), 0, -1)
	if err != nil {
		return v.missed(v.Path(), err)
	}
	hash := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(hash, r)
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return v.missed(v.Path(), err)
	}
	v.Spark, v.Compared = sum.Compare(v.Path(), side, n, hash.Sum32()), true
	return nil
}

func verifyHadoop(ctx context.Context, c *checkpoint.Checkpoint, v *Verified) error {
	side := path.Join(v.Dir, "."+v.Name()+".crc")
	sum, err := fetchFor(ctx, c, v, side, sumLimit)
	if sum == nil {
		return err
	}
	data, err := fetchFor(ctx, c, v, v.Path(), log.Limit)
	if data == nil {
		return err
	}
	v.Hadoop, v.Compared = log.VerifyHadoopCRC(v.Path(), data, side, sum), true
	return nil
}

// fetchFor reads a file for v; nil where it could not be had.
func fetchFor(ctx context.Context, c *checkpoint.Checkpoint, v *Verified, name string, limit int64) ([]byte, error) {
	data, err := c.Read(ctx, name, limit)
	if err != nil {
		return nil, v.missed(name, err)
	}
	return data, nil
}

// missed notes what could not be read; a file that has gone since it was listed is no news. The error
// it returns ends the reading.
func (v *Verified) missed(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		v.Unread = append(v.Unread, checkpoint.Unread{Name: name, Err: err})
	}
	if checkpoint.Stopped(err) {
		return err
	}
	return nil
}
