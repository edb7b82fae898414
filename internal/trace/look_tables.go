package trace

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/output"
)

// What messages of table sources and sinks (Delta Lake, Iceberg, Hudi) say, held against the plans, against what the
// table holds where that was told, and against the output where it was given.

// tableLine is how the newest plans stand to one table that is read.
type tableLine struct {
	source.Offset // where the next start begins; the newest plan's, where the one before is not known
	kept          *checks.KeptSource
}

// tables are the lines of these kinds: of the batch that runs again, where it begins.
func (l *look) tables(of func(*source.Kind) bool) (all []tableLine) {
	st := &l.v.Standing
	from := st.Last
	if st.LastPlanned > st.LastCommitted && st.Before != nil && st.Before.Plan != nil {
		from = st.Before
	}
	for _, o := range linesOf(from, of) {
		all = append(all, tableLine{o, l.keptOf(o)})
	}
	return all
}

// keptOf is what was told of the source of a line; nil for nothing.
func (l *look) keptOf(o source.Offset) *checks.KeptSource {
	if l.v.Kept == nil {
		return nil
	}
	for i := range l.v.Kept.Sources {
		s := &l.v.Kept.Sources[i]
		for _, have := range []source.Offset{s.Recorded.From, s.Recorded.To} {
			if have.Raw != "" && (have.Raw == o.Raw || o.Identity() != "" && have.Identity() == o.Identity()) {
				return s
			}
		}
	}
	return nil
}

// allLines are the lines of the two newest plans, of any kind.
func (l *look) allLines() (all []source.Offset) {
	for _, b := range []int{0, 1} {
		batch := l.v.Standing.Last
		if b == 1 {
			batch = l.v.Standing.Before
		}
		if batch != nil && batch.Plan != nil {
			all = append(all, batch.Plan.Sources...)
		}
	}
	return all
}

// ---- which table

var (
	twoTables  = patternOf(`(?s)Delta table \(id = '([^']+)'\).{0,100}Delta table \(id = '([^']+)'\)`)
	oneTable   = patternOf(`Delta table (\S+) doesn't exist`)
	logTables  = patternOf(`Persisted table id: (\S+), Table id: (\S+)`)
	placesSaid = patternOf(`location '([^']+)' must be placed under checkpoint location '([^']+)'`)
)

// lookTable: do the plans record the id that the message calls the old one?
func (l *look) lookTable() (Agreement, string) {
	text := chainText(l.Chain)
	var old, now string
	if m := twoTables.FindStringSubmatch(text); m != nil {
		now, old = m[1], m[2]
	} else if old = first(oneTable, text); old == "" {
		return "", ""
	}
	var others []string
	for _, line := range l.tables(readsTable(source.DeltaTable)) {
		id := line.Identity()
		if !strings.EqualFold(id, old) {
			others = append(others, line.Where.File+" records the ID "+id)
			continue
		}
		why := line.Where.File + " records the ID " + id + ", as in the message." + l.specTable()
		switch told := line.told(); {
		case told == "":
		case strings.EqualFold(told, id):
			return Agrees, why + " The checked table has this ID too (" + line.kept.ToldBy() + "): the query read another folder, or someone put the table back."
		case strings.EqualFold(told, now):
			return Agrees, why + " The checked table has the new one, " + told + " (" + line.kept.ToldBy() + ")."
		default:
			return Agrees, why + " The checked table has a third one, " + told + " (" + line.kept.ToldBy() + ")."
		}
		return Agrees, why
	}
	if others == nil {
		return "", ""
	}
	return Disagrees, strings.Join(others, ", ") + ", but the message has " + old + "."
}

// told is the id that the table was told to have; "" for nothing.
func (t *tableLine) told() string {
	if t.kept == nil {
		return ""
	}
	return t.kept.TableID
}

// ---- which version of a Delta table

