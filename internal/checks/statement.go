package checks

import (
	"cmp"
	"fmt"

	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

// Fate is what the next start makes of a range of batches, or of a part of one source: a line of the statement
// that a postmortem needs.
type Fate struct {
	Word        FateWord
	First, Last int64  // the batches that it is about; -1 for none
	Part        *Range // what of a source; nil where it is about whole batches
	Evidence    string // what shows it, in one sentence without a full stop
}

// FateWord is what becomes of a range.
type FateWord string

// The fates of a range, the harmless ones first.
const (
	FateSafe FateWord = "safe"       // in the output, once
	Replayed FateWord = "read again" // and written for the first time
	ToRead   FateWord = "to be read" // the next batch begins here, and it is there
	Merged   FateWord = "repeated"   // written again, where the spec says that this leaves the output right
	Doubled  FateWord = "doubled"    // written a second time
	Skipped  FateWord = "skipped"    // read again, and not written: lost, unless the output has the same under that number
	Lost     FateWord = "lost"
	FateOpen FateWord = "unknown"
)

// Statement is which ranges are safe, read again, doubled or lost at the next start, oldest first. It says no
// more than was looked at: without an output and without the sources most of it is unknown.
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
	switch v.Restart.Outcome {
	case Rerun, Next:
		s.next()
	case Refuses:
		s.add(FateOpen, v.Restart.Batch, v.Restart.Batch, nil, "the start fails, so that nothing is read before that is mended")
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

// situation is how the output stands; NotTold where none was looked at.
func (s *statement) situation() Situation {
	if s.out == nil {
		return NotTold
	}
	return s.out.Situation
}

// newestDone is the newest batch that a start takes for complete.
func (s *statement) newestDone() int64 {
	if s.v.Restart.Outcome == Rerun {
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
	switch s.situation() {
	case Behind, SetBack:
		s.missing(first, last)
	case InStep, NotInSink, Unacknowledged, Ahead, Replanned, Running:
		s.add(FateSafe, first, last, nil, "committed; the output has batches up to %d (%s)", s.out.Highest, s.out.Proof.Where)
	default:
		s.add(FateOpen, first, last, nil, "committed; %s", s.unseen())
	}
}

// unseen is why it is not known what the output has.
func (s *statement) unseen() string {
	if s.out == nil {
		return "no output was looked at"
	}
	return "the output does not tell: " + s.out.Says
}

// missing are committed batches that the output lacks, and those before them.
func (s *statement) missing(first, last int64) {
	from, to := max(s.out.First, first), min(s.out.Last, last)
	if s.situation() == Behind {
		to = last
	}
	if from > first {
		s.add(FateSafe, first, min(from-1, last), nil, "committed, and in the output")
	}
	if to < from {
		return
	}
	why := "committed, and not in the output: a restart does not write it again"
	if s.situation() == SetBack {
		why = fmt.Sprintf("its rows were taken out by version %d of the table, and a restart does not write it again", s.out.Held.Undone.Version)
	}
	for i := range s.out.Missing {
		s.add(Lost, from, to, &s.out.Missing[i], "%s", why)
	}
	if len(s.out.Missing) == 0 {
		s.add(Lost, from, to, nil, "%s", why)
	}
	if to < last {
		s.add(FateSafe, to+1, last, nil, "committed, and in the output")
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

// left tells what of a part the source does not have any more, and returns the rest of it: nil for none, and in
// words that all of it is there, "" where that is not known.
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
			there += ", until " + Utc(k.Until) + " at least"
		}
		return there, r
	case PartlyGone, AllGone:
		return s.gone(r, k)
	case Another:
		s.away(r, "the source is another one than the one that was read")
		return "", nil
	case NotThere:
		s.away(r, "the source has no such part any more")
		return "", nil
	case Beyond:
		shown := fmt.Sprintf("the source ends at %s, before this position: it was made anew, or lost its end", phrase.PositionOr(k.Latest, "not known"))
		if s.situation() == Unacknowledged {
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
	first, shown := *r, "the source does not have it any more"
	if k.Earliest != nil {
		shown = "the oldest that the source still has is " + phrase.PositionOr(k.Earliest, "not known")
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

// away is a range that cannot be read any more. Of a batch that was planned it is lost, unless the output has the
// batch; of the next one it is lost where it is known that something lay there.
func (s *statement) away(r *Range, shown string) {
	batch := s.v.Restart.Batch
	switch {
	case s.situation() == Unacknowledged:
		s.add(FateSafe, batch, batch, r, "batch %d is in the output already (%s); %s, so that running it again may fail", batch, s.out.Proof.Where, shown)
	case s.v.Restart.Outcome == Rerun || r.To != nil:
		s.add(Lost, batch, batch, r, "%s", shown)
	default:
		s.add(FateOpen, batch, batch, r, "%s; whether anything was left to read of it is not known", shown)
	}
}

// written is what the output makes of the batch that runs next.
func (s *statement) written() (FateWord, string) {
	batch, again := s.v.Restart.Batch, s.v.Restart.Outcome == Rerun
	switch sit := s.situation(); {
	case sit == Unacknowledged:
		return FateSafe, fmt.Sprintf("batch %d is in the output already (%s), which skips it when it comes again", batch, s.out.Proof.Where)
	case sit == Ahead || sit == OldOutput || sit == Replanned || sit == SetBack && s.out.Last >= batch:
		if s.out.By == output.QueryID && sit == OldOutput {
			return s.byDeclared(again)
		}
		return Skipped, fmt.Sprintf("the output has batch %d already, and skips it without an error", batch)
	case sit == NotInSink || again && (sit == Behind || sit == SetBack):
		return Replayed, fmt.Sprintf("batch %d was planned, and is not in the output: it is written once", batch)
	case !again && sit != NotTold && sit != OtherID && sit != NoTrace:
		return ToRead, "nothing of it was read before"
	}
	return s.byDeclared(again)
}

// byDeclared is the fate of the batch by what the spec says of its output, or nothing.
func (s *statement) byDeclared(again bool) (FateWord, string) {
	if !again {
		return ToRead, "nothing of it was read before"
	}
	switch replay := s.v.Replay; replay {
	case "ignored", "merged":
		return Merged, "the spec says that a repeated batch is " + replay + " there"
	case "duplicated":
		return Doubled, "the spec says that a repeated batch is duplicated there: rows of it that were written come twice"
	}
	return FateOpen, "it is read again; whether the output has it already is not known: " + s.unseen()
}
