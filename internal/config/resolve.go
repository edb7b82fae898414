package config

import "fmt"

// Value is what a setting is, and where that comes from.
type Value struct {
	*Setting
	Text   string // as it would be typed; "" for nothing
	From   From
	Origin string // for a person: "flag --region", "environment TIDEMARK_REGION", "/home/x/.config/tidemark/config.toml:3", "default"
}

// From is what kind of place a value comes from, the first one outranking the others.
type From byte

// The places a value comes from.
const (
	FromFlag        From = iota
	FromEnvironment      // a variable of this program
	FromFile
	FromOthers // a variable of other programs: NO_COLOR, AWS_REGION
	FromDefault
)

// Origins are the words for From in JSON.
var Origins = [...]string{"flag", "environment", "file", "environment", "default"}

// Given is what was given besides the file.
type Given struct {
	Flag   func(flag string) (text string, given bool) // of the command line
	Getenv func(string) string
}

// Resolve returns every setting with its value, in the order of Settings. file may be nil. An error is about
// a variable whose value does not fit.
func Resolve(g Given, file *File) ([]Value, error) {
	all := make([]Value, len(Settings))
	for i := range Settings {
		v, err := resolve(&Settings[i], g, file)
		if err != nil {
			return nil, err
		}
		all[i] = v
	}
	return all, nil
}

func resolve(s *Setting, g Given, file *File) (Value, error) {
	for _, flag := range s.Flags() {
		if text, given := g.Flag(flag); given {
			return Value{s, text, FromFlag, "flag --" + flag}, nil
		}
	}
	if text := g.Getenv(s.Variable()); text != "" {
		if err := s.Check(text); err != nil {
			return Value{}, fmt.Errorf("%s: %w", s.Variable(), err)
		}
		return Value{s, text, FromEnvironment, "environment " + s.Variable()}, nil
	}
	if file != nil {
		if e, ok := file.Set[s.Name]; ok {
			return Value{s, e.Text, FromFile, fmt.Sprintf("%s:%d", file.Name, e.Line)}, nil
		}
	}
	for _, name := range s.Also {
		if text := g.Getenv(name); text != "" {
			if s.Kind == Switch {
				text = "true" // NO_COLOR says it by being there, whatever it holds
			}
			return Value{s, text, FromOthers, "environment " + name}, nil
		}
	}
	text := s.Default
	if s.Kind == Switch {
		text = "false"
	}
	return Value{s, text, FromDefault, "default"}, nil
}
