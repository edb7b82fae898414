package sources

import (
	"encoding/json"
	"path"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks/basics"
)

const (
	shardsRead = 1000     // files of one batch: a stream has as many shards by default
	shardLimit = 64 << 10 // bytes of one
)

// shardEnds is where a committed batch of a Kinesis connector ended, from the connector's own files, as a line of that
// source; None where they are missing, or not to be read. Its line in the plan is where the batch began.
//
// sources/<i>/shard-commit/<batch>/<shard>
// {"shardId":"shardId-000000000000","iteratorType":"AFTER_SEQUENCE_NUMBER","iteratorPosition":"4960…"}
//
// Written by HDFSMetadataCommitter of the connector.
func shardEnds(s *basics.Start, key string, o source.Offset) source.Offset {
	none := source.Offset{None: true}
	f := basics.FolderOf(s.Pass, key)
	if f == nil || len(f.Ended) == 0 || shardBatch(o) == "" || MissingEnd(f, o) != "" {
		return none
	}
	kind, _, _ := strings.Cut(f.Ended[0], "/")
	dir := path.Join(f.Name, kind, shardBatch(o))
	l := s.List(s.Ctx, dir)
	if l.Err != nil || len(l.Entries) == 0 || len(l.Entries) > shardsRead {
		return none
	}
	line := map[string]json.RawMessage{}
	if m, ok := o.Line.Get("metadata"); ok {
		line["metadata"] = json.RawMessage(o.Raw[m.At:m.End])
	}
	for _, e := range l.Entries {
		if e.Dir || len(e.Name) == 0 || e.Name[0] == '.' || e.Name[0] == '_' {
			continue
		}
		data, err := s.Read(s.Ctx, path.Join(dir, e.Name), shardLimit)
		if err != nil || !json.Valid(data) {
			return none
		}
		line[e.Name] = data
	}
	text, err := json.Marshal(line)
	if err != nil {
		return none
	}
	ends := source.Decode(text, decode.Where{File: dir})
	if ends.Problem != nil || len(ends.Kinds) == 0 || len(o.Kinds) == 0 || ends.Kinds[0] != o.Kinds[0] {
		return none
	}
	return ends
}
