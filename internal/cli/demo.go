package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/storage"
)

// demoPrefix begins the location of what is inside the program.
const demoPrefix = "demo: "

// example is one built-in checkpoint: a line of demos.txt, and an archive of that name.
type example struct {
	name, about string
}

func demoCommand(a *app) *cobra.Command {
	var list, tour bool
	cmd := &cobra.Command{
		Use:   "demo [NAME]",
		Short: "Open a built-in example of a broken checkpoint",
		Long: paragraphs(`
Opens one of the built-in examples, so that you see an incident before you have one.
Without a terminal it prints the verdict, with the exit status of check.`),
		Example: `tidemark demo
tidemark demo --list
tidemark demo --tour
tidemark demo lost-state --view state`,
		Args:        args(0, 1),
		Annotations: exits(exitsOfVerdict),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			all, err := a.examples()
			if err != nil {
				return err
			}
			if list {
				return a.listExamples(all)
			}
			chosen := all[0]
			if len(args) > 0 {
				if chosen, err = chooseExample(all, args[0]); err != nil {
					return err
				}
			}
			if tour {
				return a.tour(ctx, all, strings.Join(args, ""))
			}
			return a.exploreWith(ctx, demoPrefix+chosen.name, a.exampleOpener(chosen), nil)
		}),
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the examples")
	cmd.Flags().BoolVar(&tour, "tour", false, "a guided tour of the screens and keys, through all examples or through NAME")
	a.viewFlag(cmd)
	return cmd
}

// examples reads demos.txt: a name, a tab, and what the example is about.
func (a *app) examples() ([]example, error) {
	text, err := fs.ReadFile(a.Demos, "demos.txt")
	if err != nil {
		return nil, err
	}
	var all []example
	for line := range strings.Lines(string(text)) {
		if name, about, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all = append(all, example{name, about})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("demos.txt names no example")
	}
	return all, nil
}

func chooseExample(all []example, name string) (example, error) {
	var names []string
	for _, e := range all {
		if e.name == name {
			return e, nil
		}
		names = append(names, e.name)
	}
	return example{}, usageError("%q is not an example (%s)%s", name, strings.Join(names, ", "), phrase.DidYouMean(name, names))
}

func (a *app) listExamples(all []example) error {
	rows := make([][]string, len(all))
	for i, e := range all {
		rows[i] = []string{e.name, e.about}
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// exampleOpener opens the checkpoint in the archive of an example.
func (a *app) exampleOpener(e example) opener {
	return func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		data, err := fs.ReadFile(a.Demos, e.name+".tar.gz")
		if err != nil {
			return nil, err
		}
		s, err := storage.OpenArchive(ctx, demoPrefix+e.name, bytes.NewReader(data), int64(len(data)), a.storageOptions())
		if err != nil {
			return nil, err
		}
		return checkpoint.Open(ctx, s)
	}
}
