package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// NeedsKept is what must be given for the sources to be asked.
const NeedsKept = "--kafka, --source or --positions"

var SourceDataGone = &checks.Check{
	Code:     "source-data-gone",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	Short:    "source data is gone",
	Title:    "the source no longer has everything a restart reads",
	Meaning:  dataGoneMeaning,
	NextStep: `Copy the checkpoint, and look for the same data elsewhere: a mirror, an archive, or the system that wrote it.
If it is found: load the data another way and let the query continue after it. If it is not found: decide whether to accept
the loss for this one start. Write down what is lost and what is complete.`,
	Avoid: `Do not set failOnDataLoss=false as a first step: Spark then no longer shows what is lost. Do not remove the newest
offset file before you know what its batch wrote to state and sink. Do not count complete partitions as lost.`,
	Needs: NeedsKept,
	Run: func(_ context.Context, p *checks.Pass) error {
		lost := lostWords(p)
		for i := range p.Kept.Sources {
			s := Held(p.Kept, i)
			s.lost = lost
			if s.Other != "" {
				continue // reported by source-identity-changed: its positions mean nothing here
			}
			lossyParts(p, s)
			partsBeyond(p, s)
			partsNotThere(p, s)
			snapshotGone(p, s)
			thingsLacking(p, s)
		}
		return nil
	},
}

const dataGoneMeaning = `The records between the offset of this checkpoint and the oldest one in the source are lost. Likely
the query was stopped for longer than the source keeps its records.`

// ---- parts that begin too late

func lossyParts(p *checks.Pass, s *heldSource) {
	lost := s.inState(checks.KeptState.Lossy)
	if len(lost) == 0 || s.Kind().Listed { // of snapshots see snapshotGone
		return
	}
	var texts []string
	for _, part := range lost {
		texts = append(texts, s.lossWords(part))
	}
	f := s.finding(phrase.Clauses(texts, 8) + s.whole())
	f.Meaning = dataGoneMeaning + " " + s.onLoss()
	f.NextStep, f.Avoid = s.acceptLoss(), s.avoidSkipping()
	if !slices.ContainsFunc(lost, func(part *checks.KeptPart) bool { return part.State != checks.MaybeGone }) {
		f.Title = "the source may no longer have everything a restart reads"
		f.OnlyIf = "the query has read all that the source no longer has"
		f.Meaning = `The source starts later than the position of this checkpoint. Whether anything existed between them is
not recorded: positions of this kind have gaps. ` + s.onLoss()
	}
	p.Report(f)
}

// finding is one of this source, at the position where the next start begins.
func (s *heldSource) finding(evidence string) checks.Finding {
	where := s.Recorded.From.Where
	if where == (decode.Where{}) {
		where = s.Recorded.To.Where
	}
	return checks.Finding{Severity: checks.High, Batch: s.Recorded.Batch, Where: where, Banner: s.lost,
		Evidence: fmt.Sprintf("source %s: %s (%s)", s.Key, evidence, s.ToldBy())}
}

// lostWords say how much all sources together no longer have of what a restart reads: "400 records of batch 4 are gone from the
// source"; "" where that is not known.
func lostWords(p *checks.Pass) string {
	var n int64
	unit := ""
	for i := range p.Kept.Sources {
		for j := range p.Kept.Sources[i].Reads {
			part := &p.Kept.Sources[i].Reads[j]
			if !part.State.Lost() {
				continue
			}
			if !part.GoneKnown || part.Gone <= 0 || part.Joined && p.Restart.Again() || unit != "" && part.Unit != unit {
				return ""
			}
			n, unit = n+part.Gone, part.Unit
		}
	}
	if n == 0 {
		return ""
	}
	of := ""
	if p.Restart.Again() {
		of = fmt.Sprintf(" of batch %d", p.Restart.Batch)
	}
	return fmt.Sprintf("%s%s %s gone from the source", phrase.Units(n, unit), of, isAre(int(n)))
}

func (s *heldSource) inState(is func(checks.KeptState) bool) (all []*checks.KeptPart) {
	for i := range s.Reads {
		if is(s.Reads[i].State) {
			all = append(all, &s.Reads[i])
		}
	}
	return all
}

