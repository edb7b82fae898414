package drift

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/stores"
	"tidemark/internal/spec"
)

// compareOperators holds the stateful operators against the folders in state. The spec lists them as the
// data flows; Spark numbers them the other way, from the sink on, so that the last one is state/0.
//
// From 4.0 on a start compares the names by their numbers, where operator metadata are there
// (OperatorStateMetadata, IncrementalExecution). Before that only the schemas of state can clash, or the
// folder of an operator is not there.
func compareOperators(c *comparer) {
	declared := c.Spec.Operators
	if declared == nil {
		return
	}
	if u, ok := stores.UnlistedState(c.Pass); ok || c.State.Err != nil {
		c.skip("operators", "state could not be listed completely (%s)", u.Name)
		return
	}
	if c.L < 0 {
		c.skip("operators", "no batch is planned: there is no state to continue from")
		return
	}
	recorded := c.operators()
	pairs, same := pairOperators(declared, recorded)
	switch {
	case len(declared) == 0 && len(recorded) == 0 && stores.KeepsState(c.Pass) != "":
		c.differ(checks.Drift{Field: "operators", Declared: basics.DeclaredNames(nil), Recorded: "state that is missing", Effect: checks.Misreads, Where: decode.Where{File: "state"},
			Meaning: "The query declares no state, but the logs show that it had state: " + stores.KeepsState(c.Pass) + `. Spark starts; results
still held in the state never reach the sink.`})
		return
	case len(declared) == 0 && len(recorded) == 0:
		c.agree("operators", true)
		return
	case c.FirstBatch() == 0 && len(recorded) == 0:
		c.skip("operators", "batch 0 has not written any state yet")
		return
	case len(recorded) == 0:
		c.noState()
		return
	case len(declared) != len(recorded):
		c.operatorNumber(recorded)
		return
	}
	c.agree("operators", false)
	for i, op := range pairs {
		if same[i] {
			c.operatorName(i, op)
		}
	}
	named := slices.Contains(same, false)
	if named {
		c.otherOperators(pairs, same)
	}
	for i, op := range pairs {
		if !named || c.metadata(recorded) == nil && !(c.OnSpark(4, 0) && !same[i]) {
			c.compareOperator(i, op)
		}
		c.settingsOf(i, op)
	}
}

// settingsOf compares what pinned settings decide about an operator.
func (c *comparer) settingsOf(i int, op *statestore.Operator) {
	d, field := &c.Spec.Operators[i], fmt.Sprintf("operators[%d]", i)
	c.provider(field+".provider", d, op)
	c.stateFormat(field+".state_format", d, op)
}

// compareOperator holds what an operator keeps against what is recorded.
func (c *comparer) compareOperator(i int, op *statestore.Operator) {
	d, field := &c.Spec.Operators[i], fmt.Sprintf("operators[%d]", i)
	c.schemas(field, d, op)
	c.joinOf(field, d, op)
	c.processor(field, d, op)
}

// operators are those that the query had, by id.
func (c *comparer) operators() (all []*statestore.Operator) {
	for i := range c.Survey.State {
		if op := &c.Survey.State[i]; stores.Judged(c.Pass, op, c.FirstBatch()) {
			all = append(all, op)
		}
	}
	return all
}

// pairOperators gives each declared operator the recorded one that it stands for, and says whether their
// names go together. A spec that lists them from the sink on, as Spark numbers them, is taken as meant where
// only that fits, keys included: names alone may as well be those of a query that turned their order. Nothing
// where the numbers differ.
func pairOperators(declared []spec.Operator, recorded []*statestore.Operator) (pairs []*statestore.Operator, same []bool) {
	if len(declared) != len(recorded) {
		return nil, nil
	}
	fit := func(ops []*statestore.Operator) (all []bool) {
		for i := range ops {
			all = append(all, sameOperator(declared[i].Name, ops[i]))
		}
		return all
	}
	byFlow := slices.Clone(recorded)
	slices.Reverse(byFlow)
	if same = fit(byFlow); slices.Contains(same, false) {
		if other := fit(recorded); !slices.Contains(other, false) && keysFit(declared, recorded) {
			return recorded, other
		}
	}
	return byFlow, same
}

// keysFit reports whether some of these operators declare keys, and all of those are the keys of the recorded ones.
func keysFit(declared []spec.Operator, recorded []*statestore.Operator) (some bool) {
	for i := range declared {
		if declared[i].Key == nil {
			continue
		}
		kept, _, why := keptSchema(recorded[i])
		if why != "" || restart.ClashOf(kept.key, declared[i].Key, "") != "" {
			return false
		}
		some = true
	}
	return some
}

