package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/storage"
)

// target is a file that a person wants written: on this machine, where nothing is, and in no checkpoint.
type target struct {
	typed string
	path  string // with no symbolic link in it
}

// newTarget looks whether a file may be written there; locations are what it is about, and what else is read. An error
// names the flag that asked for it; "" where a person was asked.
func newTarget(flag, name string, locations ...string) (*target, error) {
	t, info, err := locate(flag, name, locations)
	if err != nil {
		return nil, err
	}
	if info != nil {
		return nil, usageError("%s%s exists, and tidemark overwrites nothing: name another file", askedBy(flag), name)
	}
	return t, nil
}

// askedBy begins an error with the flag that it is about; nothing where there is none.
func askedBy(flag string) string {
	if flag == "" {
		return ""
	}
	return "--" + flag + ": "
}

// locate returns where a name leads on this machine, and what is there; nil for nothing. A folder is an error, and so
// is a place in a checkpoint or in one of the locations.
func locate(flag, name string, locations []string) (*target, fs.FileInfo, error) {
	refuse := func(format string, args ...any) (*target, fs.FileInfo, error) {
		return nil, nil, usageError("%s%s", askedBy(flag), fmt.Sprintf(format, args...))
	}
	if scheme, rest, ok := strings.Cut(name, ":"); ok && len(scheme) > 1 && strings.HasPrefix(rest, "/") {
		return refuse("%s: tidemark writes files only on this machine: give a path", name)
	}
	parent, base := filepath.Split(name)
	if base == "" || base == "." || base == ".." {
		return refuse("%q is not a file name", name)
	}
	parent, err := filepath.Abs(parent)
	if err == nil {
		parent, err = filepath.EvalSymlinks(parent)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("%s: no such folder", filepath.Dir(name))
	}
	if err != nil {
		return nil, nil, err
	}
	t := &target{name, filepath.Join(parent, base)}
	info, err := os.Lstat(t.path)
	switch {
	case err == nil && info.IsDir():
		return refuse("%s is a folder: name a file in it", name)
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, nil, err
	}
	for _, location := range append([]string{""}, locations...) { // "" is any that looks like one
		if dir, ok := checkpointAround(parent, location); ok {
			return refuse("%s is in the checkpoint %s, and tidemark never writes there: name a file elsewhere", name, dir)
		}
	}
	return t, info, nil
}

// checkpointAround returns the folder above a place that is the checkpoint at location, or looks like one. No link may be
// left in dir. Folders are compared by what they are, not by name: one can be mounted under two names.
func checkpointAround(dir, location string) (string, bool) {
	var opened []fs.FileInfo
	for _, place := range storage.LocalPaths(location) {
		opened = append(opened, foldersOf(place, 2)...)
	}
	for {
		if info, err := os.Stat(dir); err == nil {
			for _, o := range opened {
				if os.SameFile(info, o) {
					return dir, true
				}
			}
		}
		if holdsLogs(dir) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// mostFolders are looked up of one checkpoint: those of its logs, and of as much of state.
const mostFolders = 1000

// foldersOf returns a folder and those in it, so many levels down.
func foldersOf(place string, levels int) []fs.FileInfo {
	info, err := os.Stat(place)
	if err != nil || !info.IsDir() {
		return nil
	}
	all := []fs.FileInfo{info}
	d, err := os.Open(place)
	if err != nil || levels == 0 {
		return all
	}
	defer d.Close()
	listed, _ := d.ReadDir(mostFolders) // what cannot be listed is not compared
	for _, e := range listed {
		if (e.IsDir() || e.Type()&fs.ModeSymlink != 0) && len(all) < mostFolders {
			all = append(all, foldersOf(filepath.Join(place, e.Name()), levels-1)...)
		}
	}
	return all
}

// resolved returns a path of this machine without links, as far as it is there: what is not there yet follows as it is.
func resolved(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := name; ; {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if _, there := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || there == nil {
			return "", err // a link that leads nowhere is not made to lead somewhere
		}
		up := filepath.Dir(at)
		if up == at {
			return "", err
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = up
	}
}

// holdsLogs reports whether a folder has what a query writes first: its plans, beside its commits or its id.
func holdsLogs(dir string) bool {
	is := func(name string, folder bool) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.IsDir() == folder
	}
	return is("offsets", true) && (is("commits", true) || is("metadata", false))
}

// otherLocations returns the locations that this run reads beside the checkpoint: nothing is written into them either.
func (a *app) otherLocations() []string {
	all := []string{a.flags.spec, a.flags.sink}
	for line := range strings.Lines(a.flags.sources) {
		_, location, _ := strings.Cut(strings.TrimSpace(line), "=")
		all = append(all, location)
	}
	return slices.DeleteFunc(all, func(location string) bool { return location == "" })
}