// versionsSaid are how messages name the version that is at fault, the surest first.
var versionsSaid = []*pattern{
	patternOf(`expecting process data from version (\d{1,18})`),
	patternOf(`not recorded for version \[(\d{1,18})\]`),
	patternOf(`(?:source|table|streaming source) at version (\d{1,18})`),
	patternOf(`change in version (\d{1,18})`),
	patternOf(`\bbut we found an incompatible .{0,40}at version (\d{1,18})`),
	patternOf(`between Delta version \d{1,18} and (\d{1,18})`),
	patternOf(`table version \d{1,18} to (\d{1,18})`),
	patternOf(`state at version (\d{1,18})`),
	patternOf(`version to load:? (\d{1,18})|trying to load version (\d{1,18})`),
	patternOf(`Reconstructing\s+version: (\d{1,18})`),
	patternOf(`checkpoint version: (\d{1,18})`),
	patternOf(`CDC range from start (\d{1,18})`),
	patternOf(`_delta_log/(\d{20})\.`),
	patternOf(`\bversion:? \[?(\d{1,18})\b`),
}

// lookVersion: does that version of the table come next, or later, by the plans, and is it there?
func (l *look) lookVersion() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	text := flat(chainText(l.Chain))
	said := int64(-1)
	for _, re := range versionsSaid {
		for _, v := range re.FindStringSubmatch(text) {
			if n, ok := number(strings.TrimLeft(v, "0")); ok && said < 0 {
				said = n
			}
		}
	}
	lines := l.tables(readsTable(source.DeltaTable))
	if said < 0 || len(lines) == 0 {
		return "", ""
	}
	var passed []string
	for _, line := range lines {
		if len(line.Parts) == 0 || line.Problem != nil {
			continue
		}
		at := line.Parts[0].Position
		if said < at.Num {
			passed = append(passed, fmt.Sprintf("%s is at version %d", line.Where.File, at.Num))
			continue
		}
		why = fmt.Sprintf("%s is at version %d: version %d of the message %s.", line.Where.File, at.Num, said, map[bool]string{true: "comes next", false: "follows later"}[said <= at.Num+1])
		return line.version(said, why)
	}
	if passed == nil {
		return "", ""
	}
	return Disagrees, fmt.Sprintf("%s: version %d of the message was already read. The checkpoint has continued since, or this is a different one.", strings.Join(passed, ", "), said)
}

// version judges a version that comes next by what the table was told to hold.
func (t *tableLine) version(said int64, why string) (Agreement, string) {
	if t.kept == nil {
		return Agrees, why + " The checkpoint does not record the contents of the table."
	}
	for i := range t.kept.Reads {
		k := &t.kept.Reads[i]
		switch {
		case k.Earliest != nil && k.Earliest.Num > said:
			return Agrees, fmt.Sprintf("%s The oldest version of the table is %d (%s).", why, k.Earliest.Num, t.kept.ToldBy())
		case k.Earliest != nil && k.Latest != nil:
			return Agrees, fmt.Sprintf("%s The table has versions %d to %d (%s). The table's log shows more about version %d.", why, k.Earliest.Num, max(k.Latest.Num-1, k.Earliest.Num), t.kept.ToldBy(), said)
		}
	}
	return Agrees, why
}

// lookGoneVersion is lookVersion for messages that say that the version is not there.
func (l *look) lookGoneVersion() (Agreement, string) {
	a, why := l.lookVersion()
	if a != Agrees {
		return a, why
	}
	text := flat(chainText(l.Chain))
	said, ok := number(strings.TrimLeft(first(versionsSaid[0], text), "0"))
	for _, line := range l.tables(readsTable(source.DeltaTable)) {
		if line.kept == nil || !ok {
			continue
		}
		for i := range line.kept.Reads {
			if k := &line.kept.Reads[i]; k.Earliest != nil && k.Earliest.Num <= said && k.Latest != nil && k.Latest.Num > said {
				return Disagrees, fmt.Sprintf("The table has version %d now: it has %d to %d (%s). Someone may have put it back, or the query read another table.", said, k.Earliest.Num, k.Latest.Num-1, line.kept.ToldBy())
			}
		}
	}
	return a, why
}

// lookDeltaStart: does a plan hold a position of a Delta source? Then its start option does not count.
func (l *look) lookDeltaStart() (Agreement, string) {
	if l.cp.Offsets.Err != nil {
		return "", ""
	}
	if l.cp.Offsets.Last() < 0 {
		return Agrees, "offsets contains no batch: this is the first start of the source, and its start option counts."
	}
	if lines := l.tables(readsTable(source.DeltaTable)); len(lines) > 0 {
		return Disagrees, lines[0].Where.File + " contains the offset of a Delta source. A restart continues from there and ignores the option. The trace is from another checkpoint, or from a new source."
	}
	return "", ""
}

