package drift

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/spec"
)

// unsupported is a query that Spark does not take, whatever the checkpoint holds (UnsupportedOperationChecker.checkForStreaming).
type unsupported struct {
	is       func(s *spec.Spec, op *spec.Operator) bool
	declared string
	error    string // the key phrase of its message
	in3      bool   // known for releases before 4.0 alone
	meaning  string
	next     string
}

var unsupportedOperators = []unsupported{
	{
		is: func(s *spec.Spec, op *spec.Operator) bool {
			return op.Name == "dedupeWithinWatermark" && noWatermark(s)
		},
		declared: "dropDuplicatesWithinWatermark without a watermark",
		error:    "dropDuplicatesWithinWatermark is not supported on streaming DataFrames/DataSets without watermark",
		meaning:  `dropDuplicatesWithinWatermark needs a watermark. Spark rejects this query. The checkpoint is not the cause.`,
		next:     `Declare the watermark before dropDuplicatesWithinWatermark.`,
	},
	{
		is:       func(s *spec.Spec, op *spec.Operator) bool { return outerJoin(op) && noWatermark(s) },
		declared: "an outer or semi join of two streams without a watermark",
		error:    "is not supported without a watermark in the join keys",
		meaning: `Without a watermark Spark never knows that a row has no match. It accepts outer and semi joins of two streams only with one.
Spark rejects this query. The checkpoint is not the cause.`,
		next: `Declare the watermarks of both sides.`,
	},
	{
		is:       func(s *spec.Spec, op *spec.Operator) bool { return op.Name == sessionName && s.OutputMode == "update" },
		declared: "session windows in update mode",
		error:    "Update output mode not supported for session window on streaming DataFrames/DataSets",
		in3:      true,
		meaning:  `Spark 3 accepts session windows only in append and complete mode. Spark rejects this query. The checkpoint is not the cause.`,
		next:     `Set output mode append or complete.`,
	},
	{
		is: func(s *spec.Spec, op *spec.Operator) bool {
			return op.Name == "globalLimit" && s.OutputMode == "update"
		},
		declared: "a limit in update mode",
		error:    "Limits are not supported on streaming DataFrames/Datasets in Update output mode",
		in3:      true,
		meaning:  `Spark 3 accepts a limit only in append and complete mode. Spark rejects this query. The checkpoint is not the cause.`,
		next:     `Set output mode append or complete.`,
	},
}

func noWatermark(s *spec.Spec) bool { return s.Watermark != nil && *s.Watermark == "" }

func outerJoin(op *spec.Operator) bool { return op.Join != "" && op.Join != "inner" }

// compareSupported holds the operators against what Spark takes at all.
func compareSupported(c *comparer) {
	for i := range c.Spec.Operators {
		op := &c.Spec.Operators[i]
		for _, u := range unsupportedOperators {
			if u.in3 && c.OnSpark(4, 0) || !u.is(c.Spec, op) {
				continue
			}
			c.differ(checks.Drift{Field: fmt.Sprintf("operators[%d]", i), Declared: u.declared, Place: op.At, Effect: checks.RefusesDrift,
				Stage: checks.WhenPlanned, Way: checks.Decide, Error: u.error, Meaning: u.meaning, NextStep: u.next})
			return
		}
	}
}
