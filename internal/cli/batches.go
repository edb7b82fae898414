package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

func batchesCommand(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "batches LOCATION",
		Short: "List the batches: planned, committed, watermark, rows",
		Long: long(fmt.Sprintf(`
Prints one line per batch, newest last: the time it was planned, whether it is
committed, its watermark, and how many rows it reads. For a file source the line names
some files; --json has up to %d with their times. With --sink it also shows whether
the sink has the batch. Missing batches have their own line.`, report.FilesShown)),
		Example: `tidemark batches /mnt/checkpoints/orders
tidemark batches LOCATION | tail -20
tidemark batches LOCATION --sink s3://lake/orders
tidemark batches LOCATION --json | jq 'select(.committed == false)'`,
		Args:        args(1, 1),
		Annotations: exits(exitsOfReading),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			cp, err := a.openCheckpoint(ctx, args[0])
			if err != nil {
				return err
			}
			out, err := a.outputOf(ctx, cp)
			if err != nil {
				return err
			}
			if asJSON {
				files := filesOf(ctx, cp)
				line := func(before, b, after *checkpoint.Batch) error {
					taken, err := files(before, b)
					if err != nil {
						return err
					}
					return report.BatchJSON(a.Out, before, b, after, taken, out)
				}
				return a.batches(ctx, cp, cp.IDs(), line, a.gapJSON)
			}
			l := newBatchLines(a, cp, out, filesOf(ctx, cp))
			return a.batches(ctx, cp, cp.IDs(), l.batch, l.gap)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return cmd
}

// batches reads the batches with some ids and hands it on with its neighbors in the list, and each run of missing
// ones in its place. What could not be fetched is reported at the end.
func (a *app) batches(ctx context.Context, cp *checkpoint.Checkpoint, ids iter.Seq[int64],
	line func(before, b, after *checkpoint.Batch) error, gap func(from, to int64) error) error {
	var before, b *checkpoint.Batch
	unread := 0
	step := func(after *checkpoint.Batch) error {
		if b == nil {
			return nil
		}
		if before != nil && before.ID+1 < b.ID {
			if err := gap(before.ID+1, b.ID-1); err != nil {
				return err
			}
		}
		return line(before, b, after)
	}
	for after, err := range cp.BatchesOf(ctx, ids) {
		if err != nil {
			return errors.Join(step(nil), err)
		}
		unread += len(after.Unread)
		if err := step(after); err != nil {
			return err
		}
		before, b = b, after
	}
	if err := step(nil); err != nil {
		return err
	}
	for _, dir := range []*checkpoint.LogDir{&cp.Offsets, &cp.Commits} {
		if dir.Err != nil {
			return fmt.Errorf("%s could not be listed to its end: %w", dir.Name, dir.Err)
		}
	}
	if unread > 0 {
		return fmt.Errorf("%d files could not be read", unread)
	}
	return nil
}

// batchLines writes batches in columns whose width is known before any batch is read.
type batchLines struct {
	a     *app
	cp    *checkpoint.Checkpoint
	out   *checks.Output // nil where none was given: then there is no column for it
	files fileLister
	width int // of a batch id
	begun bool
}

// fileLister names the files that a batch reads of file sources; before is the batch before it in the list. Its error means
// that nothing more will be read.
type fileLister func(before, b *checkpoint.Batch) ([]checkpoint.Taken, error)

// filesOf lists files for the batches of a list.
func filesOf(ctx context.Context, cp *checkpoint.Checkpoint) fileLister {
	logs := checkpoint.NewSourceLogs(cp, report.FilesShown, true)
	return func(before, b *checkpoint.Batch) ([]checkpoint.Taken, error) { return logs.Of(ctx, before, b) }
}

func newBatchLines(a *app, cp *checkpoint.Checkpoint, out *checks.Output, files fileLister) *batchLines {
	newest := strconv.FormatInt(max(cp.Offsets.Last(), cp.Commits.Last()), 10)
	return &batchLines{a: a, cp: cp, out: out, files: files, width: max(5, len(newest))}
}

const batchColumns = "%*s  %-20s  %-9s  %s%-20s  %s\n"

func (l *batchLines) write(batch, planned, committed, held, watermark, rows string) error {
	if !l.begun {
		l.begun = true
		if err := l.columns("batch", "planned (UTC)", "committed", "in the sink", "watermark", "rows planned"); err != nil {
			return err
		}
	}
	return l.columns(batch, planned, committed, held, watermark, rows)
}

func (l *batchLines) columns(batch, planned, committed, held, watermark, rows string) error {
	if l.out == nil {
		held = ""
	} else {
		held = fmt.Sprintf("%-11s  ", held)
	}
	_, err := fmt.Fprintf(l.a.Out, batchColumns, l.width, batch, planned, committed, held, watermark, rows)
	return err
}

func (l *batchLines) batch(before, b, after *checkpoint.Batch) error {
	cell, watermark := page.Planned(l.cp, b, phrase.Time), "-"
	planned := strings.TrimSpace(cell.Mark + " " + cell.Text)
	if b.Plan != nil {
		watermark = phrase.TimeOr(b.Plan.Watermark, "-")
	}
	rows := rowsOf(before, b, after).Short()
	if l.a.asciiWanted() {
		planned, rows = phrase.ASCII(planned), phrase.ASCII(rows)
	}
	if rows == "" {
		rows = "-"
	}
	taken, err := l.files(before, b)
	if err != nil {
		return err
	}
	if names := page.FileNames(taken); names != "" {
		rows += "  " + names
	}
	for _, e := range b.Problems() {
		atEnd := b.Plan != nil && e.Flaw == decode.ExtraLine && e.Where.Offset == b.Plan.Size
		if !atEnd { // a line feed at the end of a plan is no line to Spark
			rows += "  ! " + phrase.Printable(e.Error())
			break
		}
	}
	return l.write(strconv.FormatInt(b.ID, 10), planned, page.Committed(l.cp, b), page.InOutput(l.out, b.ID), watermark, rows)
}

func (l *batchLines) gap(from, to int64) error {
	text := "--- " + page.MissingBatches(l.cp, from, to) + " ---"
	_, err := fmt.Fprintf(l.a.Out, "%*s  %s\n", l.width, "", text)
	return err
}

// rowsOf returns what a batch reads of all its sources together.
func rowsOf(before, b, after *checkpoint.Batch) *phrase.Sum {
	var sum phrase.Sum
	for _, ranges := range checkpoint.Reads(before, b, after) {
		for _, r := range ranges {
			sum.Add(r)
		}
	}
	return &sum
}

func (a *app) gapJSON(from, to int64) error {
	return report.WriteJSON(a.Out, struct {
		From int64 `json:"missing_from"`
		To   int64 `json:"missing_to"`
	}{from, to}, "")
}
