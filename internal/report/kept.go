package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
)

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
	j := keptJSON{Source: s.Recorded.Index, Name: s.Recorded.Name, ToldBy: s.ToldBy(), Batch: s.Recorded.Batch, Other: s.Other, TableID: s.TableID,
		Parts: []keptPartJSON{}, Lacks: []lackJSON{}, Facts: list(s.Facts), Unseen: list(s.Unseen)}
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

// keptPart is the section of the text: per part where the next start begins, and what is there.
func keptPart(p *page, v *checks.Verdict) {
	if v.Kept == nil || len(v.Kept.Sources) == 0 {
		return
	}
	p.title("WHAT THE SOURCES STILL HAVE")
	for i := range v.Kept.Sources {
		s := &v.Kept.Sources[i]
		p.wrap("  ", Printable(fmt.Sprintf("source %s, told by %s", s.Key, s.ToldBy())))
		if s.Other != "" {
			p.wrap("    ", Printable(Sentence(s.Other)))
		}
		for _, line := range Columns(KeptRows(s, keptRows)) {
			p.line("    " + line)
		}
		for _, l := range s.Missing[:min(len(s.Missing), keptRows)] {
			p.hang("    - ", Printable(l.What+": "+l.Why))
		}
		for _, text := range slices.Concat(s.Facts, s.Unseen) {
			p.wrap("    ", Printable(Sentence(text)))
		}
	}
}

// keptRows is how many parts of a source are shown: the worst first.
const keptRows = 12

// KeptRows is the table of a source's parts, for Columns: its head, then those with a loss, then the others; no more
// than limit, and a last row that counts the rest. It is empty where the source has no parts.
func KeptRows(s *checks.KeptSource, limit int) [][]string {
	parts := make([]*checks.KeptPart, len(s.Reads))
	for i := range s.Reads {
		parts[i] = &s.Reads[i]
	}
	slices.SortStableFunc(parts, func(a, b *checks.KeptPart) int { return KeptRank(a.State) - KeptRank(b.State) })
	if len(parts) == 0 {
		return nil
	}
	rows := [][]string{{"part", ">begins at", ">ends at", ">oldest left", ">head", ">behind", "what is left"}}
	for _, part := range parts[:min(limit, len(parts))] {
		rows = append(rows, []string{cmp.Or(Printable(part.Name), "-"), ">" + told(s, part.From), ">" + told(s, part.To), ">" + told(s, part.Earliest), ">" + told(s, part.Latest), ">" + lag(part), leftOf(s, part)})
	}
	if more := len(parts) - limit; more > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d more", more), "", "", "", "", "", ""})
	}
	return rows
}

// KeptRank orders what is left of parts: those that need a person come first.
func KeptRank(s checks.KeptState) int {
	return slices.Index([]checks.KeptState{checks.Another, checks.Beyond, checks.NotThere, checks.AllGone, checks.PartlyGone, checks.MaybeGone, checks.NotJudged, checks.Complete, checks.Joins}, s)
}

func told(s *checks.KeptSource, p *source.Position) string {
	if p == nil {
		return "-"
	}
	return Printable(s.Say(p))
}

func lag(p *checks.KeptPart) string {
	if !p.LagKnown {
		return "-"
	}
	return Count(p.Lag)
}

// leftOf is KeptWords, where single things that are lacking are told below the table.
func leftOf(s *checks.KeptSource, p *checks.KeptPart) string {
	if len(s.Missing) > 0 && p.State == checks.Complete {
		return "see below"
	}
	return KeptWords(p)
}

// KeptWords is what is left of what the next start reads of one part, in a few words.
func KeptWords(p *checks.KeptPart) string {
	var text string
	switch p.State {
	case checks.Complete:
		text = "all of it"
	case checks.PartlyGone:
		text = Count(p.Gone) + " " + p.Unit + " gone"
	case checks.AllGone:
		text = "none of the batch"
		if p.GoneKnown {
			text += ", " + Count(p.Gone) + " " + p.Unit + " gone"
		}
	case checks.MaybeGone:
		text = "not known: it begins later"
	case checks.Beyond:
		text = "it ends before that"
	case checks.Another:
		text = "another one now"
	case checks.NotThere:
		text = "there is no such part"
	case checks.Joins:
		text = "new: read from its start"
	default:
		text = "not judged"
	}
	if p.Until > 0 {
		text += ", until " + Time(p.Until) + " at least"
	}
	return strings.TrimSpace(text)
}
