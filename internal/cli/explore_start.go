package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/ui"
	"tidemark/ui/kit"
)

// start runs the program without a location: it opens the start screen, or without a terminal shows how to use it.
func (a *app) start(ctx context.Context, cmd *cobra.Command) error {
	if a.interactive() || a.plainWanted() {
		return a.startScreen(ctx)
	}
	if err := cmd.Help(); err != nil {
		return err
	}
	return usageError("LOCATION is missing")
}

// startScreen offers what was opened lately, the checkpoints in and below the current folder, and the built-in
// examples.
func (a *app) startScreen(ctx context.Context) error {
	o := a.uiOptions()
	if here, err := os.Getwd(); err == nil {
		o.Here = here
	}
	all, err := a.examples()
	if err != nil {
		return err
	}
	for _, e := range all {
		o.Choices = append(o.Choices, kit.Choice{Label: e.name, Detail: e.about, Location: demoPrefix + e.name, Open: a.exampleOpener(e)})
	}
	if a.plainWanted() {
		return a.plainStart(a.life, a.startChoices(ctx, o))
	}
	return ui.Run(a.life, o)
}

// startChoices returns the places of the start screen in one list with words: this folder, what was opened lately, the
// examples.
func (a *app) startChoices(ctx context.Context, o kit.Options) []kit.Choice {
	var all []kit.Choice
	if cp, err := a.open(ctx, o.Here); err == nil && cp.IsCheckpoint() {
		c := a.place(o.Here)
		c.Label, c.Detail = "this folder", o.Here
		all = append(all, c)
	}
	if o.Memory != nil {
		recents, err := o.Memory.Recents()
		if err != nil {
			a.problem("%v", err)
		}
		for _, r := range recents[:min(len(recents), 5)] {
			c := a.place(r.Location)
			c.Label, c.Detail = "recent", strings.TrimSuffix(r.Location+", then "+r.Verdict, ", then ")
			all = append(all, c)
		}
	}
	for _, c := range o.Choices {
		c.Label = "example: " + c.Label
		all = append(all, c)
	}
	return all
}