// sameOperator reports whether a declared name can be that of a recorded operator. A name that is a guess
// from the schema tells families of operators apart, not their members.
func sameOperator(name string, op *statestore.Operator) bool {
	if name == "" || op.Name == "" || name == op.Name {
		return true
	}
	grouped := []string{"flatMapGroupsWithState", "applyInPandasWithState"}
	if !op.Guessed {
		return false
	}
	return slices.Contains(grouped, name) && (slices.Contains(grouped, op.Name) || op.Name == "stateStoreSave") // version 1 of their state looks like an aggregation
}

// metadata is the first of these operators whose metadata are there; nil for none.
func (c *comparer) metadata(ops []*statestore.Operator) *statestore.Operator {
	for _, op := range ops {
		if op.Metadata != nil && op.Metadata.Name != "" {
			return op
		}
	}
	return nil
}

func (c *comparer) operatorName(i int, op *statestore.Operator) {
	name, field := c.Spec.Operators[i].Name, fmt.Sprintf("operators[%d].name", i)
	switch {
	case name == "":
	case op.Name == "":
		c.skip(field, "nothing in %s shows which operator it was", op.Dir)
	default:
		c.agree(field, true)
	}
}

// noState is a query that keeps state, on a checkpoint that has none.
func (c *comparer) noState() {
	c.found.NoState = true
	d := checks.Drift{Field: "operators", Declared: basics.DeclaredNames(c.Spec.Operators), Effect: checks.RefusesDrift, Stage: checks.WhenLoaded, Place: c.Spec.Operators[0].At, Where: decode.Where{File: "state"},
		Error: c.Since(4, 2, "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY", stores.NotThere(c.Start, nil)),
		Meaning: fmt.Sprintf(`The query is stateful, and the checkpoint has no state, although batches up to %d are planned. Either the
operator is new in the code, or its state was lost. The files do not show which. The first batch fails because it needs the state of
earlier batches.`, c.L),
		NextStep: `Find out whether the operator is new in the code. If it is new, start a new checkpoint from these offsets ("tidemark offsets LOCATION --as starting-offsets"). If the query always had it: look for the folder state in a backup of
the same time as the newest commit.`,
		Avoid: `Do not create an empty folder in its place.`,
	}
	if elsewhere := stores.OtherDisks(c.Pass); elsewhere != "" {
		d.Meaning += " " + elsewhere
	}
	c.differ(d)
}

// operatorNumber is a query with more or fewer stateful operators.
func (c *comparer) operatorNumber(recorded []*statestore.Operator) {
	declared := c.Spec.Operators
	d := checks.Drift{Field: "operators", Declared: basics.DeclaredNames(declared), Recorded: recordedOperators(recorded), Where: operatorWhere(recorded[0])}
	if len(declared) > 0 {
		d.Place = declared[0].At
	}
	switch {
	case c.OnSpark(4, 0) && c.metadata(recorded) != nil:
		notInMetadata(&d)
	case len(declared) > len(recorded):
		d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenLoaded, stores.NotThere(c.Start, nil)
		d.Meaning = fmt.Sprintf(`The query has %s, the checkpoint has state of %d. The new operator has no state, so the first batch fails
when it loads it. The numbers of the others may change too, so each may load the state of another operator.`, basics.Count(len(declared), "stateful operator"), len(recorded))
	default:
		d.Effect = checks.Allowed
		d.Meaning = `The checkpoint has state of more operators than the query has now. Spark ` + c.Spark.String() + ` does not notice
it. The remaining operators load the state with their number. The rest remains unused: its open windows and unmatched rows never reach
the sink.`
		d.NextStep = `Nothing to do for a restart if the removed operators are no longer needed.`
		c.differ(d)
		c.remainingOperators(recorded)
		return
	}
	c.differ(d)
}

// remainingOperators holds the operators of a query that has fewer than before against the state that each will load: that of its
// number, counted from the sink on (before 4.0, or without operator metadata).
func (c *comparer) remainingOperators(recorded []*statestore.Operator) {
	declared := c.Spec.Operators
	for i := range declared {
		d, id := &declared[i], len(declared)-1-i
		at := slices.IndexFunc(recorded, func(op *statestore.Operator) bool { return op.ID == id })
		if at < 0 {
			continue // told by the next start
		}
		op := recorded[at]
		if !sameOperator(d.Name, op) {
			c.differ(c.otherName(i, op))
		}
		c.compareOperator(i, op)
		c.settingsOf(i, op)
	}
}

// otherOperators are operators of other names under the same numbers: the first of them, or all where only their order differs.
func (c *comparer) otherOperators(pairs []*statestore.Operator, same []bool) {
	i := slices.Index(same, false)
	d := c.otherName(i, pairs[i])
	is, was := basics.DeclaredNames(c.Spec.Operators), recordedOperators(pairs)
	if len(pairs) > 1 && slices.Equal(sortedNames(is), sortedNames(was)) {
		d.Field, d.Declared, d.Recorded = "operators", is, was
	}
	if c.OnSpark(4, 0) && c.metadata(pairs) != nil {
		notInMetadata(&d)
	}
	c.differ(d)
}

