// Package testfiles reads the archives of real checkpoints and tables that tests work on.
package testfiles
