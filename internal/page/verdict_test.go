package page

import (
	"testing"

	"tidemark/internal/checks"
)

// TestTallyCallsNothingHealthyThatNobodyRead: the check mark is for a checkpoint that was read whole.
func TestTallyCallsNothingHealthyThatNobodyRead(t *testing.T) {
	t.Parallel()
	intact := func(answer string) []checks.Question { return []checks.Question{{Name: "intact", Answer: answer}} }
	info := []checks.Finding{{Check: &checks.Check{Code: "uncommitted-batch"}, Severity: checks.Info}}
	for name, c := range map[string]struct {
		v    checks.Verdict
		want string
	}{
		"whole":                       {checks.Verdict{Done: true, Complete: true, Questions: intact("yes")}, "✓ nothing found"},
		"not complete":                {checks.Verdict{Done: true, Questions: intact("unknown")}, "? nothing found so far; not everything was checked"},
		"state that nobody read":      {checks.Verdict{Done: true, Complete: true, Questions: intact("unknown")}, "? nothing found so far; not everything was checked"},
		"the same beside a finding":   {checks.Verdict{Done: true, Complete: true, Questions: intact("unknown"), Findings: info}, "i 1 info  ? not everything was checked"},
		"a finding, and all was read": {checks.Verdict{Done: true, Complete: true, Questions: intact("yes"), Findings: info}, "i 1 info"},
		"still reading":               {checks.Verdict{}, "… nothing found so far"},
	} {
		if got := Tally(&c.v).String(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
