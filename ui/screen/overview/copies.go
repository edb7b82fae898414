package overview

import (
	"bytes"

	"tidemark/checkpoint"
	"tidemark/internal/report"
	"tidemark/ui/kit"
)

// What each screen has to copy: p a path, v the value or the row under the cursor, j the same as JSON, s start
// positions. What a screen does not have is not offered.

func (o *model) Copies() []kit.Copyable {
	v := kit.CopyOf(&o.Session.Verdict)
	all := kit.Ready("n", "steps", kit.StepsText(stepsOf(o.Session)))
	if o.Session.Checkpoint == nil && checkpoint.Why(o.Session.Err) == "denied" {
		all = append(all, kit.Ready("i", "policy", policyOf(o.Session.Location))...)
	}
	all = append(all, kit.OneLine("p", "path", o.Session.Location)...)
	all = append(all, kit.Ready("v", "verdict", verdictText(o.Session))...)
	if v.Known {
		all = append(all, kit.AsJSON("the whole verdict, as tidemark check --json prints it", func(w *bytes.Buffer) error { return report.JSON(w, v, report.Options{}) })...)
	}
	return append(all, o.Session.Starts(o.Session.AsOf)...)
}

// verdictText is the verdict in some lines, to be pasted into a chat.
func verdictText(s *kit.Session) string {
	if !s.Verdict.Known {
		return ""
	}
	var b bytes.Buffer
	v := kit.CopyOf(&s.Verdict)
	v.Location = s.Location
	_ = report.Text(&b, v, report.Options{Now: s.Now()}) // a Buffer takes everything
	return b.String()
}
