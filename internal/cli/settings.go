package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/internal/config"
	"tidemark/internal/report"
	"tidemark/ui"
	"tidemark/ui/kit"
)

// configLimit is how long a file of settings may be, in bytes.
const configLimit = 1 << 20

// configure finds the value of every setting: of the flags of cmd, the environment and the file.
func (a *app) configure(cmd *cobra.Command) error {
	given := config.Given{Getenv: a.Getenv, Flag: func(name string) (string, bool) {
		f := cmd.Flags().Lookup(name)
		if f == nil || !f.Changed {
			return "", false
		}
		return flagText(f), true
	}}
	file, err := a.configFile()
	if err != nil {
		return err
	}
	values, err := config.Resolve(given, file)
	if err != nil {
		return usageError("%v", err)
	}
	for _, v := range values {
		if v.From != config.FromFlag && !(v.From == config.FromOthers && v.Name == "region") { // the AWS library takes its own
			a.flags.take(v)
		}
	}
	for _, v := range values {
		a.secrets.from(v.Text)
		if v.Name == "endpoint-url" && !strings.Contains(v.Text, "://") {
			a.secrets.from("http://" + v.Text) // it is refused, and not shown then
		}
	}
	a.settings, a.file = values, file
	return nil
}

// flagText returns the value of a flag as it would be typed.
func flagText(f *pflag.Flag) string {
	if c, ok := f.Value.(*choice); ok {
		return c.name
	}
	return f.Value.String()
}

// configFile reads the file of settings; nil where there is none. One that was named must be there.
func (a *app) configFile() (*config.File, error) {
	named, from := a.flags.config, "--config"
	if named == "" {
		named, from = a.Getenv(config.Find("config").Variable()), config.Find("config").Variable()
	}
	name := cmp.Or(named, a.home("XDG_CONFIG_HOME", ".config", "config.toml"))
	if name == "" {
		return nil, nil
	}
	data, err := readConfig(name)
	switch {
	case named == "" && errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError("%s: %s: no such file", from, name)
	case err != nil:
		return nil, usageError("the settings could not be read: %v", err)
	}
	file, err := config.Parse(name, data)
	if err = errors.Join(err, checkNames(file)); err == nil {
		return file, nil
	}
	for line := range strings.Lines(err.Error()) {
		a.problem("%s", strings.TrimSpace(line))
	}
	return nil, exit(report.Usage)
}

func readConfig(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, configLimit+1))
	if err == nil && len(data) > configLimit {
		err = fmt.Errorf("%s is larger than %d bytes", name, configLimit)
	}
	return data, err
}

// checkNames returns what is wrong with what the screens know of a file: names of meanings and styles, and keys.
func checkNames(file *config.File) error {
	var all []error
	for _, e := range file.Theme {
		if err := kit.CheckTheme(e.Name, e.Text); err != nil {
			what := "theme." + e.Name + ": " + err.Error()
			all = append(all, &config.Problem{File: file.Name, Line: e.Line, Column: e.Column, What: what})
		}
	}
	keys := map[string][]string{}
	for _, e := range file.Keys {
		at := config.Problem{File: file.Name, Line: e.Line, Column: e.Column}
		if err := ui.CheckKeys(map[string][]string{e.Name: e.List}); err != nil {
			at.What = "keys: " + err.Error()
			all = append(all, &at)
		}
		keys[e.Name] = e.List
	}
	if len(all) == 0 && len(keys) > 1 {
		if err := ui.CheckKeys(keys); err != nil { // two of them want one key
			e := file.Keys[0]
			all = append(all, &config.Problem{File: file.Name, Line: e.Line, Column: e.Column, What: "keys: " + err.Error()})
		}
	}
	return errors.Join(all...)
}

// keys returns the user's own keys, by the names of what they do.
func (a *app) keys() map[string][]string {
	if a.file == nil || len(a.file.Keys) == 0 {
		return nil
	}
	own := map[string][]string{}
	for _, e := range a.file.Keys {
		own[e.Name] = e.List
	}
	return own
}

// theme returns the user's own styles.
func (a *app) theme() map[string]string {
	own := map[string]string{}
	if a.file != nil {
		for _, e := range a.file.Theme {
			own[e.Name] = e.Text
		}
	}
	return own
}

// terminalEnvironment returns the environment for the terminal library: where the user wants colors although
// NO_COLOR is set, the library must not see that. nil: the environment as it is.
func (a *app) terminalEnvironment() []string {
	if a.flags.noColor || a.Getenv("NO_COLOR") == "" {
		return nil
	}
	return slices.DeleteFunc(os.Environ(), func(line string) bool { return strings.HasPrefix(line, "NO_COLOR=") })
}

// home returns a place of this program below one of the folders that the XDG Base Directory Specification
// names by a variable, or by its default below the home of the user; "" where neither is known. A
// variable that is no absolute path does not count, as the specification says.
func (a *app) home(variable, below, name string) string {
	dir := a.Getenv(variable)
	if !filepath.IsAbs(dir) {
		home := a.Getenv("HOME")
		if home == "" {
			home = a.Getenv("USERPROFILE")
		}
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, below)
	}
	return filepath.Join(dir, "tidemark", name)
}

// origin returns where the value of a setting comes from, for an error about it.
func (a *app) origin(name string) string {
	for _, v := range a.settings {
		switch {
		case v.Name != name:
		case v.From == config.FromFlag:
			return "--" + name
		case v.From == config.FromFile:
			return v.Origin + ": " + v.Key()
		case v.From != config.FromDefault:
			return strings.TrimPrefix(v.Origin, "environment ")
		}
	}
	return "--" + name
}
