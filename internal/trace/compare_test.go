package trace

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/storage"
)

// goldenTree is the checkpoint of a golden, to be altered.
func goldenTree(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	file, err := os.Open("../../testdata/golden/" + name + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for in := tar.NewReader(unzipped); ; {
		h, err := in.Next()
		if err == io.EOF {
			return tree
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, name, ok := strings.Cut(h.Name, "checkpoint/"); ok && h.Typeflag == tar.TypeReg {
			data, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			tree[name] = &fstest.MapFile{Data: data, ModTime: now.Add(-1000 * 1000)}
		}
	}
}

// The alterations of a tree.
type alter func(fstest.MapFS)

func without(begin string) alter {
	return func(tree fstest.MapFS) {
		for name := range tree {
			if strings.HasPrefix(name, begin) {
				delete(tree, name)
			}
		}
	}
}

func with(name, data string) alter {
	return func(tree fstest.MapFS) { tree[name] = &fstest.MapFile{Data: []byte(data), ModTime: now} }
}

func both(all ...alter) alter {
	return func(tree fstest.MapFS) {
		for _, a := range all {
			a(tree)
		}
	}
}

const (
	timers  = "state-4.3-rockscl-tws-timers"
	expiry  = "state-4.3-rocks-tws-ttl-avro"
	withIDs = "state-4.3-rockscl-ckptv2-window-agg"
	windows = "state-4.3-hdfs-window-agg"
	tables  = "state-4.3-rocks-window-agg"
	old     = "state-3.5-hdfs-window-agg"

	sst      = "state/0/0/SSTs/000019-7d88a8eb-8f85-42c9-a0d1-84d6dca5c299.sst"
	newestID = "2c96c6c8-cea8-4fe1-b1cd-5c6942b50bd7"
	otherID  = "00000000-0000-4000-8000-000000000000"
)

// comparisons are messages of conditions beside goldens of real releases, and beside goldens of which something was
// altered.
var comparisons = []struct {
	name, golden string
	alter        alter
	message      string
	want         Agreement
	says         string // part of the reason
}{
	{"mode", timers, nil, "[STATE_STORE_INVALID_CONFIG_AFTER_RESTART] Cannot change timeMode from EventTime to ProcessingTime between restarts. Please set timeMode to EventTime, or restart with a new checkpoint directory. SQLSTATE: 42K06", Agrees, "state/0/_metadata/v2/0 records timeMode EventTime, as in the message; the query used ProcessingTime"},
	{"mode, its first layout", timers, nil, "[STATE_STORE_INVALID_CONFIG_AFTER_RESTART] outputMode Update is not equal to Append. Please set outputMode to Update, or restart with a new checkpoint directory.", Agrees, "outputMode Update"},
	{"mode", timers, nil, "[STATE_STORE_INVALID_CONFIG_AFTER_RESTART] Cannot change timeMode from ProcessingTime to EventTime between restarts. Please", Disagrees, "records timeMode EventTime"},
	{"mode", windows, nil, "[STATE_STORE_INVALID_CONFIG_AFTER_RESTART] Cannot change timeMode from EventTime to None between restarts. Please", CannotTell, "No operator of this checkpoint records timeMode"},

	{"variable", timers, nil, "[STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE] Cannot change total to ListState between query restarts. Please set total to ValueState, or restart with a new checkpoint directory.", Agrees, "the type of total as ValueState, as in the message; the query has ListState"},
	{"variable", timers, nil, "[STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE] Cannot change seen to ValueState between query restarts. Please set seen to MapState, or restart", Disagrees, "records the type of seen as ListState"},
	{"variable", timers, nil, "[STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE] Cannot change sum to ValueState between query restarts. Please set sum to MapState, or restart", Disagrees, "No operator of this checkpoint records a state variable sum"},
	{"variable", windows, nil, "[STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE] Cannot change sum to ValueState between query restarts. Please set sum to MapState, or restart", CannotTell, ""},
	{"variable that is not taken", timers, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.UNSUPPORTED_TRANSFORM_WITH_STATE_VARIABLE_TYPE] The provided checkpoint is invalid. Unsupported transformWithState variable type ListState (TTL_Enabled: false, ColFamilyName: seen). Please", Agrees, "seen"},

	{"column family", timers, nil, "[STATE_STORE_COLUMN_FAMILY_SCHEMA_INCOMPATIBLE] Incompatible schema transformation with column family=total, oldSchema=StructType(StructField(n,LongType,true),StructField(label,StringType,true),StructField(last,DoubleType,true)), newSchema=StructType(StructField(n,IntegerType,true)).", Agrees, "with the old columns of the message: n, label, last; the query has n"},
	{"column family", timers, nil, "[STATE_STORE_COLUMN_FAMILY_SCHEMA_INCOMPATIBLE] Incompatible schema transformation with column family=total, oldSchema=StructType(StructField(m,LongType,true)), newSchema=StructType(StructField(n,IntegerType,true)).", Disagrees, "total with n, label, last"},
	{"column family", timers, nil, "[STATE_STORE_COLUMN_FAMILY_SCHEMA_INCOMPATIBLE] Incompatible schema transformation with column family=sum, oldSchema=x, newSchema=y.", Disagrees, "No schema of this checkpoint has a column family sum"},
	{"column family", timers, nil, "[STATE_STORE_COLUMN_FAMILY_SCHEMA_INCOMPATIBLE] Incompatible schema transformation with column family=total, oldSchema=x, newSchema=y.", CannotTell, ""},
	{"column family missing", timers, nil, "[STATE_STORE_UNSUPPORTED_OPERATION_ON_MISSING_COLUMN_FAMILY] State store operation=GET not supported on missing column family=sum.", Agrees, "No schema of this checkpoint has a column family sum"},
	{"column family missing", timers, nil, "[STATE_STORE_UNSUPPORTED_OPERATION_ON_MISSING_COLUMN_FAMILY] State store operation=GET not supported on missing column family=total.", Disagrees, "records the column family total"},
	{"column family unknown", timers, nil, "[STATE_STORE_UNKNOWN_INTERNAL_COLUMN_FAMILY] Unknown internal column family: $rowCounter_seen. This internal column family is not recognized", Agrees, "$rowCounter_seen"},
	{"key encoder", timers, nil, "[STATE_REWRITER_INVALID_CHECKPOINT.MISSING_KEY_ENCODER_SPEC] Key state encoder spec is expected for column family 'total' but was not found. This is", Disagrees, "records a key encoder"},
	{"key encoder", windows, nil, "[STATE_REWRITER_INVALID_CHECKPOINT.MISSING_KEY_ENCODER_SPEC] Key state encoder spec is expected for column family 'default' but was not found. This is", Agrees, "without a key encoder"},
	{"evolution", expiry, nil, `[STATE_STORE_INVALID_VALUE_SCHEMA_EVOLUTION] Schema evolution is not possible new value_schema={"type":"record","name":"topLevelRecord","fields":[{"name":"value","type":"int"},{"name":"ttlExpirationMs","type":"long"}]} and old value_schema={"type":"record","name":"topLevelRecord","fields":[{"name":"value","type":"string"},{"name":"ttlExpirationMs","type":"long"}]} Please check`, Agrees, "value, ttlExpirationMs"},
	{"evolutions", expiry, nil, "[STATE_STORE_VALUE_SCHEMA_EVOLUTION_THRESHOLD_EXCEEDED] The number of state schema evolutions 17 exceeds the maximum number of state schema evolutions, 16, allowed for this column family. Offending column family: total Please set", Disagrees, "records the value schema of total with number 0"},
	{"evolutions", expiry, nil, "[STATE_STORE_VALUE_SCHEMA_EVOLUTION_THRESHOLD_EXCEEDED] The number of state schema evolutions 1 exceeds the maximum number of state schema evolutions, 0, allowed for this column family. Offending column family: total Please set", Agrees, "The message has 1, and 0 are allowed"},
	{"schema files", timers, nil, "[STATE_STORE_STATE_SCHEMA_FILES_THRESHOLD_EXCEEDED] The number of state schema files 2 exceeds the maximum number of state schema files for this query: 1. Added: x, Removed: y Please", Agrees, "state/0/_metadata/v2/0 records 1 schema files"},
	{"schema files", timers, nil, "[STATE_STORE_STATE_SCHEMA_FILES_THRESHOLD_EXCEEDED] The number of state schema files 129 exceeds the maximum number of state schema files for this query: 128. Added: x, Removed: y Please", Disagrees, "as 1"},

	{"ids", withIDs, nil, "[STATE_STORE_BASE_CHECKPOINT_ID_MISMATCH] State store checkpoint validation failed for batch 10. The base checkpoint ID reported by partition 0 of operator 0 does not match the expected checkpoint ID. Expected: " + newestID + ". Actual: " + otherID + ".", Agrees, "commits/9 records the ID " + newestID},
	{"ids, as lists", withIDs, nil, "[STATE_STORE_BASE_CHECKPOINT_ID_MISMATCH] State store checkpoint validation failed for batch 10. The base checkpoint ID reported by partition 0 of operator 0 does not match the expected checkpoint ID. Expected: [" + otherID + "]. Actual: [" + newestID + "].", Disagrees, "now: the loaded one of the message"},
	{"ids, none", withIDs, nil, "[STATE_STORE_BASE_CHECKPOINT_ID_MISMATCH] State store checkpoint validation failed for batch 11. The base checkpoint ID reported by partition 0 of operator 0 does not match the expected checkpoint ID. Expected: [" + newestID + "]. Actual: None.", Agrees, "The loaded state had none"},
	{"ids", withIDs, nil, "[STATE_STORE_BASE_CHECKPOINT_ID_MISMATCH] State store checkpoint validation failed for batch 10. The base checkpoint ID reported by partition 7 of operator 0 does not match the expected checkpoint ID. Expected: " + newestID + ". Actual: " + otherID + ".", Disagrees, "Neither ID"},
	{"lineage", withIDs, nil, "[CANNOT_LOAD_STATE_STORE.CANNOT_FIND_BASE_SNAPSHOT_CHECKPOINT] An error occurred during loading state. Cannot find a base snapshot checkpoint with lineage: 10_" + newestID + ".", Agrees, "None of the versions in the message has a snapshot"},
	{"lineage", withIDs, nil, "[CANNOT_LOAD_STATE_STORE.CANNOT_FIND_BASE_SNAPSHOT_CHECKPOINT] An error occurred during loading state. Cannot find a base snapshot checkpoint with lineage: 9_4cf3c742-764a-4482-a87e-bf88f2ce0f5d 10_" + newestID + ".", Disagrees, "state/0/0/9_4cf3c742-764a-4482-a87e-bf88f2ce0f5d.zip is a snapshot"},
	{"lineage", withIDs, nil, "[CANNOT_LOAD_STATE_STORE.INVALID_CHECKPOINT_LINEAGE] An error occurred during loading state. Invalid checkpoint lineage: 9_" + otherID + " 10_" + newestID + ". Lineage is not contiguous.", Agrees, "9_" + otherID},

	{"size", tables, with(sst, "too short"), "[CANNOT_LOAD_STATE_STORE.UNEXPECTED_FILE_SIZE] An error occurred during loading state. Copied file:/x/" + sst + " to /tmp/y, expected 1266 bytes, found 9 bytes.", Agrees, sst + " has 9 bytes, as Spark found. Its recorded size is 1,266 bytes"},
	{"size", tables, nil, "[CANNOT_LOAD_STATE_STORE.UNEXPECTED_FILE_SIZE] An error occurred during loading state. Copied file:/x/" + sst + " to /tmp/y, expected 1266 bytes, found 9 bytes.", Disagrees, "but Spark found 9 bytes"},
	{"size", tables, with(sst, "another"), "[CANNOT_LOAD_STATE_STORE.UNEXPECTED_FILE_SIZE] An error occurred during loading state. Copied file:/x/" + sst + " to /tmp/y, expected 1266 bytes, found 9 bytes.", Disagrees, "neither the 9"},
	{"size by checksum", windows, with("state/0/0/12.delta", "123"), "[CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED] Checksum verification failed, the file may be corrupted. File: file:/x/state/0/0/12.delta Expected (file size: 90, checksum: 1), Computed (file size: 3, checksum: 2).", Agrees, "has 3 bytes, as Spark found"},
	{"partition", windows, nil, "[CANNOT_LOAD_STATE_STORE.SNAPSHOT_PARTITION_ID_NOT_FOUND] An error occurred during loading state. Partition id 7 not found for state of operator 0 at file:/x.", Agrees, "state/0/7 is missing"},
	{"partition", windows, nil, "[CANNOT_LOAD_STATE_STORE.SNAPSHOT_PARTITION_ID_NOT_FOUND] An error occurred during loading state. Partition id 1 not found for state of operator 0 at file:/x.", Disagrees, "state/0/1 exists"},
	{"partitions", windows, nil, "[STDS_NO_PARTITION_DISCOVERED_IN_STATE_STORE] The state does not have any partition. Please", Disagrees, "state/0 has 2"},
	{"operator metadata", old, nil, "[STDS_FAILED_TO_READ_OPERATOR_METADATA] Failed to read the operator metadata for checkpointLocation=x and batchId=1.", Agrees, "state/0 has no readable operator metadata"},
	{"operator metadata", windows, nil, "[STDS_FAILED_TO_READ_OPERATOR_METADATA] Failed to read the operator metadata for checkpointLocation=x and batchId=1.", Disagrees, "state/0/_metadata/metadata"},
	{"schema file", windows, nil, "[STDS_FAILED_TO_READ_STATE_SCHEMA] Failed to read the state schema.", Disagrees, ""},
	{"operator name", timers, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.UNSUPPORTED_STATEFUL_OPERATOR] The provided checkpoint is invalid. Unsupported stateful operator transformWithStateExec. Please use", Agrees, "state/0"},
	{"operator name", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.UNSUPPORTED_STATEFUL_OPERATOR] The provided checkpoint is invalid. Unsupported stateful operator transformWithStateExec. Please use", Disagrees, "stateStoreSave"},

	{"provider", windows, nil, "[UNSUPPORTED_FEATURE.STATE_STORE_MULTIPLE_COLUMN_FAMILIES] The feature is not supported: Creating multiple column families with org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider is not supported.", Agrees, "HDFSBackedStateStoreProvider"},
	{"provider", tables, nil, "[UNSUPPORTED_FEATURE.STATE_STORE_MULTIPLE_COLUMN_FAMILIES] The feature is not supported: Creating multiple column families with HDFSStateStoreProvider is not supported.", Disagrees, "RocksDBStateStoreProvider"},

	{"stores", windows, without("commits/11"), "[STATE_STORE_COMMIT_VALIDATION_FAILED] State store commit validation failed for batch 11. Expected 2 commits but got 1. Missing commits: op 0. This error", Agrees, "Batch 11 is not committed"},
	{"stores", windows, nil, "[STATE_STORE_COMMIT_VALIDATION_FAILED] State store commit validation failed for batch 11. Expected 2 commits but got 1. Missing commits: op 0. This error", Disagrees, "commits/11 exists now"},
	{"stores", windows, without("commits/11"), "[STATE_STORE_COMMIT_VALIDATION_FAILED] State store commit validation failed for batch 11. Expected 400 commits but got 1. Missing commits: op 0. This error", CannotTell, "record 2 stores"},

	{"query id file", windows, without("metadata"), "[STREAMING_CHECKPOINT_MISSING_METADATA_FILE] Checkpoint location x is in an inconsistent state: the metadata file is missing", Agrees, "metadata is missing, and offsets has batches"},
	{"query id file", windows, nil, "[STREAMING_CHECKPOINT_MISSING_METADATA_FILE] Checkpoint location x is in an inconsistent state: the metadata file is missing", Disagrees, "metadata exists now"},
	{"no commit", windows, without("commits/"), "[STDS_COMMITTED_BATCH_UNAVAILABLE] No committed batch found, checkpoint location: x.", Agrees, "commits contains no batch"},
	{"no commit", windows, nil, "[STDS_COMMITTED_BATCH_UNAVAILABLE] No committed batch found, checkpoint location: x.", Disagrees, "The newest file in commits is 11"},
	{"no batch", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.NO_BATCH_FOUND] x is in an invalid state. No microbatch", Disagrees, "The newest file in offsets is 11"},
	{"plan missing", windows, nil, "[STDS_OFFSET_LOG_UNAVAILABLE] The offset log for 99 does not exist, checkpoint location: x.", Agrees, "offsets/99 is missing"},
	{"plan missing", windows, nil, "[STDS_OFFSET_LOG_UNAVAILABLE] The offset log for 5 does not exist, checkpoint location: x.", Disagrees, "offsets/5 exists"},
	{"plan head", windows, nil, "[STDS_OFFSET_METADATA_LOG_UNAVAILABLE] Metadata is not available for offset log for 5, checkpoint location: x.", Disagrees, "offsets/5 has its second line"},
	{"plan head", windows, with("offsets/5", "v1\n\n{\"logOffset\":0}"), "[STDS_OFFSET_METADATA_LOG_UNAVAILABLE] Metadata is not available for offset log for 5, checkpoint location: x.", Agrees, "offsets/5 has no second line"},
	{"plan head", windows, nil, "[STDS_OFFSET_METADATA_LOG_UNAVAILABLE] Metadata is not available for offset log for 99, checkpoint location: x.", CannotTell, "offsets/99 could not be read"},
	{"unwritten", windows, nil, "[STREAMING_CHECKPOINT_LOG_WRITE_FAILURE.OFFSET_LOG] Failed to write a streaming query checkpoint log entry. Failed to write offset log entry for batch 12 at checkpoint location x.", Agrees, "offsets/12 is missing: it was not written"},
	{"unwritten", windows, nil, "[STREAMING_CHECKPOINT_LOG_WRITE_FAILURE.COMMIT_LOG] Failed to write a streaming query checkpoint log entry. Failed to write commit log entry for batch 11 at checkpoint location x.", Disagrees, "commits/11 exists now"},
	{"begun", windows, nil, "[STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY] The checkpoint location x should be empty on batch 0", Disagrees, "The newest file in commits is 11"},
	{"begun", windows, both(without("commits/"), without("offsets/1"), without("offsets/2"), without("offsets/3"), without("offsets/4"), without("offsets/5"), without("offsets/6"), without("offsets/7"), without("offsets/8"), without("offsets/9")), "[STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY] The checkpoint location x should be empty on batch 0", Agrees, ""},
	{"no recovery", windows, nil, "This query does not support recovering from checkpoint location. Delete x/offsets to start over.", Agrees, "The newest file in offsets is 11"},

	{"log version", "4.3-commits-v2-stateless", nil, "[INVALID_LOG_VERSION.EXACT_MATCH_VERSION] UnsupportedLogVersion. The only supported log version is v1, but encountered v2.", Agrees, "has version v2; that release supports v1"},
	{"log version", windows, nil, "[INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION] UnsupportedLogVersion. The maximum supported log version is v1, but encountered v9. The log file", CannotTell, "None of the files a start reads first has version v9"},
	{"plan version", windows, nil, "[STREAMING_QUERY_EVOLUTION_ERROR.CANNOT_ENABLE_ON_EXISTING_CHECKPOINT] Streaming query evolution error: Cannot enable. The existing checkpoint uses offset log format version 1, which does", Agrees, "offsets/11 records the version 1"},
	{"plan version", "4.3-offsets-v2", nil, "[STREAMING_QUERY_EVOLUTION_ERROR.CANNOT_ENABLE_ON_EXISTING_CHECKPOINT] Streaming query evolution error: Cannot enable. The existing checkpoint uses offset log format version 1, which does", Disagrees, "records the version 2"},

	{"format", windows, nil, "[STREAMING_REAL_TIME_MODE.CHECKPOINT_FORMAT_V1_NOT_SUPPORTED] Real-time mode does not support state store checkpoint format v1", Agrees, "commits/11 records checkpoint format 1"},
	{"format", withIDs, nil, "[STREAMING_REAL_TIME_MODE.CHECKPOINT_FORMAT_V1_NOT_SUPPORTED] Real-time mode does not support state store checkpoint format v1", Disagrees, "records checkpoint format 2"},
	{"format", windows, without("commits/"), "[STREAMING_REAL_TIME_MODE.CHECKPOINT_FORMAT_V1_NOT_SUPPORTED] Real-time mode does not support state store checkpoint format v1", CannotTell, ""},
	{"format of the session", withIDs, nil, "[STATE_REWRITER_INVALID_CHECKPOINT.STATE_CHECKPOINT_FORMAT_VERSION_MISMATCH] x is in an invalid state. The checkpoint format version in SQLConf does not match. Expected version 2, but found 1. Please set", Agrees, "checkpoint format 2"},
	{"formats", withIDs, nil, "[STDS_MIXED_CHECKPOINT_FORMAT_VERSIONS_NOT_SUPPORTED] Reading is not supported. startBatchId=8, endBatchId=9. startFormatVersion=1, endFormatVersion=2.", Disagrees, "commits/8 records checkpoint format 2"},
	{"formats", withIDs, nil, "[STDS_MIXED_CHECKPOINT_FORMAT_VERSIONS_NOT_SUPPORTED] Reading is not supported. startBatchId=8, endBatchId=99. startFormatVersion=1, endFormatVersion=2.", CannotTell, "batch 99"},
	{"formats", withIDs, with("commits/8", "v1\n{\"nextBatchWatermarkMs\":0}"), "[STDS_MIXED_CHECKPOINT_FORMAT_VERSIONS_NOT_SUPPORTED] Reading is not supported. startBatchId=8, endBatchId=9. startFormatVersion=1, endFormatVersion=2.", Agrees, "commits/8 records checkpoint format 1, commits/9 records checkpoint format 2"},
	{"ids not supported", withIDs, nil, "[STATE_STORE_CHECKPOINT_IDS_NOT_SUPPORTED] x", Agrees, "records checkpoint format 2"},
	{"ids not supported", windows, nil, "[STATE_STORE_CHECKPOINT_IDS_NOT_SUPPORTED] x", CannotTell, "HDFSBackedStateStoreProvider"},

	{"last batch", windows, without("commits/11"), "[STATE_REPARTITION_INVALID_CHECKPOINT.LAST_BATCH_FAILED] x is in an invalid state. The last batch ID 11 didn't finish successfully. Please", Agrees, "Batch 11 is the newest batch and is not committed"},
	{"last batch", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.LAST_BATCH_FAILED] x is in an invalid state. The last batch ID 11 didn't finish successfully. Please", Disagrees, "commits/11 exists now"},
	{"last batch", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.LAST_BATCH_FAILED] x is in an invalid state. The last batch ID 9 didn't finish successfully. Please", Disagrees, "that of batch 11"},
	{"unfinished", windows, without("commits/11"), "[STREAMING_UNFINISHED_REPARTITION_DETECTED] The latest batch 11 is for an unfinished state repartitioning i.e. last committed batch is: 10). Please", CannotTell, "does not show that it is a change of partitions"},
	{"same partitions", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.SHUFFLE_PARTITIONS_ALREADY_MATCH] x. The number of shuffle partitions in the last committed batch (id=11) is the same as the requested 2 partitions. Hence", Agrees, "as 2"},
	{"same partitions", windows, nil, "[STATE_REPARTITION_INVALID_CHECKPOINT.SHUFFLE_PARTITIONS_ALREADY_MATCH] x. The number of shuffle partitions in the last committed batch (id=11) is the same as the requested 9 partitions. Hence", Disagrees, "as 2"},

	{"pair of settings", windows, nil, "[STREAM_STREAM_JOIN_INCOMPATIBLE_STATE_STORE_CONFIGS] The configuration values `spark.sql.streaming.join.stateFormatVersion=2` and `spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion=2` are incompatible.", Agrees, "records spark.sql.streaming.join.stateFormatVersion=2"},
	{"pair of settings", windows, nil, "[STREAM_STREAM_JOIN_INCOMPATIBLE_STATE_STORE_CONFIGS] The configuration values `spark.sql.streaming.join.stateFormatVersion=4` and `spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion=1` are incompatible.", Disagrees, "unlike the message"},
	{"watermark", timers, nil, "[EMITTING_ROWS_OLDER_THAN_WATERMARK_NOT_ALLOWED] Previous node emitted a row with eventTime=5 which is older than current_watermark_value=1772359290023000 This can", Agrees, "1772359290023 ms"},
	{"watermark", timers, nil, "[EMITTING_ROWS_OLDER_THAN_WATERMARK_NOT_ALLOWED] Previous node emitted a row with eventTime=5 which is older than current_watermark_value=77 This can", Disagrees, "but the message has 77"},
	{"rate", "rate-micro-batch", nil, "[MALFORMED_STATE_IN_RATE_PER_MICRO_BATCH_SOURCE.INVALID_TIMESTAMP] Malformed state. The timestamp value is invalid: startTimestamp should be less, but startTimestamp(9000) > endTimestamp(7000). This", Agrees, "offsets/6 has the position 7000"},
	{"rate", "rate-micro-batch", nil, "[MALFORMED_STATE_IN_RATE_PER_MICRO_BATCH_SOURCE.INVALID_OFFSET] Malformed state. startOffset(900) > endOffset(1).", Disagrees, "Neither"},

	{"watermark of the batch before", timers, nil, "[EMITTING_ROWS_OLDER_THAN_WATERMARK_NOT_ALLOWED] Previous node emitted a row with eventTime=5 which is older than current_watermark_value=1772359290023 This can", Agrees, "1772359290023 ms"},

	{"repair", windows, without("state/0/0/12.snapshot"), "[CANNOT_LOAD_STATE_STORE.AUTO_SNAPSHOT_REPAIR_FAILED] An error occurred during loading state. Failed to load snapshot version 12 for state store StateStoreId[ operatorId=0, partitionId=0, storeName=default ]. An attempt to auto repair using snapshot versions (6) out of available snapshots (6) also failed.", Agrees, "state/0/0 has no snapshot of version 12 now"},
	{"repair", windows, nil, "[CANNOT_LOAD_STATE_STORE.AUTO_SNAPSHOT_REPAIR_FAILED] An error occurred during loading state. Failed to load snapshot version 12 for state store StateStoreId[ operatorId=0, partitionId=0, storeName=default ]. An attempt to auto repair using snapshot versions (6) out of available snapshots (6) also failed.", Disagrees, ""},
	{"join", "state-4.3-rockscl-join-inner", nil, "[STREAM_STREAM_JOIN_INCONSISTENT_STATE.NULL_VALUE] Detected inconsistency in stream-stream join state. Value at index 3 is null while numValues is 5. joinSide=LeftSide, storeVersion=4, partitionId=0. Enable x", CannotTell, "of partition 0, but the message has 4"},
	{"join", windows, nil, "[STREAM_STREAM_JOIN_INCONSISTENT_STATE.NULL_VALUE] Detected inconsistency in stream-stream join state. Value at index 3 is null while numValues is 5. joinSide=LeftSide, storeVersion=4, partitionId=0. Enable x", CannotTell, "loads no join state for partition 0"},
	{"join by time", "state-4.3-rockscl-join-inner", nil, "[STREAM_STREAM_JOIN_INCONSISTENT_STATE.RANGE_SCAN_TIMESTAMP_OUT_OF_RANGE] Detected inconsistency in stream-stream join state. Range scan returned a row with timestamp 5 outside the expected range [6, 7].", CannotTell, "are not compared here"},
	{"row checksum", windows, nil, "[STATE_STORE_ROW_CHECKSUM_VERIFICATION_FAILED] Row checksum verification failed for stateStore=x. The row may be corrupted. Expected checksum: 1, Computed checksum: 2.", CannotTell, "Row checksums were not checked"},
	{"unknown", windows, nil, "[STATE_STORE_OF_A_LATER_RELEASE] x", CannotTell, "tidemark does not know this error"},
	{"metadata version", windows, with("state/0/_metadata/metadata", "v7\n{}"), "[STATE_REWRITER_INVALID_CHECKPOINT.UNSUPPORTED_STATE_STORE_METADATA_VERSION] x is in an invalid state. Unsupported", Agrees, "state/0/_metadata/metadata has version 7"},
	{"metadata version", windows, nil, "[STATE_REWRITER_INVALID_CHECKPOINT.UNSUPPORTED_STATE_STORE_METADATA_VERSION] x is in an invalid state. Unsupported", CannotTell, ""},
	{"operator metadata that is damaged", windows, with("state/0/_metadata/metadata", "v1\n{"), "[STDS_FAILED_TO_READ_OPERATOR_METADATA] Failed to read the operator metadata for checkpointLocation=x and batchId=1.", Agrees, "state/0/_metadata/metadata exists but cannot be decoded"},
	{"schema file that is damaged", windows, with("state/0/0/_metadata/schema", "no schema"), "[STDS_FAILED_TO_READ_STATE_SCHEMA] Failed to read the state schema.", Agrees, "state/0/0/_metadata/schema exists but cannot be decoded"},
	{"schema file", windows, without("state/0/0/_metadata"), "[STDS_FAILED_TO_READ_STATE_SCHEMA] Failed to read the state schema.", Agrees, "state/0 has no state schema"},
	{"partitions", windows, without("state/"), "[STDS_NO_PARTITION_DISCOVERED_IN_STATE_STORE] The state does not have any partition. Please", Agrees, "state contains no operator folder"},
	{"no batch", windows, both(without("offsets/"), without("commits/")), "[STATE_REPARTITION_INVALID_CHECKPOINT.NO_BATCH_FOUND] x is in an invalid state. No microbatch", Agrees, "offsets contains no batch"},
	{"missing delta", windows, without("state/0/0/12.delta"), "[CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS] An error occurred during loading state. Error reading delta file file:/x/state/0/0/12.delta of HDFSStateStoreProvider[id = (op=0,part=0),dir = file:/x/state/0/0]: file:/x/state/0/0/12.delta does not exist.", Disagrees, "the next start does not need it"},

	{"setting", windows, nil, "[INVALID_CONF_VALUE.REQUIREMENT] The value 'lz4' in the config \"spark.sql.streaming.stateStore.compression.codec\" is invalid. SQLSTATE: 22022", Agrees, "offsets/11 records spark.sql.streaming.stateStore.compression.codec=lz4"},
	{"setting", windows, nil, "The value 'many' in spark.sql.shuffle.partitions is invalid.", Disagrees, "records spark.sql.shuffle.partitions=2, but the message rejects many"},
	{"setting that is not pinned", windows, nil, "spark.sql.files.maxPartitionBytes should be long, but was x", CannotTell, "does not record spark.sql.files.maxPartitionBytes: the value is from the session"},
	{"class", windows, nil, "ClassNotFoundException: org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider", Agrees, "records the missing class"},
	{"class", windows, nil, "ClassNotFoundException: com.acme.Udf", CannotTell, "records another state store provider"},

	{"operators", windows, nil, "[STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA] x. Stateful operators in the metadata: [(OperatorId: 0 -> OperatorName: stateStoreSave)]; Stateful operators in current batch: [(OperatorId: 0 -> OperatorName: dedupe)].", Agrees, "state/0/_metadata records operator 0 as stateStoreSave, as in the message; the query has (OperatorId: 0 -> OperatorName: dedupe)"},
	{"operators", windows, nil, "[STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA] x. Stateful operators in the metadata: [(OperatorId: 0 -> OperatorName: dedupe)]; Stateful operators in current batch: [(OperatorId: 0 -> OperatorName: stateStoreSave)].", Disagrees, "recorded as stateStoreSave and not as dedupe"},
	{"operators", old, nil, "[STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA] x. Stateful operators in the metadata: [(OperatorId: 0 -> OperatorName: stateStoreSave)]; Stateful operators in current batch: [(OperatorId: 0 -> OperatorName: dedupe)].", CannotTell, ""},
	{"state folder", windows, without("state/"), "[STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY] Cannot restart streaming query with stateful operators because the state directory is empty or missing.", Agrees, "state contains no operator folder"},
	{"state folder", windows, nil, "[STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY] Cannot restart streaming query with stateful operators because the state directory is empty or missing.", Disagrees, ""},
	{"writers", windows, nil, "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log. Multiple streaming jobs detected for 11. Please", CannotTell, "Batch 11 is committed: the first writer completed it"},
	{"writers", windows, without("commits/11"), "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log. Multiple streaming jobs detected for 11. Please", CannotTell, "offsets/11 exists and commits/11 is missing"},
	{"writers", windows, nil, "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log. Multiple streaming jobs detected for 77. Please", Disagrees, "Batch 77 has no file now"},
	{"key", timers, nil, "[STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE] Provided key schema does not match existing state key schema. Existing key_schema=StructType(StructField(value,StringType,true)) and new key_schema=StructType(StructField(value,LongType,true)).", Agrees, "_stateSchema/default"},
	{"key", timers, nil, "[STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE] Provided key schema does not match existing state key schema. Existing key_schema=StructType(StructField(k,StringType,true)) and new key_schema=StructType(StructField(k,LongType,true)).", Disagrees, "No state of this checkpoint records the existing key"},

	{"race", windows, nil, "[STATE_STORE_INVALID_STAMP] Invalid stamp 1, current stamp: 2.", CannotTell, "A checkpoint cannot confirm this. It depends on the threads of one executor"},
	{"analysis", windows, nil, "[STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION] Invalid streaming output mode: append. This", CannotTell, "It depends on the code of the query"},
}

// TestWhatIsComparedAgreesOrNot holds that each kind of comparison agrees, disagrees, and cannot tell where nothing is
// recorded.
func TestWhatIsComparedAgreesOrNot(t *testing.T) {
	t.Parallel()
	for _, c := range comparisons {
		t.Run(c.name+"/"+string(c.want), func(t *testing.T) {
			t.Parallel()
			tree := goldenTree(t, c.golden)
			if c.alter != nil {
				c.alter(tree)
			}
			e := beside(t, "org.apache.spark.SparkException: "+c.message+"\n\tat org.apache.spark.X.y(X.scala:1)\n", storage.FromFS(tree, "s3://lake/checkpoints/orders"), "")
			if e.Condition == nil {
				t.Fatal("the condition is not known")
			}
			if e.Agreement != c.want || !strings.Contains(e.Because, c.says) {
				t.Errorf("%s: %s\nwant %s: …%s…", e.Agreement, e.Because, c.want, c.says)
			}
		})
	}
}

// TestEveryLookIsTried holds that each question that a condition asks the checkpoint is asked above, and finds the values
// in the message that is there.
func TestEveryLookIsTried(t *testing.T) {
	t.Parallel()
	name := func(c *Condition) string { return runtime.FuncForPC(reflect.ValueOf(c.look).Pointer()).Name() }
	tried := map[string]bool{}
	for _, c := range comparisons {
		if got, _ := recognize([]Cause{{Message: c.message}}); got != nil && got.look != nil && c.want != CannotTell {
			tried[name(got)] = true
		}
	}
	for _, c := range slices.Concat(catalog, sparkLogs, sparkState, sparkQuery) {
		if c.look == nil || tried[name(c)] {
			continue
		}
		switch strings.TrimPrefix(name(c), "tidemark/internal/trace.(*look).") {
		case "askThere": // TestGoldens
		case "lookJoin", "lookRows": // these can never tell
		default:
			t.Errorf("%s%s: %s agrees and disagrees nowhere", c.Name, c.Words, name(c))
		}
	}
}

// TestBetweenReadsLayouts reads the values of messages by their layouts, and bounds them.
func TestBetweenReadsLayouts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, layout string
		want         string // joined by "|"; "none" for nothing
	}{
		{"Cannot change a from b to c between restarts", "change … from … to … between", "a|b|c"},
		{"a b is not equal to c. Please set a", "… is not equal to …. Please set", "a b|c"},
		{"Expected: `x`.", "Expected: …", "x`."},
		{"Expected version 2, but found 1", "Expected version …, but found …", "2|1"},
		{"Expected version 2", "Expected version …, but found …", "none"},
		{"", "a … b", "none"},
		{"", "…", ""},
	} {
		got := "none"
		if values := between(c.text, c.layout); values != nil {
			got = strings.Join(values, "|")
		}
		if got != c.want {
			t.Errorf("%q by %q: %q, want %q", c.text, c.layout, got, c.want)
		}
	}
	if long := between("x "+strings.Repeat("y", 10*valueLimit), "x …"); len(long[0]) > valueLimit {
		t.Errorf("a value of %d bytes", len(long[0]))
	}
}
