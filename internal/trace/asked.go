package trace

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
)

// asked is what the checkpoint itself answers to the error; "" where it has nothing to say and the checks decide.
func (l *look) asked() (Agreement, string) {
	if l.Condition.look != nil {
		if a, why := l.Condition.look(l); a != "" {
			return a, why
		}
	}
	switch l.Topic().ask {
	case askThere:
		return l.askThere()
	case askWhole:
		return l.askWhole()
	case askEntry:
		return l.askEntry()
	case askWriters:
		return l.askWriters()
	case askCount:
		return l.askCount()
	case askOffsets:
		return l.askOffsets()
	case askState:
		return l.askState()
	case askSchema:
		return l.askSchema()
	case askOperators:
		return l.askOperators()
	}
	return "", ""
}

// askThere: is the file there that Spark missed?
func (l *look) askThere() (Agreement, string) {
	var there *TraceRef
	for i := range l.Places {
		p := &l.Places[i]
		switch {
		case p.about != "file" || path.Ext(p.Name) == ".crc":
		case p.State == Missing:
			return l.missing(p)
		case p.State == Unread:
			return CannotTell, p.Name + " could not be looked for."
		case there == nil || there.Whole && p.Flawed:
			there = p
		}
	}
	switch {
	case there == nil:
		return l.askStore()
	case there.Flawed:
		return Disagrees, there.Name + " is there now, and cannot be read as what it should be. It may have been put back, by a copy that is not whole."
	}
	return Disagrees, there.Name + " is there now. It may have been put back since; or Spark looked as another identity, or at another place."
}

// missing is a file that is not there, now either: it agrees only where the next start needs the file.
func (l *look) missing(p *TraceRef) (Agreement, string) {
	if f := l.telling(); f != nil && l.at(f) {
		return Agrees, p.Name + " is not there, and a check finds that it is needed: " + f.Code + ": " + sentence(f.Evidence)
	}
	dir, base := path.Split(p.Name)
	if log.ParseName(base).Role == log.Temp {
		return CannotTell, p.Name + " is a temporary name: a file has it only while it is written, so its absence shows nothing."
	}
	if id, ok := numberOf(base); ok && !l.predicted() {
		for _, log := range []*checkpoint.LogDir{&l.cp.Offsets, &l.cp.Commits} {
			if log.Name+"/" == dir && id > log.Last() {
				return Disagrees, fmt.Sprintf("%s is not there, and %s ends at %d now: a start does not ask for it.", p.Name, log.Name, log.Last())
			}
		}
	}
	if !strings.HasPrefix(p.Name, "state/") {
		return Agrees, p.Name + " is not there."
	}
	if l.predicted() {
		return "", ""
	}
	for i := range l.Places {
		switch x := &l.Places[i]; {
		case x.about != "store" || x.agrees:
		case x.denies && l.v.Open():
			return CannotTell, p.Name + " is not there. Of the files that the next start loads there, not all were read to their end, and none is missing."
		case x.denies:
			return Disagrees, p.Name + " is not there, and the next start does not need it: all that it loads there is. The state may have been put back since; or the run that failed had another number of partitions, another provider or another version."
		default:
			return Agrees, p.Name + " is not there, and neither is other state that the next start would load in its place. Either this state is lost, or it never was: a query that has come to keep state asks for such a file too."
		}
	}
	return Agrees, p.Name + " is not there."
}

// askStore: can the next start load the store that is named?
func (l *look) askStore() (Agreement, string) {
	for i := range l.Places {
		if p := &l.Places[i]; p.about == "store" && p.agrees {
			return Agrees, p.Name + ": " + p.Says
		}
	}
	return "", ""
}

// askWhole: is the file damaged that Spark could not read?
func (l *look) askWhole() (Agreement, string) {
	var whole, missing, unread *TraceRef
	for i := range l.Places {
		p := &l.Places[i]
		switch {
		case p.about != "file" || path.Ext(p.Name) == ".crc":
		case p.Flawed:
			return Agrees, p.Name + " is there and is not what it should be."
		case p.State == Missing:
			missing = p
		case p.State == Unread:
			unread = p
		case p.Whole:
			whole = p
		}
	}
	if f := l.telling(); f != nil && l.at(f) {
		return Agrees, "A check finds it there: " + f.Code + ": " + sentence(f.Evidence)
	}
	switch {
	case unread != nil:
		return CannotTell, unread.Name + " could not be looked for."
	case missing != nil:
		return CannotTell, missing.Name + " is not there now, so whether it was damaged cannot be told."
	case whole != nil && l.predicted():
		return "", ""
	case whole != nil:
		return Disagrees, whole.Name + " is there and can be read now. It may have been put back since; or Spark read other bytes than these."
	}
	return "", ""
}

