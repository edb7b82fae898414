package statestore

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
)

// schemaNames are the schema files that its metadata names, for each store oldest first. It names them by
// where the checkpoint lay when it was written; they are looked for where it lies now, by the last two parts
// of the name.
func (o *Operator) schemaNames() [][]string {
	if o.Metadata == nil || o.Metadata.Version < 2 {
		return nil
	}
	dir := path.Join(o.Dir, "_stateSchema")
	var all [][]string
	for _, store := range o.Metadata.Stores {
		var files []string
		for _, recorded := range store.SchemaFiles {
			parent, base := path.Base(path.Dir(recorded)), path.Base(recorded)
			if name := path.Join(dir, parent, base); fs.ValidPath(name) && strings.HasPrefix(name, dir+"/") {
				files = append(files, name)
			}
		}
		all = append(all, files)
	}
	return all
}

// current reads the schemas that metadata of version 2 name. A start reads all of them, and compares the query with the last of each store.
func (s *lister) current(ctx context.Context) error {
	for i := range s.ops {
		op := &s.ops[i]
		for _, files := range op.schemaNames() {
			for j, name := range files[max(0, len(files)-schemasRead):] {
				newest := j == len(files[max(0, len(files)-schemasRead):])-1
				op.Lacking = append(op.Lacking, name)
				s.read(name, func(data []byte) {
					op.Lacking = slices.DeleteFunc(op.Lacking, func(lacks string) bool { return lacks == name })
					if schema := state.ParseSchema(name, data); newest {
						op.Current = append(op.Current, schema)
					} else {
						op.Older = append(op.Older, schema)
					}
				})
			}
		}
	}
	return s.run(ctx)
}

// schemasRead is how many schema files of one store are read, the newest ones. Spark keeps no more than 128 by default
// (spark.sql.streaming.stateStore.stateSchemaFilesThreshold).
const schemasRead = 256
