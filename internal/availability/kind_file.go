package availability

import "tidemark/checkpoint/source"

// file is a folder of files: no position says which of them are still there.
var file = &Kind{
	Kind: source.File,
	Ask:  AskLocation,
	look: askFolder,

	FilesToo: true,

	OnMissing: `A task stops at a file that is not there, unless spark.sql.files.ignoreMissingFiles or the option of that name is on; then its rows are missing
without a word. The option cleanSource takes files of committed batches only.`,
}
