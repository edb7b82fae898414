package trace

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/log"
)

// What conditions about the logs, the plans and their settings say is recorded, held against what is. Each of these
// is the look of one condition, or of several that say the same; "" where the message does not have the values, or
// nothing is recorded.

// newest is the newest plan as far as it decodes; nil for none.
func (l *look) newest() *log.Plan {
	if b := l.v.Standing.Last; b != nil {
		return b.Plan
	}
	return nil
}

// pinned is a setting that the newest plan pins, and the plan's file; "" for none.
func (l *look) pinned(key string) (value, file string) {
	if p := l.newest(); p != nil {
		return p.Conf[key], p.File
	}
	return "", ""
}

// planOf is the plan of a batch as far as it decodes; nil for none.
func (l *look) planOf(id int64) *log.Plan {
	if id < 0 {
		return nil
	}
	if b, err := l.cp.Batch(l.ctx, id); err == nil && b != nil {
		return b.Plan
	}
	return nil
}

// commitOf is the commit of a batch as far as it decodes; nil for none.
func (l *look) commitOf(id int64) *log.Commit {
	if id < 0 || l.cp.Commits.Find(id) == nil {
		return nil
	}
	if b, err := l.cp.Batch(l.ctx, id); err == nil && b != nil {
		return b.Commit
	}
	return nil
}

// ---- which batches there are

// lookIDFile: is the file metadata there?
func (l *look) lookIDFile() (Agreement, string) {
	switch {
	case l.cp.Root.Err != nil:
		return "", ""
	case l.cp.Root.Find("metadata") == nil && (l.cp.Offsets.Last() >= 0 || l.cp.Commits.Last() >= 0):
		return Agrees, "metadata is missing, and " + l.span()
	case l.cp.Root.Find("metadata") == nil:
		return Disagrees, "metadata is missing, but offsets and commits contain no batch either: a start creates a new one."
	}
	return Disagrees, "metadata exists now. Someone may have put it back. Or Spark used another identity or location."
}

// lookNoCommit: is no batch committed?
func (l *look) lookNoCommit() (Agreement, string) {
	switch last := l.cp.Commits.Last(); {
	case l.cp.Commits.Err != nil:
		return "", ""
	case last < 0:
		return Agrees, "commits contains no batch."
	default:
		return Disagrees, fmt.Sprintf("The newest file in commits is %d now.", last)
	}
}

// lookNoBatch: is no batch planned?
func (l *look) lookNoBatch() (Agreement, string) {
	switch last := l.cp.Offsets.Last(); {
	case l.cp.Offsets.Err != nil:
		return "", ""
	case last < 0:
		return Agrees, "offsets contains no batch."
	default:
		return Disagrees, fmt.Sprintf("The newest file in offsets is %d now.", last)
	}
}

// lookRecovery: does offsets hold plans, where the sink wants none?
func (l *look) lookRecovery() (Agreement, string) {
	switch last := l.cp.Offsets.Last(); {
	case l.cp.Offsets.Err != nil:
		return "", ""
	case last < 0:
		return Disagrees, "offsets contains no batch now."
	default:
		return Agrees, fmt.Sprintf("The newest file in offsets is %d.", last)
	}
}

// lookPlanMissing: does offsets lack the plan?
func (l *look) lookPlanMissing() (Agreement, string) {
	v := l.said("offset log for … does not exist", "entry for batch ID … not found")
	if v == nil {
		return "", ""
	}
	id, ok := number(v[0])
	switch {
	case !ok || l.cp.Offsets.Err != nil:
		return "", ""
	case l.cp.Offsets.Find(id) == nil:
		return Agrees, fmt.Sprintf("offsets/%d is missing. %s", id, l.span())
	}
	return Disagrees, fmt.Sprintf("offsets/%d exists.", id)
}

// lookPlanHead: does the plan lack its second line?
func (l *look) lookPlanHead() (Agreement, string) {
	v := l.said("not available for offset log for …, checkpoint", "metadata is missing for batch ID …. Please", "metadata is missing for batch ID ….")
	if v == nil {
		return "", ""
	}
	id, ok := number(v[0])
	if !ok {
		return "", ""
	}
	p := l.planOf(id)
	switch {
	case p == nil:
		return CannotTell, fmt.Sprintf("offsets/%d could not be read, so its second line is unknown.", id)
	case !p.HasMetadata:
		return Agrees, p.File + " has no second line with watermark, time and settings that could be read."
	}
	return Disagrees, p.File + " has its second line, with watermark, time and settings."
}

