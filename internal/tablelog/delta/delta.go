package delta

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Folder is the log within a table.
const Folder = "_delta_log"

// Log is the log of a table as it was listed, and nothing of it read. All versions are ascending.
//
//	00000000000000000041.json                                  the commit of version 41
//	00000000000000000041.crc                                   its checksum file, not always there
//	00000000000000000040.checkpoint.parquet                    all up to version 40, in one file
//	00000000000000000040.checkpoint.0000000001.0000000002.parquet   the first of two parts of it
//	00000000000000000040.checkpoint.<uuid>.json or .parquet    the same in format V2
//	00000000000000000031.00000000000000000040.compacted.json   the commits 31 to 40 in one
//	_last_checkpoint                                           which checkpoint may be the newest
//	_staged_commits/                                           commits that only a catalog makes valid
type Log struct {
	Commits     []Commit
	Checkpoints []Checkpoint // whole ones only
	Compactions []Compaction
	Checksums   map[int64]tablelog.File // by version
	Staged      bool                    // there is a folder of staged commits: newer versions may be in it
	From        int64                   // the version from which on the log was listed; 0 for all of it
	Partial     []string                // checkpoints of which parts are missing, by their first name

	files tablelog.Files
	dir   string
}

// Commit is one version of the table.
type Commit struct {
	Version int64
	Name    string // base name
	Size    int64  // bytes
	// Modified is when the file was written, ms since the epoch, UTC. Delta takes it for the time of the
	// version, unless in-commit timestamps are on.
	Modified int64
}

// Checkpoint is the state of the table at one version, in one or more files.
type Checkpoint struct {
	Version int64
	Files   []tablelog.File // its parts in order
}

// Compaction is a run of commits in one file, without what later ones of the run made void.
type Compaction struct {
	First, Last int64 // versions
	Name        string
	Size        int64 // bytes
}

// listed bounds a listing. A table of ten commits a second has as many in a day, and cleans them up after 30.
const listed = 1 << 22

const hintLimit = 4 << 20 // bytes of _last_checkpoint: it can hold a schema

// Open lists the newest part of the log: from the checkpoint on that _last_checkpoint names, else all of it. It
// takes two requests. The hint may be old or missing, and decides nothing else.
func Open(ctx context.Context, f tablelog.Files) (*Log, error) {
	hint, err := lastCheckpoint(ctx, f)
	if err != nil {
		return nil, err
	}
	l, err := List(ctx, f, max(hint, 0))
	if err == nil && hint > 0 && len(l.Commits) == 0 && len(l.Checkpoints) == 0 {
		return List(ctx, f, 0) // the hint names a version that the log does not reach
	}
	return l, err
}

