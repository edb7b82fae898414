package storage

import (
	"context"
	"io/fs"
	"iter"
	"path"
	"strings"
)

// afterMark begins a token that is a name: the first page of a listing starts behind it. A backend that
// lists a folder whole does not look at tokens.
const afterMark = "\x00"

// Pages yields what lies directly under dir and has a name after this one ("" for all), as the pages of a
// listing come: in order of name within each, and with no request for the next page before the caller has
// taken the one before. A bucket is asked for the names behind after only. What is read this way is not
// kept in memory, and is not taken from there.
func Pages(ctx context.Context, s Store, dir, after string) iter.Seq2[Entry, error] {
	for {
		switch around := s.(type) {
		case *sub:
			if validName(dir) {
				dir = path.Join(around.dir, dir)
			}
			s = around.Store
			continue
		case *cache:
			s = around.inner()
			continue
		case *store:
			return around.pages(ctx, dir, after)
		}
		return behind(s.List(ctx, dir), after)
	}
}

func behind(all iter.Seq2[Entry, error], after string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for e, err := range all {
			if err == nil && e.Name <= after {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (s *store) pages(ctx context.Context, dir, after string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if !validName(dir) {
			yield(Entry{}, &fs.PathError{Op: "list", Path: dir, Err: fs.ErrInvalid})
			return
		}
		token := ""
		if after != "" {
			token = afterMark + after
		}
		for {
			err := ctx.Err()
			var found []Entry
			next := ""
			if err == nil {
				found, next, err = s.page(ctx, dir, token)
			}
			for _, e := range inOrder(found) {
				if e.Name > after && !yield(e, nil) {
					return
				}
			}
			if err == nil && next != "" && next == token {
				err = circles(s, dir)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if token = next; token == "" {
				return
			}
		}
	}
}

// startAfter returns the name behind which a first page starts; ok is false for any other token.
func startAfter(token string) (name string, ok bool) { return strings.CutPrefix(token, afterMark) }
