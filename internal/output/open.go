package output

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// Options are what is known of an output besides its files.
type Options struct {
	Kind string // as a spec names it; "" where it is not declared
	File string // a metadata file of an Iceberg table, from the root of the files on; "" for none
}

// New returns the output in these files.
func New(f tablelog.Files, opt Options) Sink { return &located{f, opt} }

// located is an output whose format is told by what lies there.
type located struct {
	files tablelog.Files
	opt   Options
}

// probed ends the search for a mark in a root with very many entries.
const probed = 5000

func (l *located) Look(ctx context.Context, q Query) (Held, error) {
	if l.opt.File != "" {
		return (&icebergSink{l.files, l.opt.File}).Look(ctx, q)
	}
	k := Named(l.opt.Kind)
	if k.As != nil {
		k = k.As
	}
	if k.mark != "" {
		h, err := k.open(l.files, k.mark).Look(ctx, q)
		if err != nil || h.Highest >= 0 || !h.Absent && h.Unlogged == nil && h.Unknown == "" {
			return h, err
		}
		return l.orAnother(ctx, k.mark, h)
	}
	marks, n, err := l.marks(ctx)
	h := Held{Kind: l.opt.Kind, Location: l.files.String(), Highest: -1}
	switch {
	case err != nil:
		return h, err
	case len(marks) == 1:
		return marked(marks[0]).open(l.files, marks[0]).Look(ctx, q)
	case len(marks) > 1:
		h.Unknown = "this location has more than one format: " + strings.Join(marks, ", ")
		h.Settle = "Name the format the query writes with sink.kind of --spec."
	case n == 0:
		h.Absent = true
		h.Unknown = "this location is empty"
		h.Settle = "Check that the query writes to this location."
	default:
		// A query that is known to write in another way never had such a log.
		if l.opt.Kind == "" {
			if h.Unlogged, err = findUnlogged(ctx, l.files); err != nil {
				return h, err
			}
		}
		if h.Unlogged != nil && !h.Unlogged.Job {
			h.Kind = fileKind.Name
			return h, nil
		}
		h.Unknown = "this location has no record of batches: no " + strings.Join(Marks(), ", ")
		h.Settle = "Name the root of the table or the sink folder. If the sink records no batches, search it for rows of the batch."
	}
	return h, nil
}

// orAnother returns what an output proves that holds nothing of the kind that is declared: where it has the log of another kind, and not
// that of
// the declared one, one of the two is wrong, and nothing is said of a log that is missing.
func (l *located) orAnother(ctx context.Context, mark string, h Held) (Held, error) {
	marks, _, err := l.marks(ctx)
	if err != nil || len(marks) == 0 || slices.Contains(marks, mark) {
		return h, err
	}
	return Held{
		Kind: l.opt.Kind, Location: h.Location, Highest: -1,
		Unknown: "the spec names a sink of the kind " + l.opt.Kind + ", and this location has another kind: it has " + marks[0] + ", as a sink of the kind " + marked(marks[0]).Name + " has",
		Settle:  "Check which of the two is right: the location, or sink.kind of --spec.",
	}, nil
}

// marks returns the formats whose mark lies in the root, and how many entries were seen. Names come in order, and
// no mark comes after the last one.
func (l *located) marks(ctx context.Context) (found []string, n int, err error) {
	known := Marks()
	for e, err := range l.files.List(ctx, ".", "") {
		if err != nil {
			return found, n, err
		}
		if e.Dir && slices.Contains(known, e.Name) {
			found = append(found, e.Name)
		}
		if n++; e.Name > known[len(known)-1] || n == probed {
			break
		}
	}
	return found, n, nil
}

// Join returns a file below a location.
func Join(location, name string) string {
	if strings.HasSuffix(location, "/") {
		return location + name
	}
	return location + "/" + name
}

func asDecode(err error) (*decode.Error, bool) { return errors.AsType[*decode.Error](err) }
