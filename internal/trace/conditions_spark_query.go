package trace

// sparkQuery are what Spark says of settings and of the query.
var sparkQuery = []*Condition{
	{Words: "join.stateFormatVersion is invalid", Topic: setting, Says: "The plan pins a format of join state that this release does not have."},
	{Words: "INVALID_CONF_VALUE", Topic: setting, Says: "A setting holds a value that Spark does not take; those that a plan pins win over those of the session.", Compares: "the value that the newest plan pins", look: (*look).lookSetting},
	{Words: "' in … is invalid", Topic: setting, Says: "A setting holds a value that Spark does not take; those that a plan pins win over those of the session.", Compares: "the value that the newest plan pins", look: (*look).lookSetting},
	{Words: " should be …, but was ", Topic: setting, Says: "A setting that should be a number is none; those that a plan pins win over those of the session.", Compares: "the value that the newest plan pins", look: (*look).lookSetting},
	{Words: "The value of … must be positive", Topic: setting, Says: "The plan pins a number of partitions that is none."},
	{Words: "ClassNotFoundException", Topic: setting, Says: "A class is not on the class path: where it is one for state stores, the plan pins it.", Compares: "the pinned provider of state", look: (*look).lookClass},
	{Words: "utput mode not supported when", Topic: query, Says: "The output mode does not fit what the query does."},
}
