package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var (
	span      = regexp.MustCompile("`(tidemark [^`]+)`")
	readmeRun = regexp.MustCompile(`(?m)^    (?:\$ )?(tidemark [^#\n]+)`)
	flagWord  = regexp.MustCompile("`[^`\n]*?(--[a-z][a-z-]*)")
	usualRow  = regexp.MustCompile(`(?m)^\|.*\| as usual \|$`)
	tableRow  = regexp.MustCompile("(?m)^\\| `tidemark ([a-z]+)[^|]*\\| (.*) \\|$")
)

// pages are the README and the pages it leads to, one behind the other.
func pages(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	var all strings.Builder
	for _, file := range append([]string{"../../README.md"}, files...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// readmeLimit is how many words the README has at most: the pages have the rest.
const readmeLimit = 1200

// TestReadmeIsShort counts the words of the README, and holds that it leads to every page.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(text))); n > readmeLimit {
		t.Errorf("the README has %d words, %d are enough", n, readmeLimit)
	}
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.Contains(string(text), "docs/"+filepath.Base(file)) {
			t.Errorf("the README does not lead to %s", file)
		}
	}
}

// TestReadmeCommands parses every command line in the README and the pages: each has to exist.
func TestReadmeCommands(t *testing.T) {
	text := pages(t)
	lines := readmeRun.FindAllStringSubmatch(text, -1)
	if len(lines) < 5 {
		t.Fatalf("only %d commands were found", len(lines))
	}
	for _, m := range append(lines, span.FindAllStringSubmatch(text, -1)...) {
		line := m[1]
		words := strings.FieldsFunc(strings.ReplaceAll(line, "[NAME]", "NAME"), func(r rune) bool { return r == '|' || r == '>' || r == '<' })[0]
		a := &app{Config: program(nil, "../../testdata/demo")}
		found, rest, err := a.root().Find(strings.Fields(words)[1:])
		if err == nil {
			err = found.ParseFlags(rest)
		}
		if err == nil && !found.HasSubCommands() && !strings.HasPrefix(m[0], "`") {
			err = found.ValidateArgs(found.Flags().Args())
		}
		if err != nil && !errors.Is(err, pflag.ErrHelp) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestReadmeFlags holds the README and the pages to the flags: they name no other, have a line for every command, and name every
// flag of a command there.
func TestReadmeFlags(t *testing.T) {
	text := pages(t)
	known := map[string]bool{}
	for _, cmd := range all() {
		cmd.InitDefaultHelpFlag()
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		}
	}
	// Flags of other programs that stand in the README.
	for _, other := range []string{"bootstrap-server", "add", "allow-principal", "operation", "topic"} {
		known[other] = true
	}
	for _, m := range flagWord.FindAllStringSubmatch(text, -1) {
		if !known[strings.TrimPrefix(m[1], "--")] {
			t.Errorf("no command has %s", m[1])
		}
	}
	rows, usual := map[string]string{}, usualRow.FindString(text)
	for _, m := range tableRow.FindAllStringSubmatch(text, -1) {
		rows[m[1]] = m[0]
	}
	for _, cmd := range all()[1:] {
		row, there := rows[cmd.Name()]
		if !there && strings.Contains(usual, "`"+cmd.Name()+"`") {
			continue
		}
		if !there {
			t.Errorf("the README has no line for tidemark %s", cmd.Name())
			continue
		}
		ownFlags(cmd, func(name string) {
			if !strings.Contains(row, "--"+name) {
				t.Errorf("the line of tidemark %s does not name --%s", cmd.Name(), name)
			}
		})
	}
}

// ownFlags are those that a command does not share with all others.
func ownFlags(cmd *cobra.Command, see func(name string)) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			see(f.Name)
		}
	})
}

// TestReadmeRun holds the real run that the README shows: what stands there is what the program says.
func TestReadmeRun(t *testing.T) {
	_, shown, _ := strings.Cut(pages(t), "$ tidemark demo uncommitted\n\n```\n")
	shown, _, found := strings.Cut(shown, "```\n")
	if !found {
		t.Fatal("the README shows no run of the demo")
	}
	_, out, errs := run(t.Context(), t, "demo", "uncommitted")
	for line := range strings.Lines(shown) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "…")
		if !strings.Contains(out, strings.TrimRight(line, " ")) {
			t.Errorf("the README says\n%s\nand the program\n%s%s", line, out, errs)
		}
	}
}
