package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"tidemark/internal/checks/drift"
	"tidemark/internal/report"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// readSpec reads what --spec names. What is wrong in it is a wrong command line, and reported line by line.
func (a *app) readSpec(ctx context.Context) error {
	if a.flags.spec == "" {
		return nil
	}
	s, err := a.specOf(ctx, a.flags.spec, a.problem)
	if all, ok := errors.AsType[spec.Problems](err); ok {
		for _, p := range all {
			a.problem("--spec: %v", p)
		}
		return exit(report.Usage)
	}
	a.spec = s
	return err
}

// specOf returns the spec that a value of --spec stands for: a file in the form of one, the progress of a query, or
// what the checkpoint at a location records. problem hears of what could not be read of that.
func (a *app) specOf(ctx context.Context, name string, problem func(format string, args ...any)) (*spec.Spec, error) {
	data, ok, err := a.specFile(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return a.recordedSpec(ctx, name, problem)
	case spec.IsProgress(data):
		return spec.ParseProgress(name, data)
	}
	return spec.Parse(name, data)
}

// specEnds are the endings of files that are no checkpoint.
var specEnds = []string{".yaml", ".yml", ".json", ".ndjson", ".jsonl", ".log", ".txt"}

// specFile reads the file that name stands for; ok is false where it stands for a folder, an archive, or
// something in a bucket that does not end as a file of text does.
func (a *app) specFile(ctx context.Context, name string) (data []byte, ok bool, err error) {
	isText := slices.Contains(specEnds, strings.ToLower(path.Ext(name)))
	places := storage.LocalPaths(name)
	for _, place := range places {
		info, err := os.Stat(place)
		if err != nil || info.IsDir() {
			continue
		}
		if !info.Mode().IsRegular() {
			return nil, false, usageError("--spec: %s is neither a file nor a folder", name)
		}
		if data, err = readTail(place, info.Size()); err != nil {
			return nil, false, usageError("--spec: %v", err)
		}
		return data, isText || !archived(data), nil
	}
	if !isText {
		return nil, false, nil
	}
	if len(places) > 0 {
		return nil, false, usageError("--spec: %s: no such file", name)
	}
	data, err = a.smallFile(ctx, "--spec", name, spec.ProgressLimit)
	return data, true, err
}

// readTail reads a file whole, or the end of a long one: a log grows at its end.
func readTail(place string, size int64) ([]byte, error) {
	f, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	from := max(size-spec.ProgressLimit, 0)
	return io.ReadAll(io.NewSectionReader(f, from, size-from))
}

// archived reports whether a file is packed: a zip, gzip or zstd by its first bytes, or a tar, whose head has zeros.
func archived(data []byte) bool {
	for _, magic := range []string{"PK\x03\x04", "\x1f\x8b", "\x28\xb5\x2f\xfd"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return len(data) >= 512 && bytes.IndexByte(data[:512], 0) >= 0
}

// recordedSpec returns what another checkpoint records of its query.
func (a *app) recordedSpec(ctx context.Context, location string, problem func(format string, args ...any)) (*spec.Spec, error) {
	if _, err := storage.Open(ctx, location, a.storageOptions()); errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("--spec: %s: no such file or folder", location)
	}
	cp, err := a.open(ctx, location)
	if err != nil {
		return nil, fmt.Errorf("--spec: %w", err)
	}
	if !cp.IsCheckpoint() {
		return nil, usageError("--spec: %s is neither a spec file nor a checkpoint", location)
	}
	r, err := drift.RecordOf(ctx, cp, a.Now())
	if err != nil {
		return nil, fmt.Errorf("--spec: %w", err)
	}
	for _, u := range r.Open {
		problem("--spec: %s of %s could not be read, so its values are not compared: %v", u.Name, location, u.Err)
	}
	return r.Certain(), nil
}