// lookUnwritten: is the file there that could not be written?
func (l *look) lookUnwritten() (Agreement, string) {
	v := l.said("for batch … at checkpoint")
	if v == nil {
		return "", ""
	}
	id, ok := number(v[0])
	log := &l.cp.Offsets
	if strings.HasSuffix(l.Condition.Name, ".COMMIT_LOG") {
		log = &l.cp.Commits
	}
	switch {
	case !ok || log.Err != nil:
		return "", ""
	case log.Find(id) == nil:
		return Agrees, fmt.Sprintf("%s/%d is missing: it was not written. %s", log.Name, id, l.span())
	}
	return Disagrees, fmt.Sprintf("%s/%d exists now: a later run wrote it, or the write succeeded although the storage returned an error.", log.Name, id)
}

// lookBegun: is there state although no batch is committed?
func (l *look) lookBegun() (Agreement, string) {
	if l.predicted() || l.cp.State.Err != nil || l.cp.Commits.Err != nil {
		return "", ""
	}
	switch last := l.cp.Commits.Last(); {
	case last >= 0:
		return Disagrees, fmt.Sprintf("The newest file in commits is %d: batch 0 is not next. Spark used another location, or someone put the logs back.", last)
	case len(l.cp.State.Entries) == 0:
		return Disagrees, "state is empty or missing now."
	}
	return Agrees, "No batch is committed, so batch 0 is next, and " + holds("state", l.cp.State, "")
}

// ---- versions of log files

// lookLogVersion: is a log file of the version that Spark met?
func (l *look) lookLogVersion() (Agreement, string) {
	v := l.said("log version is v…, but encountered v…. The", "log version is v…, but encountered v….", "log version is v…, but encountered v…")
	if v == nil || l.predicted() {
		return "", ""
	}
	met, ok := number(firstWord(strings.TrimRight(v[1], ". ")))
	if !ok {
		return "", ""
	}
	var same, others []string
	for _, f := range l.logVersions() {
		if int64(f.version) == met {
			same = append(same, f.file)
		} else {
			others = append(others, fmt.Sprintf("%s (v%d)", f.file, f.version))
		}
	}
	switch {
	case len(same) > 0:
		return Agrees, fmt.Sprintf("%s has version v%d; that release supports v%s.", listed(same), met, shortly(v[0]))
	case len(others) > 0 && !l.v.Open():
		return CannotTell, fmt.Sprintf("None of the files a start reads first has version v%d: %s. Source logs and the log of a file sink also have versions.", met, listed(others))
	}
	return "", ""
}

type fileVersion struct {
	file    string
	version int
}

// logVersions are the versions of the files that a start reads first.
func (l *look) logVersions() (all []fileVersion) {
	st := &l.v.Standing
	if st.Last != nil && st.Last.Plan != nil {
		all = append(all, fileVersion{st.Last.Plan.File, st.Last.Plan.Version})
	}
	if st.Before != nil && st.Before.Plan != nil {
		all = append(all, fileVersion{st.Before.Plan.File, st.Before.Plan.Version})
	}
	if st.Committed != nil && st.Committed.Commit != nil {
		all = append(all, fileVersion{st.Committed.Commit.File, st.Committed.Commit.Version})
	}
	for o := range l.v.Operators {
		if m := l.v.Operators[o].Metadata; m != nil {
			all = append(all, fileVersion{m.File, m.Version})
		}
	}
	return all
}

// lookPlanVersion: is the newest plan of the version that the message says?
func (l *look) lookPlanVersion() (Agreement, string) {
	v := l.said("format version …, which", "sequence version …. Please", "sequence version ….")
	p := l.newest()
	if v == nil || p == nil || p.Version == 0 {
		return "", ""
	}
	return held("the version", strings.TrimPrefix(v[0], "v"), "", []record{{p.File, fmt.Sprint(p.Version)}})
}

// ---- checkpoint format: whether commits name ids of state

// formatOf is the format of the state that a batch left: 2 where its commit has ids; 0 where that is not known.
func (l *look) formatOf(id int64) (format int, file string) {
	c := l.commitOf(id)
	switch {
	case c == nil || len(c.Problems) > 0:
		return 0, ""
	case c.StateUniqueIDs != nil:
		return 2, c.File
	}
	return 1, c.File
}