// ---- the log of schemas

// tracked are the folders of schema logs in the checkpoint.
func (l *look) tracked() (dirs []string) {
	for _, e := range l.cp.Root.Entries {
		if strings.HasPrefix(e.Name, "_schema_log") || strings.Contains(e.Name, "schema") && e.Dir {
			dirs = append(dirs, e.Name)
		}
	}
	return dirs
}

// lookTracking: which schema logs does the checkpoint hold?
func (l *look) lookTracking() (Agreement, string) {
	if l.cp.Root.Err != nil {
		return "", ""
	}
	switch dirs := l.tracked(); {
	case len(dirs) > 0:
		return CannotTell, "The checkpoint contains the schema log " + listed(dirs) + ". Only the table shows whether it matches."
	default:
		return CannotTell, "The checkpoint contains no known schema log folder. It depends on the option schemaTrackingLocation and the table."
	}
}

// lookTrackingPlace: is the schema log outside, and is this the checkpoint of the message?
func (l *look) lookTrackingPlace() (Agreement, string) {
	m := placesSaid.FindStringSubmatch(flat(chainText(l.Chain)))
	if m == nil {
		return "", ""
	}
	if plainPath(m[2]) != plainPath(l.Location) && path.Base(plainPath(m[2])) != path.Base(plainPath(l.Location)) {
		return CannotTell, "The message is about the checkpoint " + shortly(m[2]) + ", but this one was opened as " + shortly(l.Location) + "."
	}
	if strings.HasPrefix(plainPath(m[1])+"/", plainPath(m[2])+"/") {
		return Disagrees, shortly(m[1]) + " is below " + shortly(m[2]) + "."
	}
	return Agrees, shortly(m[1]) + " is not below " + shortly(m[2]) + ": it is the value of the option schemaTrackingLocation."
}

// lookTrackingTable: which of the two ids do the plans record?
func (l *look) lookTrackingTable() (Agreement, string) {
	m := logTables.FindStringSubmatch(flat(chainText(l.Chain)))
	lines := l.tables(keepsSchemaLog)
	if m == nil || len(lines) == 0 {
		return "", ""
	}
	inLog, table := strings.TrimRight(m[1], ".,"), strings.TrimRight(m[2], ".,")
	for _, line := range lines {
		switch id := line.Identity(); {
		case strings.EqualFold(id, table):
			return Agrees, line.Where.File + " records the ID of the table, " + id + ": the schema log belongs to another table."
		case strings.EqualFold(id, inLog):
			return Agrees, line.Where.File + " records the ID of the schema log, " + id + ": the table was created again, or the query reads another one."
		}
	}
	return Disagrees, lines[0].Where.File + " records neither of the two IDs, but " + lines[0].Identity() + "."
}

// ---- the line itself

var (
	lineSaid    = patternOf(`(?:in|from JSON string) (\{.{1,900}\})`)
	versionSaid = patternOf(`(?:but was|[Vv]ersion|sourceVersion\(\w{0,20}\(?) ?(\d{1,9})\)?(?:\. Please| is not supported|\)? is invalid)`)
)

// lookLine: is the position of the message, or its version, one of the plans?
func (l *look) lookLine() (Agreement, string) {
	text := flat(chainText(l.Chain))
	lines := l.allLines()
	if len(lines) == 0 || l.predicted() {
		return "", ""
	}
	for _, o := range lines {
		if o.Problem != nil && slices.ContainsFunc(o.Kinds, readsTable(source.DeltaTable, source.IcebergTable)) {
			return Agrees, fmt.Sprintf("%s: %s", o.Where.File, sentence(o.Problem.Error()))
		}
	}
	if raw := first(lineSaid, text); raw != "" {
		for _, o := range lines {
			if flat(o.Raw) == raw {
				return Agrees, o.Where.File + " has exactly this line. Spark assigns lines to sources by order: this one is from another kind of source, or was changed."
			}
		}
		return Disagrees, "Neither " + lines[0].Where.File + " nor the offset file before has this line."
	}
	n, ok := number(first(versionSaid, text))
	if !ok {
		return "", ""
	}
	var have []string
	for _, o := range lines {
		for _, name := range []string{"sourceVersion", "version"} {
			v, is := fieldOf(o.Line, name)
			if !is {
				continue
			}
			if v == fmt.Sprint(n) {
				return Agrees, fmt.Sprintf("%s has a line with %s %d.", o.Where.File, name, n)
			}
			have = append(have, fmt.Sprintf("%s has %s %s", o.Where.File, name, shortly(v)))
		}
	}
	if have == nil {
		return "", ""
	}
	return Disagrees, strings.Join(slices.Compact(have), ", ") + fmt.Sprintf(", but the message has %d.", n)
}

