package config

import (
	"fmt"
	"strings"
)

// Table returns all settings as a table in Markdown, for the README.
func Table() string {
	var b strings.Builder
	b.WriteString("| in the file | flag | variable | default | what it does |\n| --- | --- | --- | --- | --- |\n")
	for i := range Settings {
		s := &Settings[i]
		key, flags, does := "`"+s.Key()+"`", make([]string, 0, 2), strings.ReplaceAll(s.Help, "`", "")
		switch {
		case s.NoFile:
			key = "–"
		case s.Kind == Choice || s.Kind == Name:
			key = fmt.Sprintf("`%s = \"%s\"`", s.Key(), strings.Join(s.Choices, `"`+"` or `"+`"`))
		}
		for _, f := range s.Flags() {
			flags = append(flags, "`--"+f+"`")
		}
		normal := s.Default
		if s.Kind == Switch {
			normal = "false"
		}
		sep := " "
		if s.Kind == Choice {
			sep = "; "
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s |\n", key, strings.Join(flags, " "), s.Variable(), normal, strings.ReplaceAll(does, "\n", sep))
	}
	return b.String()
}
