package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows is the architecture: a package imports, of this module, only what stands on its line. A name
// with "/…" stands for all packages below it, but those that ask a Store for bytes: they are named (see openers).
var arrows = map[string][]string{
	".": {"internal/cli"},

	"storage":               {"internal/mask"},
	"checkpoint":            {"checkpoint/…", "storage"},
	"checkpoint/…":          {"checkpoint/…"}, // functions from bytes to values: never a Store
	"checkpoint/statestore": {"checkpoint", "checkpoint/…", "storage"},

	"ui":          {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/examine", "internal/checks/sink", "internal/output", "internal/page", "internal/phrase", "internal/report", "internal/spec", "internal/trace", "ui/kit", "ui/kit/…", "ui/screen/…"},
	"ui/screen/…": {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/examine", "internal/checks/sink", "internal/output", "internal/page", "internal/phrase", "internal/report", "internal/spec", "internal/trace", "ui/kit", "ui/kit/…"}, // never another screen, never the app
	"ui/kit":      {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/examine", "internal/checks/sink", "internal/output", "internal/page", "internal/phrase", "internal/report", "internal/spec", "internal/trace", "ui/kit/…"},
	"ui/kit/…":    {"internal/phrase"}, // widgets know no Spark

	"internal/mask":         {},
	"internal/spec":         {"checkpoint", "checkpoint/…", "internal/output", "internal/phrase"},
	"internal/tablelog":     {},
	"internal/tablelog/…":   {"checkpoint/…", "internal/tablelog"}, // never a Store
	"internal/availability": {"checkpoint", "checkpoint/…", "internal/phrase", "internal/spec", "internal/tablelog", "internal/tablelog/…"},
	"internal/kafka":        {"checkpoint/…", "internal/availability", "internal/phrase"},
	"internal/output":       {"checkpoint/…", "internal/tablelog", "internal/tablelog/…"},
	"internal/trace":        {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/checks", "internal/mask", "internal/output", "internal/phrase"},
	"internal/phrase":       {"checkpoint/source"}, // words and numbers: it knows no checkpoint
	"internal/page":         {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/output", "internal/phrase", "internal/trace"},
	"internal/report":       {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/output", "internal/page", "internal/phrase", "internal/spec", "internal/trace"},
	"internal/config":       {"internal/phrase"},
	"internal/cli": {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/…", "internal/config", "internal/kafka", "internal/mask", "internal/output", "internal/page", "internal/phrase",
		"internal/report", "internal/spec", "internal/tablelog", "internal/tablelog/…", "internal/trace", "storage", "ui", "ui/kit"},

	// The vocabulary of a verdict; what rules of several rooms need; the rules by what they look at; what judges by all of them; the list.
	"internal/checks":          {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/output", "internal/phrase", "internal/spec"},
	"internal/checks/basics":   {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/checks", "internal/phrase", "internal/spec"},
	"internal/checks/logs":     {"checkpoint", "checkpoint/…", "internal/checks", "internal/checks/basics", "internal/phrase"},
	"internal/checks/sources":  {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/basics", "internal/checks/logs", "internal/phrase", "internal/spec"},
	"internal/checks/stores":   {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/checks", "internal/checks/basics", "internal/checks/logs", "internal/phrase"},
	"internal/checks/sink":     {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/checks", "internal/checks/basics", "internal/output", "internal/phrase", "internal/spec"},
	"internal/checks/restart":  {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/basics", "internal/checks/sources", "internal/checks/stores", "internal/phrase"},
	"internal/checks/drift":    {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/basics", "internal/checks/restart", "internal/checks/stores", "internal/output", "internal/phrase", "internal/spec"},
	"internal/checks/recovery": {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/checks", "internal/checks/basics", "internal/checks/drift", "internal/checks/restart", "internal/checks/sources", "internal/checks/stores", "internal/phrase"},
	"internal/checks/examine":  {"checkpoint", "checkpoint/…", "checkpoint/statestore", "internal/availability", "internal/checks", "internal/checks/…", "internal/output", "internal/phrase", "internal/spec"},

	// For tests and pictures.
	"internal/terminal":  {},
	"internal/testfiles": {"storage"},
	"docs/…":             {"internal/cli", "internal/terminal"},
}

// drawing are the libraries that draw on a terminal; only ui and cli use them, and internal/terminal
// is one.
var drawing = []string{"charm.land/", "github.com/charmbracelet/", "golang.org/x/term"}

// measures is the one library that internal/phrase may have of them, and for one thing: how many cells a text takes, and
// where it can be cut. Tables for paper and for the screen then agree about wide characters. It draws nothing with it.
const measures = "github.com/charmbracelet/x/ansi"

// openers are the files of checkpoint and of checkpoint/statestore that ask a Store for bytes or listings. All else below
// checkpoint are functions from bytes to values, which is why they can be fuzzed, cut and tested with nothing set up.
var openers = map[string][]string{
	"checkpoint": {"batch.go", "checkpoint.go", "find.go", "sourcelog.go", "survey.go", "without.go"},
	"checkpoint/statestore": {"contents.go", "operators.go", "rebuild.go", "recorded.go", "rows.go", "rows_compare.go", "rows_count.go", "rows_guess.go",
		"rows_open.go", "sums.go", "tables.go"},
}

// reachesOut are the packages of the standard library that touch the machine, and who may use them.
var reachesOut = map[string][]string{
	"os":        {"storage", "internal/cli", ".", "internal/terminal", "internal/testfiles", "docs/shots"},
	"net":       {"storage"},
	"net/http":  {"storage", "internal/kafka"}, // tokens for a login
	"os/exec":   {"internal/terminal", "docs/shots"},
	"os/signal": {"internal/cli"},
	"syscall":   {"storage", "internal/cli", "internal/terminal"},
	"unsafe":    {},
	"log":       {},
}

// goroutines are the files that may start one.
var goroutines = []string{"storage/", "ui/kit/stream.go", "internal/terminal/"}

// TestArrows holds every file of the program, its tests aside, to the architecture.
func TestArrows(t *testing.T) {
	seen := 0
	for name, file := range sources(t) {
		seen++
		dir := path.Dir(name)
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if ours, ok := strings.CutPrefix(imported, "tidemark/"); ok {
				if !among(arrows[line(dir)], ours) {
					t.Errorf("%s imports %s, which is not on the line of %s", name, ours, line(dir))
				}
				if strings.HasPrefix(ours, "ui/screen/") && dir == "ui" && path.Base(name) != "screens.go" {
					t.Errorf("%s imports %s: the app knows screens by the list in screens.go alone", name, ours)
				}
				if who, ok := openers[dir]; ok && ours == "storage" && !slices.Contains(who, path.Base(name)) {
					t.Errorf("%s imports storage: only %s ask for bytes", name, strings.Join(who, ", "))
				}
				continue
			}
			if dir != "internal/cli" && dir != "ui" && !strings.HasPrefix(dir, "ui/") && dir != "internal/terminal" && !(dir == "internal/phrase" && imported == measures) && slices.ContainsFunc(drawing, func(lib string) bool { return strings.HasPrefix(imported, lib) }) {
				t.Errorf("%s draws on a terminal through %s", name, imported)
			}
			if who, ok := reachesOut[imported]; ok && !slices.Contains(who, dir) {
				t.Errorf("%s imports %s, which only %v may", name, imported, who)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d files were looked at", seen)
	}
}

// TestNothingRunsByItself finds goroutines outside of the places that bound them, and code that runs
// because a package was imported.
func TestNothingRunsByItself(t *testing.T) {
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if !slices.ContainsFunc(goroutines, func(place string) bool { return strings.HasPrefix(name, place) }) {
					t.Errorf("%s starts a goroutine; only %v may", name, goroutines)
				}
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s has an init function", name)
				}
			}
			return true
		})
	}
}

// TestOpenersOpen keeps the list of openers honest: a file that no longer asks for anything is taken
// off it.
func TestOpenersOpen(t *testing.T) {
	all := sources(t)
	for dir, names := range openers {
		for _, name := range names {
			name = path.Join(dir, name)
			file := all[name]
			if file == nil {
				t.Errorf("%s is not there", name)
				continue
			}
			if !slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"tidemark/storage"` }) {
				t.Errorf("%s does not import storage", name)
			}
		}
	}
}

// line is the line of arrows for a folder.
func line(dir string) string {
	if _, ok := arrows[dir]; ok {
		return dir
	}
	for dir != "." {
		dir = path.Dir(dir)
		if _, ok := arrows[dir+"/…"]; ok {
			break
		}
	}
	return dir + "/…"
}

func among(allowed []string, name string) bool {
	return slices.ContainsFunc(allowed, func(a string) bool {
		below, all := strings.CutSuffix(a, "…")
		_, opens := openers[name]
		return a == name || all && !opens && strings.HasPrefix(name, below)
	})
}

// sources are the parsed files of the program by their slash-separated names, tests aside.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	all := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(name)] = file
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
