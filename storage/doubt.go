package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
)

// A store whose listing names a file of so many bytes, and which then has no such file or fewer bytes of it, is
// doubted before the file is: it is listed and asked once more. What it says twice is an error of the store; a
// file that has gone or changed meanwhile is none, as the query may be running.

// faultError is a store that contradicts itself. It is not fs.ErrNotExist: whether the file is there is not known.
type faultError struct{ name, why string }

func (e *faultError) Error() string { return e.name + ": " + e.why }

// ask opens a file of a store elsewhere, and holds what comes against the listing that is kept.
func (c *cache) ask(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	c.mu.Lock()
	e, l, listed := c.listed(name)
	before := ""
	if listed {
		if i, _ := slices.BinarySearchFunc(l.found, e.Name, byName); i > 0 {
			before = l.found[i-1].Name
		}
	}
	c.mu.Unlock()
	s := c.inner()
	if c.disk || !listed {
		return s.Open(ctx, name, offset, length)
	}
	d := &doubted{ctx: ctx, store: s, name: name, entry: e, before: before}
	rc, err := d.open(offset, length)
	if err != nil {
		return nil, err
	}
	_, n := within(e.Size, offset, length)
	d.ReadCloser, d.at, d.left = rc, offset, n
	return d, nil
}

// doubted is a body that is as long as its listing says, or ends with an error.
type doubted struct {
	io.ReadCloser
	ctx      context.Context
	store    Store
	name     string
	entry    Entry
	before   string // the name before it in the listing
	at, left int64
	again    int
}

const mostAgain = 3 // of one body that ends too early

func (d *doubted) open(offset, length int64) (io.ReadCloser, error) {
	rc, err := d.store.Open(d.ctx, d.name, offset, length)
	if !errors.Is(err, fs.ErrNotExist) {
		return rc, err
	}
	if _, still, lerr := d.relist(); lerr != nil {
		return nil, lerr
	} else if !still {
		return nil, err
	}
	if rc, err = d.store.Open(d.ctx, d.name, offset, length); errors.Is(err, fs.ErrNotExist) {
		return nil, d.fault("the store twice lists it with %d bytes, and twice answers a read with 404: its listing may be stale, or listings and reads have different servers (cache, gateway, replica). Whether the file exists is unknown",
			d.entry.Size)
	}
	return rc, err
}

// relist returns what the store lists by that name now; still is false where that is nothing.
func (d *doubted) relist() (now Entry, still bool, err error) {
	base := path.Base(d.name)
	for e, err := range Pages(d.ctx, d.store, path.Dir(d.name), d.before) {
		switch {
		case err != nil:
			return Entry{}, false, err
		case e.Name == base && !e.Dir:
			return e, true, nil
		case e.Name > base:
			return Entry{}, false, nil
		}
	}
	return Entry{}, false, nil
}

func (d *doubted) fault(format string, args ...any) error {
	return &faultError{join(d.store.String(), d.name), fmt.Sprintf(format, args...)}
}

func (d *doubted) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	d.at, d.left = d.at+int64(n), d.left-int64(n)
	if !errors.Is(err, io.EOF) || d.left <= 0 {
		return n, err
	}
	if now, still, lerr := d.relist(); lerr != nil {
		return n, lerr
	} else if !still || now.Size != d.entry.Size || now.Tag != d.entry.Tag {
		return n, err // it was written again since it was listed
	}
	before := d.at
	if d.again++; d.again <= mostAgain {
		rc, rerr := d.open(d.at, d.left)
		if rerr != nil {
			return n, rerr
		}
		_ = d.ReadCloser.Close() // it is at its end
		d.ReadCloser = rc
		m, rerr := d.more(p[n:])
		if m > 0 || !errors.Is(rerr, io.EOF) {
			return n + m, rerr
		}
	}
	return n, d.fault("the store twice lists it with %d bytes, and twice sends %d: the store or something on the way cuts it, which proves nothing about the file", d.entry.Size, before)
}

// more reads the beginning of what was asked for once more.
func (d *doubted) more(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := d.ReadCloser.Read(p)
	d.at, d.left = d.at+int64(n), d.left-int64(n)
	if errors.Is(err, io.EOF) && n > 0 {
		err = nil // the next read finds it, and asks again where something is left
	}
	return n, err
}