// predicted reports whether the next start stops over the same.
func (l *look) predicted() bool {
	r := &l.v.Restart
	return l.v.Known && r.Outcome == checks.Refuses && l.sameAs(r.Error, r.Because)
}

// askEntry: is the entry in the log? Which log the message does not say: offsets, or that of a file source. The
// lines "at …" may.
func (l *look) askEntry() (Agreement, string) {
	if l.Batch < 0 || l.cp.Offsets.Err != nil {
		return "", ""
	}
	if strings.Contains(l.Condition.Words, "startId") || l.inSource() {
		return l.askSources()
	}
	if l.cp.Offsets.Find(l.Batch) == nil && l.cp.Offsets.Last() >= l.Batch {
		text := fmt.Sprintf("offsets/%d is not there, and offsets goes on to %d.", l.Batch, l.cp.Offsets.Last())
		if l.Batch < l.cp.Offsets.Last()-1 {
			text += fmt.Sprintf(" The next start does not ask for it: it reads offsets/%d and the one before. The trace is of an earlier run, or of another log.", l.cp.Offsets.Last())
		}
		return Agrees, text
	}
	return l.askSources()
}

// inSource reports whether the lines "at …" name a file source.
func (l *look) inSource() bool {
	for _, c := range l.Chain {
		if strings.Contains(c.frames, "FileStreamSource") {
			return true
		}
	}
	return false
}

// askSources: does the log of a file source lack the entry?
func (l *look) askSources() (Agreement, string) {
	if l.predicted() {
		return "", ""
	}
	for _, f := range l.Findings {
		if f.Code == "source-log-hole" {
			return Agrees, "A check finds what fits: " + f.Code + ": " + sentence(f.Evidence)
		}
	}
	switch {
	case l.v.Restart.Outcome == checks.Refuses || l.v.Open() || l.SoFar:
		return "", ""
	case l.cp.Offsets.Find(l.Batch) != nil && !l.inSource():
		return Disagrees, fmt.Sprintf("offsets/%d is there now, and no log of a source lacks what the next start asks for. The file may have been put back since; or Spark looked as another identity, or at another place.", l.Batch)
	}
	return "", ""
}

// askWriters: is the file that was in the way there now?
func (l *look) askWriters() (Agreement, string) {
	if l.predicted() {
		return "", ""
	}
	if f := l.telling(); f != nil && f.Code == "second-writer" {
		return Agrees, "A check finds what two runs leave behind: " + f.Code + ": " + sentence(f.Evidence)
	}
	if l.Batch < 0 {
		return CannotTell, "That a file was in the way is only seen at the moment of writing."
	}
	planned, committed := l.cp.Offsets.Find(l.Batch) != nil, l.cp.Commits.Find(l.Batch) != nil
	switch {
	case planned && committed:
		return CannotTell, fmt.Sprintf("Batch %d is planned and committed: whoever was first has completed it. The files do not say whether another run did that, or this one before.", l.Batch)
	case planned:
		return CannotTell, fmt.Sprintf("offsets/%d is there and commits/%d is not: another run may have planned it, or this one before it stopped.%s", l.Batch, l.Batch, l.batchTold(l.Batch))
	case committed:
		return Agrees, fmt.Sprintf("commits/%d is there without a plan, and stands in the way of a batch of that number.", l.Batch)
	}
	return Disagrees, fmt.Sprintf("There is no file of batch %d now: what was in the way has gone, or Spark looked at another place.", l.Batch)
}

var counts = patternOf(`There are \[(\d{1,9})\] sources in the checkpoint offsets and now there are \[(\d{1,9})\]`)

