package cli

import (
	"context"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"tidemark/internal/availability"
	"tidemark/internal/config"
	"tidemark/internal/report"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// Config is what the program hands to its command line.
type Config struct {
	Args     []string  // without the program's name
	In       io.Reader // nil: the standard input of the process
	Out, Err io.Writer
	Getenv   func(string) string
	Now      func() time.Time
	Demos    fs.FS  // demos.txt and the archives that it names
	Version  string // "v1.2.0 (1f0c9a2, go1.26)"
}

// commands has one line per command, in the order of --help.
var commands = []func(*app) *cobra.Command{
	checkCommand,
	batchesCommand,
	showCommand,
	offsetsCommand,
	stateCommand,
	diffCommand,
	specCommand,
	explainCommand,
	findCommand,
	demoCommand,
	configCommand,
	manCommand,
	versionCommand,
}

// app is one run of the program.
type app struct {
	Config
	flags  flags
	in     io.Reader  // stdin
	follow bool       // --follow: the explorer watches a running query
	view   string     // what --view says; "" for the overview
	spec   *spec.Spec // what the query declares; nil where --spec is not given

	probers availability.Chain // tell what the sources still keep, those that see the source itself first

	// Whether the command has a use for the flags that name what a source keeps, or the output.
	usesSources, usesSink atomic.Bool

	settings []config.Value // with where each comes from
	file     *config.File   // of settings; nil where there is none

	meter storage.Meter   // what was asked of the storage
	debug *debugLog       // of --debug-log; nil: none
	order []string        // of the commands in --help
	life  context.Context // of the whole run, without --timeout

	secrets secrets // that were given, and are shown nowhere
}

// Run runs one command line and writes what went wrong to Err. What it returns is for ExitStatus.
func Run(ctx context.Context, c Config) error {
	a := &app{Config: c, life: ctx}
	a.secrets.from(c.Args...)
	a.secrets.fromEnvironment(c.Getenv)
	a.Err = &maskedWriter{c.Err, a.secrets.message}
	var out *secretFilter
	if !isTerminal(c.Out) {
		out = &secretFilter{Writer: c.Out, secrets: &a.secrets}
		a.Out = out
	}
	root := a.root()
	root.SetArgs(c.Args)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	if c.In != nil {
		root.SetIn(c.In)
	}
	err := root.ExecuteContext(ctx)
	if out != nil {
		if ferr := out.flush(); ferr != nil && err == nil {
			err = &statusError{report.Unread, ferr}
		}
	}
	if err != nil && err.Error() != "" {
		a.problem("%s", a.secrets.message(err.Error()))
	}
	return err
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tidemark [LOCATION]",
		Short: "Show what a Structured Streaming checkpoint contains and what a restart will do",
		Long: paragraphs(`
Reads the checkpoint of a Spark Structured Streaming query, without Spark. It shows
whether the checkpoint is intact and what a restart will do. It never changes
anything in a checkpoint.

tidemark LOCATION opens the explorer: on a checkpoint, or on the list of checkpoints
below a folder or prefix. tidemark alone starts with recently opened checkpoints and
those nearby. Without a terminal, tidemark LOCATION prints the verdict, like tidemark
check. With --plain the explorer is text with numbered choices, for screen readers.`),
		Example: `tidemark s3://bucket/checkpoints/orders
tidemark check /mnt/checkpoints/orders
tidemark offsets LOCATION --as starting-offsets
tidemark demo`,
		Args:          args(0, 1),
		Annotations:   exits(exitsOfVerdict),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.start(ctx, cmd)
			}
			if err := checkMistyped(cmd, args[0]); err != nil {
				return err
			}
			return a.explore(ctx, args[0])
		}),
	}
	a.viewFlag(root)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(a.help)
	a.flags.register(root.PersistentFlags())
	for _, command := range commands {
		c := command(a)
		root.AddCommand(c)
		a.order = append(a.order, c.Name())
	}
	versionFlag(root, a.Version)
	tuneCompletion(root)
	tuneHelp(root)
	for _, c := range append(root.Commands(), root) {
		c.Flags().SortFlags = false
	}
	return root
}

// locationHelp is what every command says of its LOCATION.
const locationHelp = `LOCATION is a folder, a file: URI, an s3://bucket/prefix, dbfs:/path, or a copy
in a .zip, .tar, .tar.gz or .tar.zst.`

// long returns the text of a command's help: its own, then what a LOCATION is.
func long(text string) string { return paragraphs(text + "\n\n" + locationHelp) }

// paragraphs has each paragraph of text on one line: help wraps it, and the manual page too.
func paragraphs(text string) string {
	all := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range all {
		all[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(all, "\n\n")
}
