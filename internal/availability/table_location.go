package availability

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/tablelog"
)

// TableLocation is a table or a folder that one source reads, as a Prober that looks into it.
type TableLocation struct {
	Index    int64  // of the source, in plan order
	Location string // as a person would type it, without credentials
	// Open is the files there; it is called when the source is asked.
	Open func(context.Context) (tablelog.Files, error)

	declared int // sources of the query, see Allowing
}

// Unfit is about a source of a kind whose places are not looked into.
func (p *TableLocation) Unfit(recorded []SourceProgress) string {
	if p.Index >= int64(len(recorded)) {
		return "" // Ask has an error for it
	}
	kind := "unknown"
	if k := recorded[p.Index].Kind; k != nil {
		kind = k.Name
	}
	if Of(recorded[p.Index].Kind).look != nil {
		return ""
	}
	return fmt.Sprintf("not checked: %s (tidemark does not know how a %s source stores its data)", p.Location, kind)
}

// Probe looks into the place.
func (p *TableLocation) Probe(ctx context.Context, recorded []SourceProgress) ([]Source, error) {
	if p.Index >= int64(len(recorded)) {
		if p.Index < int64(p.declared) {
			return nil, nil
		}
		return nil, &NoSource{p.Index, len(recorded)}
	}
	r := &recorded[p.Index]
	s := Source{Index: r.Index, From: p.Location}
	if why := p.Unfit(recorded); why != "" {
		s.Unseen = []string{why}
		return []Source{s}, nil
	}
	s.Kind = r.Kind.Name
	files, err := p.Open(ctx)
	if err == nil {
		err = Of(r.Kind).look(ctx, files, r, &s)
	}
	if checkpoint.Stopped(err) {
		return nil, err
	}
	s.Err = err
	return []Source{s}, nil
}

// there reports whether a file is there, with one small read.
func there(ctx context.Context, f tablelog.Files, name string) (bool, error) {
	r, err := f.Open(ctx, name, 0, 1)
	switch {
	case tablelog.Missing(err):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, r.Close()
}

// within returns the name of a file below a folder, from the path that a table or a log has for it: relative and
// URI-encoded, or absolute. ok is false where it lies elsewhere.
func within(root, name string) (string, bool) {
	plain, err := url.PathUnescape(name)
	if err != nil {
		plain = name
	}
	if !strings.HasPrefix(plain, "/") && !strings.Contains(plain, ":/") {
		return plain, true
	}
	rest, ok := strings.CutPrefix(bare(plain), strings.TrimSuffix(bare(root), "/")+"/")
	return rest, ok
}

// bare returns a location without what several spellings of it differ in.
func bare(location string) string {
	for _, scheme := range []string{"file://", "file:"} {
		if rest, ok := strings.CutPrefix(location, scheme); ok {
			return "/" + strings.TrimLeft(rest, "/")
		}
	}
	for _, scheme := range []string{"s3a://", "s3n://"} {
		if rest, ok := strings.CutPrefix(location, scheme); ok {
			return "s3://" + rest
		}
	}
	if rest, ok := strings.CutPrefix(location, "dbfs:"); ok {
		return "/dbfs/" + strings.TrimLeft(rest, "/")
	}
	return location
}

// undecoded reports whether err is about what bytes say rather than about reaching them.
func undecoded(err error) bool {
	_, ok := errors.AsType[*decode.Error](err)
	return ok
}

// span returns "version 5" or "versions 5 to 9".
func span(what string, first, last int64) string {
	if first == last {
		return fmt.Sprintf("%s %d", what, first)
	}
	return fmt.Sprintf("%ss %d to %d", what, first, last)
}

// sorted returns the names of a map, in order.
func sorted[V any](m map[string]V) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
