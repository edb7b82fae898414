// Package batches is the screen of all batches, newest first, with what they read and took over time.
package batches
