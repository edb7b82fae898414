package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"tidemark/internal/phrase"
)

// File is a file with settings, as TOML:
//
//	region = "eu-west-1"
//	max_requests = 10000
//	timeout = "30s"
//	ascii = true
//	look = "light"
//
//	[keys]                      # an action of the explorer, and the keys that do it
//	quit = ["q", "Q"]
//
//	[theme]                     # a theme by its name, a role and how it looks
//	name = "contrast"
//	bad = "bright-red bold"
//
// The names are those of Settings; what the names of an action and of a meaning are the screens know.
type File struct {
	Name  string           // as it was opened
	Set   map[string]Entry // by the name of the setting
	Keys  []Entry          // as they stand in the file
	Theme []Entry
}

// Entry is one line of a file.
type Entry struct {
	Name   string // of a setting, an action or a meaning
	Text   string // the value as it would be typed on the command line; "" in Keys
	List   []string
	Line   int // from 1
	Column int // from 1, in bytes
}

// Problem is one thing that is wrong in a file, with its place.
type Problem struct {
	File         string
	Line, Column int // from 1
	What         string
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.What)
}

// Parse reads a file. Its error joins a *Problem for each thing that is wrong, in the order of the file;
// what is right comes back beside it.
func Parse(name string, data []byte) (*File, error) {
	r := &reader{file: &File{Name: name, Set: map[string]Entry{}}}
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		line, column := 1, 1
		if d, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column = d.Position()
		}
		return r.file, &Problem{name, line, column, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	r.p.Reset(data)
	for r.p.NextExpression() {
		r.expression(r.p.Expression())
	}
	return r.file, errors.Join(append(r.problems, r.p.Error())...)
}

type reader struct {
	p        unstable.Parser
	file     *File
	table    string // that the lines belong to; "" above the first
	skip     bool   // the table is not known, and was told
	problems []error
}

// themeName is the line of [theme] that names a theme: a file with this table cannot have a line of that name, too.
const themeName = "name"

// tables are those that a file may have.
var tables = []string{"keys", "theme"}

func (r *reader) expression(e *unstable.Node) {
	var path []string
	var at *unstable.Node
	for it := e.Key(); it.Next(); {
		if at == nil {
			at = it.Node()
		}
		path = append(path, string(it.Node().Data))
	}
	table := r.table
	if table == "" && e.Kind == unstable.KeyValue && len(path) == 2 && slices.Contains(tables, path[0]) {
		table, path = path[0], path[1:] // keys.quit = "q"
	}
	name := strings.Join(path, ".")
	switch {
	case e.Kind == unstable.Table:
		r.table = name
		if r.skip = !slices.Contains(tables, name); r.skip {
			r.tell(at, "unknown table %q%s", name, phrase.DidYouMean(name, tables))
		}
	case e.Kind == unstable.ArrayTable:
		r.skip = true
		r.tell(at, "%q may appear once, as [%s]", name, name)
	case r.skip:
	case table == "keys":
		r.keys(name, at, e.Value())
	case table == "theme":
		r.theme(name, at, e.Value())
	default:
		r.setting(name, at, e.Value())
	}
}

func (r *reader) tell(at *unstable.Node, format string, args ...any) {
	e := r.entry("", at)
	r.problems = append(r.problems, &Problem{r.file.Name, e.Line, e.Column, fmt.Sprintf(format, args...)})
}

// entry has the place of a node.
func (r *reader) entry(name string, at *unstable.Node) Entry {
	p := r.p.Shape(at.Raw).Start
	return Entry{Name: name, Line: p.Line, Column: p.Column}
}

func (r *reader) setting(key string, at, value *unstable.Node) {
	s := byKey(key)
	switch {
	case slices.Contains(tables, key) && s == nil:
		r.tell(at, "%s is a table: [%s]", key, key)
		return
	case s == nil:
		r.tell(at, "unknown setting %q%s", key, phrase.DidYouMean(key, append(fileKeys(), tables...)))
		return
	case s.NoFile:
		r.tell(at, "%s is for one run only: use --%s or %s", key, s.Name, s.Variable())
		return
	}
	if value.Kind != s.wants() {
		r.tell(at, "%s: expected %s, found %s", key, s.form(), kindName(value.Kind))
		return
	}
	e := r.entry(s.Name, at)
	e.Text = string(value.Data)
	if s.Kind == Count {
		e.Text = strings.TrimPrefix(strings.ReplaceAll(e.Text, "_", ""), "+")
	}
	if err := s.Check(e.Text); err != nil {
		r.tell(value, "%s: %v", key, err)
		return
	}
	r.file.Set[s.Name] = e
}

func byKey(key string) *Setting {
	for i := range Settings {
		if Settings[i].Key() == key {
			return &Settings[i]
		}
	}
	return nil
}

func fileKeys() []string {
	var all []string
	for i := range Settings {
		if s := &Settings[i]; !s.NoFile {
			all = append(all, s.Key())
		}
	}
	return all
}

// wants returns what TOML calls a value of the setting.
func (s *Setting) wants() unstable.Kind {
	switch s.Kind {
	case Switch:
		return unstable.Bool
	case Count:
		return unstable.Integer
	}
	return unstable.String
}

// form returns what a value looks like in the file.
func (s *Setting) form() string {
	switch s.Kind {
	case Switch:
		return "true or false without quotes"
	case Count:
		return "a whole number without quotes"
	case Duration:
		return `text such as "30s"`
	case Choice, Name:
		return fmt.Sprintf("one of %q", s.Choices)
	}
	return "text in quotes"
}

func kindName(k unstable.Kind) string {
	switch k {
	case unstable.String:
		return "text"
	case unstable.Bool:
		return "true or false"
	case unstable.Integer, unstable.Float:
		return "a number"
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	}
	return "a date or a time"
}

// keys takes a line of [keys]: one key, or a list of them.
func (r *reader) keys(name string, at, value *unstable.Node) {
	e := r.entry(name, at)
	switch value.Kind {
	case unstable.String:
		e.List = []string{string(value.Data)}
	case unstable.Array:
		for it := value.Children(); it.Next(); {
			n := it.Node()
			if n.Kind != unstable.String {
				r.tell(at, "keys.%s: expected names of keys in quotes, found %s", name, kindName(n.Kind))
				return
			}
			e.List = append(e.List, string(n.Data))
		}
	default:
		r.tell(at, "keys.%s: expected the name of a key in quotes, or a list of them, found %s", name, kindName(value.Kind))
		return
	}
	r.file.Keys = append(r.file.Keys, e)
}

// theme takes a line of [theme]: the name of a theme, or a role and its style.
func (r *reader) theme(name string, at, value *unstable.Node) {
	if name == themeName {
		r.setting("theme", at, value)
		return
	}
	if value.Kind != unstable.String {
		r.tell(at, "theme.%s: expected text in quotes, found %s", name, kindName(value.Kind))
		return
	}
	e := r.entry(name, at)
	e.Text = string(value.Data)
	r.file.Theme = append(r.file.Theme, e)
}
