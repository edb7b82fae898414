package examine

import (
	"tidemark/internal/checks"
	"tidemark/internal/checks/drift"
	"tidemark/internal/checks/logs"
	"tidemark/internal/checks/sink"
	"tidemark/internal/checks/sources"
	"tidemark/internal/checks/stores"
)

// All are the checks, in the order in which they run: cheapest first.
var All = []*checks.Check{
	logs.UncommittedBatch, logs.AsyncProgressHoles,
	drift.Check,
	logs.OffsetGap, logs.CommitGap, logs.CommitWithoutOffset,
	logs.MetadataMissing, logs.MetadataMalformed,
	logs.HousekeepingDamage, logs.PartialCopy,
	logs.EphemeralLocation,
	logs.LeftoverTempFile, logs.SecondWriter,
	logs.LogEmpty, logs.LogMalformed, logs.LogVersionUnknown, stores.ChecksumMismatch,
	drift.ConfChanged, drift.ConfMissing,
	sources.SourceLogHole, sources.ConnectorFileMissing, sources.ConnectorFilesElsewhere, logs.LogFormatOld, logs.LogGrowing,
	sources.SourceDataGone, sources.SourceChangeRefused, sources.SourceStartGone,
	sources.SourceCountChanged, sources.SourceKindChanged, sources.SourceIdentityChanged, sources.SourceDuplicated,
	sources.OffsetRegression, sources.OffsetInvalid, sources.PartitionVanished, sources.PartitionAdded, sources.InitialSnapshotRunning,
	logs.WatermarkStuck, logs.WatermarkFuture, logs.WatermarkRegression,
	stores.StateEmpty, stores.StateVersionMissing, stores.StateFileDamaged, stores.StateFileMissing, stores.StateSizeMismatch,
	stores.StateWithoutLog, stores.StateAhead, stores.StatePartitionsIgnored,
	stores.StateChainLong, stores.StateMostlyEmpty, stores.StateFormatOld,
	stores.OperatorRecordMismatch, stores.StateSchemaChanged, logs.WatermarkMismatch, stores.StateIDsMismatch, sources.SourceLogMismatch,
	sink.SinkAhead, sink.SinkBehind, sink.SinkSkipsReplay, sink.SinkLogDamaged, sink.SinkSchemaChanged, sink.QueryIDConflict,
	sink.SinkFileMissing,
	logs.LoginRefused, logs.AccessDenied, logs.ArchivedObject,
}

// elsewhere are the checks of a location that is no checkpoint.
var elsewhere = []*checks.Check{logs.NotACheckpoint, logs.LoginRefused, logs.AccessDenied, logs.ArchivedObject}
