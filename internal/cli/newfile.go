package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// partialSuffix follows the name of a file until it is whole.
const partialSuffix = ".partial"

// newFile is a target while it is written: under its name and partialSuffix, so that what is left of a
// program that was killed is not taken for the whole.
type newFile struct {
	*os.File
	*target
	over bool // kept or discarded
}

// create begins the file.
func (t *target) create() (*newFile, error) {
	f, err := os.OpenFile(t.path+partialSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, usageError("%s%s exists: another run is writing it, or one was killed. Remove it, or name another file", t.typed, partialSuffix)
	}
	if err != nil {
		return nil, err
	}
	return &newFile{File: f, target: t}, nil
}

// keep gives the whole file its name, and returns its size in bytes. What has come to be there meanwhile is not
// overwritten.
func (f *newFile) keep() (size int64, err error) {
	info, err := f.Stat()
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	partial := f.path + partialSuffix
	err = os.Link(partial, f.path)
	if err == nil {
		f.over = true
		return info.Size(), os.Remove(partial)
	}
	// There are file systems without links.
	if _, there := os.Lstat(f.path); !errors.Is(there, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s was created in the meantime, and tidemark overwrites nothing", f.typed)
	}
	if err := os.Rename(partial, f.path); err != nil {
		return 0, err
	}
	f.over = true
	return info.Size(), nil
}

// discard removes what was written, unless it was kept; it reports whether there was something to remove.
func (f *newFile) discard() (removed bool, err error) {
	if f.over {
		return false, nil
	}
	f.over = true
	_ = f.Close() // keep may have done it
	return true, os.Remove(f.path + partialSuffix)
}

// save writes data to a new file that a person named in the explorer; location is what is looked at there.
func (a *app) save(location, name string, data []byte) error {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home := a.Getenv("HOME"); home != "" {
			name = filepath.Join(home, rest)
		}
	}
	to, err := newTarget("", name, append(a.otherLocations(), location)...)
	if err != nil {
		return err
	}
	file, err := to.create()
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		_, err = file.keep()
	}
	if _, rerr := file.discard(); rerr != nil {
		err = errors.Join(err, rerr)
	}
	return err
}
