package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checks"
	"tidemark/report"
	"tidemark/storage"
)

// findDepth is how many folders below ROOT a checkpoint is looked for.
const findDepth = 8

func findCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "find ROOT",
		Short: "Find the checkpoints below a folder, each with its health",
		Long: long(fmt.Sprintf(`
Looks for checkpoints in ROOT and up to %d folders below it, and writes one line
for each as it is found: the worst finding, what a restart does, and where it is.
Exit status 1 where any of them has a finding at or above --fail-on.`, findDepth)),
		Example: `tidemark find /mnt/checkpoints
tidemark find s3://bucket/checkpoints --max-requests 10000
tidemark find ROOT --json | jq 'select(.worst == "critical")'`,
		Args: args(1, 1),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			root, err := a.store(ctx, args[0])
			if err != nil {
				return err
			}
			f := &finder{a: a, root: root, json: asJSON, progress: a.progress()}
			err = f.find(ctx)
			f.progress.clear()
			if err != nil {
				return err
			}
			return f.status()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// finder examines each checkpoint below root when it comes to it.
type finder struct {
	a        *app
	root     storage.Store
	json     bool
	progress *progress

	found    int
	statuses []int    // of each checkpoint
	unread   []string // folders that could not be listed
	deeper   bool     // there are folders below findDepth
}

func (f *finder) find(ctx context.Context) error {
	for folder, err := range checkpoint.Find(ctx, f.root, checkpoint.Search{Depth: findDepth, Left: &f.deeper}) {
		if err != nil {
			return fmt.Errorf("%d checkpoints were found, the rest was not looked at: %w", f.found, err)
		}
		if folder.Err != nil {
			f.unread = append(f.unread, fmt.Sprintf("%s: %v", folder.Dir, folder.Err))
		}
		if folder.IsCheckpoint {
			if err := f.examine(ctx, folder.Dir); err != nil {
				return err
			}
		}
		f.progress.say("%d found, looked at %s, %s", f.found, folder.Dir, f.a.traffic())
	}
	return nil
}

func (f *finder) examine(ctx context.Context, dir string) error {
	v := &checks.Verdict{}
	cp, err := checkpoint.Open(ctx, storage.Sub(f.root, dir))
	if err == nil {
		for e := range checks.Examine(ctx, cp, f.a.examination(false)) {
			v.Add(e)
		}
	} else {
		v.Location, v.Done, v.Err = storage.Sub(f.root, dir).String(), true, err
	}
	f.found++
	f.statuses = append(f.statuses, report.Status(v, f.a.flags.severity))
	f.progress.clear()
	if f.json {
		err = f.lineJSON(v)
	} else {
		err = f.line(v)
	}
	if err == nil && checkpoint.Stopped(v.Err) {
		err = fmt.Errorf("%d checkpoints were found, the rest was not looked at: %w", f.found, v.Err)
	}
	return err
}

func (f *finder) line(v *checks.Verdict) error {
	_, err := fmt.Fprintf(f.a.Out, "%-12s  %-24s  %s\n", report.Health(v, f.a.asciiWanted()), report.Outcome(v), report.Printable(v.Location))
	return err
}

func (f *finder) lineJSON(v *checks.Verdict) error {
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
		Location string         `json:"location"`
		QueryID  string         `json:"query_id"`
		Complete bool           `json:"complete"`
		Worst    string         `json:"worst"` // the severity of the worst finding; "" for none
		Codes    []string       `json:"codes"` // of all findings, worst first
		Outcome  checks.Outcome `json:"outcome"`
		Batch    int64          `json:"batch"`
	}{v.Location, v.QueryID, v.Complete, worst, codes, outcome, batch}, "")
}

// status is the worst of all, and tells what was not looked at.
func (f *finder) status() error {
	for _, u := range f.unread {
		fmt.Fprintln(f.a.Err, "tidemark: could not be listed: "+report.Printable(u))
	}
	if f.deeper {
		fmt.Fprintf(f.a.Err, "note: folders more than %d below were not looked at\n", findDepth)
	}
	switch {
	case slices.Contains(f.statuses, report.Found):
		return exit(report.Found)
	case len(f.unread) > 0 || slices.Contains(f.statuses, report.Unread):
		return exit(report.Unread)
	case f.found == 0:
		return notCheckpoint("%s: no checkpoint in it or below it", f.root)
	}
	return nil
}
