// Package spark is the releases of Spark that differ in what they write into a checkpoint or do
// with one: their numbers, and what in a checkpoint tells them apart.
package spark
