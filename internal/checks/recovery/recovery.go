package recovery

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/drift"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/sources"
	"tidemark/internal/checks/stores"
)

// seeker looks for the ways. It reads no more than a start and the way back need, and asks for nothing that was read.
type seeker struct {
	*checks.Pass
	ctx   context.Context
	found []checks.Finding
	all   []*checks.Check // those of them that Rejudge are run again on what a way leaves
	checks.Recoveries
}

// Find works out the ways. Its error means that nothing more will be read.
func Find(ctx context.Context, p *checks.Pass, found []checks.Finding, all []*checks.Check) (checks.Recoveries, error) {
	if !needsRecovery(p, found) {
		return checks.Recoveries{}, nil
	}
	f := &seeker{Pass: p, ctx: ctx, found: found, all: all}
	stores.Suspect(p, slices.Collect(func(yield func(string) bool) {
		for _, f := range found {
			if f.WrongFile() && !yield(f.Where.File) {
				return
			}
		}
	}))
	for _, look := range []func() error{f.setAside, f.putBack, f.rollBack, f.newCheckpoint} {
		if err := look(); err != nil {
			return checks.Recoveries{}, err
		}
	}
	slices.SortStableFunc(f.Ways, func(a, b checks.Recovery) int { return slices.Compare(a.Cost(), b.Cost()) })
	return f.Recoveries, nil
}

// needsRecovery reports whether files of the checkpoint stop the start, or make its results wrong.
func needsRecovery(p *checks.Pass, found []checks.Finding) bool {
	switch r := p.Restart; {
	case !p.IsCheckpoint() || r.Outcome == checks.Unknown || basics.Continuous(p):
		return false
	case p.Compared.NoState:
		return true
	case r.Outcome == checks.Refuses:
		return !r.Sound || planned(p) && broken(&restart.Judge{Start: basics.NextStart(context.Background(), p)}, restart.SourceCounts) != "" // the query agrees with one of the two plans
	}
	return slices.ContainsFunc(found, checks.Finding.WrongFile)
}

// planned reports whether the newest plan was read.
func planned(p *checks.Pass) bool {
	last := p.Survey.Standing.Last
	return last != nil && last.Plan != nil
}

func (f *seeker) not(way checks.RecoveryWay, because string, args ...any) {
	f.Not = append(f.Not, checks.NoRecovery{Way: way, Because: fmt.Sprintf(because, args...)})
}

// without judges the checkpoint as it would be without some files: its next start, and what is then wrong with its
// files; "" for nothing. What was read of the files that stay is not read again.
func (f *seeker) without(names []string) (q *checks.Pass, wrong string, err error) {
	p, ctx := f.Pass, f.ctx
	cp, err := p.Checkpoint.Without(ctx, names)
	if err != nil {
		return nil, "", err
	}
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, "", err
	}
	q = checks.NewPass(cp, survey, func(f checks.Finding) {
		if wrong == "" && f.WrongFile() {
			wrong = f.Title + ": " + f.Evidence
		}
	}, nil)
	q.Spark, q.Written, q.Now, q.Spec = p.Spark, p.Written, p.Now, p.Spec
	stores.ContentsWithout(p, q, names)
	if err := stores.ReadContents(ctx, q); err != nil {
		return nil, "", err
	}
	q.Compared = drift.Compare(basics.NextStart(ctx, q))
	q.Restart = restart.Predict(ctx, q)
	for _, c := range f.all {
		if c.Run != nil && c.Rejudge {
			if err := c.Run(ctx, q.For(c)); err != nil {
				return nil, "", err
			}
		}
	}
	return q, wrong, nil
}

// starts reports whether a start goes well: it plans the next batch, or runs one again.
func starts(q *checks.Pass, wrong string) bool {
	return wrong == "" && (q.Restart.Outcome == checks.Next || q.Restart.Outcome == checks.Rerun)
}

// stops is why a start does not go well.
func stops(q *checks.Pass, wrong string) string {
	switch {
	case q.Restart.Outcome == checks.Refuses || q.Restart.Outcome == checks.Unknown:
		return q.Restart.Because
	case q.Restart.Outcome == checks.Fresh:
		return "the query would start at batch 0 again"
	}
	return wrong
}

// listFiles keeps as many files as are reported one by one.
func listFiles(r *checks.Recovery, files []string) {
	r.Files = files[:min(len(files), basics.ListLimit)]
	r.More = len(files) - len(r.Files)
}

// then is what a start does afterwards, as a sentence behind another; "" where it is not known.
func then(r *checks.Recovery) string {
	switch r.Restart.Outcome {
	case checks.Next:
		if r.First < 0 {
			return fmt.Sprintf(" Spark then starts batch %d and re-runs nothing.", r.Restart.Batch)
		}
		return fmt.Sprintf(" Spark then starts batch %d.", r.Restart.Batch)
	case checks.Rerun:
		return fmt.Sprintf(" Spark then re-runs batch %d with its recorded offsets.", r.Restart.Batch)
	case checks.Fresh:
		return " Spark then starts at batch 0, of which nothing was committed."
	}
	return ""
}

// newCheckpoint is to leave this checkpoint for one that starts where its newest committed batch ended.
func (f *seeker) newCheckpoint() error {
	m := restart.Migrate(basics.NextStart(f.ctx, f.Pass), checks.Starts{Sources: sources.Of(f.Pass), Kept: f.Pass.Kept})
	if m == nil {
		f.not(checks.NewCheckpoint, "no committed batch has an offset file to start from")
		return nil
	}
	r := checks.Recovery{Way: checks.NewCheckpoint, To: -1, First: -1, Last: -1, LosesID: true, LosesState: f.keeps(),
		Restart: checks.Restart{Outcome: checks.Fresh, StateVersion: -1, Because: "a new checkpoint has no batch, so Spark starts at batch 0"}}
	r.Does = fmt.Sprintf("Start a new checkpoint at the offsets where batch %d ended (%s).", m.Batch, m.File)
	if r.LosesState {
		r.Does += " The state starts empty."
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
	return !basics.DeclaresNoState(f.Pass) && (!basics.Stateless(f.Pass) || stores.KeepsState(f.Pass) != "")
}
