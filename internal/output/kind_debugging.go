package output

// Sinks that keep nothing, for looking on and for measuring.

// console prints rows on the driver.
var console = &Kind{
	Name:       "console",
	Described:  []string{"org.apache.spark.sql.execution.streaming.ConsoleTable"},
	Recordless: true,
	repeated:   "the console sink stores nothing",
	settle:     nothingToTell,
}

// memory keeps rows on the driver.
var memory = &Kind{
	Name:       "memory",
	Described:  []string{"MemorySink"},
	Recordless: true,
	repeated:   "the memory sink stores rows only while the driver runs",
	settle:     nothingToTell,
}

// noop drops rows.
var noop = &Kind{
	Name:       "noop",
	Described:  []string{"org.apache.spark.sql.execution.datasources.noop.NoopTable"},
	Recordless: true,
	repeated:   "the noop sink stores nothing",
	settle:     nothingToTell,
}

const nothingToTell = "Nothing to check."
