package output

// jdbc is a database, which only code of the query writes.
var jdbc = &Kind{
	Name:       "jdbc",
	Recordless: true,
	repeated:   "code of the query writes to the database, which records no batch",
	settle:     "Query the database for rows of the batch, by their keys or a column with the batch ID.",
}
