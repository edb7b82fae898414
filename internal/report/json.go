package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"unicode/utf16"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// The form "tidemark/check/1". Its names are an interface: fields are only ever added. Times are ms
// since the epoch, as Spark wrote them; -1 stands where a number has no value.
type document struct {
	Schema    string         `json:"schema"`
	Location  string         `json:"location"`
	QueryID   string         `json:"query_id"` // "" where the file metadata is missing or does not parse
	Complete  bool           `json:"complete"` // false where something was not looked at: see not_run
	Spark     sparkJSON      `json:"spark"`
	Batches   batches        `json:"batches"`
	Sources   []sourceJSON   `json:"sources"`   // in plan order
	Operators []operatorJSON `json:"operators"` // by id
	Restart   restart        `json:"restart"`
	Questions []question     `json:"questions"`
	Findings  []finding      `json:"findings"`           // worst first, then by batch
	Drift     []driftJSON    `json:"drift"`              // in the order of the spec; empty where nothing differs, or no spec was given
	Compared  *compared      `json:"compared,omitempty"` // absent where no spec was given
	Kept      []keptJSON     `json:"kept,omitempty"`     // absent where the sources were not asked
	Sink      *outputJSON    `json:"sink,omitempty"`     // absent where no output was given, or where it could not be reached
	NotRun    []notRun       `json:"not_run"`
	Verdict   VerdictJSON    `json:"verdict"`
	Advice    *adviceJSON    `json:"advice,omitempty"`    // absent before the run is over, and where there is no checkpoint
	Migration *migrationJSON `json:"migration,omitempty"` // absent where no committed batch says where to start
	// Recover are the ways from damaged files to a start, cheapest first; NoRecover are those that are none here. Both are
	// absent where nothing is wrong with the files.
	Recover   []recoveryJSON   `json:"recover,omitempty"`
	NoRecover []noRecoveryJSON `json:"no_recover,omitempty"`
	Tally     tally            `json:"tally"`
}

type sparkJSON struct {
	WrittenBy string   `json:"written_by"` // ">=3.4 <4.0"
	Because   []string `json:"because"`
	Assumed   string   `json:"assumed"` // the release that restart speaks of
}

type batches struct {
	FirstPlanned   int64   `json:"first_planned"`
	LastPlanned    int64   `json:"last_planned"`
	FirstCommitted int64   `json:"first_committed"`
	LastCommitted  int64   `json:"last_committed"`
	Uncommitted    []int64 `json:"uncommitted"`
	MissingOffsets []int64 `json:"missing_offsets"`
	MissingCommits []int64 `json:"missing_commits"`
	// How many more each list has than are listed; absent for none.
	MoreUncommitted    int64 `json:"more_uncommitted,omitempty"`
	MoreMissingOffsets int64 `json:"more_missing_offsets,omitempty"`
	MoreMissingCommits int64 `json:"more_missing_commits,omitempty"`
}

type sourceJSON struct {
	Index int      `json:"index"`
	Name  string   `json:"name"`  // of a named source, else ""
	Kinds []string `json:"kinds"` // that write this shape, likeliest first
	Parts int      `json:"parts"`
}

type operatorJSON struct {
	ID         int      `json:"id"`
	Name       string   `json:"name"`
	Provider   string   `json:"provider"` // "hdfs", "rocksdb", "" where no file tells
	Partitions int      `json:"partitions"`
	Stores     []string `json:"stores"`
	Key        string   `json:"key"`   // as Spark's DDL, of the first store with a schema; "" where none is recorded
	Value      string   `json:"value"` // the same
}

type restart struct {
	Outcome      checks.Outcome `json:"outcome"`
	Batch        int64          `json:"batch"`
	Error        string         `json:"error"`
	Because      string         `json:"because"`
	Ranges       []rangeJSON    `json:"ranges"`
	StateVersion int64          `json:"state_version"`
	WatermarkMS  int64          `json:"watermark_ms"`
	Rollback     *rollback      `json:"rollback,omitempty"` // absent where there is none
}

// rollback is the way back to an older batch where a start fails: as in recover, which says more.
type rollback struct {
	Batch        int64       `json:"batch"`
	StateVersion int64       `json:"state_version"`
	Missing      []string    `json:"missing"`       // empty: where log files that it needs are missing it is told as no way
	MoveAside    []string    `json:"move_aside"`    // the first of the log files of each log that would be in the way
	RunsAgainTo  int64       `json:"runs_again_to"` // from the batch behind to this one
	SinkGivenTo  int64       `json:"sink_given_to"` // from the batch behind to this one; not above batch for none
	Ranges       []rangeJSON `json:"ranges"`        // what the sources must still hold
}

