package trace

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/output"
)

// What messages without a name say is so, held against what the checkpoint and the output have.

// ---- the log of a file sink

var (
	sinkLogFile = patternOf(`(\S+/)?(_spark_metadata/(\d{1,18})(?:\.compact)?) doesn't exist`)
	compacting  = patternOf(`when compacting batch (\d{1,18})`)
	racing      = patternOf(`Race while writing batch (\d{1,18})`)
)

// lookSinkCompaction: does the output's own log lack that file, and does a start get to that batch?
func (l *look) lookSinkCompaction() (Agreement, string) {
	text := chainText(l.Chain)
	m := sinkLogFile.FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	name := m[2]
	p := TraceRef{Name: name, about: "sink", Says: "It belongs to the log of the sink, outside this checkpoint. " + l.outputSays()}
	l.Places = append([]TraceRef{p}, l.Places...)
	at := ""
	if batch, ok := number(first(compacting, text)); ok {
		if l.cp.Commits.Find(batch) != nil {
			return Disagrees, fmt.Sprintf("commits/%d exists: batch %d was committed since, with its compaction of the sink's log.", batch, batch)
		}
		at = fmt.Sprintf(" Batch %d compacts the log; %s", batch, l.span())
	}
	if f := l.telling(); f != nil {
		return Agrees, name + ": a check of the sink confirms it: " + f.Code + ": " + sentence(f.Evidence) + at
	}
	out := l.v.Sink
	switch {
	case out == nil:
		l.next = "Check the sink: tidemark explain LOCATION --sink LOCATION. Look for " + name + " in object versions, trash, backups, and put it back before you restart."
		return CannotTell, name + " belongs to the sink, which was not checked (--sink LOCATION)." + at
	case out.Unknown != "" || !output.IsFile(out.Kind):
		l.next = "Look for " + name + " in object versions, trash, backups, and put it back before you restart."
		return CannotTell, name + " belongs to the log of the sink. " + l.outputSays() + at
	}
	return Disagrees, "The log of the sink was checked. It has each file its next compaction reads. Someone may have put " + name + " back, or Spark wrote to another folder."
}

// outputSays is what the look at the output came to.
func (l *look) outputSays() string {
	out := l.v.Sink
	switch {
	case out == nil:
		return "Not checked: name the sink (--sink LOCATION)."
	case out.Absent:
		return "The sink has no such log: " + sentence(out.Says)
	case out.Unknown != "":
		return "The contents of the sink are unknown: " + sentence(out.Unknown)
	}
	return "The sink was checked: " + sentence(out.Says)
}

// lookSinkBatch: does the output's log have that batch?
func (l *look) lookSinkBatch() (Agreement, string) {
	batch, ok := number(first(racing, chainText(l.Chain)))
	switch {
	case !ok:
		return "", ""
	case l.cp.Commits.Find(batch) != nil:
		return Disagrees, fmt.Sprintf("Batch %d is committed now: the first writer completed it.", batch)
	case l.v.Sink == nil:
		l.next = "Make sure exactly one run of the query is active. Then check the sink: tidemark explain LOCATION --sink LOCATION."
		return CannotTell, fmt.Sprintf("It is unknown whether the sink has batch %d: name the sink (--sink LOCATION).", batch)
	}
	switch l.v.Sink.Holds(batch) {
	case output.Yes:
		return Agrees, fmt.Sprintf("The sink has batch %d, and commits/%d is missing.", batch, batch)
	case output.No, output.Gone:
		return Disagrees, fmt.Sprintf("The sink does not have batch %d.", batch)
	}
	return CannotTell, fmt.Sprintf("It is unknown whether the sink has batch %d: %s", batch, l.outputSays())
}

// ---- paths

var (
	wrongPath = patternOf(`Wrong FS:? ?(\S+?),? *-?expected:? ?(\S+)`)
	renamedTo = patternOf(`(?:[Ff]ailed to rename|Renamed|rename from) (?:temp file |as )?(\S+?) to (\S+)`)
	renamedAs = patternOf(`(?:[Ff]ailed to rename as|rename source) (\S+) (?:was )?not found`)
	notFound  = patternOf(`Path does not exist: (\S+)`)
)

// lookWrongFS: whose are scheme and host of the path?
func (l *look) lookWrongFS() (Agreement, string) {
	m := wrongPath.FindStringSubmatch(chainText(l.Chain))
	if m == nil {
		return "", ""
	}
	asked := strings.TrimRight(m[2], ",.;")
	why := fmt.Sprintf("The path has %s, but Spark asked the file system %s. It depends on release and configuration (fs.defaultFS), which no checkpoint records.", hostOf(m[1]), asked)
	there := l.fileThere()
	if there == nil {
		return CannotTell, why
	}
	return CannotTell, fmt.Sprintf("%s %s itself %s: its contents do not cause this error.", why, there.Name, there.short())
}

