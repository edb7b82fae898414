package basics

// Names of pinned settings that can stop a start.
const (
	ConfPartitions = "spark.sql.shuffle.partitions"
	ConfProvider   = "spark.sql.streaming.stateStore.providerClass"
	ConfCodec      = "spark.sql.streaming.stateStore.compression.codec"
	ConfAggregate  = "spark.sql.streaming.aggregation.stateFormatVersion"
	ConfJoin       = "spark.sql.streaming.join.stateFormatVersion"
	ConfGroup      = "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion"

	ConfTableFormat     = "spark.sql.streaming.stateStore.rocksdb.formatVersion"
	ConfRowChecksum     = "spark.sql.streaming.stateStore.rowChecksum.enabled"
	ConfSourceEvolution = "spark.sql.streaming.queryEvolution.enableSourceEvolution"
)

const ConfStatePartitions = "spark.sql.streaming.internal.stateStore.partitions"
