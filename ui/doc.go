// Package ui is the explorer: findings and facts of a checkpoint on a screen.
//
// App is the only Bubble Tea model. It owns a stack of screens and draws the frame around the top one. It knows
// the rows of one list (screens.go), each a kit.Spec, and no screen by itself: a screen is a folder below screen
// and a line of that list. A screen opens another by the line of a command, as a person who types one does.
//
// Reading happens in commands (kit/stream.go): a screen never waits, and nothing is read before the first frame
// is drawn. Nothing here can write: there is no key that changes a file.
package ui