func fieldOf(line decode.JSON, name string) (string, bool) {
	for _, f := range line.Fields {
		if f.Name == name {
			return f.Value.Text, true
		}
	}
	return "", false
}

// ---- the output

// lookOutput: does the output have the batch that the next start runs?
func (l *look) lookOutput() (Agreement, string) {
	if l.v.Sink == nil {
		return "", ""
	}
	if l.v.Known && l.v.Restart.Outcome == checks.Rerun {
		l.next = "Restart the query: Spark re-runs batch " + fmt.Sprint(l.v.Restart.Batch) + ". If the error is repeated, find out what else writes to the table."
	}
	return CannotTell, "Only the table's own log shows which writer was first. " + l.outputSays()
}

// lookRival: did another run of the query write the open batch?
func (l *look) lookRival() (Agreement, string) {
	if f := l.telling(); f != nil {
		return Agrees, "A check finds traces of two runs: " + f.Code + ": " + sentence(f.Evidence)
	}
	id := l.v.Restart.Batch
	switch {
	case l.v.Sink == nil || !l.v.Known || l.v.Restart.Outcome != checks.Rerun:
		return CannotTell, "The files do not show a second run. " + l.outputSays()
	case l.v.Sink.Holds(id) == output.Yes:
		return Agrees, fmt.Sprintf("Batch %d is not committed, but the table has it. Another run wrote it, or this one did before it failed. The next start skips it.", id)
	}
	return CannotTell, fmt.Sprintf("Batch %d is not committed. %s", id, l.outputSays())
}

// ---- Iceberg

var snapshotSaid = patternOf(`(?:snapshot|after):? (\d{1,19})|snapshot id (\d{1,19})`)

// lookSnapshot: do the plans stand at that snapshot, and does the table have it?
func (l *look) lookSnapshot() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	said, ok := snapshotIn(flat(chainText(l.Chain)))
	lines := linesOf(l.v.Standing.Last, readsTable(source.IcebergTable))
	lines = append(lines, linesOf(l.v.Standing.Before, readsTable(source.IcebergTable))...)
	if !ok || len(lines) == 0 {
		return "", ""
	}
	var others []string
	for _, o := range lines {
		if len(o.Parts) == 0 {
			continue
		}
		if at := o.Parts[0].Position.Num; at != said {
			others = append(others, fmt.Sprintf("%s is at snapshot %d", o.Where.File, at))
			continue
		}
		why = fmt.Sprintf("%s is at snapshot %d, as in the message.", o.Where.File, said)
		s := l.keptOf(o)
		switch {
		case s == nil || s.Snapshots == nil:
			return Agrees, why + " The checkpoint does not record whether the table still has it."
		case slices.Contains(s.Aside, said):
			return Agrees, why + " The table has it, but its newest snapshot does not descend from it (" + s.ToldBy() + ")."
		case slices.Contains(s.Snapshots, said):
			return Disagrees, why + " The table has it now (" + s.ToldBy() + "): the query read another table or catalog, or someone put it back."
		}
		return Agrees, why + " The table no longer has it (" + s.ToldBy() + ")."
	}
	return Disagrees, strings.Join(others, ", ") + fmt.Sprintf(", but the message has %d. The checkpoint has continued since, or this is a different one.", said)
}

func snapshotIn(text string) (int64, bool) {
	for _, v := range snapshotSaid.FindStringSubmatch(text) {
		if n, ok := number(v); ok {
			return n, true
		}
	}
	return 0, false
}