// lastCheckpoint is the version in _last_checkpoint; -1 where there is none, or none that can be read.
func lastCheckpoint(ctx context.Context, f tablelog.Files) (int64, error) {
	data, err := tablelog.Read(ctx, f, path.Join(Folder, "_last_checkpoint"), hintLimit)
	if tablelog.Missing(err) {
		return -1, nil
	}
	if tooLong, ok := errors.AsType[*tablelog.TooLongError](err); ok && tooLong != nil {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	v, err := decode.ParseFields(data)
	if err != nil {
		return -1, nil
	}
	version, _ := v.Get("version")
	if n, ok := version.Int(); ok && n >= 0 {
		return n, nil
	}
	return -1, nil
}

// List lists the log from a version on, checkpoints of that version included.
func List(ctx context.Context, f tablelog.Files, from int64) (*Log, error) {
	l := &Log{From: from, Checksums: map[int64]tablelog.File{}, files: f, dir: Folder}
	after := ""
	if from > 0 {
		after = versionName(from)
	}
	parts := map[string][]tablelog.File{} // of checkpoints, by version, number of parts and id
	n := 0
	for e, err := range f.List(ctx, Folder, after) {
		if err != nil {
			return l, err
		}
		if n++; n > listed {
			return l, fmt.Errorf("%s lists more than %d names", path.Join(f.String(), Folder), listed)
		}
		if e.Dir {
			l.Staged = l.Staged || e.Name == "_staged_commits"
			continue
		}
		l.take(e, parts)
	}
	l.checkpoints(parts)
	slices.SortFunc(l.Commits, func(a, b Commit) int { return compare(a.Version, b.Version) })
	slices.SortFunc(l.Compactions, func(a, b Compaction) int { return compare(a.Last, b.Last) })
	return l, nil
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// versionName is a version as names begin with it.
func versionName(v int64) string { return fmt.Sprintf("%020d", v) }

// version reads 20 digits.
func version(s string) (int64, bool) {
	if len(s) != 20 {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && s[0] != '+'
}

// take sorts one name in. A name that Delta does not write is left out.
func (l *Log) take(e tablelog.File, parts map[string][]tablelog.File) {
	pieces := strings.Split(e.Name, ".")
	v, ok := version(pieces[0])
	if !ok {
		return
	}
	switch last := pieces[len(pieces)-1]; {
	case len(pieces) == 2 && last == "json":
		l.Commits = append(l.Commits, Commit{v, e.Name, e.Size, e.Modified})
	case len(pieces) == 2 && last == "crc":
		l.Checksums[v] = e
	case len(pieces) == 4 && pieces[2] == "compacted" && last == "json":
		if to, ok := version(pieces[1]); ok && to >= v {
			l.Compactions = append(l.Compactions, Compaction{v, to, e.Name, e.Size})
		}
	case len(pieces) > 2 && pieces[1] == "checkpoint" && (last == "parquet" || last == "json"):
		key := strings.Join(pieces[:len(pieces)-1], ".")
		if len(pieces) == 5 { // a part: the same key for all of them
			key = strings.Join([]string{pieces[0], pieces[1], pieces[3]}, ".")
		}
		parts[key] = append(parts[key], e)
	}
}

// checkpoints keeps those whose parts are all there. Names come in order, so parts do.
func (l *Log) checkpoints(parts map[string][]tablelog.File) {
	for _, files := range parts {
		pieces := strings.Split(files[0].Name, ".")
		v, _ := version(pieces[0])
		if len(pieces) == 5 {
			slices.SortFunc(files, func(a, b tablelog.File) int { return strings.Compare(a.Name, b.Name) })
			if n, err := strconv.Atoi(pieces[3]); err != nil || n != len(files) {
				l.Partial = append(l.Partial, files[0].Name)
				continue
			}
		}
		l.Checkpoints = append(l.Checkpoints, Checkpoint{v, files})
	}
	slices.Sort(l.Partial)
	slices.SortFunc(l.Checkpoints, func(a, b Checkpoint) int {
		if a.Version != b.Version {
			return compare(a.Version, b.Version)
		}
		return strings.Compare(a.Files[0].Name, b.Files[0].Name)
	})
}

// Head is the newest version; -1 where there is none.
func (l *Log) Head() int64 {
	head := int64(-1)
	if n := len(l.Commits); n > 0 {
		head = l.Commits[n-1].Version
	}
	if c := l.Checkpoint(); c != nil {
		head = max(head, c.Version)
	}
	return head
}

// Checkpoint is the newest whole checkpoint; nil where there is none.
func (l *Log) Checkpoint() *Checkpoint {
	if n := len(l.Checkpoints); n > 0 {
		return &l.Checkpoints[n-1]
	}
	return nil
}

// Commit is the commit of a version; nil where it is not in the listing.
func (l *Log) Commit(v int64) *Commit {
	i, ok := slices.BinarySearchFunc(l.Commits, v, func(c Commit, v int64) int { return compare(c.Version, v) })
	if !ok {
		return nil
	}
	return &l.Commits[i]
}

// Name is a file of the log from the root of the table.
func (l *Log) Name(base string) string { return path.Join(l.dir, base) }

// Where is a file of the log, named so that a person finds it.
func (l *Log) Where(base string) decode.Where {
	return decode.Where{File: strings.TrimSuffix(l.files.String(), "/") + "/" + l.Name(base)}
}
