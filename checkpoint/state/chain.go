package state

import "slices"

// Rules are how one release, with one set of ids, picks the files of a version.
type Rules struct {
	// Repairs: a whole file that is broken is passed over for an older one (Spark 4.2 on).
	Repairs bool
	// ID is the id in the names of a version's files (Lineage); known is false where nothing records
	// one, and then a file with any id counts. nil: none is known.
	ID func(version int64) (id string, known bool)
	// Broken reports whether a file with bytes is known not to load. nil: none is.
	Broken func(File) bool
}

// loads reports whether a file loads, as far as is known. Not even an empty version has no bytes.
func (r Rules) loads(f *File) bool {
	return f != nil && f.Size > 0 && (r.Broken == nil || !r.Broken(*f))
}

func (r Rules) matches(f File) bool {
	if r.ID == nil {
		return true
	}
	id, known := r.ID(f.Version)
	return !known || f.ID == id
}

// Chain is the files that rebuild one version, as Spark picks them.
type Chain struct {
	Version int64
	Base    int64  // the version that Files begin with when it is a whole one; 0: from the first batch on
	Files   []File // in the order in which they are applied; of the version's own files only these are read
	Missing []Span // versions that have no file although one is needed, ascending
	Passed  []File // whole files that do not load and that an older one stands in for, newest first
}

// Span is a run of versions, both ends included.
type Span struct{ From, To int64 }

// Whole reports whether all files are there. One of them may still be damaged.
func (c *Chain) Whole() bool { return len(c.Missing) == 0 }

// Empty are the files of the chain that have no bytes. Not even an empty version is written so.
func (c *Chain) Empty() []File {
	var empty []File
	for _, f := range c.Files {
		if f.Size == 0 {
			empty = append(empty, f)
		}
	}
	return empty
}

// Bytes is how much the chain reads.
func (c *Chain) Bytes() (n int64) {
	for _, f := range c.Files {
		n += f.Size
	}
	return n
}

// ChainOf picks the files that rebuild version: the newest whole one at or below it, and what each
// batch after it changed; with no whole one, what every batch from the first on changed. Version 0
// needs no file. files are sorted.
//
// As HDFSBackedStateStoreProvider.loadMap and RocksDB.load do.
func ChainOf(files []File, version int64, r Rules) Chain {
	c := Chain{Version: version}
	all := files
	var loading []int64 // versions that can be rebuilt, 0 first; filled in when a whole file is found broken
	for v := version; v > 0; {
		files = upTo(files, v)
		if Newest(files) < v { // all versions down to the next file are missing
			c.miss(Newest(files)+1, v)
			v = Newest(files)
			continue
		}
		whole, step := pick(files, v, r)
		broken := whole != nil && !r.loads(whole) && r.Repairs
		if broken && loading == nil {
			loading = append([]int64{0}, Loading(all, version, r)...)
		}
		if whole != nil && !(broken && replaces(step, v, loading, r)) {
			c.Files, c.Base = append(c.Files, *whole), v
			break
		}
		if whole != nil {
			c.Passed = append(c.Passed, *whole)
		}
		if step != nil {
			c.Files = append(c.Files, *step)
		} else {
			c.miss(v, v)
		}
		v--
	}
	slices.Reverse(c.Files)
	slices.Reverse(c.Missing)
	return c
}

// miss notes missing versions, the highest first.
func (c *Chain) miss(from, to int64) {
	if n := len(c.Missing); n > 0 && c.Missing[n-1].From == to+1 {
		c.Missing[n-1].From = from
		return
	}
	c.Missing = append(c.Missing, Span{from, to})
}

// replaces reports whether version v can be rebuilt from the version before it, which is one of loading.
func replaces(step *File, v int64, loading []int64, r Rules) bool {
	if !r.loads(step) {
		return false
	}
	_, below := slices.BinarySearch(loading, v-1)
	return below
}

// pick is the whole file and the change file of one version; nil where there is none.
func pick(files []File, v int64, r Rules) (whole, step *File) {
	for i := len(files) - 1; i >= 0 && files[i].Version == v; i-- {
		switch f := &files[i]; {
		case !r.matches(*f):
		case f.Role.Whole():
			whole = f
		default:
			step = f
		}
	}
	return whole, step
}

// Loading are the versions up to limit that can be rebuilt: every file of their chain is there and loads,
// as far as is known. Ascending, without version 0, which always can. files are sorted.
func Loading(files []File, limit int64, r Rules) (versions []int64) {
	newest := int64(0)
	for len(files) > 0 && files[0].Version <= limit {
		v, n := files[0].Version, 1
		for n < len(files) && files[n].Version == v {
			n++
		}
		whole, step := pick(files[:n], v, r)
		good := r.loads(whole)
		if !good && (whole == nil || r.Repairs) {
			good = newest == v-1 && r.loads(step)
		}
		if good {
			newest = v
			versions = append(versions, v)
		}
		files = files[n:]
	}
	return versions
}

// NewestLoading is the newest version up to limit that can be rebuilt; 0 when only the empty one
// can. files are sorted.
func NewestLoading(files []File, limit int64, r Rules) int64 {
	if v := Loading(files, limit, r); len(v) > 0 {
		return v[len(v)-1]
	}
	return 0
}

// Loads reports whether version can be rebuilt. files are sorted.
func Loads(files []File, version int64, r Rules) bool {
	return version == 0 || NewestLoading(files, version, r) == version
}
