package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// table is a list of the program to which things are added one by one. Each thing is a variable or a function; where it has
// a word by which people know it, nothing else may stand for that word either.
type table struct {
	thing string // "check"
	file  string // with the list
	name  string // of the variable that is the list
	field string // of a thing, that has its word; "" where the line of the list has it, or where it has none

	alone    bool     // a file has one such thing, and no more
	and      string   // a glob of files in another package, of which one may name a thing too
	other    []string // folders in which the same words stand for other things
	ordinary []string // words that stand for much else everywhere: only the names in the code are looked for
	off      []string // what looks like such a thing and is on no list
	except   []except
}

// except are files, by the beginning of their path, that may name one thing; all of them where thing is "".
type except struct{ thing, files, why string }

// tables has one line per list of the program.
var tables = []table{
	{
		thing: "source", file: "checkpoint/source/source.go", name: "Kinds", field: "Name",
		and:      "internal/availability/kind_*.go",
		other:    []string{"internal/output/"},
		ordinary: []string{"file", "memory", "rate", "socket"},
		off:      []string{"unknown"},
		except: []except{
			{"File", "checkpoint/taken.go", "its own log lies in the checkpoint, and is read there"},
			{"File", "internal/checks/", "its own log tells it, whatever its line looks like"},
			{"Kafka", "internal/kafka/", "brokers answer for it"},
			{"Kafka", "internal/cli/flags.go", "a flag has this name"},
			{"Kafka", "internal/config/config.go", "a flag has this name"},
			{"Kafka", "ui/kit/asks.go", "a command that asks for the answer to that flag"},
			{"Kafka", "internal/cli/explore_answer.go", "a command that asks for the answer to that flag"},
			{"Delta", "ui/screen/state/about.go", "a file of state"},
			{"Delta", "checkpoint/state/files.go", "the ending of a state file"},
			{"DeltaSharing", "checkpoint/source/delta.go", "Delta reads its lines"},
			{"Kinesis", "checkpoint/source/kinesis_databricks.go", "a second name of another connector"},
		},
	},
	{thing: "kind of what a source still has", file: "internal/availability/kind.go", name: "Kinds", off: []string{"unknown"}},
	{
		thing: "output", file: "internal/output/kind.go", name: "Kinds", field: "Name",
		other:    []string{"checkpoint/source/", "internal/availability/"},
		ordinary: []string{"file", "memory", "parquet"},
		except: []except{
			{"kafka", "internal/cli/flags.go", "a flag has this name"},
			{"kafka", "internal/config/config.go", "a flag has this name"},
			{"kafka", "ui/kit/asks.go", "a command that asks for the answer to that flag"},
			{"kafka", "internal/cli/explore_answer.go", "a command that asks for the answer to that flag"},
			{"deltaKind", "checkpoint/state/files.go", "the ending of a state file"},
			{"fileKind", "internal/output/open.go", "files that lie there without any log are taken for its files"},
		},
	},
	{
		thing: "check", file: "internal/checks/examine/all.go", name: "All", field: "Code",
		ordinary: []string{"drift"},
		off:      []string{"NotACheckpoint"}, // of a place that is none
		except: []except{
			{"", "internal/trace/", "a message of a trace says which checks find what it tells of"},
			{"logs.LoginRefused", "internal/checks/examine/all.go", "of a place that is no checkpoint, too"},
			{"logs.AccessDenied", "internal/checks/examine/all.go", "of a place that is no checkpoint, too"},
			{"logs.ArchivedObject", "internal/checks/examine/all.go", "of a place that is no checkpoint, too"},
			{"logs.LogMalformed", "internal/checks/examine/salvage.go", "what is left of such a file is told with it"},
			{"logs.MetadataMalformed", "internal/checks/examine/salvage.go", "what is left of such a file is told with it"},
			{"logs.LogMalformed", "internal/checks/sources/", "reported where the log of a source is read"},
			{"stores.StateFileDamaged", "internal/checks/stores/", "reported where checksums are compared"},
			{"stores.StateFileMissing", "internal/checks/stores/", "reported where records name files"},
			{"stores.StateFileDamaged", "internal/checks/examine/questions.go", "of a schema or a record of an operator"},
			{"sources.SourceDataGone", "internal/checks/sources/", "what was given and could not be asked is told with it"},
			{"logs.OffsetGap", "internal/cli/tour.go", "an example has this name"},
			{"logs.OffsetGap", "docs/", "an example has this name"},
		},
	},
	{thing: "backend", file: "storage/open.go", name: "schemes", ordinary: []string{"file", "s3", "s3a", "s3n", "dbfs"}}, // Spark records them too
	{thing: "command", file: "internal/cli/cli.go", name: "commands", alone: true},
	{
		thing: "screen", file: "ui/screens.go", name: "specs", alone: true,
		off: []string{"Place"}, // what a line opens that begins with no command
		except: []except{
			{"overview.Spec", "ui/screens.go", "shown where a checkpoint is opened"},
			{"start.Spec", "ui/screens.go", "shown where a checkpoint is chosen"},
		},
	},
}

