package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"tidemark/internal/mask"
)

// Options is how a location is reached. The zero value is right for most.
type Options struct {
	EndpointURL   string // the server to ask instead of AWS, for stores that speak its protocol
	Region        string // "" for what the environment or the profile says
	Profile       string // of the shared AWS configuration; "" for the default one
	PathStyle     bool   // the bucket goes into the path, not into the host name
	NoSignRequest bool   // ask as nobody, for public buckets

	MaxRequests int64  // requests that may be made in all on one Meter, those that are repeated included; 0 for no limit
	CacheBytes  int64  // memory for what was read and may be asked for again; 0 for 64 MiB
	Meter       *Meter // what counts the requests; nil for none

	reopener *Reopener // through which a location is opened; nil where that is done once

	// Inside are names that lie directly in what is opened. An archive whose whole content is below
	// one folder is opened at that folder, unless it has one of these names.
	Inside []string

	// Wanted tells by the listing of a folder, in byte order of name, whether it is what is looked for. An archive that
	// is opened as a whole and has one such folder, among whatever else, is opened there; nil: nothing is looked for.
	Wanted func(listing []Entry) bool
}

const defaultCache = 64 << 20 // bytes

func (o Options) cacheBytes() int64 {
	if o.CacheBytes > 0 {
		return o.CacheBytes
	}
	return defaultCache
}

// spent counts what MaxRequests limits.
func (o Options) spent() *atomic.Int64 {
	if o.Meter != nil {
		return &o.Meter.spent
	}
	return new(atomic.Int64)
}

// scheme is one way to name a place.
type scheme struct {
	name string
	open func(ctx context.Context, location string, o Options) (Store, error)
}

// schemes has one line per backend. A location without a scheme is a path.
var schemes = []scheme{
	{"file", openFileURI},
	{"s3", openS3},
	{"s3a", openS3},
	{"s3n", openS3},
	{"dbfs", openDBFS},
}

// Open is the store at location: a folder, an archive (.zip, .tar, .tar.gz, .tar.zst), a folder within
// an archive ("backup.zip/orders"), or the URI of one of these in a known scheme. String of the store
// is the location as it was typed.
//
// A path where nothing is gives an error that satisfies fs.ErrNotExist. A bucket is not asked: where
// nothing is below a prefix, its listing is empty.
func Open(ctx context.Context, location string, o Options) (Store, error) {
	name, rest, ok := strings.Cut(location, ":")
	if !ok || !isScheme(name) {
		return openPath(ctx, location, location, o)
	}
	if strings.HasPrefix(rest, "//") && mask.Signed(location) {
		return nil, fmt.Errorf("%s: %w", mask.Location(location), ErrSecret)
	}
	for _, s := range schemes {
		if strings.EqualFold(s.name, name) {
			return s.open(ctx, location, o)
		}
	}
	if !strings.HasPrefix(rest, "/") {
		return openPath(ctx, location, location, o) // a name with a colon: "2026-11-29T03:00"
	}
	return nil, fmt.Errorf("%q: no store is known for %q; known are %s, and a path without a scheme; copy the checkpoint into a folder or a .tar.gz, and give that", location, name+":", knownSchemes())
}

// isScheme reports whether s may stand before the colon of a URI. A single letter is a drive.
func isScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(c))) {
			return false
		}
	}
	return len(s) > 1
}

func knownSchemes() string {
	var names []string
	for _, s := range schemes {
		names = append(names, s.name+":")
	}
	return strings.Join(names, ", ")
}

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

// fileURIPath is the path in a file URI, not decoded.
func fileURIPath(location string) (string, error) {
	_, rest, _ := strings.Cut(location, ":")
	authority, ok := strings.CutPrefix(rest, "//")
	if !ok {
		return rest, nil
	}
	host, _, _ := strings.Cut(authority, "/")
	if host != "" && !strings.EqualFold(host, "localhost") {
		return "", fmt.Errorf("%q: a file on another host, %q, cannot be reached; a path on this one has three slashes: file:///path", location, host)
	}
	return authority[len(host):], nil
}

// Places are the paths on this machine that a location can stand for; none where it is elsewhere.
func Places(location string) []string {
	name, rest, ok := strings.Cut(location, ":")
	switch {
	case !ok || !isScheme(name):
		return []string{location}
	case strings.EqualFold(name, "file"):
		place, err := fileURIPath(location)
		if err != nil {
			return nil
		}
		if decoded, err := url.PathUnescape(place); err == nil && decoded != place {
			return []string{decoded, place}
		}
		return []string{place}
	case strings.EqualFold(name, "dbfs"):
		return []string{dbfsPath(location)}
	case strings.HasPrefix(rest, "/"):
		return nil
	}
	return []string{location} // a name with a colon
}

// openDBFS opens dbfs:/x as /dbfs/x, which is where a Databricks machine mounts it.
func openDBFS(ctx context.Context, location string, o Options) (Store, error) {
	s, err := openPath(ctx, dbfsPath(location), location, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (dbfs: is read through the mount /dbfs, which only a Databricks machine has; elsewhere give the URL of the bucket behind it)", err)
	}
	return s, err
}

func dbfsPath(location string) string {
	_, rest, _ := strings.Cut(location, ":")
	return "/dbfs/" + strings.TrimLeft(rest, "/")
}

// openPath opens what lies at a path of this machine; name is what String says.
func openPath(ctx context.Context, place, name string, o Options) (Store, error) {
	if place == "" {
		return nil, fmt.Errorf("%q: no path", name)
	}
	name = trimSlashes(name)
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		l, err := openLocal(place, name)
		if err != nil {
			return nil, err
		}
		return o.reopener.over(compose(l, o), o.cacheBytes()), nil
	case err == nil && info.Mode().IsRegular():
		return openArchiveFile(ctx, place, ".", name, o)
	case err == nil:
		return nil, fmt.Errorf("%s: it is neither a folder nor a file", place)
	}
	if archive, inner, ok := archiveAbove(place); ok {
		return openArchiveFile(ctx, archive, inner, name, o)
	}
	if missing(err) {
		err = fs.ErrNotExist
	} else {
		err = errors.Unwrap(err)
	}
	return nil, &fs.PathError{Op: "open", Path: place, Err: err}
}

// archiveAbove cuts "backup.zip/orders/cp" at the first part that is a file.
func archiveAbove(place string) (archive, inner string, ok bool) {
	place = filepath.Clean(place)
	for at := place; ; {
		up := filepath.Dir(at)
		if up == at {
			return "", "", false
		}
		at = up
		if info, err := os.Stat(at); err == nil {
			if !info.Mode().IsRegular() {
				return "", "", false
			}
			inner := strings.TrimPrefix(place[len(at):], string(filepath.Separator))
			return at, filepath.ToSlash(inner), true
		}
	}
}

func trimSlashes(name string) string {
	if short := strings.TrimRight(name, "/"); short != "" && !strings.HasSuffix(short, ":") {
		return short
	}
	return name
}

// compose puts around a local backend what it needs: disks want no cache and no retries.
func compose(b backend, o Options) Store {
	if o.Meter != nil {
		b = &metered{b, o.Meter}
	}
	if o.MaxRequests > 0 {
		b = &budget{b, o.MaxRequests, o.spent()}
	}
	return asStore(b)
}
