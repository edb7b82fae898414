package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/storage"
)

// findDepth is how many folders below ROOT a checkpoint is looked for.
const findDepth = 8

// findArchive is how long an archive may be that is looked into, in bytes.
const findArchive = 1 << 30

// findExits are what its exit statuses mean.
const findExits = `0 no finding at or above --fail-on
1 such a finding, a restart that will fail, or two checkpoints of one query
2 the command line is wrong
3 something could not be read
4 no checkpoint in ROOT or below it
130 interrupted`

func findCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "find ROOT",
		Short: "Find the checkpoints below a folder, each with its verdict",
		Long: long(fmt.Sprintf(`
Looks for checkpoints in ROOT and up to %d folders below it, and prints one line
for each, worst first: the verdict, the location, and other checkpoints of the same
query. An archive (.zip, .tar, .tar.gz, .tar.zst) is a folder.`, findDepth)),
		Example: `tidemark find /mnt/checkpoints
tidemark find s3://bucket/checkpoints --max-requests 10000
tidemark find ROOT --json | jq 'select(.worst == "critical")'`,
		Args:        args(1, 1),
		Annotations: exits(findExits),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			root, err := a.store(ctx, args[0])
			if err != nil {
				return err
			}
			f := &finder{a: a, root: root, json: asJSON, progress: a.progress()}
			err = f.find(ctx)
			f.progress.clear()
			if err := cmp.Or(f.write(), err); err != nil {
				return err
			}
			return f.end()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// copiesListed is how many other checkpoints of its query are named beside one.
const copiesListed = 100

// finder finds the checkpoints below root, and then examines each.
type finder struct {
	a        *app
	root     storage.Store
	json     bool
	progress *progress

	all      []candidate
	same     map[string][]string // where the copies of one query lie, by its id
	statuses []int               // of each checkpoint that was examined
	unread   []string            // folders that could not be listed
	rows     []findRow           // what is known of each, unless it is written as JSON
	deeper   bool                // there are folders below findDepth
	large    []string            // archives that were not looked into
}

// findRow is a line about one checkpoint.
type findRow struct {
	rank int // the worst first
	text string
}

// candidate is a checkpoint that was found.
type candidate struct {
	location string
	query    string // the id in its file metadata; "" where there is none that can be read
	open     func(context.Context) (storage.Store, error)
}

// find looks for all of them first: which ones are copies of one query is then known for every line.
func (f *finder) find(ctx context.Context) error {
	f.same = map[string][]string{}
	var stopped error
	search := checkpoint.Search{Depth: findDepth, Left: &f.deeper, Archive: findArchive, Large: &f.large}
	for folder, err := range checkpoint.Find(ctx, f.root, search) {
		if err != nil {
			stopped = err
			break
		}
		if folder.Err != nil {
			f.unread = append(f.unread, fmt.Sprintf("%s: %v", folder.Dir, folder.Err))
		}
		if folder.IsCheckpoint {
			c := candidate{location: storage.Sub(f.root, folder.Dir).String(), query: folder.QueryID(ctx), open: folder.Open}
			f.all = append(f.all, c)
			if c.query != "" {
				f.same[c.query] = append(f.same[c.query], c.location)
			}
		}
		f.progress.say("%d found, searched %s, %s", len(f.all), folder.Dir, f.a.traffic())
	}
	for i := range f.all {
		if err := f.examine(ctx, &f.all[i]); err != nil {
			return err
		}
		f.progress.say("%d found, %d of them checked, %s", len(f.all), i+1, f.a.traffic())
	}
	if stopped != nil {
		return f.cutOff(stopped)
	}
	return nil
}

// cutOff returns an error after which nothing more is read.
func (f *finder) cutOff(err error) error {
	return fmt.Errorf("found %d checkpoints, then stopped: %w", len(f.all), err)
}

func (f *finder) examine(ctx context.Context, c *candidate) error {
	v := &checks.Verdict{Done: true}
	cp, err := c.checkpoint(ctx)
	if err == nil {
		v = f.a.verdict(ctx, cp, false, nil)
	} else {
		v.Err = err
	}
	v.Location = c.location
	f.statuses = append(f.statuses, report.Status(v, f.a.flags.severity))
	f.progress.clear()
	if f.json {
		err = f.lineJSON(v, f.copies(c))
	} else {
		f.rows, err = append(f.rows, f.row(v, f.copies(c))), nil
	}
	if err == nil && checkpoint.Stopped(v.Err) {
		err = f.cutOff(v.Err)
	}
	return err
}

