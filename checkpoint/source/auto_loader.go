package source

import "tidemark/checkpoint/decode"

// AutoLoader is Auto Loader of Databricks (cloudFiles). A line holds the number of the last file, in
// the order in which files were discovered:
//
// {"seqNum":234,"sourceVersion":3,"lastBackfillStartTimeMs":1764400000000,
// "lastBackfillFinishTimeMs":1764400002000,"lastInputPath":"abfss://…"}
//
// Source version 1 has no lastInputPath. Which files these are stands in a RocksDB of its own layout
// under sources/<i>/rocksdb, which is not read here. A difference is at most the number of files: the
// source is closed, and its documentation does not say more.
var AutoLoader = &Kind{
	Name:    "auto-loader",
	Aliases: []string{"cloudFiles", "cloud-files", "autoloader"},
	Unit:    "files",
	Claims:  func(line decode.JSON) bool { return has(line, "seqNum", "sourceVersion") && !has(line, "reservoirId") },
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		r.int("sourceVersion", 1)
		_, v := r.int("seqNum", -1)
		return whole(v), r.err()
	},
	Inclusive: true,
	CountIs:   "at most",

	Folders:   []string{"rocksdb"},
	Described: []string{"CloudFilesSource["},
}