// fileThere is the first file of the trace that exists; nil for none.
func (l *look) fileThere() *TraceRef {
	for i := range l.Places {
		if p := &l.Places[i]; p.about == "file" && p.State == There {
			return p
		}
	}
	return nil
}

// hostOf is "scheme s3 and host bucket", as far as a path has them.
func hostOf(path string) string {
	u, err := url.Parse(path)
	switch {
	case err != nil || u.Scheme == "":
		return "no scheme"
	case u.Host == "":
		return "the scheme " + u.Scheme
	}
	return "the scheme " + u.Scheme + " and the host " + u.Host
}

// lookRename: does one of the two files exist?
func (l *look) lookRename() (Agreement, string) {
	text := chainText(l.Chain)
	var from, to string
	if m := renamedTo.FindStringSubmatch(text); m != nil {
		from, to = m[1], m[2]
	} else if from = first(renamedAs, text); from == "" {
		return "", ""
	}
	temp, named := l.placeOf(from), l.placeOf(to)
	switch {
	case temp == nil && named == nil:
		return CannotTell, "Neither of the two files is in a checkpoint."
	case named != nil && named.State == There:
		return Agrees, fmt.Sprintf("%s exists: either it existed before, or the rename succeeded and the storage reported an error. The files do not show which run wrote it.", named.Name)
	case temp != nil && temp.State == There:
		return Agrees, fmt.Sprintf("%s still has its temporary name.", temp.Name)
	case named != nil && named.State == Missing && l.behind(named.Name):
		return Agrees, fmt.Sprintf("%s is missing and is the next file of its log: it was not written. Spark re-runs its batch.", named.Name)
	case named != nil && named.State == Missing:
		return CannotTell, fmt.Sprintf("%s is missing, and so is its temporary file.", named.Name)
	}
	return CannotTell, "The temporary file is gone. Only the moment of writing shows why."
}

// behind reports whether a name is the next one of its log.
func (l *look) behind(name string) bool {
	dir, base := path.Split(name)
	id, ok := numberOf(base)
	for _, log := range []*checkpoint.LogDir{&l.cp.Offsets, &l.cp.Commits} {
		if ok && log.Err == nil && log.Name+"/" == dir {
			return id == log.Last()+1
		}
	}
	return false
}

// placeOf is what the checkpoint shows of a path of the trace; nil where it is no file of a checkpoint.
func (l *look) placeOf(p string) *TraceRef {
	f, ok := fileIn(p)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(l.Places, func(x TraceRef) bool { return x.about == "file" && x.Name == f.Name })
	if i < 0 {
		return nil
	}
	return &l.Places[i]
}

// lookPath: is the path one of the checkpoint?
func (l *look) lookPath() (Agreement, string) {
	p := l.placeOf(strings.TrimRight(first(notFound, chainText(l.Chain)), ";.,"))
	switch {
	case p == nil:
		return "", ""
	case p.State == Missing:
		l.next = copyFirst + "Look for " + p.Name + " in object versions, trash, backups."
		return l.missing(p)
	case p.State == Unread:
		return CannotTell, p.Name + " could not be checked."
	}
	return Disagrees, p.Name + " exists now. Someone may have put it back. Or Spark used another identity or location."
}

// lookBlock: can the file be read from here?
func (l *look) lookBlock() (Agreement, string) {
	p := l.fileThere()
	if p == nil || !p.Whole {
		return "", ""
	}
	return Disagrees, p.Name + " can be read to its end from here. The block was unreachable for a while, or for that machine only."
}

// ---- settings that a plan pins

const joinForm = "spark.sql.streaming.join.stateFormatVersion"

// lookJoinForm: is the join state of the form that Spark refuses?
func (l *look) lookJoinForm() (Agreement, string) {
	last := l.v.Standing.Last
	if last == nil || last.Plan == nil {
		return "", ""
	}
	switch form, pinned := last.Plan.Conf[joinForm], last.Plan.File; form {
	case "":
		return Agrees, pinned + " does not record the join state format, like offset files of 2.4 and before: Spark treats it as format 1."
	case "1":
		return Agrees, pinned + " records join state format 1."
	default:
		return Disagrees, fmt.Sprintf("%s records join state format %s.", pinned, form)
	}
}

