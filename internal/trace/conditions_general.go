package trace

var schemaText = stateSchema.but(Topic{
	About:  "a schema cannot be read",
	Checks: "Before a batch, Spark reads the schema that state was written with, in state/N/_metadata, as JSON. Tables and files of the input record schemas in the same form.",
	Proves: "It proves that a type in some schema has no name that this release knows. It does not say which file that schema was in.",
	Next:   copyFirst + "Have the schemas in state/N/_metadata read (tidemark check LOCATION --deep). Where they are whole, look at the schemas of the tables and files that the query reads.",
	Avoid:  "Do not correct a schema file by hand before it is known to be the one.",
})

// generals are what many things print: each counts only where no other fits.
var generals = []*Condition{
	{Words: "assertion failed", Topic: assertion, Says: "A condition that Spark takes for granted did not hold, and the message does not say which.", general: true},
	{Words: "JsonEOFException", Topic: jsonFile, Says: "A text that should be JSON ends too early.", general: true},
	{Words: "JsonParseException", Topic: jsonFile, Says: "A text that should be JSON is none.", general: true},
	{Words: "MismatchedInputException", Topic: jsonFile, Says: "A text that should be JSON is empty or holds something else.", general: true},
	{Words: "MappingException", Topic: jsonFile, Says: "A text is JSON and lacks what it should hold.", general: true},
	{Words: "Unexpected end-of-input", Topic: jsonFile, Says: "A text that should be JSON ends too early.", general: true},
	{Words: "No content to map due to end-of-input", Topic: jsonFile, Says: "A text that should be JSON is empty.", general: true},
	{Words: "For input string", Topic: stateIDs, Says: "A text that should be a number is none: in state, the id of a file (checkpoint format 2).", general: true},
	{Words: "UNSUPPORTED_DATATYPE", Topic: schemaText, Says: "A schema that Spark reads as JSON is not what it writes: in a checkpoint, the schema file of a state store.", general: true},
	{Words: "Unsupported dataType", Topic: schemaText, Says: "A schema that Spark reads as JSON is not what it writes: in a checkpoint, the schema file of a state store.", general: true},
	{Words: "STATE_STORE_", Topic: stateAny.but(Topic{
		About:  "state, in a way that is not known here",
		Checks: "This name is in no catalog of Spark from 3.4 to 4.3 that is known here; the name itself tells the most.",
		Proves: "It proves that something about state was not as Spark takes it. Whether that is in the files, the message says or does not.",
		Next:   "Look the name up in the documentation of the release that printed it.",
	}), Says: "A condition of state that is not known here.", look: (*look).lookUnknown, general: true},
	{Words: "NumberFormatException", Topic: stateIDs, Says: "A text that should be a number is none: in state, the id of a file (checkpoint format 2).", general: true},
	{Words: "NullPointerException", Topic: assertion, Says: "Something that Spark takes for granted was not there, and the message does not say what.", general: true},
	{Words: "EOFException", Topic: stateAny, Says: "A file ended where more bytes were expected.", general: true},
	{Words: "NoSuchFileException", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "File …does not exist", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "FileNotFoundException", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "DELTA_", Topic: sourceAny, Says: "Delta Lake refused something; whether as the source or as the sink of the query its name tells.", general: true},
	{Words: "ConcurrentModificationException", Topic: deltaSink, Says: "A Delta table was changed by somebody else while the query wrote to it; or, in a Kafka consumer, two tasks used the same one.", general: true},
	{Words: "FAILED_EXECUTE_UDF", Topic: userCode, Says: "A function of the query's own code failed.", general: true},
}
