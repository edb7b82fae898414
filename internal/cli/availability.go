package cli

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"tidemark/internal/availability"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/storage"
)

// addPositions reads the file of --positions. What is wrong in it is a wrong command line, and reported line by line.
func (a *app) addPositions(ctx context.Context) error {
	if a.flags.positions == "" {
		return nil
	}
	p, err := a.positionsIn(ctx, a.flags.positions)
	if _, wrong := errors.AsType[spec.Problems](err); wrong {
		return a.usageProblems(err)
	}
	if err == nil {
		a.probers = append(a.probers, p)
	}
	return err
}

// positionsIn reads a file of positions. Its error is spec.Problems if the file does not have the form of one.
func (a *app) positionsIn(ctx context.Context, name string) (availability.Prober, error) {
	data, err := a.smallFile(ctx, "--positions", name, availability.SizeLimit+1)
	if err != nil {
		return nil, err
	}
	return availability.Parse(name, data)
}

// addTables reads the values of --source. Those who see a source itself are asked before the file of --positions.
func (a *app) addTables(ctx context.Context) error {
	if a.flags.sources == "" {
		return nil
	}
	var places availability.Chain
	seen := map[int64]bool{}
	for value := range strings.SplitSeq(a.flags.sources, "\n") {
		number, location, ok := strings.Cut(value, "=")
		index, err := strconv.ParseInt(number, 10, 64)
		switch {
		case !ok || location == "" || err != nil || index < 0:
			return usageError("--source: %q is not INDEX=LOCATION, such as 0=s3://lake/orders", value)
		case seen[index]:
			return usageError("--source: source %d is given twice", index)
		}
		seen[index] = true
		_, err = storage.Open(ctx, location, a.tableOptions())
		if errors.Is(err, fs.ErrNotExist) {
			return usageError("--source: %s: no such folder or archive", location)
		}
		if err != nil {
			return usageError("--source: %v", err)
		}
		places = append(places, &availability.TableLocation{Index: index, Location: location, Open: a.openTable(location)})
	}
	a.probers = append(places, a.probers...)
	return nil
}

// openTable opens the files of a table or a folder.
func (a *app) openTable(location string) func(context.Context) (tablelog.Files, error) {
	open := openOnce(location, func(ctx context.Context) (storage.Store, error) { return storage.Open(ctx, location, a.tableOptions()) })
	return func(ctx context.Context) (tablelog.Files, error) {
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return files{s}, nil
	}
}

// tableOptions returns those of the checkpoint, but for the names that an archive may have at its top: any folder may be
// the input of a query.
func (a *app) tableOptions() storage.Options {
	o := a.storageOptions()
	o.Inside, o.Wanted = availability.Marks(), nil
	return o
}

// prober asks the sources what they keep; nil where nothing was given that knows.
func (a *app) prober() availability.Prober {
	a.usesSources.Store(true)
	if len(a.probers) == 0 {
		return nil
	}
	return a.probers
}
