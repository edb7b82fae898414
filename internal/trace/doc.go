// Package trace holds a stack trace of Spark beside the checkpoint that it is about: which error it is,
// which file and batch it names, and what stands there now.
//
// A trace is text that somebody pasted. Nothing in it is believed: it says where to look, and the
// checkpoint says what is there.
package trace
