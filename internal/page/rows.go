package page

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint/row"
	"tidemark/internal/phrase"
)

// NoSchema is why the columns of rows are a guess.
const NoSchema = "no schema is recorded"

// GuessedColumns is what a guess of columns means.
const GuessedColumns = NoSchema + ". The bytes show how many columns exist, but not their names and types. " +
	"Each number is 8 bytes, read as an integer."

// LeftBy says which state rows are of: "after batch 7 (version 8)". A batch writes the version after its number.
func LeftBy(batch int64) string {
	return fmt.Sprintf("after batch %d (version %d)", batch, batch+1)
}

// Between says which two states are compared.
func Between(before, after int64) string {
	return fmt.Sprintf("from batch %d (version %d) to batch %d (version %d)", before, before+1, after, after+1)
}

// LookedIn says in which partition of some a key was looked for: in one, or in all (-1). hashed is the one in which its
// hash puts it; -1 where the columns do not tell.
func LookedIn(partition, hashed, partitions int) string {
	switch {
	case partition < 0:
		return fmt.Sprintf("in all %s, because its columns do not determine the partition", phrase.Units(int64(partitions), "partitions"))
	case partition != hashed:
		return fmt.Sprintf("in partition %d of %s", partition, phrase.Count(int64(partitions)))
	}
	return fmt.Sprintf("in partition %d of %s, from its hash", partition, phrase.Count(int64(partitions)))
}

// Value is a value as a person reads it, not yet made harmless. A null is "null"; text that reads the same is quoted.
func Value(v row.Value) string {
	s := v.Text()
	if !v.Null && s == "null" {
		s = strconv.Quote(s)
	}
	return s
}
