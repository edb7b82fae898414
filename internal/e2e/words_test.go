package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// How we write is held here: no idiom that a Spark engineer has to guess, no sentence of more than twenty
// words, and the spelling of Spark's own documentation. It reads the texts of the program as its sources have them, and
// the pages that people read.

// forbidden are the words that none of our texts has, each with what is said instead. Those of some rules are in errors of Spark,
// which package trace has verbatim.
var forbidden = []struct{ pattern, say, verbatim string }{
	{`\bis not there\b|\bare not there\b|\bis there\b|\bare there\b|\bwas there\b|\bwas not there\b`, "is missing, exists", ""},
	{`\blooked at\b|\blooks at\b|\blook at\b`, "checked, read, could not be read", ""},
	{`\b(stands?|stood) (at|in|on|still|there|for|beside|before|behind|alone)\b|\bin the way\b`, "is at, is in, has not advanced, blocks", ""},
	{`\banew\b|\bas planned\b`, "again; with its recorded offsets", ""},
	{`\bbeside\b`, "next to, compared with", ""},
	{`\bgo(es)? on\b`, "continues, continue", ""},
	{`\btakes? (it|them|rows|a batch) twice\b|\bcomes? again\b|\bcomes? twice\b|\brecogni[sz]es? a (repeated )?batch\b`, "accepts duplicates, are read again, deduplicates a repeated batch ID", ""},
	{`\bcan ?not be had\b|\bto be had\b|\bbe had again\b`, "cannot be recovered", ""},
	{`\bis( still)? alive\b`, "is active", ""},
	{`\bwhat becomes of\b|\bwhat holds\b|\bwhat it is about\b`, "what happens to, contents, subject", ""},
	{`\bof its own\b|\bof their own\b|\bof a person's own\b|\bof your own\b`, "its own, custom", ""},
	{`\bwithout a word\b`, "silently", ""},
	{`\bmend(s|ed|ing)?\b`, "fix", ""},
	{`\bis another one\b|\bare other ones\b`, "changed, differs", ""},
	{`(^|[.!?] )Where [a-z% ]+,`, "If …", ""},
	{`\btold by\b|\btells\b|\bis told\b|\bare told\b|\bwas told\b`, "from, shows", ""},
	{`\bSpark's words\b`, "Spark's error", ""},
	{`\b(lies|lie) (in|at|below|beside|behind|before|there)\b|\bcomes to\b|\bholds? beside\b|\bheld beside\b`, "is, results in, compares", ""},
	{`\bwhich of them\b|\bas it is\b`, "which; unchanged", ""},
	{`\b(please|simply|just|sorry)\b`, "nothing: leave it out", "internal/trace/"},
	{`\b(can't|don't|doesn't|isn't|won't|it's|didn't|wasn't|aren't|couldn't|hasn't)\b`, "the words in full", "internal/trace/"},
	{`(?-i:\bbatch id\b)`, "batch ID", "internal/trace/"},
	{`\bbatch number\b`, "batch ID", ""},
	{`\bepoch\b`, "batch", "internal/trace/"},
	{`\bthe plan of\b|\ba plan of batch\b|\bwithout a plan\b|\bno plan\b`, "offset file, offset log", ""},
	{`\bplanned and not committed\b`, "not committed", ""},
	{`\brun again\b|\bruns? anew\b|\bis run anew\b`, "re-run", ""},
	{`\bset right\b|\bput right\b`, "fix", ""},
	{`\b(recognis|behaviour|colour|neighbour|serialis|initialis|organis|favour|cancell|analys(e|ing)\b|catalogue|centre\b)`, "US spelling", ""},
	{`\blog entries for files\b`, "entry of the file source log", ""},
}

var forbiddenWords = func() (all []*regexp.Regexp) {
	for _, f := range forbidden {
		all = append(all, regexp.MustCompile(`(?i)`+f.pattern))
	}
	all[wherePattern] = regexp.MustCompile(forbidden[wherePattern].pattern) // with the capital that begins a sentence
	return all
}()

// wherePattern is the place of the one pattern whose capital counts.
var wherePattern = func() int {
	for i, f := range forbidden {
		if strings.Contains(f.pattern, "Where") {
			return i
		}
	}
	return 0
}()

// sentenceLimit is how many words a sentence has at most.
const sentenceLimit = 20

