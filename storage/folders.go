package storage

import (
	"os"
	"path"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// folders opens files of a root through the folders they lie in, which it keeps open for a moment:
// os.Root walks a name part by part, and a state folder has a hundred thousand files four folders down.
type folders struct {
	root *os.Root
	mu   sync.Mutex
	kept *simplelru.LRU[string, *folder]
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

func foldersOf(root *os.Root) *folders {
	kept, _ := simplelru.NewLRU(keptFolders, func(_ string, d *folder) { // fails only for a size below 1
		d.gone = true
		d.closeUnused()
	})
	return &folders{root: root, kept: kept}
}

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

// use returns an open folder, which is released in the end.
func (f *folders) use(dir string) (*folder, error) {
	f.mu.Lock()
	d, ok := f.kept.Get(dir)
	if ok && time.Since(d.opened) < keptFor {
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
	f.kept.Remove(dir)
	f.kept.Add(dir, d)
	return d, nil
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
