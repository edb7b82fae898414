package output

import (
	"cmp"
	"context"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/filesink"
)

// Logger is an output whose own log names its files.
type Logger interface {
	// Logged holds the newest files that the log names against what lies there, with deep all of them. The error is about reaching the
	// bytes.
	Logged(ctx context.Context, deep bool) (Logged, error)
}

// Logged is what came of holding the files that a log names against those that are there.
type Logged struct {
	Compared int    // files that were looked for
	Lost     []Lost // those that are gone or have another size, in the order of the log
	Alone    bool   // nothing lies beside the log at all: it was copied without the files, and nothing can be said of them
}

// Lost is a file that is not there as the log has it.
type Lost struct {
	File  string       // from the root of the output on
	Size  int64        // bytes, as recorded
	There int64        // bytes, as listed; -1 where it is not there
	Batch int64        // that wrote it; -1 where its entry was compacted
	Where decode.Where // of the entry
}

const (
	newestLogged = 3       // files of the log that are read without deep
	loggedLimit  = 1 << 20 // entries that are looked for; a log of more is looked at in part
	probedOneBy  = 8       // files of one folder up to which each is asked for alone, and not the whole folder listed
	listedLimit  = 1 << 20 // names of one folder that are gone through
)

// Logged holds the files that the log of a file sink names against those that are there. It reads the log's newest files, and lists the
// folders of partitions once, or asks for single files where there are few.
func (l *located) Logged(ctx context.Context, deep bool) (Logged, error) {
	entryLog, err := filesink.List(ctx, l.files, filesink.Folder)
	if err != nil || entryLog.Latest() < 0 {
		return Logged{}, err
	}
	names := entryLog.NeedsOf(entryLog.Latest(), cmp.Or(entryLog.CompactInterval(log.DefaultInterval), log.DefaultInterval)).Present
	if !deep {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, ".compact") })
		names = names[max(0, len(names)-newestLogged):]
	}
	entries, order := map[string]Lost{}, []string{}
	for _, name := range names {
		if err := l.entries(ctx, entryLog, name, entries, &order); err != nil {
			return Logged{}, err
		}
	}
	return l.compare(ctx, entries, order)
}

// entries adds what one file of the log names. What does not parse is told elsewhere.
func (l *located) entries(ctx context.Context, entryLog *filesink.Log, name string, entries map[string]Lost, order *[]string) error {
	r, err := l.files.Open(ctx, entryLog.Name(name), 0, countedTo)
	if err != nil {
		return err
	}
	defer r.Close()
	batch := log.ParseName(name)
	for e, err := range filesink.Read(entryLog.Name(name), io.LimitReader(r, countedTo)) {
		if _, bad := asDecode(err); err != nil && !bad {
			return err
		}
		file := within(e.Path)
		if err != nil || file == "" {
			continue
		}
		if e.Deleted {
			delete(entries, file)
			continue
		}
		if _, again := entries[file]; !again {
			if len(entries) >= loggedLimit {
				return nil
			}
			*order = append(*order, file)
		}
		lost := Lost{File: file, Size: e.Size, There: -1, Batch: batch.ID,
			Where: decode.Where{File: place(l.files, entryLog.Name(name)).File, Line: e.Where.Line, Offset: e.Where.Offset}}
		if batch.Compact {
			lost.Batch = -1
		}
		entries[file] = lost
	}
	return nil
}

// within returns a file from the root of the output on: its name, and the folders of partitions before it. The log names files by where
// the output
// lay when they were written.
func within(recorded string) string {
	if plain, err := url.PathUnescape(recorded); err == nil {
		recorded = plain
	}
	dir, file := path.Split(recorded)
	for dir = strings.TrimSuffix(dir, "/"); strings.Contains(path.Base(dir), "="); dir = strings.TrimSuffix(dir[:len(dir)-len(path.Base(dir))], "/") {
		file = path.Join(path.Base(dir), file)
	}
	if file == "" || file == "." || file == ".." || strings.Contains(file, "../") {
		return ""
	}
	return file
}

// compare looks for the files.
func (l *located) compare(ctx context.Context, entries map[string]Lost, order []string) (Logged, error) {
	folders := map[string]map[string]int64{} // of each folder, the sizes of the files that are looked for; -1 until they are found
	for file := range entries {
		dir := path.Dir(file)
		if folders[dir] == nil {
			folders[dir] = map[string]int64{}
		}
		folders[dir][path.Base(file)] = -1
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if err := l.sizes(ctx, dir, folders[dir]); err != nil {
			return Logged{}, err
		}
	}
	out, gone := Logged{}, 0
	for _, file := range order {
		e, ok := entries[file]
		if !ok {
			continue
		}
		out.Compared++
		e.There = folders[path.Dir(file)][path.Base(file)]
		if e.There < 0 {
			gone++
		}
		if e.There != e.Size {
			out.Lost = append(out.Lost, e)
		}
	}
	var err error
	if gone > 0 && gone == out.Compared {
		out.Alone, err = l.bare(ctx)
	}
	return out, err
}

// folderMark ends the name of an empty file beside a folder, as EMR and s3n leave it.
const folderMark = "_$folder$"

// bare reports whether the folder of the output holds nothing but the log and marks of folders.
func (l *located) bare(ctx context.Context) (bool, error) {
	for e, err := range l.files.List(ctx, ".", "") {
		if err != nil {
			return false, err
		}
		if e.Name != filesink.Folder && e.Name[0] != '.' && !strings.HasSuffix(e.Name, folderMark) {
			return false, nil
		}
	}
	return true, nil
}

// sizes fills in the sizes of the files that are there.
func (l *located) sizes(ctx context.Context, dir string, want map[string]int64) error {
	take := func(e tablelog.File) {
		if _, ok := want[e.Name]; ok && !e.Dir {
			want[e.Name] = e.Size
		}
	}
	if len(want) <= probedOneBy {
		for name := range want {
			n := 0
			for e, err := range l.files.List(ctx, dir, name[:len(name)-1]) {
				if err != nil {
					return err
				}
				take(e)
				if n++; e.Name >= name || n == listedLimit {
					break
				}
			}
		}
		return nil
	}
	n, last := 0, slices.Max(slices.Collect(maps.Keys(want)))
	for e, err := range l.files.List(ctx, dir, "") {
		if err != nil {
			return err
		}
		take(e)
		if n++; e.Name == last || n == listedLimit {
			break
		}
	}
	return nil
}
