package checks

import (
	"cmp"
	"fmt"

	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

// Fate is what the next start does to a range of batches, or to a part of one source: a line of the statement
// for a postmortem.
type Fate struct {
	Word        FateWord
	First, Last int64  // its batches; -1 for none
	Part        *Range // what of a source; nil for whole batches
	Evidence    string // what shows it, in one sentence without a full stop
}

// FateWord is what happens to a range.
type FateWord string

// The fates of a range, the harmless ones first.
const (
	FateSafe FateWord = "safe"       // in the sink, once
	Replayed FateWord = "read again" // and written for the first time
	ToRead   FateWord = "to be read" // the next batch starts here, and the source has it
	Merged   FateWord = "repeated"   // written again; the spec says that the sink stays right
	Doubled  FateWord = "duplicated" // written a second time
	Skipped  FateWord = "skipped"    // read again, and not written: lost, unless the sink has the same under that batch ID
	Lost     FateWord = "lost"
	FateOpen FateWord = "unknown"
)

// Statement is which ranges are safe, read again, duplicated or lost at the next start, oldest first. It says no
// more than was checked: without the sink and without the sources most of it is unknown.
func Statement(v *Verdict) []Fate {
	s := statement{v: v, out: v.Sink, parts: map[keptKey]*KeptPart{}}
	if v.Kept != nil {
		for i := range v.Kept.Sources {
			k := &v.Kept.Sources[i]
			for j := range k.Reads {
				s.parts[keptKey{k.Recorded.Index, k.Reads[j].Name}] = &k.Reads[j]
			}
		}
	}
	s.settled()
	switch r := &v.Restart; {
	case r.Outcome == Rerun, r.Outcome == Next, r.Outcome == Refuses && len(r.Ranges) > 0:
		s.next()
	case r.Outcome == Refuses:
		s.add(FateOpen, v.Restart.Batch, v.Restart.Batch, nil, "the query will fail; nothing is read before that is fixed")
	}
	return s.all
}

type statement struct {
	v     *Verdict
	out   *Output
	parts map[keptKey]*KeptPart
	all   []Fate
}

// keptKey is one part of one source.
type keptKey struct {
	source int
	part   string
}

func (s *statement) add(word FateWord, first, last int64, part *Range, format string, args ...any) {
	s.all = append(s.all, Fate{word, first, last, part, fmt.Sprintf(format, args...)})
}

// newestDone is the newest batch that a start takes for complete.
func (s *statement) newestDone() int64 {
	if s.v.Restart.Again() {
		return s.v.Restart.Batch - 1
	}
	return s.v.Batches.LastCommitted
}

// settled are the batches that the start takes for done.
func (s *statement) settled() {
	first, last := s.v.Batches.FirstCommitted, s.newestDone()
	if first < 0 || last < first {
		return
	}
	switch s.v.situation() {
	case Behind, SetBack:
		s.missing(first, last)
	case InStep, NotInSink, Unacknowledged, Ahead, Replanned, Running:
		s.add(FateSafe, first, last, nil, "committed; the sink has batches up to %d (%s)", s.out.Highest, s.out.Proof.Where)
	default:
		s.add(FateOpen, first, last, nil, "committed; %s", s.unseen())
	}
}

// unseen is why it is unknown what the sink has.
func (s *statement) unseen() string {
	if s.out == nil {
		return "the sink was not checked (--sink)"
	}
	return "the sink does not show it: " + s.out.Says
}

// missing are committed batches that the sink lacks, and those before them.
func (s *statement) missing(first, last int64) {
	from, to := max(s.out.First, first), min(s.out.Last, last)
	if s.v.situation() == Behind {
		to = last
	}
	if from > first {
		s.add(FateSafe, first, min(from-1, last), nil, "committed, and in the sink")
	}
	if to < from {
		return
	}
	why := "committed and missing from the sink; a restart does not write it again"
	if s.v.situation() == SetBack {
		why = fmt.Sprintf("version %d of the table removed its rows; a restart does not write it again", s.out.Held.Undone.Version)
	}
	for i := range s.out.Missing {
		s.add(Lost, from, to, &s.out.Missing[i], "%s", why)
	}
	if len(s.out.Missing) == 0 {
		s.add(Lost, from, to, nil, "%s", why)
	}
	if to < last {
		s.add(FateSafe, to+1, last, nil, "committed, and in the sink")
	}
}

// next is the batch that runs next, part by part.
func (s *statement) next() {
	r := &s.v.Restart
	word, why := s.written()
	for i := range r.Ranges {
		part := &r.Ranges[i]
		here, rest := s.left(part)
		if rest == nil {
			continue
		}
		text := why
		if here != "" {
			text = here + "; " + why
		}
		s.add(word, r.Batch, r.Batch, rest, "%s", text)
	}
	if len(r.Ranges) == 0 {
		s.add(word, r.Batch, r.Batch, nil, "%s", why)
	}
}

// left adds what the source no longer has of a part, and returns the rest: nil for none. In words it says that the source has
// all of it; "" where that is unknown.
func (s *statement) left(r *Range) (there string, rest *Range) {
	k := s.parts[keptKey{r.Source, r.Part}]
	if k == nil {
		return "", r
	}
	batch := s.v.Restart.Batch
	switch k.State {
	case Complete:
		there = "the source still has it"
		if k.Until > 0 {
			there += " at least until " + Utc(k.Until)
		}
		return there, r
	case PartlyGone, AllGone:
		return s.gone(r, k)
	case Another:
		s.away(r, "the source is not the one the query read")
		return "", nil
	case NotThere:
		s.away(r, "the source no longer has this part")
		return "", nil
	case Beyond:
		shown := fmt.Sprintf("the source ends at %s, before this offset: it was recreated, or lost its end", phrase.PositionOr(k.Latest, "unknown"))
		if s.v.situation() == Unacknowledged {
			s.away(r, shown)
		} else {
			s.add(FateOpen, batch, batch, r, "%s", shown)
		}
		return "", nil
	}
	return "", r
}

// gone is a part that lost its beginning, or all of it.
func (s *statement) gone(r *Range, k *KeptPart) (there string, rest *Range) {
	first, shown := *r, "the source no longer has it"
	if k.Earliest != nil {
		shown = "the oldest the source still has is " + phrase.PositionOr(k.Earliest, "unknown")
	}
	if k.State == PartlyGone || r.To == nil && k.Earliest != nil {
		first.To, first.Count, first.Counted = k.Earliest, k.Gone, k.GoneKnown
	}
	first.Unit = cmp.Or(k.Unit, r.Unit)
	s.away(&first, shown)
	if k.Earliest == nil || k.State == AllGone && r.To != nil {
		return "", nil
	}
	after := *r
	after.From, after.Count, after.Counted = k.Earliest, k.Left, k.LeftKnown
	return "the source still has the rest", &after
}

// away is a range that can no longer be read. Of an uncommitted batch it is lost, unless the sink has the batch; of the next one
// it is lost if something was in it for certain.
func (s *statement) away(r *Range, shown string) {
	batch := s.v.Restart.Batch
	switch {
	case s.v.situation() == Unacknowledged:
		s.add(FateSafe, batch, batch, r, "batch %d is already in the sink (%s); %s, so a re-run may fail", batch, s.out.Proof.Where, shown)
	case s.v.Restart.Again() || r.To != nil:
		s.add(Lost, batch, batch, r, "%s", shown)
	default:
		s.add(FateOpen, batch, batch, r, "%s; whether anything of it was still unread is unknown", shown)
	}
}

// written is what the sink does with the batch that runs next.
func (s *statement) written() (FateWord, string) {
	batch, again := s.v.Restart.Batch, s.v.Restart.Again()
	switch sit := s.v.situation(); {
	case sit == Unacknowledged:
		return FateSafe, fmt.Sprintf("batch %d is already in the sink (%s), which skips the re-run", batch, s.out.Proof.Where)
	case sit == Ahead || sit == OldOutput || sit == Replanned || sit == SetBack && s.out.Last >= batch:
		if s.out.By == output.QueryID && sit == OldOutput {
			return s.byDeclared(again)
		}
		return Skipped, fmt.Sprintf("the sink already has batch %d, and skips it silently", batch)
	case sit == NotInSink || again && (sit == Behind || sit == SetBack):
		return Replayed, fmt.Sprintf("batch %d is uncommitted and not in the sink: Spark writes it once", batch)
	case !again && sit != NotTold && sit != OtherID && sit != NoTrace:
		return ToRead, "nothing of it was read before"
	}
	return s.byDeclared(again)
}

// byDeclared is the fate of the batch by what the spec says of its sink, if anything.
func (s *statement) byDeclared(again bool) (FateWord, string) {
	if !again {
		return ToRead, "nothing of it was read before"
	}
	switch replay := s.v.Replay; replay {
	case "ignored", "merged":
		return Merged, "the spec says that a repeated batch is " + replay
	case "duplicated":
		return Doubled, "the spec says that a repeated batch is duplicated: rows already written are written twice"
	}
	return FateOpen, "it is read again; whether the sink already has it is unknown: " + s.unseen()
}
