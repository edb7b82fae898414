package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
)

// openFileURI opens file:/x, file:///x and file://localhost/x. Spark writes these with and without
// percent-encoding, so where nothing has the decoded name, the name as typed is tried.
func openFileURI(ctx context.Context, location string, o Options) (Store, error) {
	place, err := fileURIPath(location)
	if err != nil {
		return nil, err
	}
	if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
		s, err := openPath(ctx, decoded, location, o)
		if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		if _, gone := os.Stat(place); gone != nil {
			return nil, err
		}
	}
	return openPath(ctx, place, location, o)
}

// fileURIPath returns the path in a file URI, not decoded.
func fileURIPath(location string) (string, error) {
	_, rest, _ := strings.Cut(location, ":")
	authority, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return rest, nil
	}
	host, _, _ := strings.Cut(authority, "/")
	if host != "" && !strings.EqualFold(host, "localhost") {
		return "", fmt.Errorf("%q: a file on another host, %q, cannot be reached; a local path has three slashes: file:///path", location, host)
	}
	return authority[len(host):], nil
}

// fileURIPaths returns the path in a file URI, decoded, and as typed where that is another one.
func fileURIPaths(location string) []string {
	place, err := fileURIPath(location)
	if err != nil {
		return nil
	}
	if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
		return []string{decoded, place}
	}
	return []string{place}
}
