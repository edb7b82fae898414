package output

// jdbc is a database, which only code of the query writes.
var jdbc = &Kind{
	Name:       "jdbc",
	Recordless: true,
	repeated:   "a database is written through code of the query, and records no batch of it",
	settle:     "Ask the database for rows of the batch, by their keys or a column with the batch id.",
}
