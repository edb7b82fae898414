package trace

var schemaText = stateSchema.but(Topic{
	About:  "a schema cannot be read",
	Checks: "Before a batch, Spark parses the state schema in state/N/_metadata as JSON. Input tables and files record schemas in the same format.",
	Proves: "A schema contains a type this release does not know. It does not show which file that schema was in.",
	Next:   copyFirst + "Read the schemas in state/N/_metadata (tidemark check LOCATION --deep). If they are intact, check the schemas of the input tables and files.",
	Avoid:  "Do not edit a schema file before you know that it is the right one.",
})

// generals are what many things print: each counts only where no other fits.
var generals = []*Condition{
	{Words: "assertion failed", Topic: assertion, Says: "An assertion in Spark failed, and the message does not say which.", general: true},
	{Words: "JsonEOFException", Topic: jsonFile, Says: "A JSON text ends too early.", general: true},
	{Words: "JsonParseException", Topic: jsonFile, Says: "A text is not the expected JSON.", general: true},
	{Words: "MismatchedInputException", Topic: jsonFile, Says: "A text that should be JSON is empty or contains something else.", general: true},
	{Words: "MappingException", Topic: jsonFile, Says: "A JSON text lacks a required field.", general: true},
	{Words: "Unexpected end-of-input", Topic: jsonFile, Says: "A JSON text ends too early.", general: true},
	{Words: "No content to map due to end-of-input", Topic: jsonFile, Says: "A text that should be JSON is empty.", general: true},
	{Words: "For input string", Topic: stateIDs, Says: "A text is not the expected number: in state, the ID of a file (checkpoint format 2).", general: true},
	{Words: "UNSUPPORTED_DATATYPE", Topic: schemaText, Says: "A schema is not the JSON Spark writes: in a checkpoint, the schema file of a state store.", general: true},
	{Words: "Unsupported dataType", Topic: schemaText, Says: "A schema is not the JSON Spark writes: in a checkpoint, the schema file of a state store.", general: true},
	{Words: "STATE_STORE_", Topic: stateAny.but(Topic{
		About:  "a state error that tidemark does not know",
		Checks: "tidemark knows this name from no catalog of Spark 3.4 to 4.3. The name itself says the most.",
		Proves: "Something about state was not as Spark expects. It may or may not be in the files.",
		Next:   "Look up the name in the documentation of the release that printed it.",
	}), Says: "This is a state error that tidemark does not know.", look: (*look).lookUnknown, general: true},
	{Words: "NumberFormatException", Topic: stateIDs, Says: "A text is not the expected number: in state, the ID of a file (checkpoint format 2).", general: true},
	{Words: "NullPointerException", Topic: assertion, Says: "Spark expected an object that was missing, and the message does not say which.", general: true},
	{Words: "EOFException", Topic: stateAny, Says: "A file ended before its expected end.", general: true},
	{Words: "NoSuchFileException", Topic: fileMissing, Says: "A file is missing.", general: true},
	{Words: "File …does not exist", Topic: fileMissing, Says: "A file is missing.", general: true},
	{Words: "FileNotFoundException", Topic: fileMissing, Says: "A file is missing.", general: true},
	{Words: "DELTA_", Topic: sourceAny, Says: "Delta Lake reported an error. Its name says whether the source or the sink failed.", general: true},
	{Words: "ConcurrentModificationException", Topic: deltaSink, Says: "Another writer changed a Delta table while the query wrote to it. Or two tasks used one Kafka consumer.", general: true},
	{Words: "FAILED_EXECUTE_UDF", Topic: userCode, Says: "A function of the query's own code failed.", general: true},
}
