// Package availability finds out what the sources of a query still have: how far back each can be read, where its head
// is, and what makes it the source that it is. It does not say whether that is enough; package checks compares.
//
// A Prober asks: the file of --positions, a folder or table that is looked into, the brokers of a cluster. A Chain puts
// several together.
//
// What is known of a kind of source, beside what its lines say, is a row of Kinds in a file of its own: how a person
// writes its positions, who can be asked, how a new query begins there, and what a start does about a loss. To add a
// kind, write its file in checkpoint/source and, where something can be told of it, one here, and a line in each list.
package availability
