package checks

import (
	"cmp"
	"fmt"

	"tidemark/internal/output"
)

// replaySafe asks whether what a restart runs again does no harm: whether the output takes it once, and
// whether anything is skipped or missing there.
func replaySafe(p *Pass) Question {
	q := outputSafe(p)
	if q.Answer == "yes" && p.Restart.Outcome == Rerun && p.Kept == nil {
		q.Because += "; the sources were not asked whether they still have what it reads"
	}
	return withSources(p, q)
}

// outputSafe answers as far as the output goes.
func outputSafe(p *Pass) Question {
	q := Question{Name: ReplaySafe, Answer: "unknown"}
	o := p.Sink
	switch {
	case !p.IsCheckpoint():
		q.Because = "this is not a checkpoint"
	case o != nil && o.Situation != NotTold && o.Situation != NoTrace:
		q.Answer, q.Because = cmp.Or(answers[o.Situation], q.Answer), o.Says
		if o.Situation == OldOutput && o.Highest < 0 {
			q.Answer = "unknown" // by id: another query may write there by right
		}
		if o.Unsure != "" && q.Answer == "yes" {
			q.Answer, q.Because = "unknown", o.Says+"; "+o.Unsure
		}
		if o.By == output.Number && q.Answer == "yes" {
			q.Because += " (this output keeps batch numbers and no query id: it holds for what wrote there last)"
		}
	case declaredReplay(p) != "":
		q.Answer, q.Because = byReplay(p, declaredReplay(p))
	case o != nil:
		q.Because = o.Says
		if o.Settle != "" {
			q.Because += ". " + o.Settle
		}
	default:
		q.Because = "no sink was given: what it holds already is not known here"
	}
	return q
}

// answers are the answers to "is a replay safe?" by situation; those that are not here are "unknown".
var answers = map[Situation]string{
	InStep: "yes", NotInSink: "yes", Unacknowledged: "yes", NothingYet: "yes",
	Ahead: "no", Replanned: "no", SetBack: "no", Behind: "no", OldOutput: "no",
}

func declaredReplay(p *Pass) string {
	if p.Spec == nil || p.Spec.Sink == nil {
		return ""
	}
	return p.Spec.Sink.Replay
}

// byReplay is the answer that the spec gives for an output that itself proves nothing.
func byReplay(p *Pass, replay string) (answer, because string) {
	const says = "the spec says that a repeated batch is %s there"
	again := p.Restart.Outcome == Rerun
	switch {
	case replay == "ignored" || replay == "merged":
		return "yes", fmt.Sprintf(says, replay) + "; that the output was not set back or restored is not seen here"
	case again:
		return "no", fmt.Sprintf(says, replay) + fmt.Sprintf(": batch %d is run again, and rows of it that were written come twice", p.Restart.Batch)
	}
	return "unknown", fmt.Sprintf(says, replay) + "; this start runs no batch again, and whether every committed batch is there is not seen here"
}