// sparkSays are words of Spark's own errors, which texts quote as they are.
var sparkSays = strings.NewReplacer("doesn't exist", "", "doesn't match", "", "don't exist", "", "end epoch offsets", "",
	"Could not find a batch", "", "What is there now", "the heading of what a checkpoint shows")

// TestNoTextHasAForbiddenIdiom reads every text in the sources of the program and the pages that people read.
func TestNoTextHasAForbiddenIdiom(t *testing.T) {
	t.Parallel()
	for _, s := range ourTexts(t) {
		for i, re := range forbiddenWords {
			if v := forbidden[i].verbatim; v != "" && strings.HasPrefix(s.place, v) {
				continue
			}
			if at := re.FindString(sparkSays.Replace(s.text)); at != "" {
				t.Errorf("%s: %q: say %s\n\t%s", s.place, strings.TrimSpace(at), forbidden[i].say, s.text)
			}
		}
	}
}

// TestNoSentenceIsTooLong counts the words of each sentence in the same texts.
func TestNoSentenceIsTooLong(t *testing.T) {
	t.Parallel()
	for _, s := range ourTexts(t) {
		for _, sentence := range sentences(s.text) {
			if n := len(strings.Fields(sentence)); n > sentenceLimit {
				t.Errorf("%s: a sentence of %d words, %d are enough\n\t%s", s.place, n, sentenceLimit, sentence)
			}
		}
	}
}

// said is a text and where it is written.
type said struct{ place, text string }

var endOfSentence = regexp.MustCompile(`[.!?:;]["')\]]*(\s+|$)`)

// apart is what parts paragraphs, items of lists and cells of tables; manyNames is a list of words that are written as code.
var (
	apart     = regexp.MustCompile(`\n\s*\n|\n\s*[-*#0-9] ?|\|`)
	manyNames = regexp.MustCompile(`code(,? (and |or )?code)+`)
)

// sentences are the sentences of a text. A colon and a semicolon end one: what follows can be read alone.
func sentences(text string) []string {
	var all []string
	text = manyNames.ReplaceAllString(text, "names")
	for _, part := range apart.Split(text, -1) {
		all = append(all, endOfSentence.Split(part, -1)...)
	}
	return all
}

// prose is a text that is written for people: it has blanks between words of small letters.
var prose = regexp.MustCompile(`[a-z%][a-z]* [a-z%]`)

// ourTexts are the texts in the sources, joined where they are put together with a plus, and the pages.
func ourTexts(t *testing.T) (all []said) {
	t.Helper()
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && (strings.HasPrefix(name, ".") || name == "testdata" || path == "internal/e2e" || path == "internal/terminal" || path == "internal/testfiles" || path == "docs/shots") {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case strings.HasSuffix(path, ".md"):
			all = append(all, pageTexts(t, path)...)
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			all = append(all, sourceTexts(fset, file)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 3000 {
		t.Fatalf("only %d texts were found: this test does not see them any more", len(all))
	}
	return all
}

// sourceTexts are the texts of one file. The fields of a struct and imports have none.
func sourceTexts(fset *token.FileSet, file *ast.File) (all []said) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Example" { // command lines
				return false
			}
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "MustCompile" || f.Sel.Name == "panic") {
				return false
			}
		case *ast.BinaryExpr:
			if text, ok := joinedText(n); ok {
				all = add(all, fset, n, text)
				return false
			}
		case *ast.BasicLit:
			if text, ok := joinedText(n); ok {
				all = add(all, fset, n, text)
			}
		}
		return true
	})
	return all
}

func add(all []said, fset *token.FileSet, n ast.Node, text string) []said {
	if !prose.MatchString(text) {
		return all
	}
	p := fset.Position(n.Pos())
	return append(all, said{p.Filename + ":" + strconv.Itoa(p.Line), text})
}

// joinedText is a text of literals alone.
func joinedText(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := joinedText(e.X)
		if !ok || e.Op != token.ADD {
			return "", false
		}
		right, ok := joinedText(e.Y)
		return left + right, ok
	}
	return "", false
}

var fence = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// pageTexts are the paragraphs of a page without its code.
func pageTexts(t *testing.T, path string) (all []said) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := fence.ReplaceAllStringFunc(string(data), func(code string) string { return "code" + strings.Repeat("\n", strings.Count(code, "\n")) })
	line := 1
	for _, part := range strings.Split(text, "\n\n") {
		all = append(all, said{path + ":" + strconv.Itoa(line), part})
		line += strings.Count(part, "\n") + 2
	}
	return all
}
