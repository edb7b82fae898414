package trace

// sparkSources are what Spark itself says of sources and of their data files.
var sparkSources = []*Condition{
	{Words: "sources in the checkpoint offsets", Topic: sourceCount, Says: "An offset file has one line per source, but the query has another number of sources."},
	{Words: "Wrong basePath", Topic: sourceFolder, Says: "Files in the file source log are below another folder than the one the query reads now."},
	{Words: "SparkFileNotFoundException", Topic: inputGone, Says: "A data file of the batch is missing."},
	{Words: "It is possible the underlying files have been updated", Topic: inputGone, Says: "A data file of the batch is missing or changed."},
}