var (
	epochSaid     = patternOf(`offset for epoch (\d{1,18}) not reported`)
	watermarkSaid = patternOf(`earlier than the current watermark \((\d{1,18})\)`)
)

// lookEpoch: does offsets have the plan of the epoch?
func (l *look) lookEpoch() (Agreement, string) {
	id, ok := number(first(epochSaid, chainText(l.Chain)))
	switch {
	case !ok || l.cp.Offsets.Err != nil:
		return "", ""
	case l.cp.Offsets.Find(id) == nil:
		return Agrees, fmt.Sprintf("offsets/%d is missing. %s", id, l.span())
	}
	return Disagrees, fmt.Sprintf("offsets/%d exists now.", id)
}

// lookGroupWatermark: does a newest plan have the watermark of the message?
func (l *look) lookGroupWatermark() (Agreement, string) {
	said, ok := number(first(watermarkSaid, chainText(l.Chain)))
	if !ok {
		return "", ""
	}
	var have []string
	for _, b := range []*checkpoint.Batch{l.v.Standing.Last, l.v.Standing.Before} {
		if b == nil || b.Plan == nil {
			continue
		}
		if b.Plan.Watermark == said {
			return Agrees, fmt.Sprintf("%s has the watermark %d, as in the message. The code shows why the function chose an older time.", b.Plan.File, said)
		}
		have = append(have, fmt.Sprintf("%s has %d", b.Plan.File, b.Plan.Watermark))
	}
	if have == nil {
		return "", ""
	}
	return Disagrees, fmt.Sprintf("The message has the watermark %d, but %s. The checkpoint has continued since, or this is a different one.", said, strings.Join(have, ", "))
}

// ---- rate sources

var (
	rateParts = patternOf(`contained (\d{1,9}) partitions, but (\d{1,9}) partitions`)
	rateRange = patternOf(`start(?:Seconds|Offset)\((\d{1,18})\) > end(?:Seconds|Offset)\((\d{1,18})\)`)
)

// lookRateParts: does the newest plan have as many parts as the message says?
func (l *look) lookRateParts() (Agreement, string) {
	m := rateParts.FindStringSubmatch(chainText(l.Chain))
	if m == nil {
		return "", ""
	}
	was, _ := number(m[1])
	var have []string
	for _, o := range l.lines(keepsPartCount) {
		if int64(len(o.Parts)) == was {
			return Agrees, fmt.Sprintf("%s records %d partitions of this source; the query had %s.", o.Where.File, was, m[2])
		}
		have = append(have, fmt.Sprintf("%s records %d", o.Where.File, len(o.Parts)))
	}
	if have == nil {
		return "", ""
	}
	return Disagrees, strings.Join(have, ", ") + " partitions, but the message has " + m[1] + "."
}

// lookRateRange: do the plans have these two ends?
func (l *look) lookRateRange() (Agreement, string) {
	m := rateRange.FindStringSubmatch(chainText(l.Chain))
	if m == nil || l.predicted() {
		return "", ""
	}
	from, _ := number(m[1])
	end, _ := number(m[2])
	st := &l.v.Standing
	var have []string
	for _, all := range checkpoint.Reads(st.Before, st.Last, nil) {
		for _, r := range all {
			if r.From == nil || r.To == nil {
				continue
			}
			if r.From.Num == from && r.To.Num == end {
				return Agrees, fmt.Sprintf("Batch %d is planned from %d to %d.", st.LastPlanned, from, end)
			}
			if r.To.Num == from && st.LastPlanned == st.LastCommitted {
				return Agrees, fmt.Sprintf("The next batch starts at %[2]d, the end offset in offsets/%[1]d; the source was at %[3]d.", st.LastPlanned, from, end)
			}
			have = append(have, fmt.Sprintf("%s to %s", r.From.Text, r.To.Text))
		}
	}
	if have == nil {
		return "", ""
	}
	return Disagrees, fmt.Sprintf("Batch %d reads %s, unlike the message.", st.LastPlanned, strings.Join(have, ", "))
}

// lines are the positions of the newest plan that can be of one of these kinds.
func (l *look) lines(of func(*source.Kind) bool) (all []source.Offset) {
	if last := l.v.Standing.Last; last != nil {
		all = linesOf(last, of)
	}
	return all
}

// linesOf are those of a batch.
func linesOf(b *checkpoint.Batch, of func(*source.Kind) bool) (all []source.Offset) {
	if b == nil || b.Plan == nil {
		return nil
	}
	for _, o := range b.Plan.Sources {
		if slices.ContainsFunc(o.Kinds, of) {
			all = append(all, o)
		}
	}
	return all
}
