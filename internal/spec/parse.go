package spec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"tidemark/internal/phrase"
)

// Limits of a file. A spec has a page or two.
const (
	SizeLimit    = 1 << 20 // bytes
	valueLimit   = 100_000 // values, those that an alias repeats counted each time
	problemLimit = 20      // that are told
)

// Problem is one thing that is wrong in the file of a spec.
type Problem struct {
	Name  string // of the file
	At    Pos
	Field string // "sources[0].topics"; "" where none is meant
	Text  string // what is expected and what was found
}

// Error is "orders.spec.yaml:7:12: sources[0].topics: a list of names is expected, not the number 5".
func (p Problem) Error() string {
	place := fmt.Sprintf("%s:%d:%d: ", p.Name, p.At.Line, p.At.Column)
	if p.Field != "" {
		place += p.Field + ": "
	}
	return place + p.Text
}

// Problems are what is wrong in a file, in its order; no more than 20. Error has a line for each.
type Problems []Problem

func (all Problems) Error() string {
	lines := make([]string, len(all))
	for i, p := range all {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Parse reads a spec, version 1, from the bytes of a YAML file; name stands in its errors. The error is Problems
// where the file is not what the form says: every one of them, in the order of the file, up to a limit.
//
// A key that is not known, a value of the wrong type and a schema that does not parse are errors, and never
// passed over. An alias stands for its anchor; merge keys and tags are not known.
func Parse(name string, data []byte) (*Spec, error) {
	p := &parser{name: name, data: bytes.TrimPrefix(data, []byte("\ufeff")), values: valueLimit}
	root, ok := p.document()
	s := &Spec{From: name}
	if ok {
		readObject(p, root, "a spec", specKeys, s)
	}
	if len(p.problems) == 0 {
		return s, nil
	}
	slices.SortStableFunc(p.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return nil, p.problems[:min(len(p.problems), problemLimit)]
}

type parser struct {
	name     string
	data     []byte
	problems Problems
	values   int // how many more may be looked at
}

// node is a value with the path of keys that leads to it.
type node struct {
	*yaml.Node
	path string
	at   Pos
}

func (n node) place() Pos { return n.at }

// below is a value within n, an alias followed.
func (n node) below(of *yaml.Node, path string) node {
	at := Pos{of.Line, of.Column}
	if of.Kind == yaml.AliasNode && of.Alias != nil {
		of = of.Alias
	}
	return node{of, path, at}
}

func (p *parser) problem(n node, format string, args ...any) {
	p.problemAt(n.at, n.path, format, args...)
}

func (p *parser) problemAt(at Pos, field, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.name, p.inFile(at), field, fmt.Sprintf(format, args...)})
}

// document is the one document of the file.
func (p *parser) document() (node, bool) {
	if len(p.data) > SizeLimit {
		p.problemAt(Pos{1, 1}, "", "the file has more than %d bytes, too many for a spec", SizeLimit)
		return node{}, false
	}
	if at, words := p.notText(); at >= 0 {
		p.problemAt(p.placeOf(at), "", "%s", words)
		return node{}, false
	}
	dec := yaml.NewDecoder(bytes.NewReader(p.data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		p.problemAt(Pos{1, 1}, "", "the file is empty: a spec begins with spec: 1")
		return node{}, false
	case err != nil:
		p.malformed(err)
		return node{}, false
	}
	if err := dec.Decode(&second); err == nil {
		p.problemAt(Pos{max(second.Line, 1), max(second.Column, 1)}, "", "a second document begins here, and only one is allowed")
		return node{}, false
	} else if !errors.Is(err, io.EOF) {
		p.malformed(err)
		return node{}, false
	}
	return node{}.below(doc.Content[0], ""), true
}

// notText is the first byte that does not belong in a text; -1 for none.
func (p *parser) notText() (at int, words string) {
	for i := 0; i < len(p.data); {
		r, n := utf8.DecodeRune(p.data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return i, fmt.Sprintf("the byte %#02x is not UTF-8", p.data[i])
		case r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r == 0x7f:
			return i, fmt.Sprintf("the control character %#02x is not allowed in a text", r)
		case r == '\r' && !bytes.HasPrefix(p.data[i+1:], []byte("\n")), r == 0x85, r == 0x2028, r == 0x2029:
			return i, fmt.Sprintf("the character %#02x ends a line in YAML and not in an editor: replace it with a line feed (0x0a)", r)
		}
		i += n
	}
	return -1, ""
}

// readObject reads a mapping by its keys.
func readObject[T any](p *parser, n node, what string, keys []key[T], into *T) {
	p.mapping(n, what, func(name node, value node) {
		i := slices.IndexFunc(keys, func(k key[T]) bool { return k.name == name.Value })
		if i >= 0 {
			keys[i].read(p, value, into)
			return
		}
		hint := phrase.DidYouMean(name.Value, names(keys))
		if hint == "" {
			hint = "; " + what + " has " + strings.Join(names(keys), ", ")
		}
		p.problem(name, "%.60q is not a key of %s%s", name.Value, what, hint)
	})
}

// mapping calls pair with each key and its value, those that come twice aside.
func (p *parser) mapping(n node, what string, pair func(name, value node)) {
	if n.Kind != yaml.MappingNode {
		p.problem(n, "expected %s, with keys and values, not %s", what, found(n))
		return
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content) && p.spend(n); i += 2 {
		name := n.below(n.Content[i], n.path)
		if name.Kind != yaml.ScalarNode || name.Tag == "!!null" {
			p.problem(name, "expected a key, not %s", found(name))
			continue
		}
		path := name.Value
		if n.path != "" {
			path = n.path + "." + path
		}
		if line, ok := first[name.Value]; ok {
			p.problem(name, "%.60q occurs here a second time; the first is in line %d", name.Value, line)
			continue
		}
		first[name.Value] = name.at.Line
		pair(name, n.below(n.Content[i+1], path))
	}
}

// readList reads each item of a list; nil where n is none.
func readList[T any](p *parser, n node, what string, item func(node) T) []T {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
			hint = " ([] means none)"
		}
		p.problem(n, "expected a list of %s, not %s%s", what, found(n), hint)
		return nil
	}
	all := []T{}
	for i, x := range n.Content {
		if !p.spend(n) {
			break
		}
		all = append(all, item(n.below(x, fmt.Sprintf("%s[%d]", n.path, i))))
	}
	return all
}

// spend counts a value; false once there were too many.
func (p *parser) spend(n node) bool {
	if p.values--; p.values == -1 {
		p.problem(n, "more than %d values are in the file", valueLimit)
	}
	return p.values >= 0
}

// found is a value in words.
func found(n node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "keys and values"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return fmt.Sprintf("the number %.40s", n.Value)
	case "!!bool":
		return n.Value
	case "!!str", "!!timestamp":
		return fmt.Sprintf("the text %.40q", n.Value)
	}
	return fmt.Sprintf("a value with the tag %.40s", n.Tag)
}
