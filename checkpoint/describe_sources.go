package checkpoint

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/state"
)

// sourceFile shows a file below sources/<i>; in are the folders from there on.
//
//	0                             where the source began to read, for most kinds
//	0, 1, 2.compact               the log of a file source
//	offsets/0                     where an Iceberg source began to read
//	shard-commit/<batch>/<shard>  Kinesis: where a batch of the connector ended
func (d *description) sourceFile(in []string, n log.Name, data []byte) {
	switch {
	case len(in) == 3 && slices.Contains(source.EndFolders(), in[1]):
		d.anything(data)
		d.problem(log.ParseShard(d.file, data).Problems...)
	case n.Role != log.LogFile:
		d.anything(data)
	case len(in) == 2 && in[1] == "offsets":
		d.initial(log.ParseInitialOffsets(d.file, data))
	case len(in) != 1:
		d.anything(data)
	default:
		l, initial := log.ParseSourceLog(d.file, data), log.ParseInitialOffsets(d.file, data)
		if n.Compact || len(l.Entries) > 0 || len(l.Problems) == 0 || n.ID > 0 && len(initial.Problems) > 0 {
			d.sourceLog(l)
		} else {
			d.initial(initial)
		}
	}
}

// sourceLog shows the files that a file source has taken.
func (d *description) sourceLog(l *log.SourceLog) {
	d.version(l.Version)
	for _, e := range l.Entries {
		d.add(e.Where, fmt.Sprintf("log entry %d", e.BatchID), e.Path)
		d.add(e.Where, "modified", instant(e.Timestamp))
	}
	d.problem(l.Problems...)
}

// initial shows where a source began to read.
func (d *description) initial(n *log.Initial) {
	first := decode.Where{File: d.file, Line: 1}
	switch {
	case n.Old:
		d.add(first, "layout", fmt.Sprintf("written by Spark 2.1.0: one byte of length (%d), no version", n.Length))
	case n.Zero && n.Version > 0:
		d.add(first, "layout", "a zero byte, then the version")
	case n.Zero:
		d.add(first, "layout", "a zero byte, no version")
	}
	d.version(n.Version)
	created, err := strconv.ParseInt(n.Text, 10, 64)
	switch {
	case n.Text == "": // told among the problems
	case err == nil && !n.Zero && n.Version > 0:
		d.add(n.Offset.Where, "source created", instant(created))
	default:
		d.offset("start", n.Offset)
	}
	d.problem(n.Problems...)
}

// schema shows the columns of a state store.
func (d *description) schema(data []byte) {
	s := state.ParseSchema(d.file, data)
	if s.Version > 0 {
		d.add(d.at(0), "version", "v"+strconv.Itoa(s.Version))
	}
	for _, f := range s.Families {
		for _, half := range []struct {
			name   string
			fields []state.Field
		}{{"key", f.Key}, {"value", f.Value}} {
			for _, column := range half.fields {
				d.add(d.at(0), fmt.Sprintf("%s %s column %s", f.Name, half.name, column.Name), column.Type)
			}
		}
		if f.Encoder != "" {
			d.add(d.at(0), f.Name+" key encoder", f.Encoder)
		}
	}
	d.problem(s.Problems...)
}
