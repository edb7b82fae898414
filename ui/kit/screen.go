package kit

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Grown tells a screen that the verdict has grown.
type Grown struct{}

// Uncovered tells a screen that it is on top again: another batch may be looked at than before.
type Uncovered struct{}

// Renewed tells a screen that the checkpoint in the session is a newer listing of the same one.
type Renewed struct{}

// Outdated is a screen that is loaded anew where it no longer shows what there is. The others take in what
// they need by renewed, or show what does not change.
type Outdated interface{ Outdated() bool }

// The frame around every screen: what is looked at, where we are, the verdict, and the keys.
//
//	tidemark   s3://lake/checkpoints/orders            query 1f0c9a2e   Spark 3.5 inferred   read-only
//	overview › findings
//	✗ 1 critical   ! 1 high   i 2      restart: will fail at batch 120
//	────────────────────────────────────────────────────────────────────
//	 … the screen …
//	────────────────────────────────────────────────────────────────────
//	enter open  / filter  ? help                                142 requests  1.3 MB

// The smallest terminal that a screen is drawn on. On a smaller one only the verdict is.
const (
	LeastWidth  = 60
	LeastHeight = 15
	Roomy       = 30  // lines from which on the frame has rules
	RoomForStop = 90  // cells for keys from which on it is said what stopping does
	WideFrom    = 100 // cells from which on a detail stands beside its list
)

// Screen is one of the views of the explorer. The app calls its methods; a screen never calls the app.
type Screen interface {
	Title() string
	Keys() []key.Binding // the keys of this screen beside those of everywhere; the footer shows the first ones
	// Load begins to read what the screen needs beyond the session. It is called when the screen
	// opens, when the checkpoint is there, and when all is read again.
	Load(at Scope) tea.Cmd
	Resize(w, h int)
	Update(msg tea.Msg) (Action, tea.Cmd)
	View(w, h int) []string // no more than h lines; what is wider than w is cut
}
