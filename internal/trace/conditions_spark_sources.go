package trace

// sparkSources are what Spark itself says of sources and of their data files.
var sparkSources = []*Condition{
	{Words: "sources in the checkpoint offsets", Topic: sourceCount, Says: "A plan has one line for each source, and the query has another number of sources."},
	{Words: "Wrong basePath", Topic: sourceFolder, Says: "Files in the log of a file source lie below another folder than the one that the query reads now."},
	{Words: "SparkFileNotFoundException", Topic: inputGone, Says: "A data file that the batch was to read is not there."},
	{Words: "It is possible the underlying files have been updated", Topic: inputGone, Says: "A data file that the batch was to read is not there, or another one."},
}
