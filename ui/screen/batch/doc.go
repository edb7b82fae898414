// Package batch is the screen of one batch: its files beside what they mean.
package batch
