package logs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var PartialCopy = &checks.Check{
	Code:     "partial-copy",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Title:    "parts of the checkpoint are missing",
	Meaning: `Spark writes these parts together, so a checkpoint without one of them is incomplete. Likely causes: a copy or
restore that stopped early or took only some folders, or folders removed by hand.`,
	NextStep: `Compare with the original location, and copy everything again while no run of the query is active. Restart only
after that.`,
	Avoid: `Do not fill in missing files by hand or run the query on this copy: rows could be lost or written twice.`,
	Run:   runPartialCopy,
}

func runPartialCopy(ctx context.Context, p *checks.Pass) error {
	if !basics.LogsListed(p) || p.Root.Err != nil || p.Sources.Err != nil || p.State.Err != nil || len(agedOut(p)) > 0 {
		return nil
	}
	signs := CopySigns(p)
	strong := slices.ContainsFunc(signs, func(s copySign) bool { return s.alone })
	if strong || len(signs) > 1 {
		var texts []string
		for _, s := range signs {
			texts = append(texts, s.text)
		}
		f := checks.Finding{Severity: checks.High, Batch: -1, Where: decode.Where{File: signs[0].file}, Evidence: strings.Join(texts, "; ")}
		if cut, ok := cutCommits(p); ok && len(signs) == 1 {
			gone := basics.Runs(cut.missing)
			if len(gone) == 1 {
				text, err := covers(ctx, p, gone[0])
				if err != nil {
					return err
				}
				f.Evidence += text
			}
			f.Batch = cut.missing[0]
			batches := "batches " + phrase.List(basics.SpanNames(gone), 5)
			f.Meaning = fmt.Sprintf(`A run commits a batch before it plans the next one, so no run leaves so many batches
uncommitted. Likely causes: a copy that stopped inside commits, a copy of a running query, or commits removed by hand. A
restart re-runs only the newest batch and treats %s as done. That is right only if the original has their commits.`, batches)
			f.NextStep = fmt.Sprintf(`Look for the commits of %s in the original location. If they are found: copy all of
commits again while no run of the query is active. If they are not found: check the sink for rows of these batches before you
restart.`, batches)
			f.Avoid = `Do not write the missing commits by hand: if the sink lacks a batch, its rows are lost.`
		}
		p.Report(f)
	}
	return nil
}

// cutTail is an end of commits that is missing, although what Spark writes with those batches is there.
type cutTail struct {
	missing []int64 // batches that are planned and not committed, all below the newest plan, ascending
	inBytes bool    // it is the end in byte order, in which "10" comes before "9"
	because string  // what else shows that the batches ran; "" where nothing does
}

// The fewest batches without a commit at the end that are taken for one cut: where something else shows that they ran, and
// where nothing does.
const (
	cutProven  = 2
	cutInBytes = 3 // they are the last ones in byte order, and not by number
	cutLong    = 5
)

// cutCommits finds commits that end before the plans, by number or in byte order, with no other hole in either log. One batch less is the
// normal shape, and one or two more can have other reasons: a lost write, or a second run.
func cutCommits(p *checks.Pass) (cutTail, bool) {
	planned, committed := slices.Collect(p.Offsets.IDs()), slices.Collect(p.Commits.IDs())
	if !basics.LogsListed(p) || basics.Continuous(p) || basics.BeforeCommits(p) || len(planned) == 0 || len(committed) == 0 ||
		len(basics.Holes(planned)) > 0 {
		return cutTail{}, false
	}
	last := p.Offsets.Last()
	missing := slices.DeleteFunc(basics.Except(planned, committed), func(id int64) bool { return id == last || id < committed[0] })
	if len(missing) < cutProven {
		return cutTail{}, false
	}
	cut := cutTail{missing: missing}
	if len(basics.Holes(committed)) > 0 {
		_, n := cutInByteOrder(committed, planned)
		cut.inBytes = n > 0
		return cut, cut.inBytes && len(missing) >= cutInBytes
	}
	cut.because = ranBeyond(p, missing[0])
	return cut, cut.because != "" || len(missing) >= cutLong
}

