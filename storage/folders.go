package storage

import (
	"os"
	"path"
	"sync"
	"time"
)

// folders opens files of a root through the folders they lie in, which it keeps open for a moment:
// os.Root walks a name part by part, and a state folder has a hundred thousand files four folders down.
type folders struct {
	root *os.Root
	mu   sync.Mutex
	kept map[string]*folder
}

type folder struct {
	root   *os.Root
	opened time.Time
	users  int // calls under way; the last one closes a folder that is no longer kept
	gone   bool
}

const (
	keptFolders = 64          // open at once
	keptFor     = time.Second // then a folder is looked up again: another may have taken its name
)

// open opens a file. What a kept folder does not have is looked up from the root: the folder may be
// another by now, a link may lead out of it and stay within the root, and the error names the whole way.
func (f *folders) open(name string) (*os.File, error) {
	dir, base := path.Split(name)
	if dir == "" {
		return f.root.OpenFile(name, reading, 0)
	}
	if d, err := f.use(dir[:len(dir)-1]); err == nil {
		file, err := d.root.OpenFile(base, reading, 0)
		f.release(d)
		if err == nil {
			return file, nil
		}
	}
	return f.root.OpenFile(name, reading, 0)
}

func (f *folders) use(dir string) (*folder, error) {
	f.mu.Lock()
	d := f.kept[dir]
	if d != nil && time.Since(d.opened) < keptFor {
		d.users++
		f.mu.Unlock()
		return d, nil
	}
	f.mu.Unlock()

	root, err := f.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	d = &folder{root: root, opened: time.Now(), users: 1}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		f.kept = map[string]*folder{}
	}
	f.drop(dir)
	if len(f.kept) >= keptFolders {
		for other := range f.kept { // any one
			f.drop(other)
			break
		}
	}
	f.kept[dir] = d
	return d, nil
}

func (f *folders) drop(dir string) {
	if d := f.kept[dir]; d != nil {
		delete(f.kept, dir)
		d.gone = true
		d.closeUnused()
	}
}

func (f *folders) release(d *folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d.users--
	d.closeUnused()
}

func (d *folder) closeUnused() {
	if d.gone && d.users == 0 {
		_ = d.root.Close() // it was only read
	}
}
