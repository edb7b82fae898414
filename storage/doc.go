// Package storage reads bytes from where they are: a folder, a bucket, an archive, any fs.FS.
//
// It knows files and nothing of Spark, and it has no method to write with. A Store is what the rest of the program
// sees. A backend, one layer below, makes single requests: a page of a listing, a part of a file. What counts, limits
// or repeats requests is a backend around a backend (Meter, budget, limit, retry); what was read is remembered by a
// Store around a Store (cache). What is the same for all stores is a function over a Store: ReadFile, ReaderAt, Sub,
// Without, Pages.
//
// To add a backend, write one file and one line. The file has a type with the three methods of backend (page, open,
// String), and a function that opens a location: it returns remote(b, o) for an object store, which is cached, repeated
// and limited, and compose(b, o) for anything on this machine. The line goes into schemes, in open.go: the name before
// the colon, that function, and which local paths such a location stands for, if any. Then add the backend to the list
// in backends_test.go, and the suite that all backends pass tests it. A form of archive is a line in packings,
// in archive.go.
//
// ParallelMap, Poll and Recover are how this program starts goroutines: in order, ended with their caller, and with a
// panic as an error.
package storage
