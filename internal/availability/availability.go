package availability

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// SourceProgress is how far a checkpoint has read one source: what a Prober is asked about.
type SourceProgress struct {
	Index int          // in plan order, from 0
	Name  string       // of a named source (4.2 on); else ""
	Kind  *source.Kind // the one that the spec declares, else the likeliest that writes such a line; nil where none is known
	Sure  bool         // no other kind writes such a line, or the spec declares it

	Batch int64 // the one that the next start runs
	Again bool  // Batch was planned before and runs again as planned
	Time  int64 // when the newest plan was made, ms since the epoch; 0 where it does not say

	First source.Offset // where the source first began to read, where that is recorded; else None
	Prior source.Offset // where the newest plan began, which some sources ask for again at a start; None where that is not recorded
	From  source.Offset // where Batch begins; None where that is not recorded
	To    source.Offset // where Batch ends as planned; None where it is not planned yet

	// Files are the files that Batch reads of a file source, as the source's own log names them. An error is one
	// of reading that log. nil: it has no such log.
	Files func(context.Context) iter.Seq2[log.SourceEntry, error]

	Declared *spec.Source // what the query declares of it; nil where there is no spec
	// AllAtOnce is true where the query declares Trigger.AvailableNow: as it starts, it looks through all that the source has.
	AllAtOnce bool
}

// Source is what one source still keeps, as it was learnt at one moment. What is absent is not known and is not
// judged.
type Source struct {
	Index int      // in plan order, from 0
	From  string   // what told it: a file, a location, the addresses of brokers; without credentials
	At    spec.Pos // where it stands in the file of --positions; zero elsewhere
	Kind  string   // the kind that answered: "kafka", "delta"; "" where the one that tells it cannot know

	Parts []Part // in the order in which they were told
	// Whole is true where Parts are all that the source has: one that a batch reads and that is not among them
	// does not exist any more.
	Whole bool

	// Gone are those that were asked for and do not exist, sorted: a part as package source names it ("orders/3"), or a topic for all of it
	// ("orders").
	Gone []string

	TableID   string  // of a table, as its metadata has it; "" where not known
	Snapshots []int64 // of a table, those that can still be read; nil where not known
	// Aside are those of Snapshots that the newest did not come from: the table was rolled back, or they are of other
	// branches. Moments are those that it came from, oldest first.
	Aside   []int64
	Moments []Moment
	Created []Created // when the source, or each of its topics, was made

	// Seen is true where all that Batch reads was looked for: what is not in Lacks is there.
	Seen    bool
	Missing []MissingItem // single things that Batch reads and that are not there, or not as they were
	Doubts  []string      // what shows that the recorded positions are not those the query reached, each one sentence without a full stop
	Stops   []Stop        // what Spark fails over, in the order in which it meets that
	Facts   []string      // what else was seen, each one sentence without a full stop: settings, the state of the table
	Unseen  []string      // what was not looked at, and why: the same form

	Err error // why the source could not be asked, or not to the end
}

// Part is one part of a source, named as package source names parts: "orders/0", "shardId-000000000001", "" for
// the only one.
type Part struct {
	Name     string
	Earliest *source.Position // the first that can still be read; nil where not known
	Latest   *source.Position // the next that will be written; nil where not known
	// Stable is up to where a reader gets that sees only what transactions have committed; nil where not known.
	Stable *source.Position

	Retention time.Duration // how long a record is kept at least; 0 where not known, or where time is no bound
	// Written is a time, ms since the epoch, before which the record at the position of the next start was not
	// written; 0 where not known. It is kept until Written + Retention at least.
	Written int64
}

// Created is when something was made.
type Created struct {
	Name string // of a topic; "" for the source as a whole
	Time int64  // ms since the epoch, UTC

	// Shown is "" where the source itself tells when it was made. Elsewhere it is what shows that it was made after
	// the newest plan, one sentence without a full stop; it was then made at Time at the latest.
	Shown string
}

// Stop is something in a source that Spark fails over at a start, or at a batch after it.
type Stop struct {
	Error   string // Spark's condition, or the key phrase of its message
	Because string // what shows it, one sentence without a full stop
	Default string // the option, with the default that was assumed because nothing declares it: "failOnDataLoss=true"; "" for none
	Opening bool   // the source cannot even be opened
	Later   bool   // the batch that the next start runs again comes first, and goes well; or it is not known which batch reaches it
	Change  bool   // it is a change of the source that nothing else reports
	OfFile  bool   // a file is missing that the batch reads: a sink that skips the batch does not read it
}

// MissingItem is one thing that the next batch reads.
type MissingItem struct {
	Of      string // what kind of thing: "file", "version"
	What    string // its name, as the source has it
	Changed bool   // it is there, and is not what was planned
	Why     string // what shows it: "changed at 2026-11-28 10:00:00 UTC, planned as of …"; one sentence without a full stop
	Batch   int64  // the batch that reads it
}

