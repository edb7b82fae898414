package logs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// problems are the texts of problems of one file, without their places: up to four.
func problems(all []*decode.Error) string {
	const shown = 4
	var texts []string
	for _, e := range all[:min(shown, len(all))] {
		text := e.Err.Error()
		if e.Line > 0 && len(all) > 1 && !strings.HasPrefix(text, "line ") {
			text = fmt.Sprintf("line %d: %s", e.Line, text)
		}
		texts = append(texts, text)
	}
	if more := len(all) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

var LogEmpty = &checks.Check{
	Code:     "log-empty",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Title:    "a log file is empty",
	Meaning: `Spark fails on this file with "Incomplete log file". Likely causes: a full disk, a crash during the write, or a
storage client that created an empty object. What it contained, if anything, is unknown.`,
	NextStep: `Look for the file in object versions or a backup, and put it back.`,
	Avoid:    `Do not fill the file by hand or start a new checkpoint: rows could be lost or read again.`,
	Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			if b.Plan != nil && b.Plan.Has(decode.Empty) {
				reportEmpty(p, b, b.Plan.File)
			}
			if b.Commit != nil && b.Commit.Has(decode.Empty) {
				reportEmpty(p, b, b.Commit.File)
			}
		}}
	},
}

func reportEmpty(p *checks.Pass, b *checkpoint.Batch, file string) {
	f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: decode.Where{File: file}, Evidence: file + " has 0 bytes"}
	isPlan := strings.HasPrefix(file, "offsets/")
	last, committed := p.Offsets.Last(), p.Commits.Last()
	switch {
	case !basics.StartReads(p, file):
		f.Severity = checks.Medium
		f.Meaning = UnreadAtStart
		f.NextStep = `Nothing is needed before a restart. Find out what left an empty file: newer files may be affected too.`
	case isPlan && b.ID == last && committed == basics.PlanBefore(p, last):
		f.Evidence += fmt.Sprintf("; batch %d before it is committed", committed)
		f.NextStep = fmt.Sprintf("%sThen set the empty offsets/%d aside and restart. Earlier batches are committed; Spark plans batch %d again.", basics.CopyFirst, b.ID, b.ID)
	case !isPlan && b.ID == last:
		f.NextStep += fmt.Sprintf(" If it is not found: %sThen set the empty commits/%d aside. Spark re-runs batch %d with its recorded offsets, so the sink gets its rows again.",
			basics.LowerFirst(basics.CopyFirst), b.ID, b.ID)
	}
	p.Report(f)
}

const UnreadAtStart = `A restart reads only the newest offset file, the one before it, and the newest commit. This older file
does not stop it. You would need it to roll back to this batch.`

var LogMalformed = &checks.Check{
	Code:     "log-malformed",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Salvage:  true,
	Title:    "a log file cannot be parsed",
	Meaning: `A restart reads this file and cannot parse it, or misreads it. Likely causes: an interrupted write, an editor
that changed line ends or added a byte order mark, or a damaged copy. The batch shows what can still be read.`,
	NextStep: basics.CopyFirst + `Then put the file back from object versions or a backup. If it is not found: write it as
Spark does. Write the line v1, the metadata line, and one line per source. Use line feeds only, and none after the last line.`,
	Avoid: `Do not delete the checkpoint or remove committed batches: their rows would be read again.`,
	Run:   runNames,
	Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			if b.Plan != nil {
				reportMalformed(p, b, b.Plan.File, b.Plan.Version, b.Plan.Problems)
			}
			if b.Commit != nil {
				reportMalformed(p, b, b.Commit.File, b.Commit.Version, b.Commit.Problems)
			}
		}}
	},
}

func reportMalformed(p *checks.Pass, b *checkpoint.Batch, file string, version int, all []*decode.Error) {
	var bad, odd []*decode.Error
	if tooNew(p, file, version) != "" {
		return // of a form that this release does not know at all
	}
	for _, e := range all {
		switch {
		case tolerated(b, e):
			odd = append(odd, e)
		case malformed(p, b, e):
			bad = append(bad, e)
		}
	}
	switch {
	case len(bad) > 0:
		both := inOrder(bad, odd)
		f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: both[0].Where, Evidence: file + ": " + problems(both)}
		if !basics.StartReads(p, file) {
			f.Severity, f.Meaning = checks.Medium, UnreadAtStart
			f.NextStep = `Nothing is needed before a restart. Find out what changed the file: newer files may be affected too.`
		} else if strings.HasPrefix(file, "offsets/") && p.Offsets.Last() == b.ID && p.Commits.Last() == basics.PlanBefore(p, b.ID) {
			f.NextStep = fmt.Sprintf(`%sThen put offsets/%d back from object versions or a backup. If it is not found: check
the sink for rows of batch %d, because a restart would write them again. Then set the file aside; earlier batches are
committed, and Spark plans batch %d again.`, basics.CopyFirst, b.ID, b.ID, b.ID)
		}
		p.Report(f)
	case len(odd) > 0:
		p.Report(checks.Finding{Severity: checks.Low, Batch: b.ID, Where: odd[0].Where, Evidence: file + ": " + problems(odd),
			Title: "a log file has a form Spark accepts but does not write",
			Meaning: `Something other than Spark wrote this file, such as an editor or a copy that changes line ends. Spark
can still read it.`,
			NextStep: `Compare the file with a backup if you have one: a tool that changed line ends may have changed a number
too.`,
			Avoid: `Do not fix the line ends by hand: Spark can read the file unchanged.`})
	}
}

