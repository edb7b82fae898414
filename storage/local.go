package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// local is a folder on disk. Everything goes through os.Root: neither a name nor a symbolic link can
// lead out of the folder. A link that stays within it is followed, as Spark's file system does.
type local struct {
	root    *os.Root
	name    string // as typed
	place   string // see LocalPath
	folders *folders
}

// openLocal opens the folder at place; name is what String says.
func openLocal(place, name string) (*local, error) {
	root, err := os.OpenRoot(place)
	if err != nil {
		return nil, err
	}
	return &local{root: root, name: name, place: resolved(place), folders: foldersOf(root)}, nil
}

func (l *local) String() string { return l.name }

// reading opens without waiting: a pipe that lies in a checkpoint would block until someone writes.
const reading = os.O_RDONLY | syscall.O_NONBLOCK

func (l *local) page(_ context.Context, dir, _ string) ([]Entry, string, error) {
	f, err := l.root.OpenFile(dir, reading, 0)
	if missing(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", leadsOut(err)
	}
	defer f.Close()
	listed, err := f.ReadDir(-1)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, "", nil
	}
	found := make([]Entry, 0, len(listed))
	for _, d := range listed {
		if e, ok := l.entry(dir, d); ok {
			found = append(found, e)
		}
	}
	return found, "", err
}

// entry returns one line of the listing of dir; ok is false where it is gone since, or a link to nothing.
// A link that leads out of the folder is listed as a file with the size of the link: it is there, and
// opening it tells why it cannot be read.
func (l *local) entry(dir string, d fs.DirEntry) (e Entry, ok bool) {
	if d.IsDir() {
		return Entry{Name: d.Name(), Dir: true}, true
	}
	info, err := d.Info()
	if err != nil {
		return Entry{}, false
	}
	if d.Type()&fs.ModeSymlink != 0 {
		target, err := l.root.Stat(path.Join(dir, d.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return Entry{}, false
		case err == nil && target.IsDir():
			return Entry{Name: d.Name(), Dir: true}, true
		case err == nil:
			info = target
		}
	}
	return Entry{Name: d.Name(), Size: info.Size(), Modified: info.ModTime().UTC(), Tag: changed(info)}, true
}

func (l *local) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f, err := l.folders.open(name)
	if errors.Is(err, syscall.ENOTDIR) {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, leadsOut(err)
	}
	r, err := part(ctx, f, name, offset, length)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

const atOnce = 64 << 10 // bytes that are read at once, so that most files cost four system calls

// part returns the asked part of an open file, and closes it in the end. A pipe or a device is refused.
func part(ctx context.Context, f *os.File, name string, offset, length int64) (io.ReadCloser, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errFolder}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is not a regular file (%s)", info.Mode())}
	}
	from, n := within(info.Size(), offset, length)
	if n <= atOnce {
		data := make([]byte, n)
		got, err := io.ReadFull(io.NewSectionReader(f, from, n), data)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(data[:got])), f.Close()
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	return &body{ctx, cut(f, length), f}, nil
}

// leadsOut says in plain words what os.Root says of a link; every other error is left as it is.
func leadsOut(err error) error {
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok || !strings.Contains(pe.Err.Error(), "path escapes from parent") {
		return err
	}
	return &fs.PathError{Op: pe.Op, Path: pe.Path, Err: errors.New("a symbolic link in the path leads outside the opened folder and is not followed")}
}
