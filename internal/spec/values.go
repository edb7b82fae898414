package spec

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
	"tidemark/internal/phrase"
)

// single reports whether n is a single value of one of these tags
func single(n node, tags ...string) bool {
	return n.Kind == yaml.ScalarNode && slices.Contains(tags, n.Tag)
}

// text is a text, which may be empty. A date without quotes is one too.
func (p *parser) text(n node) string {
	switch {
	case single(n, "!!str", "!!timestamp"):
		return n.Value
	case single(n, "!!int", "!!float", "!!bool"):
		p.problem(n, "expected a text, not %s (put it in quotes)", found(n))
	default:
		p.problem(n, "expected a text, not %s", found(n))
	}
	return ""
}

// word is a text that is not empty.
func (p *parser) word(n node) string {
	if single(n, "!!str") && strings.TrimSpace(n.Value) == "" {
		p.problem(n, "expected a text, not an empty one; remove the key if there is no value")
		return ""
	}
	return p.text(n)
}

func (p *parser) version(n node) {
	if !single(n, "!!int") || n.Value != "1" {
		p.problem(n, "expected 1, the version of the form, not %s", found(n))
	}
}

func (p *parser) release(n node) spark.Version {
	if !single(n, "!!str", "!!float", "!!int") {
		p.problem(n, `expected a Spark release such as "4.1", not %s`, found(n))
		return spark.Version{}
	}
	v, err := spark.Parse(n.Value)
	if err != nil {
		p.problem(n, "expected a Spark release: %v", err)
	}
	return v
}

func (p *parser) number(n node, least, most int) int {
	v, err := strconv.Atoi(n.Value)
	if !single(n, "!!int") || err != nil || v < least || v > most {
		p.problem(n, "expected a whole number from %d to %d, not %s", least, most, found(n))
		return 0
	}
	return v
}

func (p *parser) truth(n node) *bool {
	v := strings.EqualFold(n.Value, "true")
	if !single(n, "!!bool") {
		p.problem(n, "expected true or false, not %s", found(n))
		return nil
	}
	return &v
}

// unspaced takes out what Spark's own names of two words do not have: "event_time" is its EventTime.
var unspaced = strings.NewReplacer("_", "", "-", "", " ", "")

// choice is one of a few words, in any case, and written in one or with a blank or a dash as well.
func (p *parser) choice(n node, words []string) string {
	if single(n, "!!str") {
		for _, w := range words {
			if strings.EqualFold(unspaced.Replace(w), unspaced.Replace(n.Value)) {
				return w
			}
		}
	}
	p.problem(n, "expected %s, not %s%s", either(words), found(n), meant(n.Value, words))
	return ""
}

// either is "append, update or complete".
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func meant(word string, words []string) string {
	return phrase.DidYouMean(strings.ToLower(word), words)
}

// kind is the name of a source or sink: one that is known, in any case, or another that is not just one of those
// misspelled. The name of a class has a dot, and is taken as it is.
func (p *parser) kind(n node, known []string) string {
	text := p.word(n)
	if text == "" || strings.Contains(text, ".") {
		return text
	}
	for _, k := range known {
		if strings.EqualFold(k, text) {
			return k
		}
	}
	if strings.ContainsAny(text, " \t\n,;") {
		p.problem(n, "expected one word, such as %s, not %s", known[0], found(n))
	} else if near := phrase.Misspelled(strings.ToLower(text), known); near != "" {
		p.problem(n, "unknown kind %.40q; did you mean %s? (name a custom kind by its class, with its package)", text, near)
	}
	return text
}

func (p *parser) provider(n node) string {
	text := p.word(n)
	if text == "" || strings.Contains(text, ".") && !strings.ContainsAny(text, " \t\n") {
		return text
	}
	for _, w := range providers {
		if strings.EqualFold(w, text) {
			return w
		}
	}
	p.problem(n, "expected rocksdb, hdfs or a full class name, not %s%s", found(n), meant(text, providers))
	return ""
}

// names is a list of texts that are not empty.
func (p *parser) names(n node) []string {
	all := readList(p, n, "names", p.word)
	if all != nil && len(all) == 0 {
		p.problem(n, "expected a list of names, not an empty one")
	}
	return all
}

