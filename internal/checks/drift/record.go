package drift

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/stores"
	"tidemark/internal/spec"
)

// Record is what a checkpoint records of its query, as a spec: what a comparison with the same checkpoint holds
// against it, and nothing else.
type Record struct {
	Spec  *spec.Spec
	Notes spec.Notes          // where each field is recorded, or why it is left out
	Open  []checkpoint.Unread // what could not be read: fields that it would have told are left out

	guessed []bool // of each operator: its name is a guess
}

// Certain is the record without what is only likely: the names of operators that no file records, and folders,
// which follow from the files that lay there. It is what another checkpoint can be held against.
func (r *Record) Certain() *spec.Spec {
	s := *r.Spec
	s.Sources, s.Operators = slices.Clone(s.Sources), slices.Clone(s.Operators)
	for i := range s.Sources {
		s.Sources[i].Location = ""
	}
	for i := range s.Operators {
		if r.guessed[i] {
			s.Operators[i].Name = ""
		}
	}
	return &s
}

// RecordOf reads what a checkpoint records of its query. The error means that reading was stopped.
func RecordOf(ctx context.Context, cp *checkpoint.Checkpoint, now time.Time) (*Record, error) {
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, err
	}
	p := checks.NewPass(cp, survey, nil, nil)
	p.Now = now
	p.Written = basics.WrittenBy(cp, survey)
	p.Spark = p.Written.Newest()
	r := &recorder{comparer: &comparer{Start: basics.NextStart(ctx, p)}, out: &spec.Spec{From: cp.Location}, notes: spec.Notes{}}
	r.release()
	r.sources()
	r.operatorList()
	r.conf()
	r.rest()
	return &Record{Spec: r.out, Notes: r.notes, Open: survey.AllUnread(), guessed: r.guessed}, ctx.Err()
}

// recorder collects a record.
type recorder struct {
	*comparer
	out     *spec.Spec
	notes   spec.Notes
	guessed []bool
}

func (r *recorder) note(field, format string, args ...any) {
	r.notes[field] = fmt.Sprintf(format, args...)
}

func (r *recorder) release() {
	if r.Written.From == (spark.Version{}) && r.Written.Below == (spark.Version{}) {
		r.note("spark", "nothing read so far shows which release wrote this checkpoint")
		return
	}
	r.out.Spark = r.Written.Newest()
	r.note("spark", "the newest release that can have written this checkpoint (%s)", r.Written)
}

// sources are those of the newest plan.
func (r *recorder) sources() {
	plan := basics.NewestPlan(r.Standing)
	if plan == nil {
		r.note("sources", "no offset file can be read: offsets/ is empty, or a file is damaged")
		return
	}
	r.out.Sources = []spec.Source{}
	r.note("sources", "%s, in offset log order", plan.File)
	for i, o := range plan.InOrder() {
		key, s := strconv.Itoa(i), spec.Source{}
		if plan.Version > 1 {
			if _, err := strconv.Atoi(o.Name); o.Name != "" && err != nil {
				s.Name, key = o.Name, o.Name
			}
		}
		r.source(fmt.Sprintf("sources[%d]", i), key, o, &s)
		r.out.Sources = append(r.out.Sources, s)
	}
	if plan.Version > 1 && slices.ContainsFunc(r.out.Sources, func(s spec.Source) bool { return s.Name != "" }) {
		r.note("sources", "%s, by name: the order in the query is not recorded", plan.File)
	}
}

func (r *recorder) source(field, key string, o source.Offset, s *spec.Source) {
	at := o.Where.String()
	switch {
	case o.None:
		r.note(field, "%s: no offset of this source is recorded yet", at)
		return
	case basics.FileSource(r.Pass, key, o):
		s.Kind = source.File.Name
		r.note(field+".kind", "%s, sources/%s", at, key)
	case len(o.Kinds) == 0:
		r.note(field+".kind", "%s has an unknown shape", at)
	case o.Ambiguous():
		s.Kind = o.Kinds[0].Name
		r.note(field+".kind", "from the shape of %s, which %s may have written too", at, strings.Join(o.KindNames()[1:], ", "))
	default:
		s.Kind = o.Kinds[0].Name
		r.note(field+".kind", "from the shape of %s", at)
	}
	if o.Likeliest().Topics {
		if topics := basics.TopicsOf(o); len(topics) > 0 && !slices.Contains(topics, "") {
			s.Topics = topics
			r.note(field+".topics", "topics with partitions in %s; the subscription itself is not recorded", o.Where.File)
		}
	}
	if id := o.TableID(); id != "" {
		s.TableID = id
		r.note(field+".table_id", "%s", at)
	}
	if s.Kind == source.File.Name {
		r.folder(field+".location", key, s)
	} else {
		r.note(field+".location", "not recorded in a checkpoint")
	}
}

