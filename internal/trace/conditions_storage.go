package trace

var expired = access.but(Topic{
	About:  "the token of the query expired",
	Checks: "A temporary token expires after some time. Then the storage rejects every request with it, whatever its permissions.",
	Proves: "The token had expired. It does not show that a permission is missing, and proves nothing against the files.",
	Next:   "Give the query a new token, or a provider that renews it. Then restart: Spark re-runs an uncommitted batch.",
})

// storages are what storages, disks and machines say.
var storages = []*Condition{
	{Words: "ExpiredToken", Topic: expired, Says: "The token the query used for its requests had expired.", Decides: "It depends on the lifetime of the token."},
	{Words: "provided token has expired", Topic: expired, Says: "The token the query used for its requests had expired.", Decides: "It depends on the lifetime of the token."},
	{Words: "AccessDenied", Topic: access, Says: "The storage rejected a request of the query's identity."},
	{Words: "AccessControlException", Topic: access, Says: "The file system rejected a request of the query's identity."},
	{Words: "Permission denied", Topic: access, Says: "The file system rejected a request of the query's identity."},
	{Words: "403 Forbidden", Topic: access, Says: "The storage rejected a request of the query's identity."},
	{Words: "No space left on device", Topic: machine, Says: "A disk was full: mostly an executor's."},
	{Words: "OutOfMemoryError", Topic: machine, Says: "A Java process ran out of memory."},
	{Words: "ExecutorLostFailure", Topic: machine, Says: "An executor was lost."},

	{Words: "LeaseExpiredException", Topic: lease, Says: "The client that wrote this file no longer had its lease.", Decides: "It depends on the other client. The name node's log names the client that took over the file."},
	{Words: "AlreadyBeingCreatedException", Topic: lease, Says: "Another client was still writing this file.", Decides: "It depends on the other client. The name node's log names the client with the lease."},
	{Words: "RecoveryInProgressException", Topic: lease, Says: "HDFS was still closing this file for a disconnected client.", Decides: "It depends on the name node. Its log shows more."},
	{Words: "lease ID", Topic: lease.but(Topic{About: "another client has the lease on a blob", Checks: "Azure lets a client lock a blob for a while and rejects other clients.",
		Proves: "The blob was locked. It does not show by whom."}), Says: "Another client locked a blob.", Decides: "It depends on the other client. The storage's own log shows more."},
	{Words: "QuotaExceededException", Topic: storageDown, Says: "The folder has reached its quota.", Decides: "It depends on the quota of the storage."},
	{Words: "SafeModeException", Topic: storageDown, Says: "The name node accepted no writes: it was in safe mode.", Decides: "It depends on the state of the name node."},
	{Words: "StandbyException", Topic: storageDown, Says: "Spark asked a name node that is not the active one.", Decides: "It depends on the state of the name nodes."},
	{Words: "could only be …replicated to", Topic: storageDown, Says: "HDFS found no data node for a block: they are full or unreachable.", Decides: "It depends on the data nodes."},
	{Words: "could only be written to", Topic: storageDown, Says: "HDFS found no data node for a block: they are full or unreachable.", Decides: "It depends on the data nodes."},
	{Words: "Could not obtain block", Topic: storageDown, Says: "No data node returned a block of this file.", look: (*look).lookBlock, Compares: "whether tidemark can read the file", Decides: "It depends on the data nodes."},
	{Words: "Mkdirs failed", Topic: unwritten, Says: "A folder could not be created.", Decides: "It depends on permissions and free space at that location."},
	{Words: "mkdir of … failed", Topic: unwritten, Says: "A folder could not be created.", Decides: "It depends on permissions and free space at that location."},
	{Words: "SlowDown", Topic: storageDown, Says: "The bucket received too many requests at that moment.", Decides: "It depends on the number of requests to the bucket."},
	{Words: "Status Code: 503", Topic: storageDown, Says: "The storage was busy.", Decides: "It depends on the state of the storage."},
	{Words: "Status Code: 500", Topic: storageDown, Says: "The storage had an internal error.", Decides: "It depends on the state of the storage."},
	{Words: "NoSuchBucket", Topic: storageDown, Says: "No bucket has that name.", Decides: "It depends on the name in the path."},
	{Words: "ConsistencyException", Topic: storageView, Says: "The table of a consistent view and the bucket list different files."},
	{Words: "is marked as deleted in the metadata", Topic: storageView, Says: "The table of a consistent view marks the file as deleted."},
	{Words: "RemoteFileChangedException", Topic: storageView, Says: "A file changed between listing and reading."},
	{Words: "Exception: rename from … to … failed", Topic: renaming, Says: "The storage did not rename a file.", look: (*look).lookRename, Compares: "whether either of the two files exists"},
	{Words: "rename source … not found", Topic: renaming.but(Topic{
		About:  "a temporary file disappeared before its rename",
		Proves: "The temporary file disappeared between write and rename. Causes: another attempt of the task, a second run, or a clean-up. It does not prove that state or a batch is lost."}),
		Says: "A temporary file disappeared before its rename.", look: (*look).lookRename, Compares: "whether the file, or that of its batch, exists"},
	{Words: "AbfsRestOperationException", Topic: storageDown, Says: "The storage rejected a request. The message contains its answer.", Decides: "It depends on the storage. The number in the message is its answer."},
	{Words: "FetchFailedException", Topic: machine, Says: "An executor could not fetch shuffle files from another one.", Decides: "It depends on the executors and the network between them."},
	{Words: "PathIOException…rename", Topic: renaming, Says: "The storage did not rename a file.", look: (*look).lookRename, Compares: "whether the file exists"},
}