// conf are settings: a number or a truth value is its text as written.
func (p *parser) conf(n node) map[string]string { return p.texts(n, "a set of settings", nil) }

// yesOrNo are options of sources that are true or false, in lower case.
var yesOrNo = []string{"failondataloss", "ignorechanges", "ignoredeletes", "skipchangecommits", "readchangefeed", "includeheaders"}

// options are those of a source. Spark does not tell apart names that differ in case alone.
func (p *parser) options(n node) map[string]string {
	lower := map[string]string{}
	return p.texts(n, "a set of options", func(name, value node) {
		key := strings.ToLower(name.Value)
		if first, ok := lower[key]; ok {
			p.problem(name, "%.60q is the same option as %.60q: names differ in case alone", name.Value, first)
		}
		lower[key] = name.Value
		if slices.Contains(yesOrNo, key) && !strings.EqualFold(value.Value, "true") && !strings.EqualFold(value.Value, "false") {
			p.problem(value, "expected true or false, not %s", found(value))
		}
	})
}

// texts are single values by name; each is shown to look, which may be nil, before it is taken.
func (p *parser) texts(n node, what string, look func(name, value node)) map[string]string {
	all := map[string]string{}
	p.mapping(n, what, func(name, value node) {
		if !single(value, "!!str", "!!int", "!!float", "!!bool", "!!timestamp") {
			p.problem(value, "expected a text, a number, true or false, not %s", found(value))
			return
		}
		if look != nil {
			look(name, value)
		}
		all[name.Value] = value.Value
	})
	return all
}

// assigned are partitions by topic, in the order of the file.
func (p *parser) assigned(n node) []TopicPartitions {
	all := []TopicPartitions{}
	p.mapping(n, "partitions by topic", func(name, value node) {
		of := readList(p, value, "partitions", func(n node) int64 { return int64(p.number(n, 0, math.MaxInt32)) })
		if of != nil && len(of) == 0 {
			p.problem(value, "expected a list of partitions, not an empty one")
		}
		all = append(all, TopicPartitions{name.Value, of})
	})
	if n.Kind == yaml.MappingNode && len(all) == 0 {
		p.problem(n, "expected partitions by topic, not an empty mapping")
	}
	return all
}

// variables are those of transformWithState, in the order of the file.
func (p *parser) variables(n node) []Variable {
	all := []Variable{}
	p.mapping(n, "state variables by name", func(name, value node) {
		v := Variable{At: name.place(), Name: name.Value}
		readObject(p, value, "a state variable", variableKeys, &v)
		if v.Key != nil && v.Kind != "" && v.Kind != "map" {
			p.problem(value, "only a map has key columns, and the kind is %s: remove key", v.Kind)
		}
		all = append(all, v)
	})
	return all
}

// interval is an interval as Spark writes one; empty for none.
func (p *parser) interval(n node) *string {
	text := p.text(n)
	if text != "" && !isInterval(text) {
		p.problem(n, `expected an interval such as "10 minutes", or "" for none, not %s`, found(n))
	}
	return &text
}

func (p *parser) trigger(n node) string {
	text := p.word(n)
	switch {
	case text == "" || isInterval(text):
		return text
	case slices.Contains(triggers, strings.ToLower(text)):
		return strings.ToLower(text)
	}
	p.problem(n, `expected an interval such as "1 minute", %s, not %s%s`, either(triggers), found(n), meant(text, triggers))
	return ""
}

// schema is the columns of a struct. What does not parse is told at its place within the text.
func (p *parser) schema(n node) *row.Type {
	if single(n, "!!null") || n.Kind != yaml.ScalarNode || !single(n, "!!str") {
		p.problem(n, "expected a schema, such as shop_id STRING, count BIGINT, not %s", found(n))
		return nil
	}
	t, err := row.ParseSchema(n.Value)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		at, exact := p.within(n, int(e.Offset))
		words := e.Err.Error()
		if unknown, ok := errors.AsType[*row.UnknownTypeError](e.Err); ok {
			words += phrase.DidYouMean(strings.ToUpper(unknown.Name), unknown.Known)
		}
		if !exact {
			words += " (character " + strconv.Itoa(utf8.RuneCountInString(n.Value[:e.Offset])+1) + " of the schema)"
		}
		p.problemAt(at, n.path, "%s", words)
	}
	return t
}
