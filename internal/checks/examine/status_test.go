package examine

import (
	"testing"

	"tidemark/internal/checks"
	"tidemark/internal/checks/logs"
)

// TestStatusOfAVerdict: a refusal counts without a finding, what only could not be looked at does not, and what was
// missed is not called healthy.
func TestStatusOfAVerdict(t *testing.T) {
	t.Parallel()
	denied := checks.Finding{Check: logs.AccessDenied, Severity: checks.High}
	gap := checks.Finding{Check: logs.OffsetGap, Severity: checks.High}
	for _, c := range []struct {
		why           string
		v             checks.Verdict
		from          checks.Severity
		found, missed bool
		health        string
	}{
		{"healthy", checks.Verdict{Known: true, Complete: true, Restart: checks.Restart{Outcome: checks.Next}}, checks.High, false, false, ""},
		{"a refusal alone", checks.Verdict{Known: true, Complete: true, Restart: checks.Restart{Outcome: checks.Refuses}}, checks.Critical, true, false, "high"},
		{"a refusal and a mild finding", checks.Verdict{Known: true, Complete: true, Restart: checks.Restart{Outcome: checks.Refuses}, Findings: []checks.Finding{{Check: logs.UncommittedBatch}}}, checks.High, true, false, "high"},
		{"denied alone", checks.Verdict{Known: true, Restart: checks.Restart{Outcome: checks.Next}, Findings: []checks.Finding{denied}}, checks.High, false, true, "high"},
		{"denied, and something found", checks.Verdict{Known: true, Restart: checks.Restart{Outcome: checks.Next}, Findings: []checks.Finding{denied, gap}}, checks.High, true, true, "high"},
		{"below the asked severity", checks.Verdict{Known: true, Complete: true, Restart: checks.Restart{Outcome: checks.Next}, Findings: []checks.Finding{gap}}, checks.Critical, false, false, "high"},
		{"a needed file was not read", checks.Verdict{Known: true, Complete: true, Restart: checks.Restart{Outcome: checks.Unknown}}, checks.High, false, true, ""},
		{"the run goes on", checks.Verdict{}, checks.High, false, true, ""},
	} {
		worst, ok := c.v.Health()
		health := ""
		if ok {
			health = worst.String()
		}
		if found, missed := c.v.Found(c.from), c.v.Incomplete(); found != c.found || missed != c.missed || health != c.health {
			t.Errorf("%s: found %v, missed %v, health %q; want %v, %v, %q", c.why, found, missed, health, c.found, c.missed, c.health)
		}
	}
}