// inOrder puts the problems of one file back into the order of the file.
func inOrder(a, b []*decode.Error) []*decode.Error {
	var all []*decode.Error
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Offset <= b[0].Offset {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return all
}

// tolerated reports whether Spark reads on in spite of e: Windows line ends, one empty line at the
// end, something behind the JSON of a line. An empty line before the end of a plan counts as a source.
func tolerated(b *checkpoint.Batch, e *decode.Error) bool {
	if e.Flaw == decode.ExtraLine && b.Plan != nil && e.File == b.Plan.File {
		for _, o := range b.Plan.Sources {
			if o.Raw == "" {
				return false
			}
		}
	}
	return e.Flaw == decode.LineEnds || e.Flaw == decode.ExtraLine || e.Flaw == decode.Trailing
}

// malformed reports whether e belongs to this check: empty files, unknown versions and positions
// that are not allowed have their own checks, and some sources write text that is no JSON.
func malformed(p *checks.Pass, b *checkpoint.Batch, e *decode.Error) bool {
	switch e.Flaw {
	case decode.Empty, decode.VersionUnknown, decode.OldLayout:
		return false
	case decode.NoMetadata:
		return !basics.Continuous(p)
	}
	if b.Plan == nil || e.File != b.Plan.File {
		return true
	}
	for i, o := range b.Plan.Sources {
		if o.Where.Line == e.Line {
			return e.Flaw != decode.Value && meantAsJSON(p, i, o.Raw)
		}
	}
	return true
}

// meantAsJSON reports whether the line of a source should have been JSON: it begins like it, or the
// newest plans have JSON there.
func meantAsJSON(p *checks.Pass, i int, raw string) bool {
	if raw == "" || strings.ContainsAny(raw[:1], `{["`) {
		return true
	}
	for _, b := range []*checkpoint.Batch{p.Survey.Standing.Last, p.Survey.Standing.Before} {
		if b != nil && b.Plan != nil && i < len(b.Plan.Sources) && b.Plan.Sources[i].Problem == nil && !b.Plan.Sources[i].None {
			return true
		}
	}
	return false
}

var LogVersionUnknown = &checks.Check{
	Code:     "log-version-unknown",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Title:    "this Spark release cannot read the version of a log file",
	Meaning: `Spark refuses log files of a version newer than it knows. A newer release wrote this one, or the version line
was changed by hand.`,
	NextStep: `Restart with the release that wrote the checkpoint, or a newer one.`,
	Avoid:    `Do not change the number in the version line: the lines below it differ between versions.`,
	Walk: func(p *checks.Pass) checks.Walker {
		newest, count := map[string]checks.Finding{}, map[string]int{}
		look := func(b *checkpoint.Batch, file string, version int) {
			since := tooNew(p, file, version)
			if since == "" && b.Commit != nil && file == b.Commit.File && mislabelled(p, b.Commit) {
				since = fmt.Sprintf("without the state IDs of that version, which Spark %s refuses", p.Spark)
			}
			if since == "" {
				return
			}
			log, _, _ := strings.Cut(file, "/")
			f := checks.Finding{Severity: checks.Medium, Batch: b.ID, Where: decode.Where{File: file, Line: 1},
				Evidence: fmt.Sprintf("%s is v%d, %s", file, version, since)}
			if since == noReleaseReads {
				f.NextStep = basics.CopyFirst + "Put " + file + ` back from object versions or a backup. If a release newer
than those tidemark knows wrote it: restart with that release.`
			}
			if basics.StartReads(p, file) {
				f.Severity = checks.High
			} else {
				f.Meaning = UnreadAtStart
			}
			key := fmt.Sprintf("%s v%d", log, version)
			newest[key], count[key] = f, count[key]+1
		}
		return checks.Walker{
			Batch: func(_, b *checkpoint.Batch) {
				if b.Plan != nil {
					look(b, b.Plan.File, b.Plan.Version)
				}
				if b.Commit != nil {
					look(b, b.Commit.File, b.Commit.Version)
				}
			},
			Done: func(bool) {
				for _, key := range slices.Sorted(maps.Keys(newest)) {
					f := newest[key]
					if count[key] > 1 {
						f.Evidence += fmt.Sprintf("; so are %d older ones", count[key]-1)
					}
					p.Report(f)
				}
			},
		}
	},
}

const noReleaseReads = "which no release known to tidemark reads"

// tooNew says since when Spark knows a version of a log, if the release that restarts does not: the
// offset log's 2 (4.2), the commit log's 2 (4.0) and 3 (4.2). "" where the release knows it.
func tooNew(p *checks.Pass, file string, version int) string {
	if version <= 1 {
		return ""
	}
	var since spark.Version
	switch log, _, _ := strings.Cut(file, "/"); {
	case version == 2 && log == "commits":
		since = spark.Version{Major: 4}
	case version == 2, version == 3 && log == "commits":
		since = spark.Version{Major: 4, Minor: 2}
	default:
		return noReleaseReads
	}
	if p.Spark.AtLeast(since) {
		return ""
	}
	return fmt.Sprintf("which Spark reads from %s on, and not in %s", since, p.Spark)
}

// mislabelled reports whether a commit is called version 2 without the state ids of that version,
// which the releases before 4.2 then refuse: they read version 2 only with checkpoint format 2.
func mislabelled(p *checks.Pass, c *log.Commit) bool {
	return c.Version == 2 && c.StateUniqueIDs == nil && len(c.Problems) == 0 && !p.Spark.AtLeast(spark.Version{Major: 4, Minor: 2})
}
