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
			return CannotTell, p.Name + " could not be checked."
		case there == nil || there.Whole && p.Flawed:
			there = p
		}
	}
	switch {
	case there == nil:
		return l.askStore()
	case there.Flawed:
		return Disagrees, there.Name + " exists now, but cannot be decoded. Someone may have put back an incomplete copy."
	}
	return Disagrees, there.Name + " exists now. Someone may have put it back. Or Spark used another identity or location."
}

// missing is a file that is not there, now either: it agrees only where the next start needs the file.
func (l *look) missing(p *TraceRef) (Agreement, string) {
	if f := l.telling(); f != nil && l.at(f) {
		return Agrees, p.Name + " is missing, and a check finds that a restart needs it: " + f.Code + ": " + sentence(f.Evidence)
	}
	dir, base := path.Split(p.Name)
	if log.ParseName(base).Role == log.Temp {
		return CannotTell, p.Name + " is a temporary name. A file has it only while Spark writes it, so a missing one proves nothing."
	}
	if id, ok := numberOf(base); ok && !l.predicted() {
		for _, log := range []*checkpoint.LogDir{&l.cp.Offsets, &l.cp.Commits} {
			if log.Name+"/" == dir && id > log.Last() {
				return Disagrees, fmt.Sprintf("%s is missing, but the newest file in %s is %d now: a start does not read it.", p.Name, log.Name, log.Last())
			}
		}
	}
	if !strings.HasPrefix(p.Name, "state/") {
		return Agrees, p.Name + " is missing."
	}
	if l.predicted() {
		return "", ""
	}
	for i := range l.Places {
		switch x := &l.Places[i]; {
		case x.about != "store" || x.agrees:
		case x.denies && l.v.Open():
			return CannotTell, p.Name + " is missing. No file the next start loads there is missing, but not all were read to their end."
		case x.denies:
			return Disagrees, p.Name + " is missing, but the next start does not need it: all files it loads exist. Someone may have put the state back. Or the failed run had another number of partitions, provider or version."
		default:
			return Agrees, p.Name + " is missing, and so is other state the next start could load instead. Either this state is lost, or it never existed: a query that is newly stateful also needs such a file."
		}
	}
	return Agrees, p.Name + " is missing."
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
			return Agrees, p.Name + " exists but cannot be decoded."
		case p.State == Missing:
			missing = p
		case p.State == Unread:
			unread = p
		case p.Whole:
			whole = p
		}
	}
	if f := l.telling(); f != nil && l.at(f) {
		return Agrees, "A check confirms it: " + f.Code + ": " + sentence(f.Evidence)
	}
	switch {
	case unread != nil:
		return CannotTell, unread.Name + " could not be checked."
	case missing != nil:
		return CannotTell, missing.Name + " is missing now, so it is unknown whether it was damaged."
	case whole != nil && l.predicted():
		return "", ""
	case whole != nil:
		return Disagrees, whole.Name + " exists and can be read now. Someone may have put it back. Or Spark read other bytes."
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
		text := fmt.Sprintf("offsets/%d is missing, and the newest file in offsets is %d.", l.Batch, l.cp.Offsets.Last())
		if l.Batch < l.cp.Offsets.Last()-1 {
			text += fmt.Sprintf(" The next start does not need it: it reads offsets/%d and the one before. The trace is from an earlier run, or about another log.", l.cp.Offsets.Last())
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
			return Agrees, "A check confirms it: " + f.Code + ": " + sentence(f.Evidence)
		}
	}
	switch {
	case l.v.Restart.Outcome == checks.Refuses || l.v.Open() || l.SoFar:
		return "", ""
	case l.cp.Offsets.Find(l.Batch) != nil && !l.inSource():
		return Disagrees, fmt.Sprintf("offsets/%d exists now, and each source log has all the next start reads. Someone may have put it back. Or Spark used another identity or location.", l.Batch)
	}
	return "", ""
}

// askWriters: is the file that was in the way there now?
func (l *look) askWriters() (Agreement, string) {
	if l.predicted() {
		return "", ""
	}
	if f := l.telling(); f != nil && f.Code == "second-writer" {
		return Agrees, "A check finds traces of two runs: " + f.Code + ": " + sentence(f.Evidence)
	}
	if l.Batch < 0 {
		return CannotTell, "Only the moment of writing shows whether a file existed."
	}
	planned, committed := l.cp.Offsets.Find(l.Batch) != nil, l.cp.Commits.Find(l.Batch) != nil
	switch {
	case planned && committed:
		return CannotTell, fmt.Sprintf("Batch %d is committed: the first writer completed it. The files do not show whether another run did that, or an earlier one of this query.", l.Batch)
	case planned:
		return CannotTell, fmt.Sprintf("offsets/%d exists and commits/%d is missing: another run may have planned it, or this one before it failed.%s", l.Batch, l.Batch, l.batchTold(l.Batch))
	case committed:
		return Agrees, fmt.Sprintf("commits/%[1]d exists without offsets/%[1]d and blocks that batch.", l.Batch)
	}
	return Disagrees, fmt.Sprintf("Batch %d has no file now: the blocking file is gone, or Spark used another location.", l.Batch)
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
		return Agrees, fmt.Sprintf("offsets/%d has as many source lines as the message, %d; the query had %s.", id, newest, m[2])
	case int64(l.sourcesBefore()):
		return Agrees, fmt.Sprintf("offsets/%d has as many source lines as the message, %s; the query had %s, and offsets/%d has %d.", id-1, m[1], m[2], id, newest)
	}
	return Disagrees, fmt.Sprintf("The newest offset file has %d source lines, but the message has %s. The file changed since, or Spark used another location.", newest, m[1])
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
			return Agrees, p.Name + ": " + p.Says + " The checkpoint does not record whether Kafka still has it."
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
	return Agrees, "state contains no operator folder."
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
			differs = append(differs, "operator "+m[1]+" is missing")
		case l.v.Operators[i].Name == "" || l.v.Operators[i].Guessed:
			return "", ""
		case l.v.Operators[i].Name != m[2]:
			differs = append(differs, "operator "+m[1]+" is recorded as "+l.v.Operators[i].Name+" and not as "+m[2])
		default:
			recorded = append(recorded, l.v.Operators[i].Dir+"/_metadata records operator "+m[1]+" as "+m[2])
		}
	}
	if len(differs) > 0 {
		return Disagrees, "The message has other operators than the checkpoint now: " + strings.Join(differs, ", ") + "."
	}
	because := listed(recorded) + ", as in the message"
	if now := first(operatorsNow, text); now != "" {
		because += "; the query has " + shortly(flat(now))
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
