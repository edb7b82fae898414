package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// Taken are the files that a batch reads of one file source: those of the entries of the source's own log between
// where the batch begins and where it ends. Sizes are not recorded.
type Taken struct {
	Source      int               // position in the plan, from 0
	Name        string            // of a named source, else ""
	Log         string            // the folder of the log: "sources/0"
	First, Last int64             // entries of the log; none where Last is below First
	Files       []log.SourceEntry // the first of them, in the order of the log
	Count       int64             // how many there are
	Why         string            // why these are not all, or not known; "" where they are
}

// SourceLogs reads which files the batches of a checkpoint read, and keeps what it has read of the logs of the sources.
// It is not safe for concurrent use.
type SourceLogs struct {
	c     *Checkpoint
	shown int  // files that are kept of each entry
	list  bool // many batches are asked for: one compact file is read for all that it has
	logs  map[string]*takenLog
}

// NewSourceLogs are the logs of a checkpoint, not read yet. shown is how many files of a batch are named. list is true
// where many batches are to be asked for.
func NewSourceLogs(c *Checkpoint, shown int, list bool) *SourceLogs {
	return &SourceLogs{c: c, shown: shown, list: list, logs: map[string]*takenLog{}}
}

// takenLog is the log of one source, as far as it was read.
type takenLog struct {
	dir     string
	err     error // why it could not be listed
	names   log.Compactible
	sizes   map[string]int64  // by base name
	read    map[string]string // files that were read, by base name: what is wrong with each, "" for nothing
	entries map[int64]*takenEntry
	some    bool // an entry of a file was found
}

// takenEntry is one entry of a log: what was found at one time.
type takenEntry struct {
	files []log.SourceEntry
	count int64
}

// Of is what a batch reads of each file source in its plan, in the order of the plan; before is the batch before it in a
// list, nil where there is none. The error means that nothing more will be read (see Stopped).
func (s *SourceLogs) Of(ctx context.Context, before, b *Batch) (all []Taken, err error) {
	if b == nil || b.Plan == nil {
		return nil, nil
	}
	for i, o := range b.Plan.Sources {
		if o.None || !slices.Contains(o.Kinds, source.File) {
			continue
		}
		key := o.Name
		if key == "" {
			key = strconv.Itoa(i)
		}
		t := Taken{Source: i, Log: path.Join("sources", key), First: 0, Last: -1}
		if _, err := strconv.Atoi(key); err != nil {
			t.Name = key
		}
		l := s.log(ctx, t.Log)
		if o.Ambiguous() && len(l.names.Plain)+len(l.names.Compact) == 0 {
			continue // a number is what other sources record too, and this one has no log
		}
		if t.bounds(before, b, o.As(source.File), i); t.Why == "" {
			if err := s.fill(ctx, l, &t); err != nil {
				return all, err
			}
		}
		if o.Ambiguous() && !l.some {
			continue
		}
		all = append(all, t)
	}
	return all, nil
}

// bounds are the entries between which the batch lies.
func (t *Taken) bounds(before, b *Batch, o source.Offset, i int) {
	last, ok := namedEntry(o)
	if !ok {
		t.Why = b.Plan.File + " names no readable entry of the log"
		return
	}
	if b.ID == 0 {
		t.Last = last
		return
	}
	if before == nil || before.ID != b.ID-1 || before.Plan == nil {
		t.Why = fmt.Sprintf("the start of the batch is unknown: offsets/%d was not read or is missing", b.ID-1)
		return
	}
	from := sameSource(before, b.ID-1, o, i)
	if first, ok := namedEntry(from.As(source.File)); ok {
		t.First, t.Last = first+1, last
	} else if from.None {
		t.Last = last
	} else {
		t.Why = "the start of the batch is unknown: " + before.Plan.File + " names no readable entry of the log"
	}
}

// namedEntry is the entry that a line of a file source names.
func namedEntry(o source.Offset) (id int64, ok bool) {
	if o.None || o.Problem != nil || len(o.Parts) != 1 {
		return 0, false
	}
	return o.Parts[0].Position.Num, true
}

func (s *SourceLogs) log(ctx context.Context, dir string) *takenLog {
	if l := s.logs[dir]; l != nil {
		return l
	}
	d := s.c.Dir(ctx, dir)
	l := &takenLog{dir: dir, err: d.Err, sizes: map[string]int64{}, read: map[string]string{}, entries: map[int64]*takenEntry{}}
	var names []string
	for _, f := range d.Files {
		names = append(names, f.Name)
		l.sizes[f.Name] = f.Size
	}
	l.names = log.NewCompactible(names)
	s.logs[dir] = l
	return l
}

