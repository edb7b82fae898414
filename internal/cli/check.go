package cli

import (
	"context"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/checks/sources"
	"tidemark/internal/report"
)

// form is how a verdict is asked for.
type form struct {
	deep  bool
	write func(*app, *checks.Verdict) error // nil: text
}

func checkCommand(a *app) *cobra.Command {
	var deep bool
	asked := make([]bool, len(report.Formats))
	cmd := &cobra.Command{
		Use:   "check LOCATION",
		Short: "Check everything and show whether to restart",
		Long: long(`
Runs every check, then prints the verdict: whether to restart, what to do, what
a restart will do, three questions, and the findings, worst first.

Without --deep, only small state files are read completely; large ones are
checked in parts. With --deep, all are read, and each state snapshot is
compared with the older files that rebuild its version.`),
		Example: `tidemark check /mnt/checkpoints/orders
tidemark check s3://bucket/cp/orders --json
tidemark check LOCATION --fail-on medium --spark 4.1
tidemark check LOCATION --max-requests 500 --timeout 30s`,
		Args:        args(1, 1),
		Annotations: exits(exitsOfVerdict),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			f := form{deep: deep}
			for i, yes := range asked {
				if yes && f.write != nil {
					return usageError("--%s: one form at a time", report.Formats[i].Name)
				}
				if yes {
					f.write = func(a *app, v *checks.Verdict) error { return report.Formats[i].Write(a.Out, v, a.options()) }
				}
			}
			return a.check(ctx, args[0], f)
		}),
	}
	for i, format := range report.Formats[1:] { // the first is the default
		cmd.Flags().BoolVar(&asked[i+1], format.Name, false, "write the verdict "+format.For)
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "verify every byte of state, compare snapshots with older files, and read older source logs and operator metadata")
	return cmd
}

// check writes the verdict on a location.
func (a *app) check(ctx context.Context, location string, f form) error {
	return a.checkOf(ctx, location, a.opener(location), f)
}

// checkOf does what check does, with any way to open the checkpoint. Where it cannot be opened, the verdict says
// that nothing is known where a program asked for it; a person gets the error.
func (a *app) checkOf(ctx context.Context, location string, open opener, f form) error {
	v := &checks.Verdict{}
	cp, err := open(ctx)
	switch {
	case err == nil:
		v = a.examine(ctx, cp, f.deep)
		if sources.Mistaken(v.Err) {
			return a.usageProblems(v.Err) // the file of --positions, or an index of --source
		}
		if v.Kept != nil {
			a.noteUnfit(v.Kept.Unfit)
		}
	case f.write == nil:
		return err
	default:
		v.Location, v.Done, v.Err = location, true, err
	}
	if f.write == nil {
		f.write = func(a *app, v *checks.Verdict) error { return report.Text(a.Out, v, a.options()) }
	}
	if err := f.write(a, v); err != nil {
		return err
	}
	return exit(report.Status(v, a.flags.severity))
}

// examine runs every check over a checkpoint and shows how far it has come.
func (a *app) examine(ctx context.Context, cp *checkpoint.Checkpoint, deep bool) *checks.Verdict {
	p := a.progress()
	defer p.clear()
	return a.verdict(ctx, cp, deep, func(v *checks.Verdict) {
		p.say("%d of %d batches checked, %s; ctrl+c stops and shows the findings so far", v.Progress.Batches, v.Progress.Of, a.traffic())
	})
}

// verdict runs every check over a checkpoint and calls each after each step, unless that is nil.
func (a *app) verdict(ctx context.Context, cp *checkpoint.Checkpoint, deep bool, each func(*checks.Verdict)) *checks.Verdict {
	v := &checks.Verdict{}
	for e := range examine.Examine(ctx, cp, a.examination(deep)) {
		v.Add(e)
		if each != nil {
			each(v)
		}
	}
	return v
}

func (a *app) examination(deep bool) examine.Options {
	return examine.Options{Spark: a.flags.release, Now: a.Now(), Deep: deep, Spec: a.spec, Sink: a.sink(), Kept: a.prober()}
}
