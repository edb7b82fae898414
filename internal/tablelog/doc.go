// Package tablelog is what all readers of tables and output folders stand on: files that are listed and read a
// piece at a time, with bounds. The packages below it know one format each.
package tablelog
