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
const explainExits = `0 the error is explained
2 the command line is wrong, or the text contains no Spark error
3 a file of the error could not be read
4 not a checkpoint
130 interrupted`

func explainCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain LOCATION [flags] < STACKTRACE",
		Short: "Explain a Spark error from this checkpoint",
		Long: long(`
Reads a stack trace from stdin, alone or in a log, and explains its Spark error: what
Spark checks, and which file and batch it means. Then it compares the error with the
checkpoint, and says what the error proves and what to do next.
tidemark checks the checkpoint itself and does not rely on the trace.

--kafka, --positions and --source add what the sources still have. --sink adds what
the sink has, and --spec what the code declares. If the text is larger than 1 MiB,
only its end is read. A trace from another query is reported first.`),
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
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON for programs: tidemark/explain/1")
	return cmd
}

// explain reads the trace first: where it is none, no request is made.
func (a *app) explain(ctx context.Context, in io.Reader, location string, asJSON bool) error {
	if isTerminal(in) {
		fmt.Fprintln(a.Err, "Paste the stack trace, then press ctrl+d on an empty line.")
	}
	t, err := trace.Read(in)
	if errors.Is(err, trace.ErrNoTrace) {
		return usageError("%v; pass a stack trace, or the part of a log with one, on stdin", err)
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
