package availability

import "tidemark/checkpoint/source"

// file is a folder of files: no position says which of them are still there.
var file = &Kind{
	Kind: source.File,
	Ask:  AskLocation,
	look: askFolder,

	FilesToo: true,

	OnMissing: `A task fails if a file is missing. With spark.sql.files.ignoreMissingFiles or the source option ignoreMissingFiles on,
Spark silently skips its rows instead. cleanSource removes only files of committed batches.`,
}