// Part returns the part of this name; nil where it was not told.
func (s *Source) Part(name string) *Part {
	for i := range s.Parts {
		if s.Parts[i].Name == name {
			return &s.Parts[i]
		}
	}
	return nil
}

// ByName returns the parts by their names: a topic may have thousands of them.
func (s *Source) ByName() map[string]*Part {
	all := make(map[string]*Part, len(s.Parts))
	for i := range s.Parts {
		all[s.Parts[i].Name] = &s.Parts[i]
	}
	return all
}

// IsGone reports whether a part was asked for and does not exist, alone or with its topic.
func (s *Source) IsGone(name string) bool {
	topic, _ := CutPart(name)
	_, part := slices.BinarySearch(s.Gone, name)
	_, whole := slices.BinarySearch(s.Gone, topic)
	return part || whole
}

// CutPart takes the name of a part of a topic apart: "orders/3" is partition 3 of orders. The partition is -1, and the topic all of the name,
// where that is no such name.
func CutPart(name string) (topic string, partition int64) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return name, -1
	}
	partition, err := strconv.ParseInt(name[i+1:], 10, 64)
	if err != nil {
		return name, -1
	}
	return name[:i], partition
}

// Prober asks sources what they keep.
type Prober interface {
	// Ask is what it knows of the sources of a checkpoint: at most one Source each, ascending by index. Those
	// that it knows nothing of are left out; one that could not be asked has an Err. The error means that
	// nothing more is to be asked: ctx is done, or the allowed number of requests is used up.
	Probe(ctx context.Context, recorded []SourceProgress) ([]Source, error)
}

// Particular is a Prober that only some checkpoints have a use for.
type Particular interface {
	Prober

	// Unfit says why it can tell nothing of any of these sources, without asking anybody: one sentence without a full stop. "" where it
	// can.
	Unfit(recorded []SourceProgress) string
}

// Unfit returns the reasons of those probers that can tell nothing of any of these sources.
func Unfit(a Prober, recorded []SourceProgress) (why []string) {
	switch a := a.(type) {
	case Chain:
		for _, one := range a {
			why = append(why, Unfit(one, recorded)...)
		}
	case Particular:
		if text := a.Unfit(recorded); text != "" {
			why = append(why, text)
		}
	}
	return why
}

// DescribeKinds says these sources with their kinds, for a sentence: "source 0 is file, source 1 is not known".
func DescribeKinds(recorded []SourceProgress) string {
	var all []string
	for i := range recorded {
		kind := "of unknown kind"
		switch r := &recorded[i]; {
		case r.Kind != nil && r.Sure:
			kind = r.Kind.Name
		case r.Kind != nil:
			kind = "perhaps " + r.Kind.Name
		}
		all = append(all, fmt.Sprintf("source %d is %s", recorded[i].Index, kind))
	}
	if len(all) == 0 {
		return "the newest offset file has no sources"
	}
	return phrase.List(all, 4)
}

// Allowing returns a prober for the query that a spec declares. What it was given for a source that the newest plan lacks, and that the spec
// has, is then no mistake and is left out. declared is nil where there is no spec.
func Allowing(a Prober, declared *spec.Spec) Prober {
	if declared == nil {
		return a
	}
	switch a := a.(type) {
	case Chain:
		all := make(Chain, len(a))
		for i := range a {
			all[i] = Allowing(a[i], declared)
		}
		return all
	case *Positions:
		allowing := *a
		allowing.declared = len(declared.Sources)
		return &allowing
	case *TableLocation:
		allowing := *a
		allowing.declared = len(declared.Sources)
		return &allowing
	}
	return a
}

// TimeIndex is a Prober that knows which position belongs to a time.
type TimeIndex interface {
	Prober

	// At is, for each part of a source, the first position that was written at t or later, and the head where
	// there is none. ok is false where it knows nothing of this source.
	At(ctx context.Context, recorded SourceProgress, t time.Time) (parts []Part, ok bool, err error)
}

// Chain is several probers, those who see the source itself first: of two that know one thing of one source, the
// first counts.
type Chain []Prober

// Probe puts together what they know.
func (all Chain) Probe(ctx context.Context, recorded []SourceProgress) ([]Source, error) {
	known := map[int]*Source{}
	for _, a := range all {
		sources, err := a.Probe(ctx, recorded)
		for i := range sources {
			if s := known[sources[i].Index]; s != nil {
				s.merge(&sources[i])
			} else {
				known[sources[i].Index] = &sources[i]
			}
		}
		if err != nil {
			return inOrder(known), err
		}
	}
	return inOrder(known), nil
}

// At asks the first that knows.
func (all Chain) At(ctx context.Context, recorded SourceProgress, t time.Time) ([]Part, bool, error) {
	for _, a := range all {
		if c, ok := a.(TimeIndex); ok {
			if parts, ok, err := c.At(ctx, recorded, t); ok || err != nil {
				return parts, ok, err
			}
		}
	}
	return nil, false, nil
}
