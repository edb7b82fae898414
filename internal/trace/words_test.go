package trace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var verb = regexp.MustCompile(`%[dqsv]`)

// TestEveryRefusalIsKnown reads from the rules of a start with which words of Spark it can refuse, and holds that
// each of them is a condition that can be explained. A rule that is added needs a line in Conditions.
func TestEveryRefusalIsKnown(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../checks/*.go", "../checks/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	seen, constants := 0, map[string]string{}
	var parsed []*ast.File
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed, names = append(parsed, file), append(names, name)
		for id, words := range constantsOf(file) {
			constants[id] = words
		}
	}
	for i, file := range parsed {
		name := names[i]
		ast.Inspect(file, func(n ast.Node) bool {
			for _, words := range refusedWith(n, constants) {
				seen++
				if words == "does not exist" { // of a file that Spark's message names before it: never alone
					continue
				}
				words = verb.ReplaceAllString(words, "7")
				if c, _ := recognize([]Cause{{Message: words}}); c == nil {
					t.Errorf("%s: a start can be refused with %q, which is no condition that is known", name, words)
				}
			}
			return true
		})
	}
	if seen < 60 {
		t.Errorf("only %d refusals were found in checks: this test does not see them any more", seen)
	}
}

// refusedWith are the words of Spark in a call of refuses, in one of Since, which chooses them by release, and in the
// field Error of a difference.
func refusedWith(n ast.Node, constants map[string]string) (all []string) {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch name(n.Fun) {
		case "refuses":
			if len(n.Args) > 1 {
				all = literals(n.Args[1], constants)
			}
		case "Since":
			for _, arg := range n.Args[2:] {
				all = append(all, literals(arg, constants)...)
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Error" {
			all = literals(n.Value, constants)
		}
	}
	return all
}

func name(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// constantsOf are the constant texts of a file by name.
func constantsOf(file *ast.File) map[string]string {
	all := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 {
			if words := literals(v.Values[0], nil); len(words) == 1 {
				all[v.Names[0].Name] = words[0]
			}
		}
		return true
	})
	return all
}

// literals are the words that an expression is: a string, or the format of one. What is put together of pieces is
// told where its pieces are.
func literals(e ast.Expr, constants map[string]string) []string {
	switch e := e.(type) {
	case *ast.Ident:
		if words := constants[e.Name]; words != "" {
			return []string{words}
		}
	case *ast.SelectorExpr:
		return literals(e.Sel, constants)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING && len(text) > 3 && text != "SparkException: " {
			return []string{text}
		}
	case *ast.CallExpr:
		if name(e.Fun) == "Sprintf" {
			return literals(e.Args[0], constants)
		}
	}
	return nil
}