// lookAhead: is that snapshot of the table still to be read?
func (l *look) lookAhead() (Agreement, string) {
	said, ok := snapshotIn(flat(chainText(l.Chain)))
	lines := l.tables(readsTable(source.IcebergTable))
	if !ok || len(lines) == 0 || len(lines[0].Parts) == 0 {
		return "", ""
	}
	at, s := lines[0].Parts[0].Position.Num, lines[0].kept
	why := fmt.Sprintf("%s is at snapshot %d.", lines[0].Where.File, at)
	switch {
	case at == said:
		return Agrees, why + " That is the one in the message."
	case s == nil || s.Snapshots == nil:
		return CannotTell, why + " Snapshot IDs have no order: only the table shows whether the one in the message follows it (--source INDEX=TABLE)."
	case slices.Contains(s.Snapshots, said):
		return Agrees, fmt.Sprintf("%s The table has snapshot %d (%s).", why, said, s.ToldBy())
	}
	return Disagrees, fmt.Sprintf("%s The table no longer has snapshot %d (%s).", why, said, s.ToldBy())
}

// lookFirstOffset: can the file be read in which a source keeps where it began?
func (l *look) lookFirstOffset() (Agreement, string) {
	for i := range l.Places {
		if p := &l.Places[i]; p.about == "file" && strings.HasPrefix(p.Name, "sources/") {
			return l.readable(p)
		}
	}
	for _, s := range l.v.Sources {
		if anyKind(s.Kinds, readsTable(source.HudiTable)) {
			l.add(l.file(fmt.Sprintf("sources/%d/0", s.Index)))
			p := &l.Places[len(l.Places)-1]
			if data, err := l.cp.Read(l.ctx, p.Name, readLimit); err == nil && !versionLine.Match(data) {
				p.Whole, p.Flawed = false, true
				p.Says += " Its first line is not a version."
			}
			return l.readable(p)
		}
	}
	return "", ""
}

func (l *look) readable(p *TraceRef) (Agreement, string) {
	switch {
	case p.State == Unread:
		return CannotTell, p.Name + " could not be checked."
	case p.State == Missing:
		return Disagrees, p.Name + " is missing: then the source uses its start option."
	case p.Flawed:
		return Agrees, p.Name + " exists but cannot be decoded."
	case p.Whole:
		return Disagrees, p.Name + " exists and can be read now."
	}
	return CannotTell, p.Name + " exists, but it is unknown whether it can be read."
}

// versionLine is how a file that a Hudi source wrote begins.
var versionLine = regexp.MustCompile(`^v\d{1,9}\r?\n`)

var hudiBatch = patternOf(`Micro batch id=(\d{1,18})`)

// lookHudiBatch: is the batch still open, and does the table have it?
func (l *look) lookHudiBatch() (Agreement, string) {
	id, ok := number(first(hudiBatch, chainText(l.Chain)))
	switch {
	case !ok || l.cp.Commits.Err != nil || l.cp.Offsets.Err != nil:
		return "", ""
	case l.cp.Commits.Find(id) != nil:
		return Disagrees, fmt.Sprintf("Batch %d is committed now.", id)
	case l.cp.Offsets.Find(id) == nil:
		return Disagrees, fmt.Sprintf("offsets/%d is missing. %s", id, l.span())
	}
	return Agrees, fmt.Sprintf("Batch %d is not committed: Spark re-runs it. %s", id, l.outputSays())
}

// lookHudi: where does the newest plan stand, and what does the table hold?
func (l *look) lookHudi() (a Agreement, why string) {
	defer func() { l.keptNext(a) }()
	for _, line := range l.tables(readsTable(source.HudiTable)) {
		if line.kept == nil || len(line.Parts) == 0 {
			continue
		}
		why = fmt.Sprintf("%s is at the commit time %s.", line.Where.File, line.Parts[0].Position.Text)
		for i := range line.kept.Reads {
			k := &line.kept.Reads[i]
			if k.Earliest != nil {
				why += " " + keptSays(line.kept, k)
				return l.keptState(k, why)
			}
		}
	}
	return "", ""
}
