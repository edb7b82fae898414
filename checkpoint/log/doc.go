// Package log decodes the log files of a checkpoint: the query id, the offset log, the commit log,
// the logs of sources, and the checksums beside them. Bytes in, values and problems out: what was
// read before a bad byte is kept, and the problem says where it stands.
//
// All of Spark's own logs are of the HDFSMetadataLog family: text in UTF-8, lines ended by a line
// feed, no line feed at the end, and a version line first:
//
//	v1
//	{"batchWatermarkMs":0,"batchTimestampMs":1764403267000,"conf":{…}}
//	{"orders":{"0":1042,"1":998}}
package log
