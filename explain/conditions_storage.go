package explain

// storages are what storages, disks and machines say.
var storages = []*Condition{
	{Words: "AccessDenied", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "AccessControlException", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "Permission denied", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "403 Forbidden", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "No space left on device", Topic: machine, Says: "A disk was full: mostly the one of an executor."},
	{Words: "OutOfMemoryError", Topic: machine, Says: "A Java process had no memory left."},
	{Words: "ExecutorLostFailure", Topic: machine, Says: "An executor was lost."},
}