func sortedNames(list string) []string {
	return slices.Sorted(slices.Values(strings.Split(list, ", ")))
}

// otherName is operator i of the spec, where another one wrote the state with its number, and no metadata say so.
func (c *comparer) otherName(i int, op *statestore.Operator) checks.Drift {
	is := &c.Spec.Operators[i]
	d := checks.Drift{Field: fmt.Sprintf("operators[%d].name", i), Declared: is.Name, Recorded: op.Name, Where: operatorWhere(op), Place: is.At, Effect: checks.Misreads,
		Meaning: `A different operator wrote the state with this number. Nothing records its name in a form that Spark ` + c.Spark.String() + `
compares. Only the key and value schemas can stop the start. If they match, the operator uses the state of the other operator.`}
	if is.Name == "dedupe" && op.Name == "dedupeWithinWatermark" { // StreamingDeduplicateExec asks for no comparison of values
		d.Effect = checks.Allowed
		d.Meaning = `dropDuplicates compares the keys of its state, and not the values. It continues with the keys that
dropDuplicatesWithinWatermark stored. Without a time among the keys, Spark no longer removes them.`
	}
	if op.Guessed {
		d.Recorded += " (from the shape of its state)"
	}
	return d
}

// notInMetadata makes a difference one that the names in the operator metadata show (4.0 on).
func notInMetadata(d *checks.Drift) {
	d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenOperators, "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA"
	d.Meaning = `Stateful operators were added, removed, exchanged or reordered since this checkpoint was written. Spark compares their
names by number before the first batch and fails.`
}

// recordedOperators are the names of operators, in the order of the data flow.
func recordedOperators(all []*statestore.Operator) string {
	byFlow := slices.SortedFunc(slices.Values(all), func(a, b *statestore.Operator) int { return b.ID - a.ID })
	var names []string
	for _, op := range byFlow {
		name := op.Name
		if name == "" {
			name = "an operator"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// operatorWhere is the file that says what an operator is.
func operatorWhere(op *statestore.Operator) decode.Where {
	switch {
	case op.Metadata != nil:
		return decode.Where{File: op.Metadata.File}
	case len(op.Schemas) > 0:
		return decode.Where{File: op.Schemas[0].File}
	}
	return decode.Where{File: op.Dir}
}

// provider compares the state store provider: the pinned one counts, whatever the session asks for.
func (c *comparer) provider(field string, d *spec.Operator, op *statestore.Operator) {
	if d.Provider == "" {
		return
	}
	recorded, where := op.Provider, decode.Where{File: op.Dir}
	if pinned, ok := c.pinned(basics.ConfProvider); ok {
		recorded, where = pinned, c.confWhere()
	}
	switch {
	case recorded == "":
		c.skip(field, "%s has no state file", op.Dir)
	case providerName(recorded) == providerName(d.Provider):
		c.agree(field, false)
	default:
		c.differ(checks.Drift{Field: field, Declared: d.Provider, Recorded: providerName(recorded), Effect: checks.KeepsRecorded,
			Where: where, Place: d.At,
			Meaning: `The query keeps the state store provider recorded in the newest offset file, whatever the session sets. No Spark
release converts state from one provider to the other.`})
	}
}

// providerName is "hdfs" or "rocksdb" for Spark's own providers, by whichever name; else the name itself.
func providerName(name string) string {
	switch strings.TrimPrefix(name, restart.Providers) {
	case "HDFSBackedStateStoreProvider":
		return "hdfs"
	case "RocksDBStateStoreProvider":
		return "rocksdb"
	}
	return name
}

// stateFormats are the settings that pin the state format of an operator, by its name.
var stateFormats = map[string]string{
	"stateStoreSave": basics.ConfAggregate, sessionName: basics.ConfAggregate, joinName: basics.ConfJoin,
	"flatMapGroupsWithState": basics.ConfGroup, "applyInPandasWithState": basics.ConfGroup,
}

// stateFormat compares the format of an operator's state, which is pinned by a setting.
func (c *comparer) stateFormat(field string, d *spec.Operator, op *statestore.Operator) {
	if d.StateFormat == 0 {
		return
	}
	key, ok := stateFormats[op.Name]
	recorded, pinned := "", false
	if ok {
		recorded, pinned = c.taken(key)
	}
	switch {
	case !pinned:
		c.skip(field, "the checkpoint records no format for this operator")
	case recorded == fmt.Sprint(d.StateFormat):
		c.agree(field, false)
	default:
		c.differ(checks.Drift{Field: field, Declared: fmt.Sprint(d.StateFormat), Recorded: recorded, Effect: checks.KeepsRecorded,
			Where: c.confWhere(), Place: d.At,
			Meaning: `The format recorded in the newest offset file (` + key + `) counts. A missing value means 1, the format of old releases.`})
	}
}
