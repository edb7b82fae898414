package trace

import (
	"slices"

	"tidemark/checkpoint/source"
)

// Of which kinds of source a message can be: a message is about what a kind reads or keeps, not about its name.

func hasTopics(k *source.Kind) bool { return k.Topics }

func keepsSchemaLog(k *source.Kind) bool { return k.SchemaLog }

func keepsPartCount(k *source.Kind) bool { return k.PartCount }

func readsTable(formats ...source.Format) func(*source.Kind) bool {
	return func(k *source.Kind) bool { return slices.Contains(formats, k.Table) }
}

// anyKind reports whether one of the kinds with these names is such a kind.
func anyKind(names []string, of func(*source.Kind) bool) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		k := source.ByName(name)
		return k != nil && of(k)
	})
}
