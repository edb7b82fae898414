package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/statestore"
)

// Recovery is a way from damaged files to a start that goes well, and what it costs. Nothing of it is done here: it says
// what to do in the checkpoint, after a copy of it was made.
type Recovery struct {
	Way   RecoveryWay
	Does  string   // what to do and what Spark then does; full sentences
	Files []string // to put back or to set aside, within the checkpoint; of a folder of which all is gone, the folder
	More  int      // how many more files there are than are listed

	// Restart is the next start afterwards. Of SetAside and RollBack it was judged on the checkpoint without Files; of
	// PutBack it takes the files for whole.
	Restart Restart

	To          int64    // of RollBack: the batch that is gone back to; -1 of the others
	First, Last int64    // the batches whose rows are read again, both included; -1 for none
	Ranges      []Range  // what the sources must still have for that, as far as plans record it
	Twice       []int64  // committed batches that the sink is given again, ascending; no more than are listed elsewhere
	LosesState  bool     // state begins empty
	LosesID     bool     // the query gets a new id: a sink that knows batches by it takes all for new
	Needs       []string // what must hold for it to go well; full sentences
}

// RecoveryWay is a kind of way.
type RecoveryWay string

// The ways, by the words of the JSON.
const (
	PutBack       RecoveryWay = "put-back"       // the files that are missing or broken, from where they still are
	SetAside      RecoveryWay = "set-aside"      // move files out of the checkpoint that are in the way
	RollBack      RecoveryWay = "roll-back"      // to an older batch
	NewCheckpoint RecoveryWay = "new-checkpoint" // that starts at the offsets where this one ended
)

// NoRecovery is a way that is none here.
type NoRecovery struct {
	Way     RecoveryWay
	Because string
}

// Recoveries are the ways that there are, cheapest first, and why the others are none. None of both where nothing is
// wrong with the files of a checkpoint.
type Recoveries struct {
	Ways []Recovery
	Not  []NoRecovery
}

// Cheapest is the first way; nil where there is none.
func (r *Recoveries) Cheapest() *Recovery {
	if len(r.Ways) == 0 {
		return nil
	}
	return &r.Ways[0]
}

// Short is the way in a few words: "set aside state/0/0/12.zip", "roll back to batch 9".
func (r *Recovery) Short() string {
	files := listed3(r.Files)
	switch r.Way {
	case PutBack:
		return "put back " + files
	case SetAside:
		return "set aside " + files
	case RollBack:
		return fmt.Sprintf("roll back to batch %d", r.To)
	}
	return "start a new checkpoint at the offsets of this one"
}

// Free reports whether nothing is read again, written twice or lost, and no file has to be found.
func (r *Recovery) Free() bool { return slices.Max(r.cost()) == 0 }

// cost orders ways: what is lost, then what is written twice, what is read again, and whether a file has to be
// found that may be nowhere.
func (r *Recovery) cost() []int64 {
	c := []int64{0, int64(len(r.Twice)), 0, 0}
	switch {
	case r.LosesState:
		c[0] = 2
	case r.LosesID:
		c[0] = 1
	}
	if r.First >= 0 {
		c[2] = r.Last - r.First + 1
	}
	if r.Way == PutBack {
		c[3] = 1
	}
	return c
}

// seeker looks for the ways. It reads no more than a start and the way back need, and asks for nothing that was read.
type seeker struct {
	*Pass
	ctx   context.Context
	found []Finding
	Recoveries
}

// recoveries works out the ways. Its error means that nothing more will be read.
func recoveries(ctx context.Context, p *Pass, found []Finding) (Recoveries, error) {
	if !needsRecovery(p, found) {
		return Recoveries{}, nil
	}
	f := &seeker{Pass: p, ctx: ctx, found: found}
	suspect(p, slices.Collect(func(yield func(string) bool) {
		for _, f := range found {
			if wrongFile(f) && !yield(f.Where.File) {
				return
			}
		}
	}))
	for _, look := range []func() error{f.setAside, f.putBack, f.rollBack, f.newCheckpoint} {
		if err := look(); err != nil {
			return Recoveries{}, err
		}
	}
	slices.SortStableFunc(f.Ways, func(a, b Recovery) int { return slices.Compare(a.cost(), b.cost()) })
	return f.Recoveries, nil
}

// needsRecovery reports whether files of the checkpoint stop the start, or make its results wrong.
func needsRecovery(p *Pass, found []Finding) bool {
	switch r := p.Restart; {
	case !p.IsCheckpoint() || r.Outcome == Unknown || continuous(p):
		return false
	case p.Compared.noState:
		return true
	case r.Outcome == Refuses:
		return !r.Sound || planned(p) && (&start{NextStart(context.Background(), p)}).broken(sourceCounts) != "" // the query agrees with one of the two plans
	}
	return slices.ContainsFunc(found, wrongFile)
}

