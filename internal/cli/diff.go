package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

func diffCommand(a *app) *cobra.Command {
	var between string
	cmd := &cobra.Command{
		Use:   "diff LOCATION [LOCATION]",
		Short: "Compare two checkpoints, or two batches of one",
		Long: long(`
Compares two checkpoints after their last committed batch: the offsets of each
partition, which checkpoint is ahead, where their batches diverge, settings and state.
With --batch it compares two batches of one checkpoint.`),
		Example: `tidemark diff /mnt/checkpoints/orders /mnt/checkpoints/orders-new
tidemark diff LOCATION --batch 7..9
tidemark diff s3://bucket/cp/orders backup.tar.gz`,
		Args:        args(1, 2),
		Annotations: exits(exitsOfReading),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if between == "" && len(args) == 2 {
				return a.diffCheckpoints(ctx, args[0], args[1])
			}
			from, to, ok := batchRange(between)
			switch {
			case between == "":
				return usageError("diff takes two LOCATIONs, or one and --batch A..B")
			case len(args) == 2:
				return usageError("--batch compares two batches of one LOCATION, but two LOCATIONs were given")
			case !ok:
				return usageError("--batch: %q is not two batches such as 7..9", between)
			}
			return a.diffBatches(ctx, args[0], from, to)
		}),
	}
	cmd.Flags().StringVar(&between, "batch", "", "compare two batches of one checkpoint: `A..B`")
	return cmd
}

// batchRange reads "7..9".
func batchRange(s string) (from, to int64, ok bool) {
	a, b, ok := strings.Cut(s, "..")
	from, err := strconv.ParseInt(a, 10, 64)
	to, err2 := strconv.ParseInt(b, 10, 64)
	return from, to, ok && err == nil && err2 == nil && from >= 0 && to >= 0
}

func (a *app) diffBatches(ctx context.Context, location string, from, to int64) error {
	cp, err := a.openCheckpoint(ctx, location)
	if err != nil {
		return err
	}
	return a.compareBatches(ctx, cp, from, to)
}

func (a *app) compareBatches(ctx context.Context, cp *checkpoint.Checkpoint, from, to int64) error {
	sides, err := statestore.ReadBatches(ctx, cp, from, to)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.Out, phrase.Printable(cp.Location)); err != nil {
		return err
	}
	return report.Sections(a.Out, report.Options{}, page.Batches(cp, sides[0], sides[1]).Sections...)
}
