package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// saveParquet writes rows, or changes of them, to the file that --parquet names, and returns how many. A
// partition that could not be read, and a row that the file cannot hold, are reported, and the others kept; after
// any other error, or where there is nothing to keep, no file is left.
func saveParquet[T any](ctx context.Context, a *app, rows iter.Seq2[T, error], to *target,
	begin func(io.Writer) (*report.Parquet, error), write func(*report.Parquet, *T) error) (n int64, err error) {
	file, err := to.create()
	if err != nil {
		return 0, err
	}
	defer func() {
		removed, rerr := file.discard()
		if rerr != nil {
			a.problem("the incomplete %s could not be removed: %v", to.typed, rerr)
		} else if removed {
			a.notWritten(to, n, err)
		}
	}()
	out, err := begin(file)
	if err != nil {
		return 0, fmt.Errorf("these rows cannot be written as Parquet: %w", err)
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
		rest = "; unreadable rows are missing in it"
	}
	fmt.Fprintf(a.Out, "%s in %s, %s%s\n", rowsText(n), phrase.Printable(to.typed), phrase.Bytes(size), rest)
	return n, err
}

// notWritten says what became of a file that is not there, unless it was wrong to ask for it.
func (a *app) notWritten(to *target, n int64, err error) {
	switch e, ok := errors.AsType[*statusError](err); {
	case ok && e.status == report.Usage:
	case n == 0 && reported(err):
		a.note("no row could be read, so %s was not written", to.typed)
	default:
		a.note("%s was incomplete and was removed", to.typed)
	}
}

// reported reports whether an error is only a status: what it is about has been reported.
func reported(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && e.err == nil
}

// unfitRows are the rows that a file cannot hold. They are reported at the end: a line of progress may stand
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

// reportUnfit returns the exit status for what it reports.
func (a *app) reportUnfit(u *unfitRows) error {
	for _, err := range u.first {
		a.problem("%v; this row is left out (--ndjson prints it)", err)
	}
	if u.more > 0 {
		a.problem("%s more like these", phrase.Count(u.more))
	}
	if len(u.first) > 0 {
		return exit(report.Unread)
	}
	return nil
}
