package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidemark/internal/mask"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// memory is what the explorer remembers, below $XDG_STATE_HOME/tidemark (~/.local/state/tidemark):
//
//	recent/1f0c9a2e5b0c4a44.json     a place that was opened
//	bookmark/9e1d7c44d1e5a4c2.json   a view that was marked
//
// A file is one entry, named after a hash of what it is about, and is replaced as a whole: two runs at once
// write different files, or the later one of the same. A file that does not parse is left as it is, under
// its name with damagedSuffix.
type memory struct {
	dir string
}

const (
	recentDir     = "recent"
	bookmarkDir   = "bookmark"
	damagedSuffix = ".damaged"
	entrySuffix   = ".json"
	entryLimit    = 64 << 10 // bytes of a file
	keptRecents   = 100      // older ones are forgotten
	keptEntries   = 1000     // files that are read of a folder
)

// remembered is what stands in a file.
type remembered struct {
	Location string    `json:"location"`
	When     time.Time `json:"when"`
	Verdict  string    `json:"verdict,omitempty"`
	View     string    `json:"view,omitempty"`
}

// memory returns what is remembered from run to run; nil where nothing is to be, or where no home is known.
func (a *app) memory() kit.Memory {
	dir := a.home("XDG_STATE_HOME", filepath.Join(".local", "state"), "")
	if a.flags.noMemory || dir == "" {
		return nil
	}
	return &memory{dir}
}

// Recents returns the places that were opened, the last one first.
func (m *memory) Recents() ([]kit.Recent, error) {
	all, err := m.read(recentDir)
	var recents []kit.Recent
	for _, r := range all {
		recents = append(recents, kit.Recent{Location: r.Location, When: r.When, Verdict: r.Verdict})
	}
	return recents, err
}

// Visit notes that a place was opened, and forgets the oldest where there are too many. What is inside the
// program is no place.
func (m *memory) Visit(r kit.Recent) error {
	if strings.HasPrefix(r.Location, demoPrefix) {
		return nil
	}
	location := lasting(r.Location)
	if err := m.write(recentDir, location, remembered{Location: location, When: r.When.UTC(), Verdict: r.Verdict}); err != nil {
		return err
	}
	all, err := m.read(recentDir)
	for _, old := range all[min(len(all), keptRecents):] {
		err = errors.Join(err, m.forget(recentDir, old.Location))
	}
	return err
}

// Bookmarks returns the views that were marked, the last one first.
func (m *memory) Bookmarks() ([]kit.Bookmark, error) {
	all, err := m.read(bookmarkDir)
	var marks []kit.Bookmark
	for _, r := range all {
		marks = append(marks, kit.Bookmark{Location: r.Location, View: r.View, When: r.When})
	}
	return marks, err
}

// Mark remembers a view.
func (m *memory) Mark(b kit.Bookmark) error {
	location := lasting(b.Location)
	return m.write(bookmarkDir, location+"\n"+b.View, remembered{Location: location, View: b.View, When: b.When.UTC()})
}

// Unmark forgets a view.
func (m *memory) Unmark(b kit.Bookmark) error {
	return m.forget(bookmarkDir, lasting(b.Location)+"\n"+b.View)
}

// Lasting returns a location as it is remembered: bookmarks and recent places have it so.
func (m *memory) Lasting(location string) string { return lasting(location) }

// lasting returns a location as it leads to the same place from every folder, without credentials. What is inside
// the program has no folder.
func lasting(location string) string {
	if strings.HasPrefix(location, demoPrefix) {
		return location
	}
	if places := storage.LocalPaths(location); len(places) == 1 && places[0] == location {
		if abs, err := filepath.Abs(location); err == nil {
			return abs
		}
	}
	return mask.Location(location)
}

// file returns where the entry of a key stands.
func (m *memory) file(kind, key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(m.dir, kind, hex.EncodeToString(sum[:8])+entrySuffix)
}

// safe returns an error where what is remembered of a kind would be written into a checkpoint: that at location, or one by
// its looks. Links on the way are followed; the folder itself must not be one, as nobody else makes it.
func (m *memory) safe(kind, location string) error {
	dir := filepath.Join(m.dir, kind)
	real, err := resolved(m.dir)
	if err != nil {
		return err
	}
	if near, ok := checkpointAround(filepath.Join(real, kind), location); ok {
		return fmt.Errorf("%s is in the checkpoint %s, and tidemark never writes there", m.dir, near)
	}
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a link to another folder: tidemark does not write there", dir)
	}
	return nil
}

func (m *memory) forget(kind, key string) error {
	if err := m.safe(kind, key); err != nil {
		return err
	}
	if err := os.Remove(m.file(kind, key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// write puts an entry into its file, as a whole: the new one is written beside it and takes its name.
func (m *memory) write(kind, key string, r remembered) error {
	name := m.file(kind, key)
	if err := m.safe(kind, r.Location); err != nil {
		return err
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := m.safe(kind, r.Location); err != nil { // as it came to be
		return err
	}
	if _, err := m.entry(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // a file that is not understood is set aside, and that is reported before it is written again
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // 0600, and no two runs have one name
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// read returns all entries of a kind, the newest first. What could be read comes back beside an error.
func (m *memory) read(kind string) ([]remembered, error) {
	if err := m.safe(kind, ""); err != nil { // what is not understood is set aside there
		return nil, err
	}
	d, err := os.Open(filepath.Join(m.dir, kind))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(keptEntries)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	var all []remembered
	for _, name := range names {
		if !strings.HasSuffix(name, entrySuffix) {
			continue
		}
		r, wrong := m.entry(filepath.Join(m.dir, kind, name))
		switch {
		case wrong == nil:
			all = append(all, r)
		case !errors.Is(wrong, fs.ErrNotExist): // another run may have forgotten it just now
			err = errors.Join(err, wrong)
		}
	}
	slices.SortFunc(all, func(a, b remembered) int {
		return cmp.Or(b.When.Compare(a.When), strings.Compare(a.Location, b.Location), strings.Compare(a.View, b.View))
	})
	return all, err
}

// entry reads one file. One that does not parse is set aside under another name, untouched, and the error
// says so.
func (m *memory) entry(name string) (remembered, error) {
	var r remembered
	f, err := os.Open(name)
	if err != nil {
		return r, err
	}
	data, err := io.ReadAll(io.LimitReader(f, entryLimit+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return r, err
	}
	if err = json.Unmarshal(data, &r); err == nil && r.Location != "" && len(data) <= entryLimit {
		return r, nil
	}
	if moved := os.Rename(name, name+damagedSuffix); moved != nil {
		return remembered{}, fmt.Errorf("%s cannot be parsed, and could not be set aside: %w", name, moved)
	}
	return remembered{}, fmt.Errorf("%s could not be parsed; it is kept as %s%s", name, filepath.Base(name), damagedSuffix)
}