// whole says which parts have lost nothing.
func (s *heldSource) whole() string {
	complete := s.inState(func(k checks.KeptState) bool { return k == checks.Complete })
	if len(complete) == 0 || complete[0].Name == "" {
		return ""
	}
	const named = 4
	var names []string
	for _, part := range complete[:min(named, len(complete))] {
		names = append(names, part.Name)
	}
	text := "; complete: " + strings.Join(names, ", ")
	if more := len(complete) - named; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// reads is what the next start reads of a part: "batch 4 reads 100 to 200", "batch 5 begins at 200".
func (s *heldSource) reads(part *checks.KeptPart) string {
	switch {
	case part.From == nil:
		return fmt.Sprintf("batch %d reads up to %s, its start is not recorded", s.Recorded.Batch, s.Say(part.To))
	case part.Joined && s.Recorded.Again: // the batch that runs again does not read it
		return fmt.Sprintf("batch %d starts %s %s", s.Recorded.Batch+1, s.Preposition(), s.Say(part.From))
	case part.To == nil:
		return fmt.Sprintf("batch %d starts %s %s", s.Recorded.Batch, s.Preposition(), s.Say(part.From))
	}
	return fmt.Sprintf("batch %d reads %s → %s", s.Recorded.Batch, s.Say(part.From), s.Say(part.To))
}

func (s *heldSource) lossWords(part *checks.KeptPart) string {
	text := fmt.Sprintf("%s%s, the source starts at %s: ", basics.PartPrefix(part.Name), s.reads(part), s.Say(part.Earliest))
	switch {
	case part.State == checks.MaybeGone:
		return text + "anything written between is lost"
	case !part.GoneKnown:
		return text + "all of it is lost"
	case s.Wholes():
		text += fmt.Sprintf("%s lost", basics.Counted(part.Gone, part.Unit))
	case part.State == checks.AllGone:
		text += fmt.Sprintf("%s lost, none of the batch left", basics.Counted(part.Gone, part.Unit))
	case part.LeftKnown:
		text += fmt.Sprintf("%s lost, %d left", basics.Counted(part.Gone, part.Unit), part.Left)
	default:
		text += fmt.Sprintf("%s lost", basics.Counted(part.Gone, part.Unit))
	}
	return text
}

// ---- what a start does then

// onLoss is what a start does about data that is gone.
func (s *heldSource) onLoss() string {
	kind := s.Kind()
	fails, declared := availability.FailsOnLoss(s.Recorded.Declared)
	switch {
	case declared && kind.OnLossDeclared != nil:
		return kind.OnLossDeclared(fails)
	case kind.OnLoss == "":
		return `What the connector then does is unknown: some fail, some silently continue from the oldest record left.`
	case s.Recorded.Sure:
		return kind.OnLoss
	}
	return kind.OnLoss + kind.OnLossUnsure
}

// acceptLoss is the way on where the query fails over lost data; "" elsewhere.
func (s *heldSource) acceptLoss() string {
	if fails, _ := availability.FailsOnLoss(s.Recorded.Declared); !fails || s.Kind().OnLossDeclared == nil || !s.Recorded.Sure {
		return ""
	}
	return `Copy the checkpoint, and look for the same data elsewhere: a mirror, an archive, or the system that wrote it. If it is found:
load the data another way. Write down what is lost and what is complete. To continue without it: start the query once with failOnDataLoss as false,
and set that back after the first batch.`
}

// avoidSkipping is what to avoid where the query declares that lost data does not stop it; "" elsewhere.
func (s *heldSource) avoidSkipping() string {
	if fails, declared := availability.FailsOnLoss(s.Recorded.Declared); fails || !declared || s.Kind().OnLossDeclared == nil {
		return ""
	}
	return `Do not start the query before you know what is lost: with failOnDataLoss as false it starts and skips that.`
}

// ---- parts that end too early

func partsBeyond(p *checks.Pass, s *heldSource) {
	beyond := s.inState(func(k checks.KeptState) bool { return k == checks.Beyond })
	if len(beyond) == 0 {
		return
	}
	if !slices.ContainsFunc(beyond, func(part *checks.KeptPart) bool { return !s.readsToEnd(part) }) {
		endsBeyond(p, s, beyond)
		return
	}
	f := s.endsEarly(beyond)
	f.Title = "a source ends before the offset of this checkpoint"
	f.Meaning = `The query once reached this offset, so the source was created again under its old name, or lost its end. Old
offsets mean nothing in the new source. Whether old records were never read, and how many, is unknown. ` + s.onReset(beyond[0])
	f.NextStep = `Find out why the source was created again, and whether the query read the old one to its end. Then check the
sink, and start a new checkpoint at the oldest record of the new source. Keep this checkpoint: it records where the query left
the old source.`
	f.Avoid = cmp.Or(s.avoidSkipping(), `Do not set failOnDataLoss=false as a first step: Spark would continue at the end of the new source and never
read what is before it.`) + ` Do not edit offsets in the log. Do not take the difference of the two offsets for a number of lost
records.`
	p.Report(f)
}

// endsEarly is the finding about parts that end too early, with its evidence.
func (s *heldSource) endsEarly(beyond []*checks.KeptPart) checks.Finding {
	var texts []string
	for _, part := range beyond {
		texts = append(texts, fmt.Sprintf("%s%s, the source ends at %s", basics.PartPrefix(part.Name), s.reads(part), s.Say(part.Latest)))
	}
	return s.finding(phrase.Clauses(texts, 8) + s.whole())
}

// readsToEnd reports whether a batch that runs again begins within a part, ends beyond it, and reads what there is: so it does with
// failOnDataLoss as false.
func (s *heldSource) readsToEnd(part *checks.KeptPart) bool {
	if part.From == nil || part.To == nil || part.Latest == nil || s.Recorded.Kind == nil || s.Recorded.Kind.Taken == nil {
		return false
	}
	fails, _ := availability.FailsOnLoss(s.Recorded.Declared)
	c, ok := part.From.Compare(*part.Latest)
	return !fails && ok && c <= 0
}

// endsBeyond tells of a batch that is planned beyond the end of its partitions and goes without what is not there.
func endsBeyond(p *checks.Pass, s *heldSource, beyond []*checks.KeptPart) {
	f := s.endsEarly(beyond)
	f.Severity = checks.Medium
	f.Title = "the batch ends beyond the end of the source"
	f.Meaning = `The offset file was edited, or the source lost its end. The spec declares failOnDataLoss as false: Spark reads up to the
end of the source. The next batch then finds the end below its start, and continues from that end. Records written between these two reads
would be skipped.`
	f.NextStep = `Compare the offset file with its neighbors and with a backup. Stop the producers for the time of the first two
batches, or compare the sink with the source afterwards.`
	f.Avoid = `Do not remove the offset file: Spark would plan its batch again, with other offsets.`
	p.Report(f)
}

// onReset is what a start does about a source that ends before the position of the checkpoint; "" where that is not known.
func (s *heldSource) onReset(part *checks.KeptPart) string {
	at, kind := part.From, s.Kind()
	if at == nil {
		at = part.To
	}
	fails, declared := availability.FailsOnLoss(s.Recorded.Declared)
	switch {
	case declared && kind.OnResetDeclared != nil:
		return kind.OnResetDeclared(at.Text, part.Latest.Text, fails)
	case kind.OnReset != nil:
		return kind.OnReset(at.Text, part.Latest.Text)
	}
	return ""
}

// ---- parts, snapshots and files that are missing

func partsNotThere(p *checks.Pass, s *heldSource) {
	absent := s.inState(func(k checks.KeptState) bool { return k == checks.NotThere })
	if len(absent) == 0 {
		return
	}
	var texts []string
	for _, part := range absent {
		texts = append(texts, basics.PartPrefix(part.Name)+s.reads(part)+", but the source no longer has it")
	}
	f := s.finding(phrase.Clauses(texts, 8) + s.whole())
	f.Title = "a partition a restart reads no longer exists"
	f.Meaning = `A topic was deleted, or created again with fewer partitions. Records of these partitions not read before are
lost; whether any existed is unknown. ` + s.onLoss()
	f.Avoid = s.avoidSkipping()
	p.Report(f)
}

// snapshotGone tells of a snapshot that the next start stands on and that the table has no more, or that the newest did
// not come from.
func snapshotGone(p *checks.Pass, s *heldSource) {
	var gone, aside []string
	for _, o := range []source.Offset{s.Recorded.From, s.Recorded.To} {
		switch id, ok := s.snapshotOf(o); {
		case ok && !slices.Contains(s.Snapshots, id):
			gone = append(gone, fmt.Sprintf("%s is at snapshot %d, which the table no longer has", o.Where, id))
		case ok && slices.Contains(s.Aside, id):
			aside = append(aside, fmt.Sprintf("%s is at snapshot %d, which exists, but the newest snapshot is not based on it", o.Where, id))
		}
	}
	tell := func(evidence []string, title string, loss availability.Loss) {
		if len(evidence) == 0 {
			return
		}
		f := s.finding(strings.Join(slices.Compact(evidence), "; "))
		f.Title, f.Meaning, f.NextStep, f.Avoid = title, loss.Meaning, loss.NextStep, loss.Avoid
		p.Report(f)
	}
	tell(gone, "the snapshot a restart starts from no longer exists", s.Kind().Expired)
	tell(aside, "the table was rolled back past the snapshot a restart starts from", s.Kind().SetAside)
}

// snapshotOf returns the snapshot at which an offset is; ok is false where it is at none, or where it is
// not known which there are.
func (s *heldSource) snapshotOf(o source.Offset) (int64, bool) {
	if s.Snapshots == nil || !availability.Of(o.Likeliest()).Listed || o.Problem != nil || len(o.Parts) == 0 {
		return 0, false
	}
	id := o.Parts[0].Position.Num
	return id, id >= 0
}

// thingsLacking are single files or versions that the batch reads.
func thingsLacking(p *checks.Pass, s *heldSource) {
	var gone, changed []string
	for _, l := range s.Missing {
		if l.Changed {
			changed = append(changed, l.What+": "+l.Why)
		} else {
			gone = append(gone, l.What+": "+l.Why)
		}
	}
	if len(gone) > 0 {
		f := s.finding(fmt.Sprintf("%s that batch %d reads %s missing: %s", basics.Counted(int64(len(gone)), s.lackUnit()), s.Recorded.Batch, isAre(len(gone)), phrase.Clauses(gone, 8)))
		f.Title = s.lackUnit() + " a restart reads are missing"
		f.Meaning = s.onLacking()
		p.Report(f)
	}
	if len(changed) > 0 {
		f := s.finding(fmt.Sprintf("%s that batch %d reads %s rewritten: %s", basics.Counted(int64(len(changed)), "files"), s.Recorded.Batch, map[bool]string{true: "was", false: "were"}[len(changed) == 1], phrase.Clauses(changed, 8)))
		f.Title = "files a restart reads were changed"
		f.Meaning = `The batch was planned with the files as they were then. Spark re-runs it with their current contents, and
its first run may have written the old rows to the sink.`
		f.NextStep = `Find out what rewrote the files, and compare them with the sink before you restart. A bucket with
versions may still have the old files.`
		f.Avoid = `Do not treat the re-run as the same batch: it reads other contents.`
		p.Report(f)
	}
}

// lackUnit is what kind of things are lacking.
func (s *heldSource) lackUnit() string {
	unit := s.Missing[0].Of
	for _, l := range s.Missing {
		if l.Of != unit {
			return "files and versions"
		}
	}
	return unit + "s"
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// onLacking is what a start does about things that are missing.
func (s *heldSource) onLacking() string {
	text := `The next batch reads them. `
	if s.Recorded.Again {
		text = `The batch was planned with them, so Spark cannot re-run it unchanged. `
	}
	if slices.ContainsFunc(s.Missing, func(l availability.MissingItem) bool { return l.Of == "version" }) {
		return text + s.onLoss()
	}
	return text + cmp.Or(s.Kind().OnMissing, `A task fails if one is missing.`)
}
