package checkpoint

import "context"

// Operator is one stateful operator as its folder in state shows it.
type Operator struct {
	ID         int
	Name       string // as Spark's operator metadata has it: "stateStoreSave"; "" where nothing tells
	Guessed    bool   // Name is a guess from the folders, because nothing recorded it
	Provider   string // "hdfs" or "rocksdb", from the files that are there; "" where there are none
	Recorded   int    // partitions, as the operator metadata records them; 0 where there is none
	Partitions []Partition
}

// Partition is the folder of one partition of one operator.
type Partition struct {
	ID     int
	Stores []Store // "default", or the four of a join, in byte order of name
}

// Store is one state store: the files of one partition under one name. Its file lists may be long.
type Store struct {
	Name string // "default" for the only one
	Dir  LogDirOfState
}

// LogDirOfState is replaced by the state listing.
type LogDirOfState struct{}

func (c *Checkpoint) surveyState(ctx context.Context, note func(...Unread)) ([]Operator, error) {
	return nil, nil
}
