package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"tidemark/report"
	"tidemark/spec"
)

// declare reads what --spec names. What is wrong in it is a wrong command line, and told line by line.
func (a *app) declare(ctx context.Context) error {
	if a.flags.spec == "" {
		return nil
	}
	s, err := a.declared(ctx, a.flags.spec)
	if all, ok := errors.AsType[spec.Problems](err); ok {
		for _, p := range all {
			fmt.Fprintln(a.Err, "tidemark: --spec: "+report.Printable(p.Error()))
		}
		return exit(report.Usage)
	}
	a.spec = s
	return err
}

// declared is the spec in a file.
func (a *app) declared(_ context.Context, name string) (*spec.Spec, error) {
	data, err := readSpec(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("--spec: %s: there is no such file", name)
	}
	if err != nil {
		return nil, usageError("--spec: %v", err)
	}
	return spec.Parse(name, data)
}

// readSpec reads a file whole, one byte more than a spec may have at most.
func readSpec(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, spec.SizeLimit+1))
}
