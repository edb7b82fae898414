package kit

import "time"

// Memory is what the program remembers from run to run: places that were opened, and views that a person
// marked. Its methods read and write files, so they are called in commands and never in update or view.
// An error is one to tell once; the program goes on without what could not be remembered.
type Memory interface {
	// Recents are the places that were opened, the last one first. What could be read comes back
	// beside an error.
	Recents() ([]Recent, error)
	// Visit notes that a place was opened; a later visit of the same place takes the place of this one.
	Visit(Recent) error
	// Bookmarks are the views that were marked, the last one first.
	Bookmarks() ([]Bookmark, error)
	Mark(Bookmark) error
	// Unmark forgets the bookmark of that location and view; there need not be one.
	Unmark(Bookmark) error
}

// Recent is a place that was opened.
type Recent struct {
	Location string    // as a person would type it, without credentials
	When     time.Time // of the last visit
	Verdict  string    // the worst finding in a word: "ok", "critical", "unknown"; "" where the examination was not waited for
}

// Bookmark is a view of a checkpoint: the line after ":" that opens it again.
type Bookmark struct {
	Location string
	View     string // "batch 120"; "" for the overview
	When     time.Time
}

// Same reports whether two bookmarks are of one view.
func (b Bookmark) Same(other Bookmark) bool {
	return b.Location == other.Location && b.View == other.View
}