// takenReads is how many files of a log are read for one batch.
const takenReads = 100

// fill looks the entries up.
func (s *SourceLogs) fill(ctx context.Context, l *takenLog, t *Taken) error {
	if l.err != nil {
		t.Why = fmt.Sprintf("%s could not be listed: %v", l.dir, l.err)
		return nil
	}
	names, missing := s.sought(l, t)
	for n, name := range names {
		if _, done := l.read[name]; done {
			continue
		}
		if n == takenReads {
			t.Why = fmt.Sprintf("they are in %d files of %s, of which %d were read", len(names), l.dir, takenReads)
			break
		}
		if err := s.take(ctx, l, name); err != nil {
			return err
		}
	}
	for _, name := range names {
		if why := l.read[name]; why != "" && t.Why == "" {
			t.Why = why
		}
	}
	if missing != "" && t.Why == "" {
		t.Why = missing
	}
	for _, id := range l.between(t.First, t.Last) {
		e := l.entries[id]
		t.Count += e.count
		t.Files = append(t.Files, e.files[:min(len(e.files), s.shown-len(t.Files))]...)
	}
	return nil
}

// between are the entries that were read from first to last, ascending.
func (l *takenLog) between(first, last int64) (ids []int64) {
	if span := last - first; span >= 0 && span < int64(len(l.entries)) {
		for id := first; id <= last; id++ {
			if l.entries[id] != nil {
				ids = append(ids, id)
			}
		}
		return ids
	}
	for id := range l.entries {
		if first <= id && id <= last {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// sought are the files in which the entries of a batch stand, and what is said of the first entry that stands in none.
func (s *SourceLogs) sought(l *takenLog, t *Taken) (names []string, missing string) {
	next := t.First // the first entry that is in none of names
	add := func(id int64, compact bool) {
		names = append(names, log.FileName(id, compact))
		next = id + 1
	}
	lack := func() {
		if missing == "" {
			missing = fmt.Sprintf("%s/%d is missing, and no compact file has its files", l.dir, next)
		}
	}
	if compact := l.names.Compact; s.list && len(compact) > 0 && compact[len(compact)-1] >= next {
		add(compact[len(compact)-1], true)
	}
	for next >= t.First && next <= t.Last { // a number of an entry may be the largest that there is
		p, _ := slices.BinarySearch(l.names.Plain, next)
		c, _ := slices.BinarySearch(l.names.Compact, next)
		switch plain := p < len(l.names.Plain); {
		case plain && l.names.Plain[p] == next:
			add(next, false)
		case c < len(l.names.Compact):
			add(l.names.Compact[c], true)
		case plain && l.names.Plain[p] <= t.Last:
			lack()
			next = l.names.Plain[p]
		default:
			lack()
			return names, missing
		}
	}
	return names, missing
}

// take reads a file of a log, and keeps of each entry in it the first files.
func (s *SourceLogs) take(ctx context.Context, l *takenLog, base string) error {
	name := path.Join(l.dir, base)
	if l.sizes[base] > wholeSourceFile {
		l.read[base] = fmt.Sprintf("%s has %d bytes, too many to read for this", name, l.sizes[base])
		return nil
	}
	before := map[int64]bool{} // entries that another file has told already
	for id := range l.entries {
		before[id] = true
	}
	l.read[base] = ""
	for e, err := range s.c.sourceEntries(ctx, name, 0, -1) {
		problem, decodes := errors.AsType[*decode.Error](err)
		switch {
		case err != nil && Stopped(err):
			delete(l.read, base)
			return err
		case decodes:
			if l.read[base] == "" {
				l.read[base] = "it cannot be read completely: " + problem.Error()
			}
			continue
		case errors.Is(err, fs.ErrNotExist):
			l.read[base] = name + " is missing"
			return nil
		case err != nil:
			l.read[base] = fmt.Sprintf("%s could not be read: %v", name, err)
			return nil
		}
		if l.some = true; before[e.BatchID] {
			continue
		}
		in := l.entries[e.BatchID]
		if in == nil {
			in = &takenEntry{}
			l.entries[e.BatchID] = in
		}
		if in.count++; len(in.files) < s.shown {
			in.files = append(in.files, e)
		}
	}
	return nil
}