// checkpoint opens what was found.
func (c *candidate) checkpoint(ctx context.Context) (*checkpoint.Checkpoint, error) {
	s, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	return checkpoint.Open(ctx, s)
}

// copies returns the other checkpoints of the same query.
func (f *finder) copies(c *candidate) []string {
	others := []string{}
	for _, location := range f.same[c.query] {
		if location != c.location && len(others) < copiesListed {
			others = append(others, location)
		}
	}
	return others
}

// ranks are the states of a verdict, the worst first.
var ranks = []checks.State{checks.Stop, checks.OnlyIf, checks.NoVerdict, checks.Safe}

func (f *finder) row(v *checks.Verdict, copies []string) findRow {
	twin := ""
	if len(copies) > 0 {
		twin = "  same query as " + copies[0]
		if more := len(copies) - 1; more > 0 {
			twin += fmt.Sprintf(" and %d more", more)
		}
	}
	d := v.Decision()
	does := phrase.Verdicts.Of(string(d.State)).Symbol + " " + d.Short()
	if f.a.asciiWanted() {
		does = phrase.ASCII(does)
	}
	return findRow{slices.Index(ranks, d.State), phrase.Fit(does, findWidth) + "  " + phrase.Printable(v.Location+twin)}
}

// findWidth is how wide the verdicts of find are, in cells.
const findWidth = 27

// write writes the rows, the worst first.
func (f *finder) write() error {
	slices.SortStableFunc(f.rows, func(a, b findRow) int { return cmp.Compare(a.rank, b.rank) })
	for _, r := range f.rows {
		if _, err := fmt.Fprintln(f.a.Out, r.text); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) lineJSON(v *checks.Verdict, copies []string) error {
	worst := ""
	if s, ok := v.Worst(); ok {
		worst = s.String()
	}
	batch, outcome := int64(-1), checks.Unknown
	if v.Known {
		batch, outcome = v.Restart.Batch, v.Restart.Outcome
	}
	codes := []string{}
	for i := range v.Findings {
		if c := v.Findings[i].Code; !slices.Contains(codes, c) {
			codes = append(codes, c)
		}
	}
	return report.WriteJSON(f.a.Out, struct {
		Location string             `json:"location"`
		QueryID  string             `json:"query_id"`
		Complete bool               `json:"complete"`
		Worst    string             `json:"worst"` // the severity of the worst finding; "" for none
		Codes    []string           `json:"codes"` // of all findings, worst first
		Outcome  checks.Outcome     `json:"outcome"`
		Batch    int64              `json:"batch"`
		Verdict  report.VerdictJSON `json:"verdict"`
		Same     []string           `json:"same_query_as,omitempty"` // the other checkpoints below ROOT with this query id
	}{v.Location, v.QueryID, v.Complete, worst, codes, outcome, batch, report.NewVerdict(v), copies}, "")
}

// end returns the exit status, the worst of all, and reports what was not looked at and which copies there are.
func (f *finder) end() error {
	for _, u := range f.unread {
		f.a.problem("could not be listed: %s", u)
	}
	if f.deeper {
		f.a.note("folders more than %d levels below were not searched", findDepth)
	}
	for _, name := range f.large {
		f.a.note("%s is larger than 1 GiB and was not checked: give it by its name", name)
	}
	twins := f.noteCopies()
	switch {
	case slices.Contains(f.statuses, report.Found), twins && f.a.flags.severity <= checks.High:
		return exit(report.Found)
	case len(f.unread) > 0 || slices.Contains(f.statuses, report.Unread):
		return exit(report.Unread)
	case len(f.all) == 0:
		return notCheckpoint("%s: no checkpoint in or below it", f.root)
	}
	return nil
}

// noteCopies notes each query that has several checkpoints; false where there is none.
func (f *finder) noteCopies() (any bool) {
	for _, id := range slices.Sorted(maps.Keys(f.same)) {
		if n := len(f.same[id]); n > 1 {
			any = true
			f.a.note("%d checkpoints belong to one query, %s: they are copies. Never start more than one: a second run repeats what the first one wrote.", n, id)
		}
	}
	return any
}
