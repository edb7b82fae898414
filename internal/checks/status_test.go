package checks

import "testing"

// TestStatusOfAVerdict: a refusal counts without a finding, what only could not be looked at does not, and what was
// missed is not called healthy.
func TestStatusOfAVerdict(t *testing.T) {
	t.Parallel()
	denied := Finding{Check: accessDenied, Severity: High}
	gap := Finding{Check: offsetGap, Severity: High}
	for _, c := range []struct {
		why           string
		v             Verdict
		from          Severity
		found, missed bool
		health        string
	}{
		{"healthy", Verdict{Known: true, Complete: true, Restart: Restart{Outcome: Next}}, High, false, false, ""},
		{"a refusal alone", Verdict{Known: true, Complete: true, Restart: Restart{Outcome: Refuses}}, Critical, true, false, "high"},
		{"a refusal and a mild finding", Verdict{Known: true, Complete: true, Restart: Restart{Outcome: Refuses}, Findings: []Finding{{Check: uncommittedBatch}}}, High, true, false, "high"},
		{"denied alone", Verdict{Known: true, Restart: Restart{Outcome: Next}, Findings: []Finding{denied}}, High, false, true, "high"},
		{"denied, and something found", Verdict{Known: true, Restart: Restart{Outcome: Next}, Findings: []Finding{denied, gap}}, High, true, true, "high"},
		{"below the asked severity", Verdict{Known: true, Complete: true, Restart: Restart{Outcome: Next}, Findings: []Finding{gap}}, Critical, false, false, "high"},
		{"a needed file was not read", Verdict{Known: true, Complete: true, Restart: Restart{Outcome: Unknown}}, High, false, true, ""},
		{"the run goes on", Verdict{}, High, false, true, ""},
	} {
		worst, ok := c.v.Health()
		health := ""
		if ok {
			health = worst.String()
		}
		if found, missed := c.v.Found(c.from), c.v.Missed(); found != c.found || missed != c.missed || health != c.health {
			t.Errorf("%s: found %v, missed %v, health %q; want %v, %v, %q", c.why, found, missed, health, c.found, c.missed, c.health)
		}
	}
}