// askCount: does the plan have as many lines as the message says?
func (l *look) askCount() (Agreement, string) {
	m := counts.FindStringSubmatch(chainText(l.Chain))
	if m == nil || l.v.Standing.Last == nil || l.v.Standing.Last.Plan == nil {
		return "", ""
	}
	said, _ := number(m[1])
	newest := len(l.v.Standing.Last.Plan.Sources)
	switch id := l.v.Standing.LastPlanned; said {
	case int64(newest):
		return Agrees, fmt.Sprintf("offsets/%d has as many lines for sources as the message says, %d; the query had %s.", id, newest, m[2])
	case int64(l.sourcesBefore()):
		return Agrees, fmt.Sprintf("offsets/%d has as many lines for sources as the message says, %s; the query had %s, and offsets/%d has %d.", id-1, m[1], m[2], id, newest)
	}
	return Disagrees, fmt.Sprintf("The newest plan has %d lines for sources, and the message says %s. The plan has changed since, or Spark looked at another place.", newest, m[1])
}

// sourcesBefore is how many lines the plan before the newest has; -1 where that is not known.
func (l *look) sourcesBefore() int {
	if b := l.v.Standing.Before; b != nil && b.Plan != nil {
		return len(b.Plan.Sources)
	}
	return -1
}

// askOffsets: do the plans ask for these offsets?
func (l *look) askOffsets() (Agreement, string) {
	for i := range l.Places {
		p := &l.Places[i]
		switch {
		case p.about != "part":
		case p.agrees:
			return Agrees, p.Name + ": " + p.Says + " Whether Kafka holds it is not recorded here."
		case p.denies:
			return Disagrees, p.Name + ": " + p.Says + " The checkpoint has continued since, or this is a different one."
		}
	}
	return "", ""
}

// askState: is there any state?
func (l *look) askState() (Agreement, string) {
	if l.cp.State.Err != nil {
		return "", ""
	}
	for _, e := range l.cp.State.Entries {
		if e.Dir && digits.MatchString(e.Name) {
			return "", ""
		}
	}
	return Agrees, "state holds no folder of an operator."
}

var (
	operatorsRecorded = patternOf(`(?s)operators in the metadata: \[(.*?)\]`)
	operatorsNow      = patternOf(`(?s)operators in current batch: \[(.*?)\]`)
	operatorNamed     = patternOf(`OperatorId: (\d{1,9}) -> OperatorName: (\w{1,200})`)
)

// askOperators: does the checkpoint record the operators that the message says it does?
func (l *look) askOperators() (Agreement, string) {
	text := chainText(l.Chain)
	said := operatorNamed.FindAllStringSubmatch(first(operatorsRecorded, text), placeLimit)
	if len(said) == 0 {
		return "", ""
	}
	var differs, recorded []string
	for _, m := range said {
		i := slices.IndexFunc(l.v.Operators, func(o statestore.Operator) bool { return fmt.Sprint(o.ID) == m[1] })
		switch {
		case i < 0:
			differs = append(differs, "operator "+m[1]+" is not there")
		case l.v.Operators[i].Name == "" || l.v.Operators[i].Guessed:
			return "", ""
		case l.v.Operators[i].Name != m[2]:
			differs = append(differs, "operator "+m[1]+" is recorded as "+l.v.Operators[i].Name+" and not as "+m[2])
		default:
			recorded = append(recorded, l.v.Operators[i].Dir+"/_metadata records operator "+m[1]+" as "+m[2])
		}
	}
	if len(differs) > 0 {
		return Disagrees, "The message says other operators of the checkpoint than it has now: " + strings.Join(differs, ", ") + "."
	}
	because := listed(recorded) + ", as the message says"
	if now := first(operatorsNow, text); now != "" {
		because += "; those of the query were " + shortly(flat(now))
	}
	return Agrees, because + "."
}

// elsewhere are the folders under which the trace knows the checkpoint, where they are not its location.
func elsewhere(files []File, location, place string) []string {
	var all []string
	for _, f := range files {
		if f.Prefix == "" || plainPath(f.Prefix) == plainPath(location) || plainPath(f.Prefix) == place {
			continue
		}
		seen := false
		for _, have := range all {
			seen = seen || have == f.Prefix
		}
		if !seen && len(all) < 3 {
			all = append(all, f.Prefix)
		}
	}
	return all
}

// plainPath is a location without what file systems call it: scheme, name node, mount. A bucket stays.
func plainPath(s string) string {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || strings.Contains(scheme, "/") {
		scheme, rest = "file", s
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok && (scheme == "hdfs" || scheme == "viewfs") {
		_, rest, _ = strings.Cut(after, "/")
	}
	if scheme == "dbfs" {
		rest = "/dbfs/" + strings.TrimLeft(rest, "/")
	}
	return path.Clean("/" + strings.TrimLeft(rest, "/"))
}
