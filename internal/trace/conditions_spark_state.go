package trace

// sparkState are what Spark and RocksDB say of state.
var sparkState = []*Condition{
	// State: its files.
	{Words: "Copied …, expected … bytes", Topic: stateDamaged, Says: "A RocksDB file has another size than its snapshot records."},
	{Words: "ChecksumException", Topic: checksum, Says: "A file does not match its Hadoop checksum, which is in a hidden .crc file next to it."},
	{Words: "Error reading delta file …Stream", Topic: stateDamaged, Says: "A delta ends within a record or cannot be decompressed."},
	{Words: "Error reading delta file …does not exist", Topic: stateMissing, Says: "A task could not open the delta of a state version: it is missing."},
	{Words: "Error reading snapshot file …does not exist", Topic: stateMissing, Says: "A task could not open the snapshot of a state version: it is missing."},
	{Words: "Error reading streaming state file of …does not exist", Topic: stateMissing, Says: "A task could not open a state file: it is missing."},
	{Words: "FileNotFoundException: …/state/…/SSTs/", Topic: stateMissing, Says: "A task could not open a RocksDB table file of a snapshot: it is missing.", Compares: "whether the file exists and the next start needs it"},
	{Words: "Error reading delta file", Topic: stateDamaged, Says: "A task could not read the delta of a state version."},
	{Words: "Error reading snapshot file", Topic: stateDamaged, Says: "A task could not read the snapshot of a state version."},
	{Words: "Mismatch in unique ID on table file", Topic: stateDamaged.but(Topic{
		About:  "a RocksDB table file is not the one its snapshot names",
		Checks: "The MANIFEST of a snapshot records an ID of each table file. RocksDB compares it with the ID in the file when it opens it.",
		Proves: "The task got a complete table file of this name, but another database or attempt wrote it. It does not show whether the storage or only the executor's local copy has it.",
		Avoid:  "Do not delete the table file: other snapshots may also need it."}),
		Says: "A table file has the right name, but another database or attempt than that of the snapshot wrote it."},
	{Words: "block checksum mismatch", Topic: stateDamaged, Says: "A block of a RocksDB file does not match its checksum."},
	{Words: "Bad table magic number", Topic: stateDamaged, Says: "A file does not end like a RocksDB file."},
	{Words: "RocksDBException", Topic: stateDamaged, Says: "RocksDB could not open or read its files."},
	{Words: "Error decoding offset", Topic: stateDamaged, Says: "A compressed state file cannot be decompressed."},
	{Words: "Stream is corrupted", Topic: stateDamaged, Says: "A compressed state file cannot be decompressed."},
	{Words: "Stream ended prematurely", Topic: stateDamaged, Says: "A compressed state file is truncated."},
	{Words: "Unexpected end of ZLIB input stream", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot is truncated."},
	{Words: "ZipException", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot cannot be unpacked."},
	{Words: "workingDir-…/metadata", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot has no file list, or is empty."},
	{Words: "Unknown frame descriptor", Topic: codec, Says: "A state file was read with another codec than it was written with."},
	{Words: "CODEC_NOT_AVAILABLE", Topic: codec, Says: "This Spark does not have the codec in the offset file."},
	{Words: "Codec […is not available", Topic: codec, Says: "This Spark does not have the codec in the offset file."},
	{Words: "cannot be acquired by", Topic: stateLock, Says: "A task waited for a RocksDB store that another thread of the same executor still used.", Decides: "It depends on the threads of the executor. The message shows what the other one was doing."},
	{Words: "For input string: \"…_", Topic: stateIDs, Says: "The names of state files contain IDs (checkpoint format 2), but this run reads them as numbers."},

	// State: what it is.
	{Words: "Provided schema doesn't match to the schema for existing state", Topic: stateSchema, Says: "The key or value schema of the query differs from that of the state."},
	{Words: "state format invalidation", Topic: rowFormat, Says: "The bytes of a state row do not match the schema of the query."},
}