// item is one thing of a list.
type item struct {
	name string // of its variable or function
	dir  string // of its package
	file string // that declares it
	word string // "" where it has none, or an ordinary one
	form string // what it is, as far as code shows: "Kind", "func(a *app) *cobra.Command"

	lines int  // of the list: one a word
	bare  bool // its line is its name alone
}

// named returns the name of a thing as it stands in the list.
func (it item) named(l table) string {
	if it.dir == path.Dir(l.file) {
		return it.name
	}
	return path.Base(it.dir) + "." + it.name
}

// TestAThingIsOneFileAndOneLine holds that a source, a backend, a command and so on are added in one file and with one
// line in their list: no other file of the program names them.
func TestAThingIsOneFileAndOneLine(t *testing.T) {
	files := sources(t)
	said := map[string]mentions{}
	for name, file := range files {
		said[name] = mentionsOf(file)
	}
	for _, l := range tables {
		t.Run(strings.ReplaceAll(l.thing, " ", "_"), func(t *testing.T) {
			items := l.items(t, files)
			for _, it := range items {
				for _, fault := range l.faults(said, it) {
					t.Error(fault)
				}
			}
			for _, fault := range l.unlisted(files, items) {
				t.Error(fault)
			}
			l.finds(t, said, items)
		})
	}
}

// items returns the things of a list.
func (l table) items(t *testing.T, files map[string]*ast.File) (all []item) {
	t.Helper()
	value := valueOf(files[l.file], l.name)
	if value == nil || len(value.Elts) < 2 {
		t.Fatalf("%s has no list %s", l.file, l.name)
	}
	for _, line := range value.Elts {
		it := item{name: identOf(line), dir: path.Dir(l.file), lines: 1, bare: true}
		switch line := line.(type) {
		case *ast.SelectorExpr: // of another package
			it.name, it.dir = line.Sel.Name, imported(files[l.file], identOf(line.X))
		case *ast.CompositeLit: // the word, and further on a function
			if _, whole := line.Elts[0].(*ast.KeyValueExpr); whole {
				continue // all that there is of it
			}
			it.word, it.bare = literal(line.Elts[0]), false
			for _, part := range line.Elts[1:] {
				if it.name == "" && identOf(part) != "nil" {
					it.name = identOf(part)
				}
			}
		}
		for name, file := range files {
			if path.Dir(name) == it.dir && file.Scope.Lookup(it.name) != nil {
				it.file, it.form = name, form(file, it.name)
				if l.field != "" {
					it.word = fieldOf(valueOf(file, it.name), l.field)
				}
			}
		}
		switch {
		case it.file == "":
			t.Fatalf("%s: a line of %s names nothing that is declared: %q", l.file, l.name, it.name)
		case l.field != "" && it.word == "":
			t.Fatalf("%s: %s has no %s", it.file, it.name, l.field)
		}
		if slices.Contains(l.ordinary, it.word) {
			it.word = ""
		}
		if i := slices.IndexFunc(all, func(x item) bool { return !x.bare && x.name == it.name }); i >= 0 {
			all[i].lines++
			continue
		}
		all = append(all, it)
	}
	return all
}

// faults returns the places that name a thing and need not.
func (l table) faults(said map[string]mentions, it item) (all []string) {
	if it.file == l.file {
		all = append(all, fmt.Sprintf("%s has the %s %s beside the list: it is to have a file of its own", l.file, l.thing, it.name))
	}
	inOther := 0
	for _, name := range slices.Sorted(maps.Keys(said)) {
		n := said[name].of(it, path.Dir(name) == it.dir)
		if it.word != "" && name != l.file && !begins(name, l.other...) {
			n += said[name].texts[it.word]
		}
		ok, _ := path.Match(l.and, name)
		switch {
		case n == 0, name == it.file && name != l.file:
		case name == l.file && n == it.lines:
		case ok && inOther == 0:
			inOther++
		case slices.ContainsFunc(l.except, func(e except) bool { return (e.thing == "" || e.thing == it.named(l)) && begins(name, e.files) }):
		default:
			all = append(all, fmt.Sprintf("%s names the %s %s: what it asks of it is to be a field of it", name, l.thing, it.named(l)))
		}
	}
	return all
}

