package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/internal/config"
	"tidemark/internal/mask"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

func configCommand(a *app) *cobra.Command {
	var show, asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show every setting and the source of its value",
		Long: paragraphs(`
Shows each setting and the source of its value. A flag overrides the variable
TIDEMARK_NAME, which overrides the settings file, which overrides the default. The
settings file is $XDG_CONFIG_HOME/tidemark/config.toml (~/.config/tidemark/config.toml)
or the one in --config. Its keys are the names of the flags, with _ instead of -.`),
		Example: `tidemark config --show
tidemark config --show --json
tidemark config --show --config ./incident.toml`,
		Args:        args(0, 0),
		Annotations: exits(exitsWithoutCheckpoint),
		RunE: a.run(func(_ context.Context, cmd *cobra.Command, _ []string) error {
			if asJSON {
				return a.configJSON()
			}
			return a.configText()
		}),
	}
	cmd.Flags().BoolVar(&show, "show", true, "show the settings (the default)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// shownSetting is one line of config --show.
type shownSetting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	From   string `json:"from"`   // flag, environment, file, default
	Origin string `json:"origin"` // "flag --region", "/home/x/.config/tidemark/config.toml:3"
}

// shownSettings returns all settings, then what the file has of keys and of the theme.
func (a *app) shownSettings() []shownSetting {
	var all []shownSetting
	for _, v := range a.settings {
		all = append(all, shownSetting{v.Key(), mask.Text(a.secrets.everywhere(v.Text)), config.Origins[v.From], v.Origin})
	}
	if a.file != nil {
		for _, e := range a.file.Keys {
			all = append(all, shownSetting{"keys." + e.Name, strings.Join(e.List, ", "), "file", fmt.Sprintf("%s:%d", a.file.Name, e.Line)})
		}
		for _, e := range a.file.Theme {
			all = append(all, shownSetting{"theme." + e.Name, e.Text, "file", fmt.Sprintf("%s:%d", a.file.Name, e.Line)})
		}
	}
	return all
}

func (a *app) configText() error {
	rows := [][]string{{"setting", "value", "from"}}
	for _, s := range a.shownSettings() {
		rows = append(rows, []string{s.Name, cmp.Or(phrase.Printable(s.Value), "–"), phrase.Printable(s.Origin)})
	}
	lines := report.Columns(rows)
	if a.file == nil {
		lines = append(lines, "", "No settings file"+a.wouldBe()+".")
	}
	for _, line := range lines {
		if a.asciiWanted() {
			line = strings.ReplaceAll(line, "–", "-")
		}
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// wouldBe says where the file of settings is looked for.
func (a *app) wouldBe() string {
	if name := a.home("XDG_CONFIG_HOME", ".config", "config.toml"); name != "" {
		return "; it would be " + phrase.Printable(name)
	}
	return ""
}

func (a *app) configJSON() error {
	file := ""
	if a.file != nil {
		file = a.file.Name
	}
	return report.WriteJSON(a.Out, struct {
		Schema   string         `json:"schema"`
		File     string         `json:"file"` // "" where there is none
		Settings []shownSetting `json:"settings"`
	}{"tidemark/config/1", file, a.shownSettings()}, "  ")
}
