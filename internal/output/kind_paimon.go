package output

import "tidemark/internal/tablelog"

// paimon is a Paimon table.
var paimon = &Kind{
	Name:       "paimon",
	mark:       "manifest",
	open:       func(f tablelog.Files, _ string) Sink { return recordless{f.String(), "paimon"} },
	Recordless: true,
	repeated:   "a Paimon table records no batch ID: a repeated batch is duplicated in an append table, and harmless in a table with a primary key",
	settle:     "Check whether the table has a primary key, and whether a snapshot is newer than the offset file.",
}
