// Package spec is what the code of a query declares: the sources, operators, settings and sink of a
// streaming query as its owner writes them down, or as they are read off a checkpoint. It says nothing about
// whether a checkpoint agrees; package checks compares.
package spec
