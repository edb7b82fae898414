package storage

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// An archive is read where it lies; nothing is unpacked to disk. What it says of itself is not
// trusted: names are cleaned and cannot lead anywhere, and these are the ceilings.
const (
	maxMembers  = 1 << 20  // files and folders in an archive
	maxNameLen  = 4 << 10  // bytes in the name of one
	maxDepth    = 64       // folders above one
	maxIndex    = 64 << 20 // bytes of all names, or of the directory of a zip
	keptMember  = 4 << 20  // bytes of a file that is kept in memory when it can only be reached by inflating all before it
	freeInflate = 1 << 30  // bytes that may come out of any archive
	maxInflate  = 300      // beyond that: bytes that may come out for each byte of the archive
)

// packed is an archive's own bytes.
type packed struct {
	name string // as typed
	size int64
	open func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
}

// OpenArchive opens the store of what is in an archive: a zip, or a tar as it is or packed with gzip or zstd.
// name is what String says.
func OpenArchive(ctx context.Context, name string, r io.ReaderAt, size int64, o Options) (Store, error) {
	b, err := openArchive(ctx, readerAtPacked(name, r, size), ".", o)
	if err != nil {
		return nil, err
	}
	return compose(b, o), nil
}

func readerAtPacked(name string, r io.ReaderAt, size int64) packed {
	return packed{name, size, func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		from, n := within(size, offset, length)
		return &body{ctx, io.NewSectionReader(r, from, n), io.NopCloser(nil)}, nil
	}}
}

// openArchiveFile opens an archive on this machine at a folder in it. The file stays open for as long
// as the program runs.
func openArchiveFile(ctx context.Context, place, inner, name string, o Options) (Store, error) {
	f, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	b, err := openArchive(ctx, readerAtPacked(name, f, info.Size()), inner, o)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return compose(b, o), nil
}

// openArchive finds out what kind of archive p is and reads its index. inner is a folder in it, "." for
// where its content begins.
func openArchive(ctx context.Context, p packed, inner string, o Options) (backend, error) {
	rc, err := p.open(ctx, 0, 512)
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(rc)
	if err = errors.Join(err, rc.Close()); err != nil {
		return nil, err
	}
	for _, f := range packings {
		if !f.claims(head) {
			continue
		}
		a, err := f.index(ctx, p, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", p.name, f.name, err)
		}
		return a.at(p.name, inner, o)
	}
	return nil, fmt.Errorf("%s: it is a file, and neither a folder nor an archive (zip, tar, tar.gz, tar.zst); name the checkpoint folder", p.name)
}

// packing is one form of archive.
type packing struct {
	name   string
	claims func(head []byte) bool // by the first 512 bytes
	index  func(ctx context.Context, p packed, o Options) (*archive, error)
}

// packings has one line per form.
var packings = []packing{
	{"zip", func(head []byte) bool {
		return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
	}, indexZip},
	{"tar.gz", func(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }, indexTarGzip},
	{"tar.zst", func(head []byte) bool { return bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) }, indexTarZstd},
	{"tar", func(head []byte) bool {
		if len(head) == 512 && string(head[257:262]) == "ustar" {
			return true
		}
		_, err := tar.NewReader(bytes.NewReader(head)).Next() // the oldest form has a checksum and no name
		return err == nil
	}, indexTar},
}

// archive is the index of an archive: which files there are, and how each is opened.
type archive struct {
	name    string
	top     string // the folder that is the root, "." for all
	members map[string]member
	folders map[string][]string // the whole names of what lies directly in each folder, in no order; a folder ends in a slash
	index   int64               // bytes of all names
	cut     error               // why the index is not complete; nil when it is
}

// member is one file in an archive.
type member struct {
	size     int64
	modified time.Time
	open     func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
}

func newArchive() *archive {
	return &archive{members: map[string]member{}, folders: map[string][]string{".": nil}}
}

// add puts a file into the index; where two have one name, the later one counts, as it does when an
// archive is unpacked.
func (a *archive) add(name string, m member) error {
	name, err := a.clean(name)
	if err != nil || name == "." {
		return err
	}
	a.members[name] = m
	a.mark(path.Dir(name))
	return nil
}

// addFolder puts a folder and those above it into the index.
func (a *archive) addFolder(name string) error {
	name, err := a.clean(name)
	if err != nil {
		return err
	}
	a.mark(name)
	return nil
}

func (a *archive) mark(folder string) {
	for ; folder != "."; folder = path.Dir(folder) {
		if _, ok := a.folders[folder]; ok {
			return
		}
		a.folders[folder] = nil
	}
}

// clean makes a name that lies within the archive: "/a", "./a" and "../a" are all "a".
func (a *archive) clean(name string) (string, error) {
	if len(name) > maxNameLen || strings.Count(name, "/") > maxDepth {
		return "", &ceilingError{fmt.Sprintf("the name %.60q… is longer than %d bytes or has more than %d folders", name, maxNameLen, maxDepth)}
	}
	a.index += int64(len(name))
	if len(a.members)+len(a.folders) > maxMembers || a.index > maxIndex {
		return "", &ceilingError{fmt.Sprintf("it has more than %d files or %d MiB of names; unpack it and open the folder", maxMembers, maxIndex>>20)}
	}
	if name = strings.TrimLeft(path.Clean("/"+name), "/"); name == "" {
		return ".", nil
	}
	return name, nil
}

