package checks

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/output"
	"tidemark/internal/spec"
)

// Severity says what a finding costs the user, not how odd it is.
type Severity int

// The severities, mildest first.
const (
	Info     Severity = iota // normal, worth knowing
	Low                      // untidy, harmless
	Medium                   // will hurt later
	High                     // needs a decision before a restart
	Critical                 // the restart fails, or data is silently wrong
)

// Severities are their names, mildest first.
var Severities = []string{"info", "low", "medium", "high", "critical"}

func (s Severity) String() string { return Severities[s] }

// ParseSeverity reads the name of a severity.
func ParseSeverity(s string) (Severity, error) {
	for i, name := range Severities {
		if s == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not a severity (info, low, medium, high, critical)", s)
}

// Check is one question asked of a checkpoint: words, and functions.
type Check struct {
	Code     string   // stable name: "uncommitted-batch"
	Severity Severity // the usual one
	Title    string   // what is found; no capital, no full stop
	Meaning  string   // what it says about the query, its possible causes included; full sentences
	NextStep string   // the safest useful act; full sentences
	Avoid    string   // the tempting wrong act; "" if there is none
	Needs    string   // one of the flags that must be given for it to run: "--sink"; "" for nothing
	Unseen   bool     // it says only that something could not be looked at: nothing of the checkpoint was found

	Question string // the one of the three that it bears on: Intact, SameQuery, ReplaySafe
	// what it says is wrong with the files of the checkpoint; one that is High or above says so of itself, be it NoDamage
	Damage       Damage
	Lacks        bool // its place is a file that is missing or broken: the file as it was is a way back
	Salvage      bool // its place is a file that does not parse, of which some may still read
	OfDrift      bool // it is about the Drift of the verdict, which says the same in more words
	OfState      bool // it is about the state stores
	Rejudge      bool // it is run again on what a way back leaves of the checkpoint: that must be free of it
	NoCheckpoint bool // there is no checkpoint at the location, so that nothing else is judged
	Later        bool // it is about a time after the next start: whatever it weighs, nothing need be decided first

	// What a decision about a restart says by its findings: see Finding for the first two.
	OnlyIf, Banner string
	Short          string // in a row of a list: "two runs write here"; "" for its code in words

	// Run judges what few reads tell: listings, the newest files. It runs before Walk. nil: nothing.
	Run func(context.Context, *Pass) error

	// Walk judges the batches one by one: it returns functions that the one pass over all batches
	// calls. nil: nothing.
	Walk func(*Pass) Walker

	// Unread judges what could not be fetched, each thing once; it runs last. nil: nothing.
	Unread func(*Pass, []checkpoint.Unread)
}

// NotRun returns the event that the check did not run, and what it needs or what stood in its way.
func (c *Check) NotRun(needs string) Event {
	return Event{NotRun: &NotRun{Code: c.Code, Question: c.Question, Needs: needs}}
}

// Damage is what a finding says is wrong with the files of a checkpoint.
type Damage int

// The kinds of damage. Those that are found High or above make the checkpoint not intact; Altered does so from Medium on.
const (
	NoDamage   Damage = iota + 1 // it is about the query, its sources or its output: the files may all be whole
	Broken                       // files are missing, changed or broken
	Altered                      // what was written is not what stands there, and others read it: it counts although a start goes on
	TwoWriters                   // two runs wrote the files: each is whole, and together they tell two stories
)

// Files reports whether files of the checkpoint are not as they were written.
func (d Damage) Files() bool { return d > NoDamage }

// Walker sees every batch of a checkpoint, oldest first. Either function may be nil.
type Walker struct {
	// Batch sees b and the batch before it in the list (nil for the first). before.ID is b.ID-1
	// unless batches are missing. What it keeps of them keeps their memory.
	Batch func(before, b *checkpoint.Batch)
	// Done is called once after the last batch; whole is false where the pass was cut short.
	Done func(whole bool)
}

// Finding is one problem at one place. Code, Title and the other words are its check's, unless the
// evidence makes them others.
type Finding struct {
	*Check
	Severity Severity
	Batch    int64 // -1 when it is about the whole checkpoint
	Where    decode.Where
	Evidence string // the values that show it, as recorded
	Title    string
	Meaning  string
	NextStep string
	Avoid    string
	// OnlyIf is what a restart depends on, behind "restart only if", where the finding is High. No file of the checkpoint shows
	// whether it is so. No capital, no full stop; "" where something has to be fixed first.
	OnlyIf   string
	Banner   string            // what goes wrong at a restart, in the banner; no capital, no full stop; "" for Title
	Harmless bool              // the next start is right in spite of it: nothing has to be fixed or decided first
	Salvaged []decode.Salvaged // what still reads of the damaged file that it is about, in the order of the file; nil for nothing
}

// Pass is what one run of a check may see.
type Pass struct {
	*checkpoint.Checkpoint
	Survey   *statestore.Survey // what was looked at before anything is judged
	Spark    spark.Version      // the release that will do the restart
	Written  spark.Span         // the releases that can have written this
	Restart  Restart            // what Spark will do
	Now      time.Time          // for ages
	Deep     bool               // verify every byte of state, not only what the restart loads
	Spec     *spec.Spec         // what the query declares; nil where that was not given
	Compared Compared           // what came of holding it against what is recorded
	Sink     *Output            // what the output proves; nil where none was given, or where it could not be reached
	Kept     *Kept              // what the sources still have; nil where that was not asked

	Asked output.Sink  // what told Sink; nil where no output was given
	Cross *crosschecks // which files were compared with each other
	notes map[reflect.Type]any

	Check    *Check
	onFound  func(Finding)
	onUnread func(checkpoint.Unread)
}

// WrongFile reports whether the finding says that a file is missing or wrong, so that results are.
func (f Finding) WrongFile() bool {
	return f.Severity == Critical && (f.Damage == Broken || f.Damage == Altered)
}

// NewPass returns a pass over a checkpoint, with nothing known besides the survey. Findings and what could not be read go
// to found and unread; nil: they are dropped.
func NewPass(cp *checkpoint.Checkpoint, survey *statestore.Survey, found func(Finding), unread func(checkpoint.Unread)) *Pass {
	if found == nil {
		found = func(Finding) {}
	}
	if unread == nil {
		unread = func(checkpoint.Unread) {}
	}
	return &Pass{Checkpoint: cp, Survey: survey, Cross: &crosschecks{count: map[Comparison]int{}}, notes: map[reflect.Type]any{},
		onFound: found, onUnread: unread}
}

// Note returns what the checks of one run share: one value of each type, which the first who asks makes.
func Note[T any](p *Pass, first func() *T) *T {
	key := reflect.TypeFor[T]()
	if p.notes == nil {
		p.notes = map[reflect.Type]any{}
	}
	if _, ok := p.notes[key]; !ok {
		p.notes[key] = first()
	}
	return p.notes[key].(*T)
}

// Reportf adds a finding of the check that runs, with its usual severity and words.
func (p *Pass) Reportf(batch int64, where decode.Where, format string, args ...any) {
	p.Report(Finding{Batch: batch, Where: where, Evidence: fmt.Sprintf(format, args...), Severity: p.Check.Severity})
}

// Report adds a finding. Words it leaves empty are those of its check; its Severity counts as given.
func (p *Pass) Report(f Finding) {
	f.Check = p.Check
	fill := func(s *string, usual string) {
		if *s == "" {
			*s = usual
		}
	}
	fill(&f.Title, f.Check.Title)
	fill(&f.Meaning, f.Check.Meaning)
	fill(&f.NextStep, f.Check.NextStep)
	fill(&f.Avoid, f.Check.Avoid)
	fill(&f.OnlyIf, f.Check.OnlyIf)
	fill(&f.Banner, f.Check.Banner)
	p.onFound(f)
}

// Unread notes something that could not be fetched: the verdict is then not complete.
func (p *Pass) Unread(u checkpoint.Unread) { p.onUnread(u) }

// For returns the pass as the check c has it: what is reported is a finding of c.
func (p *Pass) For(c *Check) *Pass {
	q := *p
	q.Check = c
	return &q
}
