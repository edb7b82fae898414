// Package batch is the screen of one batch: what its files mean, next to the files.
package batch