type rangeJSON struct {
	Source  int    `json:"source"`
	Part    string `json:"part"`
	From    any    `json:"from"`  // a number where it is a whole number, else a string; null where it is not recorded
	To      any    `json:"to"`    // the same
	Count   *int64 `json:"count"` // null where a difference means nothing
	CountIs string `json:"count_is,omitempty"`
	Unit    string `json:"unit"`
}

type question struct {
	Name    string `json:"name"`
	Answer  string `json:"answer"`
	Because string `json:"because"`
}

type finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Batch    int64  `json:"batch"`
	Where    where  `json:"where"`
	Title    string `json:"title"`
	Evidence string `json:"evidence"`
	Meaning  string `json:"meaning"`
	NextStep string `json:"next_step"`
	Avoid    string `json:"avoid"`
	// Salvaged is what still reads of the damaged file; absent for nothing.
	Salvaged []salvagedJSON `json:"salvaged,omitempty"`
}

// salvagedJSON is one thing that still reads of a damaged file.
type salvagedJSON struct {
	Name  string `json:"name"` // as the file names it: "id", "batchWatermarkMs"; "source 0" for the line of a source
	Value string `json:"value"`
	Cut   bool   `json:"cut"` // it is the beginning of a longer value, or may be
	Where where  `json:"where"`
}

// driftJSON is one thing in which what the query declares and what the checkpoint records differ.
type driftJSON struct {
	Field    string        `json:"field"` // as the spec has it: "operators[0].key"
	Declared string        `json:"declared"`
	Recorded string        `json:"recorded"` // "" where nothing is recorded
	Effect   checks.Effect `json:"effect"`
	Error    string        `json:"error"`           // Spark's condition, or the key phrase of its message; "" unless the effect is "refuses"
	Where    where         `json:"where"`           // what records it
	Place    *placeJSON    `json:"place,omitempty"` // where it is declared; absent where the spec is no file
	Meaning  string        `json:"meaning"`
	NextStep string        `json:"next_step"`
	Avoid    string        `json:"avoid"`
}

// placeJSON is a place in the file of a spec; both count from 1.
type placeJSON struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// compared is what else came of holding the spec against the checkpoint.
type compared struct {
	Agrees      []string `json:"agrees"`       // fields that say what is recorded
	NotCompared []string `json:"not_compared"` // fields that could not be compared, each with the reason
}

type where struct {
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1; 0 where the whole file is meant
	Offset int64  `json:"offset"` // bytes from the start of the file
}

type notRun struct {
	Code  string `json:"code"` // of a check; "" for a file or folder
	Needs string `json:"needs"`
}

type tally struct {
	Critical int `json:"critical"`
	High     int `json:"high"`
	Medium   int `json:"medium"`
	Low      int `json:"low"`
	Info     int `json:"info"`
}

func newFinding(f *checks.Finding) finding {
	j := finding{f.Code, f.Severity.String(), f.Batch, newWhere(f.Where), f.Title, f.Evidence, f.Meaning, f.NextStep, f.Avoid, nil}
	for _, s := range f.Salvaged {
		j.Salvaged = append(j.Salvaged, salvagedJSON{s.Name, s.Value, s.Cut, newWhere(s.Where)})
	}
	return j
}

// FindingJSON writes one finding, as the verdict has it.
func FindingJSON(w io.Writer, f *checks.Finding) error { return WriteJSON(w, newFinding(f), "  ") }

// DriftJSON writes one difference from a spec, as the verdict has it.
func DriftJSON(w io.Writer, d *checks.Drift) error { return WriteJSON(w, newDrift(d), "  ") }

// JSON writes a verdict for a program. What it writes is harmless on a terminal too.
func JSON(w io.Writer, v *checks.Verdict, _ Options) error {
	return WriteJSON(w, newDocument(v), "  ")
}

// WriteJSON writes any value as JSON, one level of it indented by indent ("": on one line), with every
// character that could drive a terminal or mislead the eye as \uNNNN.
func WriteJSON(w io.Writer, value any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(harmless(b.Bytes()))
	return err
}

