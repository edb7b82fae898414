package report

import "tidemark/internal/checks"

type adviceJSON struct {
	Way     checks.Way `json:"way"`
	What    string     `json:"what"`
	Reasons []string   `json:"reasons"`
}

type migrationJSON struct {
	Batch  int64       `json:"batch"`
	File   string      `json:"file"`
	Open   []int64     `json:"uncommitted"`
	Starts []startJSON `json:"starts"`
	Steps  []string    `json:"steps"`
	Keep   []string    `json:"keep"`
}

type startJSON struct {
	Source  int      `json:"source"`
	Name    string   `json:"name"`
	Kinds   []string `json:"kinds"`
	Option  string   `json:"option"`
	Value   string   `json:"value"`
	Repeats string   `json:"repeats"`
	Notes   []string `json:"notes"` // what is skipped, and what else to know
	Without string   `json:"without"`
}

// VerdictJSON is what to do about a restart, which may be to stop where Spark itself would start.
type VerdictJSON struct {
	State   checks.State `json:"state"` // "stop", "only-if", "safe" or "unknown"
	Because string       `json:"because"`
}

// NewVerdict is the decision of a verdict for JSON. What is still being read is unknown there.
func NewVerdict(v *checks.Verdict) VerdictJSON {
	d := v.Decision()
	if d.State == checks.StillReading {
		d.State = checks.NoVerdict
	}
	return VerdictJSON{d.State, d.Because}
}

func newAdvice(a *checks.Advice) *adviceJSON {
	if a.Way == "" {
		return nil
	}
	return &adviceJSON{a.Way, a.What, list(a.Reasons)}
}

func newMigration(m *checks.Migration) *migrationJSON {
	if m == nil {
		return nil
	}
	out := &migrationJSON{m.Batch, m.File, list(m.Open), []startJSON{}, list(m.Steps), list(m.Keep)}
	for _, s := range m.Starts {
		out.Starts = append(out.Starts, startJSON{s.Source, s.Name, list(s.Kinds), s.Option, s.Value, s.Repeats, list(s.Notes), s.Without})
	}
	return out
}