// unlisted returns the things of the same form that are not on the list, and those that share a file and should not.
func (l table) unlisted(files map[string]*ast.File, items []item) (all []string) {
	for name, file := range files {
		here := 0
		for declared := range file.Scope.Objects {
			i := slices.IndexFunc(items, func(it item) bool { return it.dir == path.Dir(name) && it.form == form(file, declared) })
			if i < 0 || !items[i].bare || slices.Contains(l.off, declared) {
				continue
			}
			here++
			if !slices.ContainsFunc(items, func(it item) bool { return it.name == declared && it.file == name }) {
				all = append(all, fmt.Sprintf("%s: the %s %s is not on the list %s of %s", name, l.thing, declared, l.name, l.file))
			}
		}
		if l.alone && here > 1 {
			all = append(all, fmt.Sprintf("%s has more than one %s", name, l.thing))
		}
	}
	return all
}

// finds plants each thing in a file that has no business with it: it must be found there.
func (l table) finds(t *testing.T, said map[string]mentions, items []item) {
	t.Helper()
	const planted = "internal/planted/planted.go"
	for _, it := range items {
		kind := path.Base(it.dir) + "." + it.name
		if it.word != "" {
			kind = strconv.Quote(it.word)
		}
		file, err := parser.ParseFile(token.NewFileSet(), planted, "package planted\n\nvar odd = kind == "+kind+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		with := maps.Clone(said)
		with[planted] = mentionsOf(file)
		if !slices.ContainsFunc(l.faults(with, it), func(fault string) bool { return strings.HasPrefix(fault, planted) }) {
			t.Errorf("a further file that names the %s %s is not found", l.thing, it.name)
		}
	}
}

// mentions are what a file names, each with how often.
type mentions struct {
	names     map[string]int // of its own package, in other files of it
	selectors map[string]int // of other packages: "source.Kafka"
	texts     map[string]int // literals
}

func mentionsOf(file *ast.File) mentions {
	m := mentions{map[string]int{}, map[string]int{}, map[string]int{}}
	for _, id := range file.Unresolved { // not a local that happens to have the same name
		m.names[id.Name]++
	}
	ast.Inspect(file, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			m.selectors[identOf(x.X)+"."+x.Sel.Name]++
		case *ast.BasicLit:
			m.texts[literal(x)]++
		}
		return true
	})
	return m
}

// of returns how often the code names a thing, from inside its package or from outside.
func (m mentions) of(it item, inside bool) int {
	if inside {
		return m.names[it.name]
	}
	return m.selectors[path.Base(it.dir)+"."+it.name]
}

func begins(name string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(name, part) })
}

// imported returns the folder of the package of this module that a file imports under a name; "" for none.
func imported(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		full, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "tidemark/")
		if ok && (spec.Name == nil && path.Base(full) == name || spec.Name != nil && spec.Name.Name == name) {
			return full
		}
	}
	return ""
}

// form returns what a declaration of a package is: the type of its value, or that of the function; "" for others.
func form(file *ast.File, name string) string {
	switch o := file.Scope.Lookup(name); d := o.Decl.(type) {
	case *ast.FuncDecl:
		return types.ExprString(d.Type)
	case *ast.ValueSpec:
		if value := valueOf(file, name); value != nil && value.Type != nil {
			return types.ExprString(value.Type)
		}
	}
	return ""
}

// valueOf returns the composite value of a package's variable, or what it points to or is made of; nil for none.
func valueOf(file *ast.File, name string) *ast.CompositeLit {
	if file == nil || file.Scope.Lookup(name) == nil {
		return nil
	}
	spec, ok := file.Scope.Lookup(name).Decl.(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
		return nil
	}
	value := spec.Values[0]
	switch v := value.(type) {
	case *ast.UnaryExpr:
		value = v.X
	case *ast.CallExpr: // of a function that makes something of the list
		if len(v.Args) == 1 {
			value = v.Args[0]
		}
	}
	lit, _ := value.(*ast.CompositeLit)
	return lit
}

// fieldOf returns the text of a field of a composite value; "" for none.
func fieldOf(value *ast.CompositeLit, name string) string {
	if value == nil {
		return ""
	}
	for _, e := range value.Elts {
		if f, ok := e.(*ast.KeyValueExpr); ok && identOf(f.Key) == name {
			return literal(f.Value)
		}
	}
	return ""
}

func identOf(e ast.Expr) string {
	id, ok := e.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// literal returns the text of a string literal; "" for anything else.
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