// at finishes the index and opens it at a folder.
func (a *archive) at(name, inner string, o Options) (backend, error) {
	for full := range a.folders {
		if full != "." {
			dir := path.Dir(full)
			a.folders[dir] = append(a.folders[dir], full+"/")
		}
	}
	for full := range a.members {
		dir := path.Dir(full)
		a.folders[dir] = append(a.folders[dir], full)
	}
	a.name, a.top = name, a.content(o.Inside)
	within := a.top
	if one := a.one(o.Wanted); one != "" {
		within = one
	}
	if inner == "." {
		a.top = within
		return a, nil
	}
	for _, top := range []string{path.Join(a.top, inner), inner, path.Join(within, inner)} {
		if _, ok := a.folders[top]; ok && validName(inner) {
			a.top = top
			return a, nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("the archive has no folder %q: %w", inner, fs.ErrNotExist)}
}

// content returns the folder in which the content begins: the first one from the root on that holds more
// than a single folder. What systems add to archives does not count.
func (a *archive) content(inside []string) string {
	for top := "."; ; {
		only, more := Entry{}, false
		for _, full := range a.folders[top] {
			e := a.entry(full)
			if Added(e.Name) {
				continue
			}
			if more = only.Name != ""; more {
				break
			}
			only = e
		}
		if more || !only.Dir || slices.Contains(inside, only.Name) {
			return top
		}
		top = path.Join(top, only.Name)
	}
}

// one returns the only folder from the top on that is wanted; "" where there is none, or more than one. It does not look into
// one that is.
func (a *archive) one(wanted func([]Entry) bool) (found string) {
	if wanted == nil {
		return ""
	}
	for queue := []string{a.top}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		listing := make([]Entry, 0, len(a.folders[dir]))
		for _, full := range a.folders[dir] {
			listing = append(listing, a.entry(full))
		}
		slices.SortFunc(listing, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		if wanted(listing) {
			if found != "" {
				return ""
			}
			found = dir
			continue
		}
		for _, e := range listing {
			if e.Dir && !Added(e.Name) {
				queue = append(queue, path.Join(dir, e.Name))
			}
		}
	}
	return found
}

// Added reports whether a name is one that systems add beside what a person copies or packs: it is no part of it.
func Added(name string) bool {
	return strings.HasPrefix(name, "._") ||
		slices.Contains([]string{"__MACOSX", ".DS_Store", ".Spotlight-V100", ".Trashes", "Thumbs.db", "desktop.ini"}, name)
}

// ArchiveName reports whether a file is an archive by its name.
func ArchiveName(name string) bool {
	ends := []string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// OpenWithin opens the store of what is in an archive that is in another store; see OpenArchive. Its bytes are asked of
// that store, which counts them.
func OpenWithin(ctx context.Context, s Store, name string, size int64, o Options) (Store, error) {
	p := packed{name: join(s.String(), name), size: size, open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		return s.Open(ctx, name, offset, length)
	}}
	b, err := openArchive(ctx, p, ".", o)
	if err != nil {
		return nil, err
	}
	return asStore(b), nil
}

// Packed reports whether the bytes of s lie in an archive.
func Packed(s Store) bool {
	switch s := s.(type) {
	case *sub:
		return Packed(s.Store)
	case *cache:
		return Packed(s.inner())
	case *store:
		_, packed := unmetered(s.backend).(*archive)
		return packed
	}
	return false
}

func (a *archive) String() string { return a.name }

func (a *archive) page(_ context.Context, dir, _ string) ([]Entry, string, error) {
	names := a.folders[path.Join(a.top, dir)]
	found := make([]Entry, len(names))
	for i, full := range names {
		found[i] = a.entry(full)
	}
	return found, "", a.cut
}

// entry returns what is listed of a whole name.
func (a *archive) entry(full string) Entry {
	if name, ok := strings.CutSuffix(full, "/"); ok {
		return Entry{Name: path.Base(name), Dir: true}
	}
	m := a.members[full]
	return Entry{Name: path.Base(full), Size: m.size, Modified: m.modified}
}

func (a *archive) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	full := path.Join(a.top, name)
	m, ok := a.members[full]
	if ok {
		rc, err := m.open(ctx, offset, length)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return rc, nil
	}
	err := fs.ErrNotExist
	if _, ok := a.folders[full]; ok {
		err = errFolder
	} else if a.cut != nil {
		err = a.cut // it may be in the part that is lost
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: err}
}

// kept is a member whose bytes are in memory.
func kept(data []byte) func(context.Context, int64, int64) (io.ReadCloser, error) {
	return func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
		from, n := within(int64(len(data)), offset, length)
		return io.NopCloser(bytes.NewReader(data[from : from+n])), nil
	}
}

// refused is a member that is listed and cannot be read.
func refused(why string) func(context.Context, int64, int64) (io.ReadCloser, error) {
	return func(context.Context, int64, int64) (io.ReadCloser, error) { return nil, errors.New(why) }
}
