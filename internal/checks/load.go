package checks

import (
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// Load is one state store that the next start loads, and how far the files that exist allow it.
// What is in the files is not checked here.
type Load struct {
	Operator, Partition int
	Name                string            // of the store: "default" for the only one
	Dir                 string            // where it lies within the checkpoint, or would lie
	Store               *statestore.Store // nil where its folder is missing
	Version             int64             // the version that is loaded
	Loadable            int64             // the newest version up to it that can be rebuilt; 0 when there is none
	Missing             []state.Span      // versions that have no file although one is needed, ascending
	Asked               string            // the path of the file that Spark misses first; "" where none is missing
	Empty               []state.File      // files without bytes among those that are needed
	Rules               state.Rules       // without what was found in files: they may still be being read
}

// Chain is the files that rebuild the version.
func (l *Load) Chain() state.Chain {
	if l.Store == nil {
		return state.ChainOf(nil, l.Version, l.Rules)
	}
	return state.ChainOf(l.Store.Files, l.Version, l.Rules)
}

// At is the same store at another version: which of its files rebuild that one. Which file Spark would miss
// first is not worked out.
func (l *Load) At(version int64) Load {
	out := *l
	out.Version = version
	c := out.Chain()
	var files []state.File
	if l.Store != nil {
		files = l.Store.Files
	}
	out.Loadable, out.Missing, out.Empty, out.Asked = state.NewestLoading(files, version, l.Rules), c.Missing, c.Empty(), ""
	return out
}
