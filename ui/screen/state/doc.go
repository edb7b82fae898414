// Package state is the screen of the state stores: what a restart loads, and what is wrong with it.
package state
