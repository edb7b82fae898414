package checkpoint

import (
	"context"
	"io/fs"
	"path"
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

// current reads the schemas that metadata of version 2 name: a start compares the query with the last of
// each store.
func (s *stateSurvey) current(ctx context.Context) error {
	for i := range s.ops {
		op := &s.ops[i]
		for _, files := range op.schemaNames() {
			if n := len(files); n > 0 {
				s.read(files[n-1], func(data []byte) { op.Current = append(op.Current, state.ParseSchema(files[n-1], data)) })
			}
		}
	}
	return s.run(ctx)
}
