package report

import (
	"cmp"
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/output"
)

// outputPart says what the output of the query holds, where one was looked at.
func outputPart(p *page, v *checks.Verdict) {
	o := v.Sink
	if o == nil {
		return
	}
	p.title("THE OUTPUT")
	for _, l := range Output(o) {
		if l.Name == "" {
			p.wrap("  ", Printable(l.Text))
			continue
		}
		p.hang(fmt.Sprintf("  %-10s ", l.Name), Printable(l.Text))
	}
	p.ranges(&checks.Verdict{Facts: v.Facts, Restart: checks.Restart{Outcome: checks.Rerun}}, o.Missing, "  ")
}

// OutputLine is one thing that is known of an output; Name is "" for a sentence of its own.
type OutputLine struct{ Name, Text string }

// Output is what is known of the output of a query, line by line.
func Output(o *checks.Output) []OutputLine {
	place := o.Location
	if place == "" {
		place = "a place that the spec does not name"
	}
	all := []OutputLine{{"", Sentence(outputKind(o.Kind) + " at " + place + ": " + o.Says)}}
	say := func(name, format string, args ...any) {
		all = append(all, OutputLine{name, fmt.Sprintf(format, args...)})
	}
	if o.Settle != "" {
		say("to know", "%s", o.Settle)
	}
	if o.Highest >= 0 && o.Unknown == "" {
		atLeast := ""
		if o.AtLeast {
			atLeast = "at least "
		}
		say("newest", "%sbatch %d, %s", atLeast, o.Highest, proved(o))
		say("by", "%s", byWords(o))
	}
	if n := len(o.Batches); n > 0 && o.Batches[0].Rows >= 0 {
		b := o.Batches[0]
		say("wrote", "%s in %s (batch %d)", Units(b.Rows, "rows"), Units(max(b.Files, 0), "files"), b.ID)
	}
	for i, w := range o.Others {
		if i == 3 {
			say("also", "%d more ids", len(o.Others)-i)
			break
		}
		say("also", "%s up to %d%s", w.ID, w.Highest, at(w.Time))
	}
	if o.Expires != "" {
		say("forgets", "records of writers that are older than %s", o.Expires)
	}
	if o.Unsure != "" {
		say("not seen", "%s", o.Unsure)
	}
	for _, note := range o.Notes {
		say("note", "%s", note)
	}
	return all
}

func outputKind(kind string) string {
	return cmp.Or(output.Named(kind).Title, kind, "the output")
}

func proved(o *checks.Output) string {
	p := o.Proof
	text := p.Where.String()
	if p.Version >= 0 {
		text += fmt.Sprintf(", %s %d", o.VersionWord(), p.Version)
	}
	return text + at(p.Time)
}

func at(ms int64) string {
	if ms == 0 {
		return ""
	}
	return ", " + Time(ms)
}

func byWords(o *checks.Output) string {
	switch o.By {
	case output.Number:
		return "batch number only: any query that wrote here counts"
	case output.Identifier:
		return fmt.Sprintf("the id %q, which is not that of the query", o.Under)
	}
	return "the query id"
}

// InOutput is whether a batch is in the output, in a word: "yes", "no", "taken out", "?". It is "" where no
// output was looked at.
func InOutput(o *checks.Output, batch int64) string {
	if o == nil {
		return ""
	}
	switch o.Holds(batch) {
	case output.Yes:
		return "yes"
	case output.No:
		return "no"
	case output.Gone:
		return "taken out"
	}
	return "?"
}

// outputJSON is the field "sink": what the output of the query proves, held against the checkpoint.
type outputJSON struct {
	Kind      string           `json:"kind"`      // as a spec names kinds; "" where it is not known
	Location  string           `json:"location"`  // as it was given
	Situation checks.Situation `json:"situation"` // how it stands to the checkpoint, in a few words
	Says      string           `json:"says"`
	Highest   int64            `json:"highest"`  // the newest batch of this query there; -1 for none
	AtLeast   bool             `json:"at_least"` // newer ones may be there
	By        output.By        `json:"by"`       // "query id", "identifier", "batch number"
	Under     string           `json:"under"`    // the id that it is recorded under, where that is not the query id
	Proof     *proofJSON       `json:"proof"`    // of highest; null for none
	Unknown   string           `json:"unknown"`  // why it is not told what is there; "" where it is
	Settle    string           `json:"settle"`   // what would tell
	Unsure    string           `json:"unsure"`   // why batches may have been taken out again unseen; "" where they would have been seen
	First     int64            `json:"first"`    // the batches that situation is about; -1 for none
	Last      int64            `json:"last"`
	Missing   []rangeJSON      `json:"missing"` // what they read, where they are missing
	Undone    *undoneJSON      `json:"undone"`  // batches that were taken out again; null for none
	Others    []writerJSON     `json:"others"`
	Batches   []writtenJSON    `json:"batches"` // the newest that are known one by one, newest first
	TableID   string           `json:"table_id"`
	Expires   string           `json:"expires"` // after which the table forgets its writers; "" for never, or not known
	Notes     []string         `json:"notes"`
}

type proofJSON struct {
	Where   where `json:"where"`
	Version int64 `json:"version"` // of the table; -1 where it has none
	TimeMS  int64 `json:"time_ms"`
}

type undoneJSON struct {
	First     int64 `json:"first"`
	Last      int64 `json:"last"`
	Exact     bool  `json:"exact"` // no batch before first was taken out
	Version   int64 `json:"version"`
	ToVersion int64 `json:"to_version"` // -1 where only a time is recorded
	TimeMS    int64 `json:"time_ms"`
	Where     where `json:"where"`
}

type writerJSON struct {
	ID      string `json:"id"`
	Highest int64  `json:"highest"`
	TimeMS  int64  `json:"time_ms"`
}

type writtenJSON struct {
	Batch   int64 `json:"batch"`
	Rows    int64 `json:"rows"`  // -1 where they are not counted
	Files   int64 `json:"files"` // the same
	Version int64 `json:"version"`
	TimeMS  int64 `json:"time_ms"`
}

func newOutput(o *checks.Output) *outputJSON {
	if o == nil {
		return nil
	}
	j := &outputJSON{Kind: o.Kind, Location: o.Location, Situation: o.Situation, Says: o.Says, Highest: o.Highest, AtLeast: o.AtLeast, By: o.By, Under: o.Under,
		Unknown: o.Unknown, Settle: o.Settle, Unsure: o.Unsure, First: o.First, Last: o.Last, Missing: newRanges(o.Missing), Others: []writerJSON{}, Batches: []writtenJSON{},
		TableID: o.TableID, Expires: o.Expires, Notes: list(o.Notes)}
	if o.Highest >= 0 {
		j.Proof = &proofJSON{newWhere(o.Proof.Where), o.Proof.Version, o.Proof.Time}
	}
	if u := o.Held.Undone; u != nil {
		j.Undone = &undoneJSON{u.First, u.Last, u.Exact, u.Version, u.To, u.Time, newWhere(u.Where)}
	}
	for _, w := range o.Others {
		j.Others = append(j.Others, writerJSON{w.ID, w.Highest, w.Time})
	}
	for _, b := range o.Batches {
		j.Batches = append(j.Batches, writtenJSON{b.ID, b.Rows, b.Files, b.Version, b.Time})
	}
	return j
}
