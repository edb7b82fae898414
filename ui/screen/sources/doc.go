// Package sources is the screen of the sources and their partitions over time.
package sources