// ranBeyond says what shows that batches after this one were run: state that one of them wrote; "" where nothing does.
func ranBeyond(p *checks.Pass, batch int64) string {
	newest, dir := int64(-1), ""
	for i := range p.Survey.State {
		for _, part := range p.Survey.State[i].Partitions {
			for _, st := range part.Stores {
				if n := len(st.Files); n > 0 && st.Files[n-1].Version > newest {
					newest, dir = st.Files[n-1].Version, st.Dir
				}
			}
		}
	}
	if newest > batch+1 { // batch N writes version N+1
		return fmt.Sprintf("%s has versions up to %d, which batch %d wrote", dir, newest, newest-1)
	}
	return ""
}

// cutOffsets finds plans that end before the commits, with no hole in either log: the batches that are committed and not planned. One
// that is missing at the end can have been removed to run the batch again.
func cutOffsets(p *checks.Pass) (basics.Span, bool) {
	planned, committed := slices.Collect(p.Offsets.IDs()), slices.Collect(p.Commits.IDs())
	if !basics.LogsListed(p) || len(planned) == 0 || len(basics.Holes(planned))+len(basics.Holes(committed)) > 0 {
		return basics.Span{}, false
	}
	tail := committed[countUpTo(committed, planned[len(planned)-1]):]
	if len(tail) < 1+cutProven || tail[0] != planned[len(planned)-1]+1 {
		return basics.Span{}, false
	}
	return basics.Span{First: tail[0], Last: tail[len(tail)-1]}, true
}

// copySign is one sign of a copy that is not whole. One that is not proof alone needs a second.
type copySign struct {
	file, text string
	alone      bool
}

func CopySigns(p *checks.Pass) (signs []copySign) {
	add := func(alone bool, file, format string, args ...any) {
		signs = append(signs, copySign{file, fmt.Sprintf(format, args...), alone})
	}
	planned, committed := slices.Collect(p.Offsets.IDs()), slices.Collect(p.Commits.IDs())
	last := p.Offsets.Last()
	behind := len(planned) - 1 - countUpTo(planned, p.Commits.Last())
	cut, isCut := cutCommits(p)
	switch {
	case basics.Continuous(p), basics.BeforeCommits(p):
	case isCut:
		text := fmt.Sprintf("commits end at batch %d and offsets at batch %d: %s are missing", p.Commits.Last(), last, basics.Runs(cut.missing)[0].In("commits"))
		if cut.inBytes {
			text = fmt.Sprintf("the %d missing commits (%s) are the last ones in byte order", len(cut.missing), phrase.List(basics.SpanNames(basics.Runs(cut.missing)), 5))
		}
		if cut.because != "" {
			text += ", and " + cut.because
		}
		add(true, "commits", "%s", text)
	case len(planned) > 1 && len(committed) == 0:
		text := fmt.Sprintf("offsets has %d batches and commits has none", len(planned))
		if because := ranBeyond(p, planned[0]); because != "" {
			text += ", and " + because
		}
		add(true, "commits", "%s", text)
	case len(planned) > 0 && behind > 1 && len(basics.Holes(committed)) == 0:
		add(false, "commits", "commits end at batch %d, offsets at batch %d", p.Commits.Last(), last)
	}
	if tail, ok := cutOffsets(p); ok {
		add(true, "offsets", "offsets end at batch %d and commits at batch %d: %s are missing", last, p.Commits.Last(), tail.In("offsets"))
	}
	if late, n := cutInByteOrder(planned, committed); n > 0 {
		add(false, "offsets", "the %d missing offset files (%s) are the last ones in byte order", n, phrase.List(basics.SpanNames(late), 5))
	}
	switch used := usedSourceLog(p); {
	case len(planned) == 0 && len(committed) == 0 && used != "" && basics.Stateless(p):
		add(true, "offsets", "%s exists, but neither offsets nor commits has a batch", used)
	case last >= 0 && len(p.Sources.Entries) == 0 && keepsSourceLog(p):
		add(false, "sources", "sources is missing, although a source of the query keeps a log in it")
	}
	if len(planned)+len(committed) > 0 && p.Survey.Metadata == nil && !basics.UnreadBelow(p, "metadata") {
		add(false, "metadata", "metadata is missing")
	}
	return signs
}

