package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestACommandIsOneFileAndOneLine holds that a command is made in a file of its own and named in the list commands, and
// nowhere else: what else has all commands is made from that list.
func TestACommandIsOneFileAndOneLine(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	makers := map[string]string{}   // the file of each function that makes a command
	uses := map[string][]string{}   // the files that name each
	var listed []string             // in the list commands
	inFile := map[string][]string{} // the functions of each file
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && makesCommand(f) {
				makers[f.Name.Name] = name
				inFile[name] = append(inFile[name], f.Name.Name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if n.Names[0].Name == "commands" {
					for _, e := range n.Values[0].(*ast.CompositeLit).Elts {
						listed = append(listed, e.(*ast.Ident).Name)
					}
				}
			case *ast.Ident:
				if strings.HasSuffix(n.Name, "Command") && !slices.Contains(uses[n.Name], name) {
					uses[n.Name] = append(uses[n.Name], name)
				}
			}
			return true
		})
	}
	if len(listed) < 10 || len(listed) != len(makers) {
		t.Errorf("%d commands are on the list, %d are made", len(listed), len(makers))
	}
	for _, maker := range listed {
		file := makers[maker]
		if len(inFile[file]) != 1 {
			t.Errorf("%s makes %v: one file a command", file, inFile[file])
		}
		if got := uses[maker]; len(got) != 2 || !slices.Contains(got, "cli.go") || !slices.Contains(got, file) {
			t.Errorf("%s is named in %v, not only in its file and on the list", maker, got)
		}
	}
}

// makesCommand reports whether a function has the form of those on the list.
func makesCommand(f *ast.FuncDecl) bool {
	if f.Type.Results == nil || len(f.Type.Results.List) != 1 || len(f.Type.Params.List) != 1 {
		return false
	}
	return pointerTo(f.Type.Results.List[0].Type) == "Command" && pointerTo(f.Type.Params.List[0].Type) == "app"
}

// pointerTo returns the name of the type that a type points to; "" for any other type.
func pointerTo(e ast.Expr) string {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return ""
	}
	switch x := star.X.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
