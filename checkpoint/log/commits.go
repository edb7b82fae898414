package log

import (
	"fmt"

	"tidemark/checkpoint/decode"
)

// Commit is one file of the commit log, commits/<N>: batch N is complete.
//
//	v1
//	{"nextBatchWatermarkMs":1764403200000}
//
// Spark 2.2 and 2.3 wrote "v1\n{}". Version 2 (4.0 on, checkpoint format 2) adds the ids in the
// names of the state files of version N+1, per operator, partition and store:
//
//	{"nextBatchWatermarkMs":0,"stateUniqueIds":{"0":[["d3ff2e78-…"],["c13b142c-…"]]}}
//
// Version 3 (4.2 on, sink evolution) adds sinkMetadataMap: name → {sinkName, commitOffset,
// providerName, apiVersion, isActive}.
//
// Written by CommitLog (CommitMetadata).
type Commit struct {
	File           string
	Size           int64                 // bytes
	Version        int                   // of the version line; 0 when that does not parse
	NextWatermark  int64                 // watermark of the next batch, ms since the epoch; 0 when there is none
	HasWatermark   bool                  // NextWatermark is recorded as a number: since 2.4 it always is
	StateUniqueIDs map[string][][]string // operator id → partition → store → id; nil when not recorded
	Sinks          []Sink                // in the order written; nil when not recorded
	Problems       []*decode.Error       // in the order of the file
}

// Sink is what the commit log of version 3 records of a sink.
type Sink struct {
	Name, Provider, APIVersion string
	Active                     bool
}

const newestCommit = 3 // commit log versions known: 1, 2, 3

// ParseCommit reads the bytes of a commit log file. It always returns a Commit; Problems say what
// did not decode. A file with nothing after its version line is legal: continuous mode and the
// reader's defaults make its watermark 0.
func ParseCommit(file string, data []byte) *Commit {
	const what = "commit log"
	c := &Commit{File: file, Size: int64(len(data))}
	var lines []line
	c.Version, lines, c.Problems = split(file, data, what, newestCommit, true)
	if len(lines) == 0 || len(lines) == 1 && len(lines[0].text) == 0 {
		return c
	}
	v, err := object(lines[0], what)
	if err != nil {
		c.Problems = append(c.Problems, err)
		if !passedOver(err) {
			return c
		}
	}
	if c.NextWatermark, err = number(v, "nextBatchWatermarkMs", lines[0], what); err != nil {
		c.Problems = append(c.Problems, err)
	} else if f, ok := v.Get("nextBatchWatermarkMs"); ok && f.Kind == decode.Number {
		c.HasWatermark = true
	}
	if ids, ok := v.Get("stateUniqueIds"); ok && ids.Kind == decode.Object && !v.Repeats("stateUniqueIds") {
		c.StateUniqueIDs = make(map[string][][]string, len(ids.Fields))
		for _, op := range ids.Fields {
			var parts [][]string
			for _, part := range op.Value.Items {
				var stores []string
				for _, id := range part.Items {
					stores = append(stores, id.Text)
				}
				parts = append(parts, stores)
			}
			c.StateUniqueIDs[op.Name] = parts
		}
	}
	if sinks, ok := v.Get("sinkMetadataMap"); ok {
		for _, f := range sinks.Fields {
			c.Sinks = append(c.Sinks, Sink{f.Name, text(f.Value, "providerName"), text(f.Value, "apiVersion"),
				text(f.Value, "isActive") == "true"})
		}
	}
	for _, l := range lines[1:] {
		if len(l.text) > 0 {
			c.Problems = append(c.Problems, &decode.Error{Where: l.where, Flaw: decode.ExtraLine, What: what,
				Err: fmt.Errorf("%s follows the commit", quote(l.text))})
			break
		}
	}
	return c
}

// Has reports whether the file has a problem of one of these flaws.
func (c *Commit) Has(flaws ...decode.Flaw) bool { return has(c.Problems, flaws) }

func text(v decode.JSON, name string) string {
	f, _ := v.Get(name)
	return f.Text
}
