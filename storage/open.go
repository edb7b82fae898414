package storage

import (
	"context"
	"fmt"
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

// scheme is one kind of location.
type scheme struct {
	name string // before the colon
	open func(ctx context.Context, location string, o Options) (Store, error)
	// paths returns the paths on this machine that a location can stand for; nil where it never stands for one.
	paths func(location string) []string
}

// schemes is the list of backends, one line each.
var schemes = []scheme{
	{"file", openFileURI, fileURIPaths},
	{"s3", openS3, nil},
	{"s3a", openS3, nil},
	{"s3n", openS3, nil},
	{"dbfs", openDBFS, dbfsPaths},
}

// noScheme is a path as it was typed.
var noScheme = scheme{
	open: func(ctx context.Context, location string, o Options) (Store, error) {
		return openPath(ctx, location, location, o)
	},
	paths: func(location string) []string { return []string{location} },
}

// schemeOf finds the scheme of a location; ok is false where it has one that is not known. A path may have a colon:
// "2026-11-29T03:00".
func schemeOf(location string) (s scheme, ok bool) {
	name, rest, colon := strings.Cut(location, ":")
	if !colon || !isScheme(name) {
		return noScheme, true
	}
	for _, s := range schemes {
		if strings.EqualFold(s.name, name) {
			return s, true
		}
	}
	return noScheme, !strings.HasPrefix(rest, "/")
}

// Open opens the store at location: a folder, an archive (.zip, .tar, .tar.gz, .tar.zst), a folder within
// an archive ("backup.zip/orders"), or the URI of one of these in a known scheme. String of the store
// is the location as it was typed.
//
// A path where nothing is gives an error that satisfies fs.ErrNotExist. A bucket is not asked: where
// nothing is below a prefix, its listing is empty.
func Open(ctx context.Context, location string, o Options) (Store, error) {
	name, rest, _ := strings.Cut(location, ":")
	if isScheme(name) && strings.HasPrefix(rest, "//") && mask.Signed(location) {
		return nil, fmt.Errorf("%s: %w", mask.Location(location), ErrSecret)
	}
	s, ok := schemeOf(location)
	if !ok {
		return nil, fmt.Errorf("%q: no store is known for %q; known are %s, and a path without a scheme. Copy the checkpoint into a folder or a .tar.gz, and open that", location, name+":", knownSchemes())
	}
	return s.open(ctx, location, o)
}

// LocalPaths returns the paths on this machine that a location can stand for; none where it is elsewhere.
func LocalPaths(location string) []string {
	if s, ok := schemeOf(location); ok && s.paths != nil {
		return s.paths(location)
	}
	return nil
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
