// Package terminal is a terminal without a person: a pseudo terminal, and an emulator that shows what
// somebody in front of it would see. Tests and the pictures of the README run programs on it; the
// program itself does not have it.
package terminal