// lookFormat: is the state of the format that the message says?
func (l *look) lookFormat() (Agreement, string) {
	if v := l.said("startBatchId=…, endBatchId=…. startFormatVersion=…, endFormatVersion=….", "startBatchId=…, endBatchId=…. startFormatVersion=…, endFormatVersion=…"); v != nil {
		return l.formatsHeld(v)
	}
	want := "1"
	if v := l.said("Expected version …, but found …. Please", "Expected version …, but found …"); v != nil {
		want = v[0]
	}
	format, file := l.formatOf(l.v.Standing.LastCommitted)
	if format == 0 {
		return "", ""
	}
	return held("checkpoint format", want, "", []record{{file, fmt.Sprint(format)}})
}

func (l *look) formatsHeld(v []string) (Agreement, string) {
	text, differ := []string{}, false
	for i := range 2 {
		id, ok := number(v[i])
		format, file := l.formatOf(id)
		if !ok || format == 0 {
			return CannotTell, fmt.Sprintf("The commit file of batch %s could not be read, so its state format is unknown.", shortly(v[i]))
		}
		differ = differ || fmt.Sprint(format) != strings.TrimRight(v[i+2], ".")
		text = append(text, fmt.Sprintf("%s records checkpoint format %d", file, format))
	}
	if differ {
		return Disagrees, "The message has formats " + shortly(v[2]) + " and " + shortly(v[3]) + ", but " + strings.Join(text, ", ") + "."
	}
	return Agrees, strings.Join(text, ", ") + ", as in the message."
}

// lookIDsKept: do the commits name ids of state, and which provider is pinned?
func (l *look) lookIDsKept() (Agreement, string) {
	format, file := l.formatOf(l.v.Standing.LastCommitted)
	if format == 0 {
		return "", ""
	}
	provider, plan := l.pinned(confProvider)
	text := fmt.Sprintf("%s records checkpoint format %d", file, format)
	if provider != "" {
		text += ", and " + plan + " records the provider " + shortly(provider)
	}
	if format == 2 {
		return Agrees, text + ": names of state files contain IDs."
	}
	return CannotTell, text + ": no IDs are recorded. The setting of the session (spark.sql.streaming.stateStore.checkpointFormatVersion) is unknown."
}

// ---- an offline change of partitions

const (
	confPartitions      = "spark.sql.shuffle.partitions"
	confStatePartitions = "spark.sql.streaming.internal.stateStore.partitions"
)

// partitionsOf is the number of state partitions that a plan pins; "" for none.
func partitionsOf(p *log.Plan) string {
	if n := p.Conf[confStatePartitions]; n != "" {
		return n
	}
	return p.Conf[confPartitions]
}

// lookUnfinished: is the newest batch the one that the message says, and not committed?
func (l *look) lookUnfinished() (Agreement, string) {
	v := l.said("latest batch … is for", "last batch ID … is a repartition batch", "last batch ID … didn't finish")
	if v == nil {
		return "", ""
	}
	st := &l.v.Standing
	id, ok := number(v[0])
	p := l.newest()
	switch {
	case !ok || p == nil:
		return "", ""
	case id != st.LastPlanned:
		return Disagrees, fmt.Sprintf("The newest offset file is that of batch %d now, not %d as in the message.", st.LastPlanned, id)
	case st.LastCommitted >= id:
		return Disagrees, fmt.Sprintf("commits/%d exists now: the batch is committed.", id)
	}
	text := fmt.Sprintf("Batch %d is the newest batch and is not committed. The newest committed batch is %d.", id, st.LastCommitted)
	switch {
	case p.Control != "":
		text += " " + p.File + " is a batch of the operation " + shortly(p.Control) + "."
	case !strings.HasSuffix(l.Condition.Name, ".LAST_BATCH_FAILED"):
		return CannotTell, text + " " + p.File + " does not show that it is a change of partitions."
	}
	if w := l.said("repartition batch with … shuffle"); w != nil && partitionsOf(p) != "" {
		return held("the number of state partitions as", w[0], " ("+strings.TrimSuffix(text, ".")+")", []record{{p.File, partitionsOf(p)}})
	}
	return Agrees, text
}

// lookPartitionsPinned: does the plan pin the number that was asked for?
func (l *look) lookPartitionsPinned() (Agreement, string) {
	v := l.said("(id=…) is the same as the requested … partitions")
	if v == nil {
		return "", ""
	}
	id, ok := number(v[0])
	p := l.planOf(id)
	if !ok || p == nil || partitionsOf(p) == "" {
		return "", ""
	}
	return held("the number of state partitions as", v[1], "", []record{{p.File, partitionsOf(p)}})
}

// ---- settings and positions