// entriesRead is how many entries of a file source's log are read for the folder of its files.
const entriesRead = 10_000

// folder is the one in which all files of a file source lie. Folders of partitions ("day=2026-11-29") are below
// the one that is read.
func (r *recorder) folder(field, key string, s *spec.Source) {
	folder := basics.FolderOf(r.Pass, key)
	if folder == nil || !folder.IsLog() {
		r.note(field, "sources/%s has no file source log", key)
		return
	}
	var dirs []string
	n := 0
	for e, err := range r.SourceEntries(r.Ctx, folder, 0, folder.Log.Latest()) {
		if err != nil {
			continue // told by the checks
		}
		if dir := folderIn(e.Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		if n++; n == entriesRead || len(dirs) > 1 {
			break
		}
	}
	switch {
	case len(dirs) == 1 && dirs[0] != "":
		s.Location = dirs[0]
		r.note(field, "the folder of the files sources/%s names", key)
	case len(dirs) > 1:
		r.note(field, "sources/%s names files in several folders, such as %s and %s", key, dirs[0], dirs[1])
	default:
		r.note(field, "sources/%s names no file", key)
	}
}

// folderIn is the folder of a file as a person writes it, those of partitions left out.
func folderIn(file string) string {
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	scheme, rest, ok := strings.Cut(file, ":")
	if !ok || strings.Contains(scheme, "/") {
		scheme, rest = "", file
	} else {
		scheme += ":"
	}
	dir := path.Dir(rest)
	if strings.HasPrefix(rest, "//") && !strings.HasPrefix(dir, "//") { // Dir cleans "//host"
		dir = "/" + dir
		if strings.HasPrefix(rest, "///") {
			dir = "/" + dir
		}
	}
	for strings.Contains(path.Base(dir), "=") {
		dir = strings.TrimSuffix(dir[:len(dir)-len(path.Base(dir))], "/")
	}
	if dir == "." || dir == "/" {
		return ""
	}
	return scheme + dir
}

// operatorList are the stateful operators, in the order of the data flow: Spark numbers them from the sink on.
func (r *recorder) operatorList() {
	if u, ok := stores.UnlistedState(r.Pass); ok || r.State.Err != nil {
		r.note("operators", "state could not be listed completely (%s)", u.Name)
		return
	}
	if r.L < 0 || r.Last == nil || r.Last.Plan == nil {
		r.note("operators", "no offset file shows whether the query is stateful")
		return
	}
	ops := r.operators()
	if len(ops) == 0 && (r.FirstBatch() == 0 || len(r.State.Entries) > 0) {
		r.note("operators", "no state is written yet, or it is missing")
		return
	}
	r.out.Operators = []spec.Operator{}
	if len(ops) == 0 {
		r.note("operators", "the checkpoint has no state")
		return
	}
	r.note("operators", "in plan order: the operator next to the sink, state/0, is the last")
	for i, op := range slices.Backward(ops) {
		o := spec.Operator{}
		r.operator(fmt.Sprintf("operators[%d]", len(ops)-1-i), op, &o)
		r.out.Operators = append(r.out.Operators, o)
		r.guessed = append(r.guessed, op.Guessed)
	}
}

func (r *recorder) operator(field string, op *statestore.Operator, o *spec.Operator) {
	switch o.Name = op.Name; {
	case op.Name == "":
		r.note(field+".name", "nothing in %s shows which operator it was", op.Dir)
	case op.Guessed:
		r.note(field+".name", "a guess from the files in %s: releases before 4.0 do not record it", op.Dir)
	default:
		r.note(field+".name", "%s", operatorWhere(op).File)
	}
	r.operatorSchemas(field, op, o)
	r.joinSides(field, op, o)
	r.processor(field, op, o)
	if pinned, ok := r.pinned(basics.ConfProvider); ok {
		o.Provider = providerName(pinned)
		r.note(field+".provider", "%s", r.confWhere())
	} else if o.Provider = op.Provider; o.Provider != "" {
		r.note(field+".provider", "from the files in %s", op.Dir)
	}
	if key, ok := stateFormats[op.Name]; ok {
		if v, ok := r.pinned(key); ok {
			o.StateFormat, _ = strconv.Atoi(v)
			r.note(field+".state_format", "%s", r.confWhere())
		}
	}
	if o.StateFormat < 1 || o.StateFormat > 99 {
		o.StateFormat = 0
	}
}

func (r *recorder) operatorSchemas(field string, op *statestore.Operator, o *spec.Operator) {
	kept, file, why := keptSchema(op)
	switch {
	case why != "":
		r.note(field+".key", "%s", why)
		return
	}
	o.Key = kept.key
	r.note(field+".key", "%s", file)
	switch {
	case op.Name == "dedupe" || op.Name == "dedupeWithinWatermark":
		r.note(field+".value", "rows of dropDuplicates store no column the query declares")
	case kept.value == nil:
		r.note(field+".value", "the state stores several values: see %s", severalKeys(op))
	default:
		o.Value = kept.value
		r.note(field+".value", "%s", file)
	}
}

// joinSides is what the two sides of a join keep.
func (r *recorder) joinSides(field string, op *statestore.Operator, o *spec.Operator) {
	if op.Name != joinName {
		return
	}
	r.note(field+".join", "not recorded: a checkpoint does not record the join type")
	for side, kept := range map[string]**row.Type{"left": &o.Left, "right": &o.Right} {
		t, file, why := keptSide(op, side)
		*kept = t
		r.note(field+"."+side, "%s", cmp.Or(why, file))
	}
}

// processor is what transformWithState records of itself.
func (r *recorder) processor(field string, op *statestore.Operator, o *spec.Operator) {
	if !strings.HasPrefix(op.Name, "transformWithState") {
		return
	}
	p, why := processorOf(op)
	if why != "" {
		r.note(field+".variables", "%s", why)
		return
	}
	o.TimeMode = p.timeMode
	r.note(field+".time_mode", "%s", p.file)
	r.note(field+".variables", "%s; the duration of a TTL is not recorded", p.file)
	o.Variables = []spec.Variable{}
	for _, v := range p.variables {
		s := spec.Variable{Name: v.name, Kind: v.kind, Key: v.key, Value: v.value}
		if !v.ttl {
			s.TTL = new(string)
		} else {
			r.note(variableField(field, v.name)+".ttl", "set, and its duration is not recorded")
		}
		o.Variables = append(o.Variables, s)
	}
}

// conf are the pinned settings of the newest plan.
func (r *recorder) conf() {
	if r.Last == nil || r.Last.Plan == nil || !r.Last.Plan.HasMetadata {
		r.note("conf", "the newest offset file, which fixes them, is missing or cannot be read")
		return
	}
	if len(r.Last.Plan.Conf) == 0 {
		r.note("conf", "the newest offset file records no settings")
		return
	}
	r.out.Conf = map[string]string{}
	for key, value := range r.Last.Plan.Conf {
		r.out.Conf[key] = value
	}
	r.note("conf", "recorded in %s; all other settings are those of the session and not recorded", r.confWhere())
}

// rest is what a checkpoint records now and then, and what it never does.
func (r *recorder) rest() {
	r.note("query", "not recorded: a checkpoint does not record the query name")
	r.note("sink", "not recorded: a checkpoint does not record the sink")
	r.note("output_mode", "not recorded in this checkpoint")
	for _, op := range r.operators() {
		if mode, file := recordedMode(op); mode != "" {
			r.out.OutputMode = mode
			r.note("output_mode", "%s", file)
			break
		}
	}
	r.note("watermark", "not recorded: no checkpoint records the watermark delay")
	if r.Last != nil && r.Last.Plan != nil && r.Last.Plan.Watermark > 0 {
		r.note("watermark", "the query has a watermark, as %s shows; its delay is not recorded", r.confWhere())
	}
	r.note("async_progress", "not recorded, and the logs skip no batch")
	if basics.AsyncHoles(r.Pass) {
		on := true
		r.out.AsyncProgress = &on
		r.note("async_progress", "both logs skip the same batches")
	}
	r.note("trigger", "not recorded in this checkpoint")
	if basics.Continuous(r.Pass) {
		r.out.Trigger = "continuous"
		r.note("trigger", "%s has no metadata line, as in continuous processing", r.confWhere().File)
	}
	r.note("owner", "not recorded in a checkpoint")
}

// recordedMode is the output mode that transformWithState records, and the file that does; "" for none.
func recordedMode(op *statestore.Operator) (mode, file string) {
	if op.Metadata == nil || op.Metadata.Properties == "" {
		return "", ""
	}
	v, err := decode.ParseJSON([]byte(op.Metadata.Properties))
	recorded, ok := v.Get("outputMode")
	if mode = strings.ToLower(recorded.Text); err != nil || !ok || !slices.Contains([]string{"append", "update", "complete"}, mode) {
		return "", ""
	}
	return mode, op.Metadata.File
}
