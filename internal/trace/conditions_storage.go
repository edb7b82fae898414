package trace

var expired = access.but(Topic{
	About:  "the token of the query was too old",
	Checks: "A temporary token is valid for some time. After that the storage refuses every request that is signed with it, whatever rights it carried.",
	Proves: "It proves that the token had run out. It does not show that a right is missing, and says nothing against the files.",
	Next:   "Give the query a fresh token, or a provider that renews it, and restart: a batch without its commit runs again.",
})

// storages are what storages, disks and machines say.
var storages = []*Condition{
	{Words: "ExpiredToken", Topic: expired, Says: "The token with which the query signed its requests was too old.", Decides: "The lifetime of the token does."},
	{Words: "provided token has expired", Topic: expired, Says: "The token with which the query signed its requests was too old.", Decides: "The lifetime of the token does."},
	{Words: "AccessDenied", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "AccessControlException", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "Permission denied", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "403 Forbidden", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "No space left on device", Topic: machine, Says: "A disk was full: mostly the one of an executor."},
	{Words: "OutOfMemoryError", Topic: machine, Says: "A Java process had no memory left."},
	{Words: "ExecutorLostFailure", Topic: machine, Says: "An executor was lost."},

	{Words: "LeaseExpiredException", Topic: lease, Says: "The client that wrote this file had lost its lease on it.", Decides: "The name node's log does: it names the client that took the file."},
	{Words: "AlreadyBeingCreatedException", Topic: lease, Says: "Another client was still writing this file.", Decides: "The name node's log does: it names the client that holds the lease."},
	{Words: "RecoveryInProgressException", Topic: lease, Says: "HDFS was still closing this file for a client that went away.", Decides: "The name node's log does."},
	{Words: "lease ID", Topic: lease.but(Topic{About: "another client holds the lease of a blob", Checks: "Azure lets a client lock a blob for a while; another one is then refused.",
		Proves: "It proves that a lock was held. It does not tell by whom."}), Says: "A blob was locked by another client.", Decides: "The storage's own log does."},
	{Words: "QuotaExceededException", Topic: storageDown, Says: "The quota of the folder is used up.", Decides: "The quota of the storage does."},
	{Words: "SafeModeException", Topic: storageDown, Says: "The name node took no writes: it was in safe mode.", Decides: "The state of the name node does."},
	{Words: "StandbyException", Topic: storageDown, Says: "A name node was asked that is not the active one.", Decides: "The state of the name nodes does."},
	{Words: "could only be …replicated to", Topic: storageDown, Says: "HDFS found no data node for a block: full, or out of reach.", Decides: "The data nodes do."},
	{Words: "could only be written to", Topic: storageDown, Says: "HDFS found no data node for a block: full, or out of reach.", Decides: "The data nodes do."},
	{Words: "Could not obtain block", Topic: storageDown, Says: "No data node gave a block of this file.", look: (*look).lookBlock, Compares: "whether the file can be read from here", Decides: "The data nodes do."},
	{Words: "Mkdirs failed", Topic: unwritten, Says: "A folder could not be made.", Decides: "Rights and free space at that place do."},
	{Words: "mkdir of … failed", Topic: unwritten, Says: "A folder could not be made.", Decides: "Rights and free space at that place do."},
	{Words: "SlowDown", Topic: storageDown, Says: "The bucket had too many requests at that moment.", Decides: "The number of requests on the bucket does."},
	{Words: "Status Code: 503", Topic: storageDown, Says: "The storage was busy.", Decides: "The state of the storage does."},
	{Words: "Status Code: 500", Topic: storageDown, Says: "The storage failed inside.", Decides: "The state of the storage does."},
	{Words: "NoSuchBucket", Topic: storageDown, Says: "There is no bucket of that name.", Decides: "The name in the path does."},
	{Words: "ConsistencyException", Topic: storageView, Says: "The table of a consistent view lists what the bucket does not have, or the other way round."},
	{Words: "is marked as deleted in the metadata", Topic: storageView, Says: "The table of a consistent view has the file as deleted."},
	{Words: "RemoteFileChangedException", Topic: storageView, Says: "A file was written again between listing and reading."},
	{Words: "Exception: rename from … to … failed", Topic: renaming, Says: "The storage did not rename a file.", look: (*look).lookRename, Compares: "whether either of the two files exists"},
	{Words: "rename source … not found", Topic: renaming.but(Topic{
		About:  "a temporary file was gone before it had its name",
		Proves: "It proves that the temporary file disappeared between writing and renaming: another attempt of the same task, a second run or a clean-up does that. It does not prove that state or a batch is lost."}),
		Says: "A temporary file disappeared before it could be given its name.", look: (*look).lookRename, Compares: "whether the file, or that of its batch, exists"},
	{Words: "AbfsRestOperationException", Topic: storageDown, Says: "The storage refused a request; its answer is in the message.", Decides: "The storage does: the number in the message is its answer."},
	{Words: "FetchFailedException", Topic: machine, Says: "An executor could not fetch from another one what a shuffle had left there.", Decides: "The executors and the network between them do."},
	{Words: "PathIOException…rename", Topic: renaming, Says: "The storage did not rename a file.", look: (*look).lookRename, Compares: "whether the file exists"},
}
