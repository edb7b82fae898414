// Package explain is the screen of an error of Spark, and what the checkpoint shows of it.
package explain