// WriteJSONLine writes text, which is JSON on one line, and ends the line; it is escaped as by WriteJSON.
func WriteJSONLine(w io.Writer, text []byte) error {
	if _, err := w.Write(harmless(text)); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// harmless escapes what encoding/json leaves in strings: DEL, C1 controls, bidirectional and other
// invisible characters. Outside of strings there are none of them.
func harmless(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= 0x7f }) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		switch {
		case r != 0x7f && !phrase.Invisible(r):
			out = append(out, string(r)...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

func newDocument(v *checks.Verdict) document {
	d := document{
		Schema: "tidemark/check/1", Location: v.Location, QueryID: v.QueryID, Complete: v.Complete,
		Spark:     sparkJSON{v.Written.String(), list(v.Written.Because), v.Facts.Spark.String()},
		Batches:   newBatches(v),
		Sources:   []sourceJSON{},
		Operators: []operatorJSON{},
		Restart:   newRestart(v),
		Verdict:   NewVerdict(v),
		Questions: []question{},
		Findings:  []finding{},
		Drift:     []driftJSON{},
		NotRun:    []notRun{},
	}
	for _, s := range v.Sources {
		d.Sources = append(d.Sources, sourceJSON{s.Index, s.Name, list(s.Kinds), s.Parts})
	}
	for _, o := range v.Operators {
		d.Operators = append(d.Operators, newOperator(o))
	}
	for _, q := range v.Questions {
		d.Questions = append(d.Questions, question{q.Name, q.Answer, q.Because})
	}
	for _, f := range v.Findings {
		d.Findings = append(d.Findings, newFinding(&f))
	}
	for i := range v.Drift {
		d.Drift = append(d.Drift, newDrift(&v.Drift[i]))
	}
	if v.Declared {
		d.Compared = &compared{list(v.Agrees), list(v.NotCompared)}
	}
	for _, n := range page.NotRun(v) {
		d.NotRun = append(d.NotRun, notRun{n.Code, n.Needs})
	}
	d.Kept = newKept(v.Kept)
	d.Sink = newOutput(v.Sink)
	d.Recover, d.NoRecover = newRecoveries(&v.Recover)
	d.Advice, d.Migration = newAdvice(&v.Advice), newMigration(v.Migration)
	t := v.Tally()
	d.Tally = tally{t[checks.Critical], t[checks.High], t[checks.Medium], t[checks.Low], t[checks.Info]}
	return d
}

func newDrift(d *checks.Drift) driftJSON {
	j := driftJSON{d.Field, d.Declared, d.Recorded, d.Effect, d.Error, newWhere(d.Where), nil, d.Meaning, d.NextStep, d.Avoid}
	if d.Place.Line > 0 {
		j.Place = &placeJSON{d.Place.Line, d.Place.Column}
	}
	return j
}

func newBatches(v *checks.Verdict) batches {
	if !v.Known {
		return batches{-1, -1, -1, -1, []int64{}, []int64{}, []int64{}, 0, 0, 0}
	}
	b := v.Batches
	return batches{b.FirstPlanned, b.LastPlanned, b.FirstCommitted, b.LastCommitted,
		list(b.Uncommitted), list(b.MissingOffsets), list(b.MissingCommits),
		b.More.Uncommitted, b.More.MissingOffsets, b.More.MissingCommits}
}

func newOperator(o statestore.Operator) operatorJSON {
	partitions := o.Recorded
	if partitions == 0 {
		partitions = len(o.Partitions)
	}
	key, value := page.Schema(&o)
	return operatorJSON{o.ID, o.Name, o.Provider, partitions, list(o.StoreNames()), key, value}
}

func newRestart(v *checks.Verdict) restart {
	if !v.Known {
		return restart{Outcome: checks.Unknown, Batch: -1, Ranges: []rangeJSON{}, StateVersion: -1, Because: "the checkpoint was not read"}
	}
	r := v.Restart
	out := newPrediction(&r)
	for i := range v.Recover.Ways {
		if w := &v.Recover.Ways[i]; w.Way == checks.RollBack && r.Outcome == checks.Refuses {
			out.Rollback = newRollback(w)
		}
	}
	return out
}

// newPrediction is a start, of the checkpoint as it is or as it would be.
func newPrediction(r *checks.Restart) restart {
	return restart{r.Outcome, r.Batch, r.Error, r.Because, newRanges(r.Ranges), r.StateVersion, r.Watermark, nil}
}

func newRanges(ranges []checks.Range) []rangeJSON {
	all := make([]rangeJSON, len(ranges))
	for i, x := range ranges {
		all[i] = newRange(x.Source, x.Range)
	}
	return all
}

func newRange(index int, r source.Range) rangeJSON {
	j := rangeJSON{Source: index, Part: r.Part, From: position(r.From), To: position(r.To), CountIs: r.CountIs, Unit: r.Unit}
	if r.Counted {
		j.Count = &r.Count
	}
	return j
}

// Ranges is what one batch reads of its sources, for JSON, in the form of the restart's ranges.
func Ranges(reads [][]source.Range) any {
	all := []rangeJSON{}
	for i, ranges := range reads {
		for _, r := range ranges {
			all = append(all, newRange(i, r))
		}
	}
	return all
}

// Position is one position for JSON: a number where it is a whole number, else a string.
func Position(p *source.Position) any { return position(p) }

var wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// position is a JSON number where a position is a whole number, whatever its length, a string where
// it is something else, and null where it is not known.
func position(p *source.Position) any {
	switch {
	case p == nil:
		return nil
	case p.Order != source.Unordered && wholeNumber.MatchString(p.Text):
		return json.Number(p.Text)
	}
	return p.Text
}

func newWhere(w decode.Where) where { return where{w.File, w.Line, w.Offset} }

// list is s, and an empty list rather than null where there is nothing.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
