package report

import "tidemark/internal/checks"

// keptJSON is what one source still has, beside what the next start reads of it.
type keptJSON struct {
	Source    int            `json:"source"`
	Name      string         `json:"name"`     // of a named source, else ""
	ToldBy    string         `json:"told_by"`  // a file with line and column, a location, brokers
	Batch     int64          `json:"batch"`    // the one that the next start runs
	Other     string         `json:"other"`    // what shows that it is not the one that was read; "" otherwise
	TableID   string         `json:"table_id"` // "" where not known
	Parts     []keptPartJSON `json:"parts"`
	Snapshots *int           `json:"snapshots,omitempty"` // how many a table has left; absent where not known
	Lacks     []lackJSON     `json:"lacks"`               // files that the batch reads and that are gone, or not as they were
	Facts     []string       `json:"facts"`
	Unseen    []string       `json:"unseen"` // what was not looked at, and why
}

type keptPartJSON struct {
	Part     string           `json:"part"`
	From     any              `json:"from"` // positions as in the ranges of restart
	To       any              `json:"to"`   // null where no batch runs again
	Earliest any              `json:"earliest"`
	Latest   any              `json:"latest"`
	State    checks.KeptState `json:"state"`
	Gone     *int64           `json:"gone"` // null where it cannot be counted
	Left     *int64           `json:"left"` // of the batch that runs again
	Lag      *int64           `json:"lag"`
	Unit     string           `json:"unit"`
	UntilMS  int64            `json:"until_ms"` // -1 where not known
}

type lackJSON struct {
	What    string `json:"what"`
	Changed bool   `json:"changed"`
	Why     string `json:"why"`
}

func newKept(k *checks.Kept) []keptJSON {
	if k == nil {
		return nil
	}
	all := make([]keptJSON, len(k.Sources))
	for i := range k.Sources {
		all[i] = newKeptSource(&k.Sources[i])
	}
	return all
}

func newKeptSource(s *checks.KeptSource) keptJSON {
	j := keptJSON{Source: s.Recorded.Index, Name: s.Recorded.Name, ToldBy: s.ToldBy(), Batch: s.Recorded.Batch, Other: s.Other,
		TableID: s.TableID,
		Parts:   []keptPartJSON{}, Lacks: []lackJSON{}, Facts: list(s.Facts), Unseen: list(s.Unseen)}
	if s.Snapshots != nil {
		n := len(s.Snapshots)
		j.Snapshots = &n
	}
	for i := range s.Reads {
		j.Parts = append(j.Parts, newKeptPart(&s.Reads[i]))
	}
	for _, l := range s.Missing {
		j.Lacks = append(j.Lacks, lackJSON{l.What, l.Changed, l.Why})
	}
	return j
}

func newKeptPart(p *checks.KeptPart) keptPartJSON {
	j := keptPartJSON{Part: p.Name, From: position(p.From), To: position(p.To), Earliest: position(p.Earliest), Latest: position(p.Latest),
		State: p.State, Unit: p.Unit, UntilMS: -1}
	if p.Until > 0 {
		j.UntilMS = p.Until
	}
	if p.GoneKnown {
		j.Gone = &p.Gone
	}
	if p.LeftKnown {
		j.Left = &p.Left
	}
	if p.LagKnown {
		j.Lag = &p.Lag
	}
	return j
}
