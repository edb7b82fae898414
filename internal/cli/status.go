package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tidemark/internal/availability"
	"tidemark/internal/report"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// statusError ends the program with an exit status of its own.
type statusError struct {
	status int
	err    error // what to tell the user; nil where everything has been reported
}

func (e *statusError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// ExitStatus returns the exit status for what Run returned; exitsOfVerdict says what each means.
func ExitStatus(err error) int {
	if err == nil {
		return report.Clean
	}
	if e, ok := errors.AsType[*statusError](err); ok {
		return e.status
	}
	return report.Usage // all that cobra itself complains of
}

// exit returns an exit status with nothing more to say; nil for 0.
func exit(status int) error {
	if status == report.Clean {
		return nil
	}
	return &statusError{status: status}
}

func usageError(format string, args ...any) error {
	return &statusError{report.Usage, fmt.Errorf(format, args...)}
}

func notCheckpoint(format string, args ...any) error {
	return &statusError{report.NotCheckpoint, fmt.Errorf(format, args...)}
}

// interrupted reports whether a person stopped the program.
func interrupted(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// run runs the body of a command under its time limit. Errors without a status of their own are about
// reaching the bytes.
func (a *app) run(body func(context.Context, *cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) (err error) {
		a.in = cmd.InOrStdin()
		if err := a.configure(cmd); err != nil {
			return err
		}
		if err := a.flags.validate(a.origin); err != nil {
			return err
		}
		if err := a.openDebugLog(cmd.CommandPath(), args); err != nil {
			return err
		}
		defer func() { a.closeDebugLog(err) }()
		ctx, cancel := a.flags.limited(cmd.Context())
		defer cancel()
		for _, read := range []func(context.Context) error{a.readSpec, a.checkSink, a.addPositions, a.addTables, a.addKafka} {
			if err == nil {
				err = read(ctx)
			}
		}
		if err == nil {
			err = body(ctx, cmd, args)
			a.noteUnused(cmd)
		}
		switch {
		case interrupted(ctx) && cmd.Context().Err() != nil:
			return &statusError{status: report.Interrupted}
		case err == nil:
			return nil
		}
		if _, ok := errors.AsType[*statusError](err); ok {
			return err
		}
		if errors.Is(err, storage.ErrSecret) {
			return usageError("%w", err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("stopped after %v (--timeout)", a.flags.timeout)
		}
		return &statusError{report.Unread, err}
	}
}

// usageProblems reports what is wrong in what --positions or --source names, a line each. It returns
// the exit status of a wrong command line.
func (a *app) usageProblems(err error) error {
	flag := "--positions"
	if _, ok := errors.AsType[*availability.NoSource](err); ok {
		flag = "--source"
	}
	all, ok := errors.AsType[spec.Problems](err)
	if !ok {
		return usageError("%s: %v", flag, err)
	}
	for _, p := range all {
		a.problem("%s: %v", flag, p)
	}
	return exit(report.Usage)
}
