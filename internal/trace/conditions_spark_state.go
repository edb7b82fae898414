package trace

// sparkState are what Spark and RocksDB say of state.
var sparkState = []*Condition{
	// State: its files.
	{Words: "Copied …, expected … bytes", Topic: stateDamaged, Says: "A RocksDB file has another size than its snapshot records."},
	{Words: "ChecksumException", Topic: checksum, Says: "A file disagrees with the checksum that Hadoop wrote beside it, in a hidden file that ends in .crc."},
	{Words: "Error reading delta file …Stream", Topic: stateDamaged, Says: "A delta ends within a record or does not decompress."},
	{Words: "Error reading delta file …does not exist", Topic: stateMissing, Says: "A task opens the delta of a state version, and it is not there."},
	{Words: "Error reading snapshot file …does not exist", Topic: stateMissing, Says: "A task opens the snapshot of a state version, and it is not there."},
	{Words: "Error reading streaming state file of …does not exist", Topic: stateMissing, Says: "A task opens a state file, and it is not there."},
	{Words: "FileNotFoundException: …/state/…/SSTs/", Topic: stateMissing, Says: "A task opens a table of RocksDB that a snapshot names, and it is not there.", Compares: "whether the file is there, and the next start needs it"},
	{Words: "Error reading delta file", Topic: stateDamaged, Says: "A task could not read the delta of a state version."},
	{Words: "Error reading snapshot file", Topic: stateDamaged, Says: "A task could not read the snapshot of a state version."},
	{Words: "Mismatch in unique ID on table file", Topic: stateDamaged.but(Topic{
		About:  "a table of RocksDB is another one than its snapshot names",
		Checks: "The MANIFEST of a snapshot records an id of each table file, and RocksDB compares it with the one in the file when it opens it.",
		Proves: "It proves that the task got a whole table file of this name that another database, or another attempt, wrote. It does not tell whether it lies so in the storage or only in the executor's local copy.",
		Avoid:  "Do not delete the table file: other snapshots may name it too."}),
		Says: "A table file has the right name, and was written by another database or another attempt than the snapshot."},
	{Words: "block checksum mismatch", Topic: stateDamaged, Says: "A block of a RocksDB file disagrees with its checksum."},
	{Words: "Bad table magic number", Topic: stateDamaged, Says: "A RocksDB file does not end as one does."},
	{Words: "RocksDBException", Topic: stateDamaged, Says: "RocksDB could not open or read its files."},
	{Words: "Error decoding offset", Topic: stateDamaged, Says: "A compressed state file does not decompress."},
	{Words: "Stream is corrupted", Topic: stateDamaged, Says: "A compressed state file does not decompress."},
	{Words: "Stream ended prematurely", Topic: stateDamaged, Says: "A compressed state file ends before its end."},
	{Words: "Unexpected end of ZLIB input stream", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot ends before its end."},
	{Words: "ZipException", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot does not unpack."},
	{Words: "workingDir-…/metadata", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot lacks the list of its files, or has no bytes."},
	{Words: "Unknown frame descriptor", Topic: codec, Says: "A state file was read with another codec than it was written with."},
	{Words: "CODEC_NOT_AVAILABLE", Topic: codec, Says: "The plan names a codec that this Spark does not have."},
	{Words: "Codec […is not available", Topic: codec, Says: "The plan names a codec that this Spark does not have."},
	{Words: "cannot be acquired by", Topic: stateLock, Says: "A task waited for a RocksDB store that another thread of the same executor still held.", Decides: "The threads of the executor decide it: the message holds what the other one was doing."},
	{Words: "For input string: \"…_", Topic: stateIDs, Says: "The names of state files hold ids (checkpoint format 2), and this run reads them as numbers."},

	// State: what it is.
	{Words: "Provided schema doesn't match to the schema for existing state", Topic: stateSchema, Says: "Key or value of the query's state are not those that the state was written with."},
	{Words: "state format invalidation", Topic: rowFormat, Says: "The bytes of a row of state are not a row of the schema that the query has now."},
}
