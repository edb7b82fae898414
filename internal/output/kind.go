package output

import (
	"context"
	"fmt"
	"slices"

	"tidemark/internal/tablelog"
)

// Kinds has one line per kind of output that has a word of its own.
var Kinds = []*Kind{
	deltaKind,
	fileKind,
	icebergKind,
	kafka,
	foreachBatch,
	foreach,
	console,
	memory,
	noop,
	hudiKind,
	paimon,
	jdbc,
	fileFormats,
	eventHubs,
	kinesis,
	pulsar,
}

// Kind is one kind of output: how it is named, how it is told by what lies there, and what it records of batches.
type Kind struct {
	Name    string   // as a query spec names it: "delta", "foreach-batch"
	Aliases []string // what else a query spec may call it
	Title   string   // what it is called in a sentence, where that is not its name
	As      *Kind    // the kind that writes it, where these are names of its formats; else nil
	Version string   // what it calls a version of itself, where that is not "version"

	// Described are the beginnings of its descriptions in progress events; one that ends with a bracket is followed by
	// the location.
	Described []string

	// mark is the folder in the root of such an output that tells it; "" where none does. open is then the output
	// in these files.
	mark string
	open func(f tablelog.Files, dir string) Sink

	FitsColumns bool // it compares the columns of a batch with its own before it writes, and may refuse them
	EveryBatch  bool // it records each batch that it writes under the query ID, also one without rows
	// Recordless is true where it records no batch, wherever it lies.
	Recordless bool
	Delegates  bool // each batch goes to code of the query, which may write it into any table

	// repeated says what becomes of a batch that comes again, and settle what would tell whether it is there;
	// both "" where its location tells.
	repeated, settle string
}

// Named returns the kind with this name, or with this other name; one without any property where there is none.
func Named(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name || slices.Contains(k.Aliases, name) {
			return k
		}
	}
	return &Kind{Name: name}
}

// Names returns all the names of all kinds.
func Names() (all []string) {
	for _, k := range Kinds {
		all = append(append(all, k.Name), k.Aliases...)
	}
	return all
}

// Marks returns the names in the root of an output by which its format is told, in byte order.
func Marks() (all []string) {
	for _, k := range Kinds {
		if k.mark != "" {
			all = append(all, k.mark)
		}
	}
	slices.Sort(all)
	return all
}

// marked returns the kind that is told by this mark; nil where none is.
func marked(mark string) *Kind {
	i := slices.IndexFunc(Kinds, func(k *Kind) bool { return k.mark == mark })
	if i < 0 {
		return nil
	}
	return Kinds[i]
}

// Nothing returns an output of which only the kind is known, or whose kind records nothing.
func Nothing(location string, opt Options) Held {
	h := Held{Kind: opt.Kind, Location: location, Highest: -1}
	if k := Named(opt.Kind); k.repeated != "" {
		h.Unknown, h.Settle = k.repeated, k.settle
		return h
	}
	h.Unknown = fmt.Sprintf("the spec names a sink of kind %s, and not its location", opt.Kind)
	h.Settle = "Name the table or the sink folder with --sink."
	return h
}

// recordless is an output whose kind records nothing.
type recordless struct{ location, kind string }

func (r recordless) Look(context.Context, Query) (Held, error) {
	return Nothing(r.location, Options{Kind: r.kind}), nil
}
