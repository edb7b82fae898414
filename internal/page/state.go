package page

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
)

// OperatorName is the name of a stateful operator, and whether that is a guess; "" where nothing tells.
func OperatorName(name string, guessed bool) string {
	if guessed {
		name += " (inferred)"
	}
	return phrase.Printable(strings.TrimSpace(name))
}

// Provider is the state store provider that wrote the files of an operator, in short: "HDFS-backed", "RocksDB with changelogs"; ""
// where no file shows it.
func Provider(o *statestore.Operator) string {
	if o.Provider == "rocksdb" {
		for _, p := range o.Partitions {
			for _, s := range p.Stores {
				if slices.ContainsFunc(s.Files, func(f state.File) bool { return f.Role == state.Changelog }) {
					return "RocksDB with changelogs"
				}
			}
		}
	}
	if name, ok := providers[o.Provider]; ok {
		return name
	}
	return phrase.Printable(o.Provider)
}

// providers are the short names of the providers, by the words of the JSON.
var providers = map[string]string{"hdfs": "HDFS-backed", "rocksdb": "RocksDB"}

// OperatorHead is an operator as the title of its stores: number, name, provider, partitions and schema.
func OperatorHead(o *statestore.Operator) string {
	parts := operatorParts(o)
	if key, value := Schema(o); key != "" || value != "" {
		parts = append(parts, "key "+phrase.Printable(key), "value "+phrase.Printable(value))
	}
	return strings.Join(parts, "   ")
}

// OperatorLine is an operator in a line, with how large the files of its state are together. It looks at every file.
func OperatorLine(o *statestore.Operator) string {
	var bytes int64
	for _, p := range o.Partitions {
		for _, s := range p.Stores {
			for _, f := range s.Files {
				bytes += f.Size
			}
		}
	}
	parts := append(operatorParts(o), phrase.Bytes(bytes))
	if key, _ := Schema(o); key != "" {
		parts = append(parts, "key "+phrase.Printable(key))
	}
	if o.Err != nil {
		parts = append(parts, "? "+notListedToEnd(o.Err))
	}
	return strings.Join(parts, ", ")
}

func operatorParts(o *statestore.Operator) []string {
	parts := []string{strings.TrimSpace(fmt.Sprintf("operator %d %s", o.ID, OperatorName(o.Name, o.Guessed)))}
	if provider := Provider(o); provider != "" {
		parts = append(parts, provider)
	}
	return append(parts, phrase.Units(int64(len(o.Partitions)), "partitions"))
}

func notListedToEnd(err error) string {
	return "listing incomplete: " + phrase.Printable(err.Error())
}

// Operator is what is known of an operator: its name, provider, partitions, stores and schemas.
func Operator(o *statestore.Operator) Facts {
	name := phrase.Printable(o.Name)
	switch {
	case name == "":
		name = "not recorded"
	case o.Guessed:
		name += ", inferred from its state files"
	}
	there := phrase.Units(int64(len(o.Partitions)), "folders")
	if o.Recorded > 0 && o.Recorded != len(o.Partitions) {
		there += fmt.Sprintf(", %s recorded", phrase.Count(int64(o.Recorded)))
	}
	var f Facts
	f.say("operator", name)
	f.say("provider", phrase.Or(Provider(o), "–"))
	f.say("partitions", there)
	if names := o.StoreNames(); len(names) > 1 {
		f.say("stores", phrase.Printable(strings.Join(names, ", ")))
	}
	f.Rows = append(f.Rows, schemas(o)...)
	if o.InputRow != nil {
		f.say("schema file", "has the input row as value, unlike the rows (SPARK-39650)")
	}
	return f
}

// schemas are the columns of every store, or part of a store. They have its name where there are several.
func schemas(o *statestore.Operator) []Fact {
	var f Facts
	for _, s := range o.Schemas {
		for _, family := range s.Families {
			name := path.Base(path.Dir(path.Dir(s.File)))
			if family.Name != "default" {
				name = family.Name
			}
			if len(o.Schemas) > 1 || len(s.Families) > 1 {
				f.say("schema of", phrase.Printable(name))
			}
			f.say("key", phrase.Or(phrase.Printable(DDL(family.Key)), "–"))
			f.say("value", phrase.Or(phrase.Printable(DDL(family.Value)), "–"))
		}
	}
	return f.Rows
}

// OperatorProblems are what is wrong with the files that describe an operator, and with its listing.
func OperatorProblems(o *statestore.Operator) []Block {
	var s Section
	for _, p := range o.Problems() {
		s.add(Paragraph{Mark: Span{phrase.Warn, "!"}, Text: Text{{phrase.Warn, phrase.Printable(p.Error())}}})
	}
	if o.Err != nil {
		s.add(Paragraph{Mark: Span{phrase.Open, "?"}, Text: Text{{phrase.Open, notListedToEnd(o.Err)}}})
	}
	return s.Blocks
}

// say adds a fact without a role.
func (f *Facts) say(name, text string) {
	f.Rows = append(f.Rows, Fact{Name: name, Text: Plain(text)})
}

// NoState says that a checkpoint holds no state, and what that may mean.
func NoState(cp *checkpoint.Checkpoint) Section {
	s := Section{Key: "state", Title: "No state"}
	text := "The checkpoint has no state folder: the query has no stateful operator, or its state was deleted or not copied. " +
		"Aggregations, joins and deduplication are stateful."
	e := cp.Root.Find("state")
	switch {
	case cp.State.Err != nil:
		s.Title = "State could not be listed"
		text = fmt.Sprintf("%s. It is unknown whether the query has state.", phrase.Printable(cp.State.Err.Error()))
	case e != nil && e.Dir:
		s.Title = "No operator in state"
		text = "The state folder contains no operator. Either the query is stateless and the folder is a leftover, " +
			"or its contents were deleted or not copied."
	}
	s.say(0, text)
	return s
}
