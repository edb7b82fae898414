package sst

import "bytes"

// RocksDB spreads a large store over many tables, and most of them follow one upon the other: a merge
// comes to one when it is through with another. The index of a table is a hundredth of it, so that those of
// all together would be most of what a merge needs. A table that rests has let go of it, and of the end of
// the file. Of its entries only the first one that is wanted is known; the merge that gets there reads the
// index again.

// rest is what a table that rests still knows.
type rest struct {
	wanted []byte // how the keys begin that are wanted
	whole  bool   // it is the only one
	first  []byte // internal key of the first entry that is wanted; nil where there is none
}

// Rest looks for the first entry that MergePrefix of this prefix, or with whole MergeKey of this key, will
// ask for, and makes the table rest until then. It does not where something on the way does not read: that is
// for the merge to tell. The error is one of reaching the bytes. It must not be called beside a reading of
// the table.
func (t *Table) Rest(prefix []byte, whole bool) error {
	var problem error
	m := merge{wanted: prefix, whole: whole, yield: func(_ Live, err error) bool {
		problem = err
		return false
	}}
	h, _ := m.start(t, 0)
	if problem != nil {
		if fatal(problem) {
			return problem
		}
		return nil
	}
	t.rest = &rest{wanted: prefix, whole: whole}
	if h != nil {
		t.rest.first = bytes.Clone(h.internal)
	}
	t.top, t.tail = nil, window{t: t}
	return nil
}

// resting is the head of a table that rests, nil where nothing of it is wanted; known is false where it
// does not rest, or for another merge.
func (m *merge) resting(t *Table) (h *head, known bool) {
	r := t.rest
	if r == nil || r.whole != m.whole || !bytes.Equal(r.wanted, m.wanted) {
		return nil, false
	}
	if r.first == nil {
		return nil, true
	}
	n := len(r.first) - trailerKey
	return &head{rests: t, entry: Entry{Key: r.first[:n]}, internal: r.first}, true
}
