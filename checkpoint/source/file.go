package source

import "tidemark/checkpoint/decode"

// File is the file source: a folder in which files appear. A line is the last entry of the source's
// own log that belongs to the batch, -1 before the first:
//
//	{"logOffset":41}
//	41                  as Spark 2.0 wrote it, and still reads it
//
// The log lies in sources/<i>/. An entry is not a batch of the query: one is written only when files
// were found. The queue source of Apache Bahir (SQS) writes the same.
//
// A new query has no option to go on from here: it finds the files by listing the folder.
//
// Written by FileStreamSourceOffset.
var File = &Kind{
	Name: "file",
	// What a query gives to format() is the form of the files.
	Aliases: []string{"parquet", "orc", "json", "csv", "text", "avro", "xml", "binaryFile"},
	Unit:    "log entries",
	Claims:  func(line decode.JSON) bool { return only(line, "logOffset") || bareInteger(line) },
	Parts: func(line decode.JSON) ([]Part, error) {
		if bareInteger(line) {
			return bareParts(line)
		}
		r := reader{line: line}
		_, v := r.int("logOffset", -1)
		return whole(v), r.err()
	},
	Inclusive: true,

	KeepsFolder: true,
	OnAnother:   "MappingException: Did not find value which can be converted into long",
	Described:   []string{"FileStreamSource["},
	Located:     true,
}
