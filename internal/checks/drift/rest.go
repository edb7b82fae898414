package drift

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/output"
	"tidemark/internal/spec"
)

// compareSink compares the kind of the sink with the one that the newest commit records, where sink evolution
// was on (4.2 on). Other checkpoints do not record where a query writes, and none records the place or the
// columns.
func compareSink(c *comparer) {
	s := c.Spec.Sink
	if s == nil {
		return
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"kind", s.Kind != "" && !c.sinkKind(s)}, {"location", s.Location != ""}, {"schema", s.Schema != nil}} {
		if f.set {
			c.skip("sink."+f.name, "a checkpoint does not record the sink; a changed sink starts without the data the old sink received")
		}
	}
}

// sinkKind compares the declared kind with the class of the sink that is active in the newest commit; false
// where none is recorded. Spark takes any sink.
func (c *comparer) sinkKind(s *spec.Sink) bool {
	if c.Committed == nil || c.Committed.Commit == nil {
		return false
	}
	for _, old := range c.Committed.Commit.Sinks {
		kind := classKind(old.Provider)
		switch {
		case !old.Active:
			continue
		case kind == "":
			c.skip("sink.kind", "%s records the class %s, which does not show its kind", c.Committed.Commit.File, old.Provider)
		case kind == strings.ToLower(strings.ReplaceAll(s.Kind, "-", "")) || old.Provider == s.Kind || kind == "filestream" && output.IsFile(s.Kind):
			c.agree("sink.kind", false)
		default:
			c.differ(checks.Drift{Field: "sink.kind", Declared: s.Kind, Recorded: old.Provider, Effect: checks.Allowed, Place: s.At, Where: decode.Where{File: c.Committed.Commit.File, Line: 2},
				Meaning: `Spark silently accepts another sink. The new sink starts without the data the old sink received. The state is not
affected.`})
		}
		return true
	}
	return false
}

// classKind is the kind that the class of a sink names: "noop" for "….noop.NoopTable$"; "" for one whose class
// does not say it.
func classKind(class string) string {
	name := strings.TrimSuffix(class[strings.LastIndexByte(class, '.')+1:], "$")
	for _, end := range []string{"Table", "Sink"} {
		if kind, ok := strings.CutSuffix(name, end); ok {
			return strings.ToLower(kind)
		}
	}
	return ""
}

// compareOutputMode compares the mode with what the query itself allows (UnsupportedOperationChecker), and
// with what transformWithState records. No other operator records it.
func compareOutputMode(c *comparer) {
	mode := c.Spec.OutputMode
	if mode != "" && !c.recordedMode(mode) {
		c.skip("output_mode", "a checkpoint does not record it; Spark does not notice a change for an aggregation, and the sink then mixes both modes")
	}
	last := len(c.Spec.Operators) - 1
	for i := range c.Spec.Operators {
		op := &c.Spec.Operators[i]
		if !aggregates(op.Name) || i == last && mode != "append" || i < last && mode != "append" && mode != "" {
			continue
		}
		if noTime(op.Key) || c.Spec.Watermark != nil && *c.Spec.Watermark == "" {
			c.differ(appendWithoutWatermark(c, i, last))
			return
		}
	}
	aggregates := func(o spec.Operator) bool {
		return o.Name == "" || o.Name == "stateStoreSave" || strings.HasPrefix(o.Name, "sessionWindow")
	}
	if mode == "complete" && c.Spec.Operators != nil && !slices.ContainsFunc(c.Spec.Operators, aggregates) {
		c.differ(checks.Drift{Field: "output_mode", Declared: mode, Effect: checks.RefusesDrift, Stage: checks.WhenPlanned, Way: checks.Decide,
			Error: c.Since(4, 0, "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION", "Complete output mode not supported when there are no streaming aggregations"),
			Meaning: `Spark accepts output mode complete only for a query with an aggregation, and rejects this query. The checkpoint is
not the cause.`, NextStep: `Set
another output mode.`})
	}
}

// appendWithoutWatermark is an aggregation in append mode of which no group ever ends. In the middle of
// stateful operators it can only be in that mode.
func appendWithoutWatermark(c *comparer, i, last int) checks.Drift {
	d := checks.Drift{Field: fmt.Sprintf("operators[%d]", i), Declared: "an aggregation in append mode without a time among its keys", Place: c.Spec.Operators[i].At, Effect: checks.RefusesDrift, Stage: checks.WhenPlanned, Way: checks.Decide,
		Error: c.Since(4, 0, "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION",
			"Append output mode not supported when there are streaming aggregations on streaming DataFrames/DataSets without watermark"),
		Meaning: `In append mode Spark emits a group after the watermark passes it. So one key must be a time or a time window with a
watermark. Spark rejects this query. The checkpoint is not the cause.`,
		NextStep: `Set the mode to update or complete, or group by a window of the column with the watermark.`}
	if i < last {
		d.Meaning = `Another stateful operator follows this aggregation, and Spark accepts that only in append mode. ` + d.Meaning
	}
	return d
}

// noTime reports whether a key is known and holds neither a time nor a window: nothing that can have a
// watermark.
func noTime(key *row.Type) bool {
	if key == nil {
		return false
	}
	var timed func(*row.Type) bool
	timed = func(t *row.Type) bool {
		return t.Kind == row.Timestamp || t.Kind == row.TimestampNTZ || t.Kind == row.Struct &&
			slices.ContainsFunc(t.Fields, func(f row.Field) bool { return timed(f.Type) })
	}
	return !timed(key)
}

