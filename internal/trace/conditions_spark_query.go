package trace

// sparkQuery are what Spark says of settings and of the query.
var sparkQuery = []*Condition{
	{Words: "join.stateFormatVersion is invalid", Topic: setting, Says: "The offset file records a join state format this release does not support."},
	{Words: "INVALID_CONF_VALUE", Topic: setting, Says: "Spark does not support the value of a setting. Settings in the offset file override those of the session.", Compares: "the value in the newest offset file", look: (*look).lookSetting},
	{Words: "' in … is invalid", Topic: setting, Says: "Spark does not support the value of a setting. Settings in the offset file override those of the session.", Compares: "the value in the newest offset file", look: (*look).lookSetting},
	{Words: " should be …, but was ", Topic: setting, Says: "A setting that must be a number is not one. Settings in the offset file override those of the session.", Compares: "the value in the newest offset file", look: (*look).lookSetting},
	{Words: "The value of … must be positive", Topic: setting, Says: "The offset file records an invalid number of partitions."},
	{Words: "ClassNotFoundException", Topic: setting, Says: "A class is not on the class path. If it is a state store provider, the offset file records it.", Compares: "the recorded state store provider", look: (*look).lookClass},
	{Words: "utput mode not supported when", Topic: query, Says: "The output mode does not match the operations of the query."},
}
