// Package kept is what the sources of a query still keep: how far back each can be read, where its head is, and
// what makes it the source that it is. It says nothing about whether that is enough; package checks compares.
//
// Who asks a source is an Asker: the file of --positions, a folder or table that is looked into, the brokers of a
// cluster. Several are put together by All.
package availability
