package examine

import (
	"cmp"
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/sources"
	"tidemark/internal/output"
)

// replaySafe asks whether what a restart runs again does no harm: whether the output takes it once, and
// whether anything is skipped or missing there.
func replaySafe(p *checks.Pass) checks.Question {
	q := outputSafe(p)
	if q.Answer == "yes" && p.Restart.Outcome == checks.Rerun && p.Kept == nil {
		q.Because += "; not checked: whether the sources still have what it reads"
	}
	return sources.WithSources(p, q)
}

// outputSafe answers as far as the output goes.
func outputSafe(p *checks.Pass) checks.Question {
	q := checks.Question{Name: checks.ReplaySafe, Answer: "unknown"}
	o := p.Sink
	switch {
	case !p.IsCheckpoint():
		q.Because = "this is not a checkpoint"
	case o != nil && o.Situation != checks.NotTold && o.Situation != checks.NoTrace:
		q.Answer, q.Because = cmp.Or(answers[o.Situation], q.Answer), o.Says
		if o.Situation == checks.OldOutput && o.Highest < 0 {
			q.Answer = "unknown" // by id: another query may write there by right
		}
		if o.Unsure != "" && q.Answer == "yes" {
			q.Answer, q.Because = "unknown", o.Says+"; "+o.Unsure
		}
		if o.By == output.Number && q.Answer == "yes" {
			q.Because += " (this sink keeps batch IDs but no query ID: the answer is about the query that wrote there last)"
		}
	case basics.DeclaredReplay(p) != "":
		q.Answer, q.Because = byReplay(p, basics.DeclaredReplay(p))
	case o != nil:
		q.Because = o.Says
		if o.Settle != "" {
			q.Because += ". " + o.Settle
		}
	default:
		q.Because = "not checked: no sink given (--sink LOCATION, or press 3)"
	}
	return q
}

// answers are the answers to "is a replay safe?" by situation; those that are not here are "unknown".
var answers = map[checks.Situation]string{
	checks.InStep: "yes", checks.NotInSink: "yes", checks.Unacknowledged: "yes", checks.NothingYet: "yes",
	checks.Ahead: "no", checks.Replanned: "no", checks.SetBack: "no", checks.Behind: "no", checks.OldOutput: "no",
}

// byReplay is the answer that the spec gives for an output that itself proves nothing.
func byReplay(p *checks.Pass, replay string) (answer, because string) {
	const says = "the spec says a repeated batch is %s"
	again := p.Restart.Outcome == checks.Rerun
	switch {
	case replay == "ignored" || replay == "merged":
		return "yes", fmt.Sprintf(says, replay) + "; not checked: whether the sink was set back or restored"
	case again:
		return "no", fmt.Sprintf(says, replay) + fmt.Sprintf(": Spark re-runs batch %d, and rows already written are duplicated", p.Restart.Batch)
	}
	return "unknown", fmt.Sprintf(says, replay) + "; this restart re-runs no batch, but whether every committed batch is in the sink was not checked"
}
