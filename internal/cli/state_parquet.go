package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"tidemark/internal/report"
)

// saveParquet writes rows, or changes of them, to the file that --parquet names, and is how many. A
// partition that could not be read, and a row that the file cannot hold, are told, and the others kept; after
// any other error, or where there is nothing to keep, no file is left.
func saveParquet[T any](ctx context.Context, a *app, rows iter.Seq2[T, error], to *target, begin func(io.Writer) (*report.Parquet, error), write func(*report.Parquet, *T) error) (n int64, err error) {
	file, err := to.create()
	if err != nil {
		return 0, err
	}
	defer func() {
		removed, rerr := file.discard()
		if rerr != nil {
			fmt.Fprintln(a.Err, "tidemark: "+report.Printable(fmt.Sprintf("what there is of %s is not removed: %v", to.typed, rerr)))
		} else if removed {
			a.notWritten(to, n, err)
		}
	}()
	out, err := begin(file)
	if err != nil {
		return 0, fmt.Errorf("no Parquet file can be made of this: %w", err)
	}
	unfit := unfitRows{}
	_, err = writeRows(ctx, a, rows, func(r *T) error { return unfit.keep(write(out, r)) })
	n = out.Rows()
	if uerr := a.reportUnfit(&unfit); err == nil {
		err = uerr
	}
	if err != nil && (n == 0 || !reported(err)) {
		return n, noSuch(err)
	}
	if werr := out.Close(); werr != nil {
		return n, werr
	}
	size, kerr := file.keep()
	if kerr != nil {
		return n, kerr
	}
	rest := ""
	if err != nil {
		rest = "; it lacks what could not be read"
	}
	fmt.Fprintf(a.Out, "%s in %s, %s bytes%s\n", rowsText(n), report.Printable(to.typed), report.Count(size), rest)
	return n, err
}

// notWritten says what became of a file that is not there, unless it was wrong to ask for it.
func (a *app) notWritten(to *target, n int64, err error) {
	name := report.Printable(to.typed)
	switch e, ok := errors.AsType[*statusError](err); {
	case ok && e.status == report.Usage:
	case n == 0 && reported(err):
		fmt.Fprintf(a.Err, "note: no row could be read, and %s is not written\n", name)
	default:
		fmt.Fprintf(a.Err, "note: %s was not finished, and is removed again\n", name)
	}
}

// reported reports whether an error is only a status: what it is about was said.
func reported(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && e.err == nil
}

// unfitRows are the rows that a file cannot hold. They are told at the end: a line of progress may stand
// where they would be.
type unfitRows struct {
	first []error // up to toldOneByOne
	more  int64
}

// keep keeps an error that is about one row, and passes on any other.
func (u *unfitRows) keep(err error) error {
	unfit, ok := errors.AsType[*report.UnfitError](err)
	switch {
	case !ok:
		return err
	case len(u.first) < reportedOneByOne:
		u.first = append(u.first, unfit)
	default:
		u.more++
	}
	return nil
}

// reportUnfit is the exit status of what it tells.
func (a *app) reportUnfit(u *unfitRows) error {
	for _, err := range u.first {
		fmt.Fprintf(a.Err, "tidemark: %s; this row is left out (--ndjson prints it)\n", report.Printable(err.Error()))
	}
	if u.more > 0 {
		fmt.Fprintf(a.Err, "tidemark: %s more like these\n", report.Count(u.more))
	}
	if len(u.first) > 0 {
		return exit(report.Unread)
	}
	return nil
}