// recordedMode compares the mode with that which transformWithState records; false where none is.
func (c *comparer) recordedMode(mode string) bool {
	for _, op := range c.operators() {
		if op.Metadata == nil || op.Metadata.Properties == "" {
			continue
		}
		v, err := decode.ParseJSON([]byte(op.Metadata.Properties))
		recorded, ok := v.Get("outputMode")
		if err != nil || !ok {
			continue
		}
		if strings.EqualFold(recorded.Text, mode) {
			c.agree("output_mode", false)
			return true
		}
		c.differ(checks.Drift{Field: "output_mode", Declared: mode, Recorded: strings.ToLower(recorded.Text), Where: decode.Where{File: op.Metadata.File}, Effect: checks.RefusesDrift, Stage: checks.WhenSchemas,
			Error:   "STATE_STORE_INVALID_CONFIG_AFTER_RESTART",
			Meaning: `transformWithState records its first output mode, and fails to start in a different mode.`})
		return true
	}
	return false
}

// compareWatermark compares whether there is a watermark. The delay is not recorded; a change is allowed, and
// the watermark that is recorded never goes back.
func compareWatermark(c *comparer) {
	if c.Spec.Watermark == nil {
		return
	}
	delay, last := *c.Spec.Watermark, c.Last
	switch {
	case last == nil || last.Plan == nil:
		c.skip("watermark", "no offset file exists to compare with")
	case delay == "" && c.watermarkOffJoin():
	case delay == "" && last.Plan.Watermark > 0:
		c.differ(checks.Drift{Field: "watermark", Recorded: "a watermark at " + time.UnixMilli(last.Plan.Watermark).UTC().Format("2006-01-02 15:04:05 UTC"), Where: decode.Where{File: last.Plan.File, Line: 2}, Effect: checks.Allowed,
			Meaning: `The query no longer has a watermark, and the checkpoint has one. Spark starts. From then on it drops no rows as late
and removes no state by time.`})
	case delay == "":
		c.agree("watermark", false)
	default:
		c.skip("watermark", "a checkpoint does not record the delay; Spark accepts a changed delay, and the watermark never moves back")
	}
}

// compareAsyncProgress compares the mode with the shape of the logs, which is all that shows it.
func compareAsyncProgress(c *comparer) {
	on := c.Spec.AsyncProgress
	if on == nil {
		return
	}
	d := checks.Drift{Field: "async_progress", Declared: fmt.Sprint(*on), Recorded: "both logs skip the same batches", Where: decode.Where{File: "offsets"}}
	switch {
	case *on && basics.AsyncHoles(c.Pass):
		c.agree("async_progress", false)
	case !basics.AsyncHoles(c.Pass):
		c.skip("async_progress", "a checkpoint does not record the mode, and these logs skip no batch")
	case c.L > 0 && c.Offsets.Find(c.L-1) == nil:
		d.Effect, d.Way, d.Error = checks.RefusesDrift, checks.Decide, fmt.Sprintf("batch %d doesn't exist", c.L-1)
		d.Where.File = basics.LogName(&c.Offsets, c.L)
		d.Meaning = fmt.Sprintf(`The logs skip batches, as with asynchronous progress tracking. Without that mode a restart needs
offsets/%d as well as offsets/%d.`, c.L-1, c.L)
		d.NextStep = `Restart with asyncProgressTrackingEnabled as before. To stop using the mode, first run the query with
asyncProgressTrackingCheckpointIntervalMs set to 0. Every batch is then logged. After that, switch the mode off.`
		d.Avoid = `Do not write the missing offset file by hand.`
		c.differ(d)
	default:
		d.Effect = checks.Allowed
		d.Meaning = `The logs skip batches, as with asynchronous progress tracking. The two newest batches are consecutive, so the query
can continue without that mode.`
		c.differ(d)
	}
}

// compareTrigger compares the trigger with the shape of the logs: continuous processing writes no metadata
// line. No other trigger shows.
func compareTrigger(c *comparer) {
	trigger := c.Spec.Trigger
	switch {
	case trigger == "":
	case basics.Continuous(c.Pass) && trigger == "continuous":
		c.agree("trigger", false)
	case basics.Continuous(c.Pass):
		c.differ(checks.Drift{Field: "trigger", Declared: trigger, Recorded: "continuous", Where: c.confWhere(), Effect: checks.RefusesDrift, Way: checks.Decide, Stage: checks.WhenSources, Error: "NullPointerException",
			Meaning: `Continuous processing wrote these offset files, and they have no metadata line. A micro-batch query cannot read them.`})
	case trigger == "continuous":
		c.skip("trigger", "not checked: how continuous processing reads micro-batch logs is unknown")
	default:
		c.skip("trigger", "a checkpoint does not record it, and a changed value is allowed")
	}
}

// compareRelease says where the query moves to another release of Spark. What an older release cannot read
// stops the start by rules of its own.
func compareRelease(c *comparer) {
	is, was := c.Spec.Spark, c.Written
	if is == (spark.Version{}) {
		return
	}
	d := checks.Drift{Field: "spark", Declared: is.String(), Recorded: was.String(), Effect: checks.Allowed, Where: c.confWhere()}
	switch {
	case is.AtLeast(was.From) && (was.Below == (spark.Version{}) || !is.AtLeast(was.Below)):
		c.agree("spark", false)
		return
	case is.AtLeast(was.From):
		d.Meaning = `The query moves to a newer release than the one that wrote the checkpoint. A newer release reads older checkpoints.
After it has run, the older release may not be able to read the checkpoint.`
	default:
		d.Meaning = `The query moves to an older release than the one that wrote the checkpoint. Spark does not support that. Settings
unknown to the older release are lost, and it may fail to read newer files.`
		d.NextStep = `Run the query on the release that wrote the checkpoint or a newer one, unless you want this restart.`
	}
	c.differ(d)
}