// countUpTo is how many of ids (ascending) are at most id.
func countUpTo(ids []int64, id int64) int {
	n, found := slices.BinarySearch(ids, id)
	if found {
		n++
	}
	return n
}

// cutInByteOrder finds a copy that went through offsets in byte order ("10" before "9") and was cut
// off: the batches that are committed and not planned are the last ones by name.
func cutInByteOrder(planned, committed []int64) ([]basics.Span, int) {
	late := basics.Except(committed, planned)
	if len(late) < 2 || len(planned) == 0 || late[len(late)-1] < planned[0] {
		return nil, 0
	}
	newest := ""
	for _, id := range planned {
		newest = max(newest, fmt.Sprint(id))
	}
	for _, id := range late {
		if fmt.Sprint(id) < newest {
			return nil, 0
		}
	}
	return basics.Runs(late), len(late)
}

// usedSourceLog names a source log with an entry beyond the first, "" when there is none: the first
// is written before the first batch is planned, the others come after it.
func usedSourceLog(p *checks.Pass) string {
	for _, d := range p.Survey.Sources {
		if d.Last() > 0 {
			return basics.LogName(&d, d.Last())
		}
	}
	return ""
}

// keepsSourceLog reports whether the newest plan has a source that always keeps a file in sources:
// Kafka its first offsets, the file source its log.
func keepsSourceLog(p *checks.Pass) bool {
	b := p.Survey.Standing.Last
	if b == nil || b.Plan == nil {
		return false
	}
	for _, o := range b.Plan.Sources {
		if slices.ContainsFunc(o.Kinds, func(k *source.Kind) bool { return k.KeepsFolder }) {
			return true
		}
	}
	return false
}

var HousekeepingDamage = &checks.Check{
	Code:     "housekeeping-damage",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Title:    "the oldest files of the checkpoint are missing",
	Meaning: `Spark never removes these files, and they are the oldest of a checkpoint. Only old files are missing, so a
lifecycle rule on the bucket or a cleanup job likely removed them. If it still runs, it will also remove files the query
needs.`,
	NextStep: `Stop the lifecycle rule or cleanup job, then put back what it removed from object versions or a backup. Restart
only when the query ID and the source logs are back.`,
	Avoid: `Do not write the missing files by hand: wrong contents would lose or repeat rows. Missing old batches in offsets
and commits are no damage: Spark removes those itself.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		if gone := agedOut(p); len(gone) > 0 {
			p.Reportf(-1, decode.Where{File: "metadata"}, "%s; batches %d to %d exist", strings.Join(gone, "; "), p.Offsets.First(), p.Offsets.Last())
		}
		return nil
	},
}

// agedOut says what was written first and is gone; nothing unless the query id is among it, a second
// thing is, and no batch of the first days is left.
func agedOut(p *checks.Pass) (gone []string) {
	if !basics.LogsListed(p) || p.Root.Err != nil || p.Survey.Metadata != nil || p.Offsets.First() <= 0 || p.Commits.First() <= 0 {
		return nil
	}
	if basics.UnreadBelow(p, "metadata") {
		return nil
	}
	for _, d := range p.Survey.Sources {
		if d.Err == nil && len(d.Files)+len(d.Others) == 0 && keepsSourceLog(p) {
			gone = append(gone, d.Name+" is empty")
		}
		if d.Err != nil || len(d.Files) == 0 || d.First() == 0 ||
			slices.ContainsFunc(d.Files, func(f checkpoint.LogFile) bool { return f.Compact }) {
			continue
		}
		gone = append(gone, fmt.Sprintf("%s begins at %s, without earlier entries and without a compact file that has them", d.Name, d.Files[0].Name))
	}
	if len(p.Sources.Entries) == 0 && p.Sources.Err == nil && keepsSourceLog(p) {
		gone = append(gone, "sources is missing")
	}
	for _, op := range p.Survey.State {
		if op.Err == nil && len(op.Partitions) > 0 && len(op.Schemas) == 0 && !basics.UnreadBelow(p, op.Dir) &&
			p.Written.From.AtLeast(spark.Version{Major: 3, Minor: 1}) {
			gone = append(gone, op.Dir+" has no schema file")
		}
	}
	if len(gone) > 0 {
		gone = append([]string{"metadata is missing"}, gone...)
	}
	return gone
}
