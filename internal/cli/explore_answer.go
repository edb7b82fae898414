package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tidemark/internal/availability"
	"tidemark/internal/checks/examine"
)

// answer prepares what a person tells in the explorer: the same as with --sink, --spec, --kafka and --positions, after the start.
// What it returns is called in the background.
func (a *app) answer(kind, text string) (func(context.Context) (func(*examine.Options), error), error) {
	read, ok := map[string]func(context.Context, string) (func(*examine.Options), error){
		"sink": a.answerSink, "spec": a.answerSpec, "kafka": a.answerKafka, "positions": a.answerPositions,
	}[kind]
	if !ok {
		return nil, fmt.Errorf("%q cannot be named here", kind)
	}
	return func(ctx context.Context) (func(*examine.Options), error) {
		use, err := read(ctx, text)
		if err != nil {
			return nil, errors.New(a.secrets.message(strings.TrimPrefix(err.Error(), "--"+kind+": ")))
		}
		return use, nil
	}, nil
}

func (a *app) answerSink(ctx context.Context, location string) (func(*examine.Options), error) {
	switch err := a.reachSink(ctx, location); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such folder, archive or file. Check the spelling", location)
	case err != nil:
		return nil, err
	}
	return func(o *examine.Options) { o.Sink = a.sinkOf(location, o.Spec) }, nil
}

func (a *app) answerSpec(ctx context.Context, name string) (func(*examine.Options), error) {
	var open []string // what could not be read
	s, err := a.specOf(ctx, name, func(format string, args ...any) { open = append(open, fmt.Sprintf(format, args...)) })
	if err == nil && len(open) > 0 {
		err = errors.New(strings.Join(open, "; "))
	}
	if err != nil {
		return nil, err
	}
	return func(o *examine.Options) {
		o.Spec = s
		switch told := o.Sink.(type) {
		case nil:
			o.Sink = a.sinkOf("", s)
		case *lazySink:
			o.Sink = a.sinkOf(told.namedLocation(), s)
		}
	}, nil
}

func (a *app) answerKafka(ctx context.Context, brokers string) (func(*examine.Options), error) {
	cluster, err := a.clusterOf(ctx, brokers)
	if err != nil {
		return nil, err
	}
	return func(o *examine.Options) { o.Kept = chained(cluster, o.Kept) }, nil
}

func (a *app) answerPositions(ctx context.Context, name string) (func(*examine.Options), error) {
	p, err := a.positionsIn(ctx, name)
	if err != nil {
		return nil, err
	}
	return func(o *examine.Options) { o.Kept = chained(p, o.Kept) }, nil
}

// chained asks the first prober before the second, which may be nil.
func chained(first, second availability.Prober) availability.Prober {
	all := availability.Chain{first}
	switch second := second.(type) {
	case nil:
	case availability.Chain:
		all = append(all, second...)
	default:
		all = append(all, second)
	}
	return all
}

// namedLocation is the location that a person has named; "" if the spec has it.
func (o *lazySink) namedLocation() string {
	if !o.named {
		return ""
	}
	return o.location
}
