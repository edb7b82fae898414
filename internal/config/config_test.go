package config

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettings holds what every line of the list needs.
func TestSettings(t *testing.T) {
	t.Parallel()
	var flags []string
	for i := range Settings {
		s := &Settings[i]
		if s.Help == "" || !slices.Contains(Groups, s.Group) {
			t.Errorf("%s: help %q, group %q", s.Name, s.Help, s.Group)
		}
		if s.Kind == Choice && len(strings.Split(s.Help, "\n")) != len(s.Choices) {
			t.Errorf("%s: a line of help for each choice is wanted", s.Name)
		}
		if s.Default != "" && s.Check(s.Default) != nil {
			t.Errorf("%s: its default: %v", s.Name, s.Check(s.Default))
		}
		for _, f := range s.Flags() {
			if slices.Contains(flags, f) {
				t.Errorf("two settings have the flag --%s", f)
			}
			flags = append(flags, f)
		}
	}
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	file, err := Parse("c.toml", []byte("region = 'file'\nprofile = 'file'\n"))
	if err != nil {
		t.Fatal(err)
	}
	values, err := Resolve(Given{
		Flag: func(f string) (string, bool) { return "given", f == "region" },
		Getenv: func(n string) string {
			return map[string]string{"TIDEMARK_REGION": "env", "TIDEMARK_SPARK": "3.5", "AWS_REGION": "aws"}[n]
		},
	}, file)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, v := range values {
		got[v.Name] = v.Text + " from " + v.Origin
	}
	for name, want := range map[string]string{
		"region": "given from flag --region", "profile": "file from c.toml:2", "spark": "3.5 from environment TIDEMARK_SPARK", "fail-on": "high from default",
	} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	f, err := Parse("c.toml", []byte("\r\nascii = true # so\nkeys.quit = 'q'\n[theme]\n'critical' = \"red\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &File{Name: "c.toml", Keys: []Entry{{Name: "quit", List: []string{"q"}, Line: 3, Column: 1}}, Set: map[string]Entry{"ascii": {Name: "ascii", Text: "true", Line: 2, Column: 1}}, Theme: []Entry{{Name: "critical", Text: "red", Line: 5, Column: 1}}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
}

// TestParseProblems: every wrong line is told, each with its place.
func TestParseProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"regin = 'x'":                `c.toml:1:1: unknown setting "regin"; did you mean region?`,
		"no-color = true":            `c.toml:1:1: unknown setting "no-color"; did you mean no_color?`,
		"\n  ascii = 1":              `c.toml:2:3: ascii: expected true or false without quotes, found a number`,
		"max_requests = -1":          `c.toml:1:16: max_requests: "-1" is not a whole number, 0 or more`,
		"timeout = 30":               `c.toml:1:1: timeout: expected text such as "30s", found a number`,
		"timeout = '-3s'":            `c.toml:1:11: timeout: "-3s" is not a time such as 30s or 5m`,
		"region = ['a']":             `c.toml:1:1: region: expected text in quotes, found a list`,
		"region = {a = 1}":           `c.toml:1:1: region: expected text in quotes, found a table`,
		"region = 2026-11-29":        `c.toml:1:1: region: expected text in quotes, found a date or a time`,
		"theme = 'contrats'":         `c.toml:1:9: theme: "contrats" is not one of default, blue-orange, contrast; did you mean contrast?`,
		"[theme]\nname = 'blue'":     `c.toml:2:8: theme: "blue" is not one of default, blue-orange, contrast; did you mean blue-orange?`,
		"look = 'drak'":              `c.toml:1:8: look: "drak" is not one of dark, light; did you mean dark?`,
		"config = 'x'":               `c.toml:1:1: config is for one run only: use --config or TIDEMARK_CONFIG`,
		"keys = 'q'":                 `c.toml:1:1: keys is a table: [keys]`,
		"[[keys]]":                   `c.toml:1:3: "keys" may appear once, as [keys]`,
		"[them]\ncritical = 'red'":   `c.toml:1:2: unknown table "them"; did you mean theme?`,
		"[keys]\nquit = 1":           `c.toml:2:1: keys.quit: expected the name of a key in quotes, or a list of them, found a number`,
		"[keys]\nquit = ['q', 1]":    `c.toml:2:1: keys.quit: expected names of keys in quotes, found a number`,
		"[theme]\ncritical = true":   `c.toml:2:1: theme.critical: expected text in quotes, found true or false`,
		"ascii = true\nascii = true": `c.toml:2:1: key ascii is already defined`,
		"ascii = ":                   `c.toml:1:8: `,
		"region = \"\x01\"":          `c.toml:1:11: `,
	} {
		_, err := Parse("c.toml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if _, ok := errors.AsType[*Problem](err); !ok {
			t.Errorf("%q: %T", text, err)
		}
	}
}

// FuzzParse: any bytes give a file or a problem with a place.
func FuzzParse(f *testing.F) {
	f.Add("region = 'x'\n[keys]\nquit = ['q']\n[theme]\na.b = 1")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse("c", []byte(text)); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

// TestPage holds the table in the page of settings to the list.
func TestPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := Table(); !strings.Contains(string(text), want) {
		t.Errorf("docs/settings.md lacks this table:\n%s", want)
	}
}
