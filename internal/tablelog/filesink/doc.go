// Package filesink reads the log that Spark's file sink keeps of what it wrote.
package filesink
