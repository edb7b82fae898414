// Package files is the screen of the files of a checkpoint, as a tree.
package files