// lookSetting: does the newest plan pin the setting, and with the value that is refused?
func (l *look) lookSetting() (Agreement, string) {
	v := l.said("'…' in the config \"…\" is invalid", "'…' in … is invalid")
	if v == nil {
		if v = l.said("… should be …, but was …"); v == nil {
			return "", ""
		}
		v = []string{strings.TrimRight(v[2], "."), v[0]}
	}
	key := v[1][strings.LastIndexByte(v[1], ' ')+1:]
	p := l.newest()
	if p == nil || !p.HasMetadata || l.predicted() {
		return "", ""
	}
	switch value, pinned := p.Conf[key]; {
	case !pinned:
		return CannotTell, p.File + ", the newest offset file, does not record " + shortly(key) + ": the value is from the session."
	case value == v[0]:
		return Agrees, p.File + " records " + shortly(key) + "=" + shortly(value) + ", the value the message rejects."
	default:
		return Disagrees, p.File + " records " + shortly(key) + "=" + shortly(value) + ", but the message rejects " + shortly(v[0]) + "."
	}
}

// lookClass: does the newest plan pin the class as the provider of state?
func (l *look) lookClass() (Agreement, string) {
	provider, file := l.pinned(confProvider)
	if provider == "" || l.predicted() {
		return "", ""
	}
	if strings.Contains(l.message(), provider) {
		return Agrees, file + " records the missing class as the state store provider, " + shortly(provider) + "."
	}
	return CannotTell, file + ", the newest offset file, records another state store provider, " + shortly(provider) + ". The checkpoint does not show what needs the missing class."
}

// lookPinnedPair: are the two settings pinned as the message says?
func (l *look) lookPinnedPair() (Agreement, string) {
	v := l.said("values `…=…` and `…=…` are incompatible")
	if v == nil {
		return "", ""
	}
	var differ, same []string
	file := ""
	for i := 0; i < len(v); i += 2 {
		value, where := l.pinned(v[i])
		switch file = where; {
		case value == "":
		case value == v[i+1]:
			same = append(same, v[i]+"="+value)
		default:
			differ = append(differ, v[i]+"="+value)
		}
	}
	switch {
	case len(differ) > 0:
		return Disagrees, file + " records " + listed(differ) + ", unlike the message."
	case len(same) > 0:
		return Agrees, file + " records " + listed(same) + ", as in the message."
	}
	return "", ""
}

// lookWatermark: is it the watermark of the newest batch, or of the one before?
func (l *look) lookWatermark() (Agreement, string) {
	v := l.said("current_watermark_value=…. This", "current_watermark_value=… This")
	p := l.newest()
	if v == nil || p == nil || !p.HasMetadata {
		return "", ""
	}
	said, ok := number(strings.TrimRight(v[0], "."))
	if !ok {
		return "", ""
	}
	plans := []*log.Plan{p}
	if b := l.v.Standing.Before; b != nil && b.Plan != nil { // rows are late by the watermark of the batch before
		plans = append(plans, b.Plan)
	}
	for _, q := range plans {
		if said == q.Watermark || said == q.Watermark*1000 { // milliseconds, or Spark's own microseconds
			return Agrees, fmt.Sprintf("%s records the watermark of the message, %d ms.", q.File, q.Watermark)
		}
	}
	return Disagrees, fmt.Sprintf("%s records the watermark %d ms, but the message has %d. The query has continued since, or this is a different one.", p.File, p.Watermark, said)
}

// lookRate: does a plan of the newest two have the end that the message says?
func (l *look) lookRate() (Agreement, string) {
	v := l.said("startOffset(…) > endOffset(…)", "startTimestamp(…) > endTimestamp(…)", "is …, but it's … now")
	if v == nil || l.newest() == nil {
		return "", ""
	}
	plans := []*log.Plan{l.newest()}
	if b := l.v.Standing.Before; b != nil && b.Plan != nil {
		plans = append(plans, b.Plan)
	}
	for _, p := range plans {
		for i := range p.Sources {
			for _, said := range v {
				if n, ok := number(said); ok && holdsNumber(p.Sources[i].Raw, n) {
					return Agrees, fmt.Sprintf("%s has the position %d of the message: %s.", p.File, n, shortly(p.Sources[i].Raw))
				}
			}
		}
	}
	return Disagrees, "Neither of the newest offset files has a position of the message. The query has continued since, or this is a different one."
}

// holdsNumber reports whether a number stands in a text, not as a part of a longer one.
func holdsNumber(text string, n int64) bool {
	for _, piece := range strings.FieldsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '-' }) {
		if piece == fmt.Sprint(n) {
			return true
		}
	}
	return false
}
