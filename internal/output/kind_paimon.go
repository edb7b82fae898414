package output

import "tidemark/internal/tablelog"

// paimon is a Paimon table.
var paimon = &Kind{
	Name:       "paimon",
	mark:       "manifest",
	open:       func(f tablelog.Files, _ string) Sink { return recordless{f.String(), "paimon"} },
	Recordless: true,
	repeated:   "a Paimon table records no batch id: a batch that comes again is written again into an append table, and makes no difference in a table with a primary key",
	settle:     "Look whether the table has a primary key, and whether a snapshot is younger than the plan of the batch.",
}
