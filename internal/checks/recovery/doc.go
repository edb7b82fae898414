// Package recovery finds the ways from damaged files to a start that succeeds: set files aside, put files back, roll back,
// or start a new checkpoint (Find). Each way is judged on the checkpoint as it would be without the files; nothing is
// written.
package recovery