// planned reports whether the newest plan was read.
func planned(p *Pass) bool {
	last := p.Survey.Standing.Last
	return last != nil && last.Plan != nil
}

// wrongFile reports whether a finding says that a file is missing or wrong, so that results are.
func wrongFile(f Finding) bool {
	return f.Severity == Critical && (f.Damage == Broken || f.Damage == Altered)
}

func (f *seeker) not(way RecoveryWay, because string, args ...any) {
	f.Not = append(f.Not, NoRecovery{way, fmt.Sprintf(because, args...)})
}

// without judges the checkpoint as it would be without some files: its next start, and what is then wrong with its
// files; "" for nothing. What was read of the files that stay is not read again.
func (p *Pass) without(ctx context.Context, names []string) (q *Pass, wrong string, err error) {
	cp, err := p.Checkpoint.Without(ctx, names)
	if err != nil {
		return nil, "", err
	}
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, "", err
	}
	q = NewPass(cp, survey, func(f Finding) {
		if wrong == "" && wrongFile(f) {
			wrong = f.Title + ": " + f.Evidence
		}
	}, nil)
	q.Spark, q.Written, q.Now, q.Spec = p.Spark, p.Written, p.Now, p.Spec
	contentsWithout(p, q, names)
	if err := readContents(ctx, q); err != nil {
		return nil, "", err
	}
	q.Compared = compareSpec(NextStart(ctx, q))
	q.Restart = predict(ctx, q)
	for _, c := range All {
		if c.Run != nil && c.Rejudge {
			if err := c.Run(ctx, q.For(c)); err != nil {
				return nil, "", err
			}
		}
	}
	return q, wrong, nil
}

// starts reports whether a start goes well: it plans the next batch, or runs one again.
func starts(q *Pass, wrong string) bool {
	return wrong == "" && (q.Restart.Outcome == Next || q.Restart.Outcome == Rerun)
}

// stops is why a start does not go well.
func stops(q *Pass, wrong string) string {
	switch {
	case q.Restart.Outcome == Refuses || q.Restart.Outcome == Unknown:
		return q.Restart.Because
	case q.Restart.Outcome == Fresh:
		return "the query would begin at batch 0 again"
	}
	return wrong
}

// list keeps as many files as are told one by one.
func (r *Recovery) list(files []string) {
	r.Files = files[:min(len(files), listLimit)]
	r.More = len(files) - len(r.Files)
}

// then is what a start does afterwards, as a sentence behind another; "" where it is not known.
func (r *Recovery) then() string {
	switch r.Restart.Outcome {
	case Next:
		if r.First < 0 {
			return fmt.Sprintf(" Spark then plans batch %d, and no batch runs again.", r.Restart.Batch)
		}
		return fmt.Sprintf(" Spark then plans batch %d.", r.Restart.Batch)
	case Rerun:
		return fmt.Sprintf(" Spark then re-runs batch %d with its recorded offsets.", r.Restart.Batch)
	case Fresh:
		return " Spark then begins at batch 0, of which nothing was committed."
	}
	return ""
}

// newCheckpoint is to leave this checkpoint for one that starts where its newest committed batch ended.
func (f *seeker) newCheckpoint() error {
	m := migrate(NextStart(f.ctx, f.Pass), Starts{sourcesOf(f.Pass), f.Pass.Kept})
	if m == nil {
		f.not(NewCheckpoint, "no committed batch has an offset file that says where to start")
		return nil
	}
	r := Recovery{Way: NewCheckpoint, To: -1, First: -1, Last: -1, LosesID: true, LosesState: f.keeps(),
		Restart: Restart{Outcome: Fresh, StateVersion: -1, Because: "a new checkpoint holds no batch, so Spark begins at batch 0"}}
	r.Does = fmt.Sprintf("Start a new checkpoint at the offsets where batch %d ended (%s).", m.Batch, m.File)
	if r.LosesState {
		r.Does += " Its state begins empty."
	}
	for i := range m.Starts {
		s := &m.Starts[i]
		switch {
		case s.Without != "":
			r.Needs = append(r.Needs, fmt.Sprintf("Source %d: %s.", s.Source, strings.TrimSuffix(strings.Join(strings.Fields(s.Without), " "), ".")))
		case s.Repeats != "":
			r.Needs = append(r.Needs, fmt.Sprintf("Source %d reads again: %s.", s.Source, strings.TrimSuffix(strings.Join(strings.Fields(s.Repeats), " "), ".")))
		}
	}
	if len(m.Open) > 0 {
		r.Needs = append(r.Needs, fmt.Sprintf("Check the sink for rows of batch %d, which is not committed: they would be written twice.", m.Open[0]))
	}
	f.Ways = append(f.Ways, r)
	return nil
}

// keeps reports whether the query keeps state, as far as is known.
func (f *seeker) keeps() bool {
	return !declaresNoState(f.Pass) && (!stateless(f.Pass) || keepsState(f.Pass) != "")
}
