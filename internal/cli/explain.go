package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tidemark/internal/checks/sources"
	"tidemark/internal/page"
	"tidemark/internal/report"
	"tidemark/internal/trace"
)

// explainExits are what its exit statuses mean.
const explainExits = `0 the trace is explained, whether or not something was found
2 the command line is wrong, or nothing in the text is an error of Spark
3 something that it is about could not be read
4 not a checkpoint
130 interrupted`

func explainCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain LOCATION [flags] < STACKTRACE",
		Short: "Hold an error of Spark beside what the checkpoint shows now",
		Long: long(`
Reads a stack trace, or a part of a log with one in it, from stdin: which error
it is and what Spark checks there, which file and batch it is about, what the
checkpoint shows at that place now, whether the two agree, what the error proves
and what it does not, and the next safe step. Nothing in the trace is believed:
the checkpoint is looked at. What --kafka, --positions and --source tell of
the sources, --sink of the output and --spec of the code is compared with it too.
Of a text of more than 1 MiB the end counts. A trace of another query is said
first.`),
		Example: `tidemark explain /mnt/checkpoints/orders < stacktrace.txt
tidemark explain s3://bucket/cp/orders < driver.log
tidemark explain LOCATION --kafka broker-1:9092 < driver.log
tidemark explain LOCATION --json < stacktrace.txt`,
		Args:                  args(1, 1),
		DisableFlagsInUseLine: true,
		Annotations:           exits(explainExits),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return a.explain(ctx, cmd.InOrStdin(), args[0], asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write it for a program: tidemark/explain/1")
	return cmd
}

// explain reads the trace first: where it is none, no request is made.
func (a *app) explain(ctx context.Context, in io.Reader, location string, asJSON bool) error {
	if isTerminal(in) {
		fmt.Fprintln(a.Err, "Paste the stack trace, then press ctrl+d on a line of its own.")
	}
	t, err := trace.Read(in)
	if errors.Is(err, trace.ErrNoTrace) {
		return usageError("%v; give a stack trace, or the part of a log that holds one, on stdin", err)
	}
	if err != nil {
		return err
	}
	cp, err := a.openCheckpoint(ctx, location)
	if err != nil {
		return err
	}
	v := a.examine(ctx, cp, false)
	if sources.Mistaken(v.Err) {
		return a.usageProblems(v.Err)
	}
	e := trace.Explain(ctx, t, v, cp)
	if asJSON {
		err = report.ExplanationJSON(a.Out, e)
	} else {
		err = report.Page(a.Out, page.Explanation(e), a.options())
	}
	if err == nil && e.Unread {
		return exit(report.Unread)
	}
	return err
}
