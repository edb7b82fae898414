package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/sink"
	"tidemark/internal/mask"
	"tidemark/internal/output"
	"tidemark/internal/spec"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/iceberg"
	"tidemark/storage"
)

// sink returns the output of the query: what --sink names, else what the spec says; nil where neither does.
func (a *app) sink() output.Sink {
	a.usesSink.Store(true)
	return a.sinkOf(a.flags.sink, a.spec)
}

// sinkOf returns the sink at a location, or the one of a spec if the location is empty; nil for none.
func (a *app) sinkOf(location string, declared *spec.Spec) output.Sink {
	named, opt := location != "", output.Options{}
	if declared != nil && declared.Sink != nil {
		opt.Kind = declared.Sink.Kind
		if location == "" {
			location = declared.Sink.Location
		}
	}
	if location == "" && opt.Kind == "" {
		return nil
	}
	dir, file := sinkFolder(location)
	opt.File = file
	open := func(ctx context.Context) (storage.Store, error) { return storage.Open(ctx, dir, a.sinkOptions()) }
	return &lazySink{a, location, named, opt, openOnce(dir, open)}
}

// lazySink is an output that is opened when it is looked at.
type lazySink struct {
	a        *app
	location string // "" where only its kind is known
	named    bool   // a person has named the location; else the spec has it
	opt      output.Options
	open     func(context.Context) (storage.Store, error)
}

// Look implements output.Sink. A location that stands in the spec only may be out of reach from here: that is no fault
// of the command line, and the answer is that it is not known.
func (o *lazySink) Look(ctx context.Context, q output.Query) (output.Held, error) {
	h := output.Held{Kind: o.opt.Kind, Location: mask.Location(o.location), Highest: -1}
	if o.location == "" || output.Named(o.opt.Kind).Recordless {
		return output.Nothing(mask.Location(o.location), o.opt), nil
	}
	s, err := o.open(ctx)
	if err == nil {
		h, err = output.New(files{s}, o.opt).Look(ctx, q)
	}
	if err != nil && !o.named && ctx.Err() == nil && !errors.Is(err, storage.ErrBudget) {
		h.Unknown = o.a.secrets.message(fmt.Sprintf("the location in the spec, %s, could not be read: %v", mask.Location(o.location), err))
		h.Settle = "Give a reachable location with --sink."
		return h, nil
	}
	return h, err
}

// Logged implements output.Logger.
func (o *lazySink) Logged(ctx context.Context, deep bool) (output.Logged, error) {
	s, err := o.open(ctx)
	if err != nil {
		return output.Logged{}, err
	}
	log, ok := output.New(files{s}, o.opt).(output.Logger)
	if !ok {
		return output.Logged{}, nil
	}
	return log.Logged(ctx, deep)
}

// outputOf looks at the output of the query of a checkpoint; nil where none is given.
func (a *app) outputOf(ctx context.Context, cp *checkpoint.Checkpoint) (*checks.Output, error) {
	from := a.sink()
	if from == nil {
		return nil, nil
	}
	out, err := sink.OutputOf(ctx, cp, from, a.spec, a.Now())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", out.Location, err)
	}
	return &out, nil
}

// checkSink looks whether the location of --sink can be one.
func (a *app) checkSink(ctx context.Context) error {
	if a.flags.sink == "" {
		return nil
	}
	err := a.reachSink(ctx, a.flags.sink)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError("--sink: %s: no such folder, archive or file", a.flags.sink)
	}
	if err != nil {
		return usageError("--sink: %v", err)
	}
	return nil
}

// reachSink opens the location of a sink, and nothing in it.
func (a *app) reachSink(ctx context.Context, location string) error {
	dir, _ := sinkFolder(location)
	_, err := storage.Open(ctx, dir, a.sinkOptions())
	return err
}

// sinkFolder returns the folder that an output lies in, and its metadata file where an Iceberg table is named by that; "" for
// none.
func sinkFolder(location string) (dir, file string) {
	i := strings.LastIndexByte(location, '/')
	switch {
	case !iceberg.IsMetadata(location):
		return location, ""
	case i < 0:
		return ".", location
	}
	return location[:i+1], location[i+1:]
}

// sinkOptions returns those of the checkpoint, but for the names that an archive may have at its top.
func (a *app) sinkOptions() storage.Options {
	o := a.storageOptions()
	o.Inside, o.Wanted = output.Marks(), nil
	return o
}

// files are the files of a store, for the readers of tables.
type files struct{ storage.Store }

func (f files) List(ctx context.Context, dir, after string) iter.Seq2[tablelog.File, error] {
	return func(yield func(tablelog.File, error) bool) {
		for e, err := range storage.Pages(ctx, f.Store, dir, after) {
			file := tablelog.File{Name: e.Name, Dir: e.Dir, Size: e.Size}
			if !e.Modified.IsZero() {
				file.Modified = e.Modified.UnixMilli()
			}
			if !yield(file, err) {
				return
			}
		}
	}
}
