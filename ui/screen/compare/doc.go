// Package compare is the screen of two batches and what they differ in.
package compare
