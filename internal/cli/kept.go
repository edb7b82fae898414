package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"tidemark/internal/availability"
	"tidemark/internal/report"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/storage"
)

// position reads the file of --positions. What is wrong in it is a wrong command line, and told line by line.
func (a *app) position(ctx context.Context) error {
	name := a.flags.positions
	if name == "" {
		return nil
	}
	data, err := a.smallFile(ctx, "--positions", name, availability.SizeLimit+1)
	if err != nil {
		return err
	}
	p, err := availability.Parse(name, data)
	if err != nil {
		return a.mistaken("--positions", err)
	}
	a.askers = append(a.askers, p)
	return nil
}

// smallFile reads no more than limit bytes of a file on this machine or in a bucket; flag names it in errors.
func (a *app) smallFile(ctx context.Context, flag, name string, limit int64) ([]byte, error) {
	var r io.ReadCloser
	var err error
	if places := storage.Places(name); len(places) > 0 {
		r, err = openFirst(places)
	} else {
		i := strings.LastIndexByte(name, '/')
		var store storage.Store
		if store, err = a.store(ctx, name[:i+1]); err != nil {
			return nil, err
		}
		r, err = store.Open(ctx, name[i+1:], 0, -1)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError("%s: %s: there is no such file", flag, name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return data, nil
}

// openFirst opens the first of these places that is there.
func openFirst(places []string) (io.ReadCloser, error) {
	for _, place := range places[:len(places)-1] {
		if f, err := os.Open(place); err == nil {
			return f, nil
		}
	}
	return os.Open(places[len(places)-1])
}

// mistaken tells what is wrong in what flag names, a line each, and is the exit status of a wrong command line.
func (a *app) mistaken(flag string, err error) error {
	if _, ok := errors.AsType[*availability.NoSource](err); ok {
		flag = "--source"
	}
	all, ok := errors.AsType[spec.Problems](err)
	if !ok {
		return usageError("%s: %v", flag, err)
	}
	for _, p := range all {
		fmt.Fprintln(a.Err, "tidemark: "+flag+": "+report.Printable(p.Error()))
	}
	return exit(report.Usage)
}

// lookInto reads the values of --source. Those who see a source itself are asked before the file of --positions.
func (a *app) lookInto(ctx context.Context) error {
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
			return usageError("--source: %s: there is no such folder or archive", location)
		}
		if err != nil {
			return usageError("--source: %v", err)
		}
		places = append(places, &availability.TableLocation{Index: index, Location: location, Open: a.tableAt(location)})
	}
	a.askers = append(places, a.askers...)
	return nil
}

// tableAt opens the files of a table or a folder.
func (a *app) tableAt(location string) func(context.Context) (tablelog.Files, error) {
	open := keeping(location, func(ctx context.Context) (storage.Store, error) { return storage.Open(ctx, location, a.tableOptions()) })
	return func(ctx context.Context) (tablelog.Files, error) {
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return files{s}, nil
	}
}

// tableOptions are those of the checkpoint, but for the names that an archive may have at its top: any folder may be
// the input of a query.
func (a *app) tableOptions() storage.Options {
	o := a.storageOptions()
	o.Inside, o.Wanted = availability.Marks(), nil
	return o
}

// asker asks the sources what they keep; nil where nothing was given that could tell.
func (a *app) asker() availability.Prober {
	a.usesSources.Store(true)
	if len(a.askers) == 0 {
		return nil
	}
	return a.askers
}

// noteUnused says which of the flags that name a source or an output the command that ran had no use for.
func (a *app) noteUnused(cmd *cobra.Command) {
	for name, used := range map[string]*atomic.Bool{"kafka": &a.usesSources, "kafka-config": &a.usesSources, "positions": &a.usesSources, "source": &a.usesSources, "sink": &a.usesSink} {
		if cmd.Flags().Changed(name) && !used.Load() {
			a.say("--%s was not used: nothing that %s was asked here needs it", name, cmd.CommandPath())
		}
	}
}

// noteUnfit says what was given of the sources and fits none of them.
func (a *app) noteUnfit(why []string) {
	for _, text := range why {
		a.say("%s", text)
	}
}

// say writes a note for the person who typed the command: to stderr, beside the answer.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.Err, report.Printable("note: "+fmt.Sprintf(format, args...)))
}
