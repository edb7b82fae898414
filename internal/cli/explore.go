package cli

import (
	"context"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/internal/config"
	"tidemark/ui"
	"tidemark/ui/kit"
)

// viewFlag gives a command that opens the explorer the flags for where in it, and whether to follow.
func (a *app) viewFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.view, "view", "",
		"open the explorer with this `COMMAND`, as typed after \":\" there: \"batch 120\", \"state 0/3\", \"offsets/120:3@69\"")
	cmd.Flags().BoolVar(&a.follow, "follow", false, "follow a running query in the explorer: re-read it every few seconds")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if a.view == "" {
			return nil
		}
		if err := ui.CheckView(a.view); err != nil {
			return usageError("--view: %v", err)
		}
		return nil
	}
}

// explore opens the explorer on a location, or where there is no terminal writes the verdict. The explorer runs under
// the context of the program and not under --timeout: a person who reads is not late, and ends a long reading with a key.
func (a *app) explore(ctx context.Context, location string) error {
	open := a.opener(location)
	return a.exploreWith(ctx, location, open, a.poller(location, open))
}

func (a *app) exploreWith(ctx context.Context, location string, open, look opener) error {
	if a.plainWanted() {
		return a.plain(a.life, location, open)
	}
	if !a.interactive() {
		return a.checkOf(ctx, location, open, form{})
	}
	o := a.uiOptions()
	o.Location, o.Open, o.Poll = lasting(location), open, look
	return ui.Run(a.life, o)
}

func (a *app) uiOptions() kit.Options {
	return kit.Options{
		Reopen:    a.reopen,
		Write:     a.save,
		Tmux:      a.Getenv("TMUX") != "",
		View:      a.view,
		Follow:    a.follow,
		Examine:   a.examination(false),
		ASCII:     a.asciiWanted(),
		NoColor:   !a.colorWanted(),
		Theme:     a.theme(),
		ThemeName: a.flags.theme,
		Mouse:     a.mouseWanted(),
		Far:       a.overSSH(),
		Still:     a.flags.still,
		Environ:   a.terminalEnvironment(),
		Light:     a.flags.look == "light",
		Local:     a.flags.clock == "local",
		Now:       a.Now,
		Identity:  a.identity,
		Memory:    a.memory(),
		Keys:      a.keys(),
		OpenAt:    a.place,
		Around:    a.around,
		Answer:    a.answer,
		Find:      a.findNearby,
		Traffic: func() kit.Traffic {
			r := a.meter.Snapshot()
			return kit.Traffic{Listed: r.Entries, Requests: r.Requests(), Bytes: r.Bytes, Retry: r.Notice}
		},
	}
}

// mouseWanted reports whether the mouse is on at the start. Over ssh, where taking it from the terminal costs
// the selection of text, a setting does not count, only the flag.
func (a *app) mouseWanted() bool {
	flag := slices.ContainsFunc(a.settings, func(v config.Value) bool { return v.Name == "mouse" && v.From == config.FromFlag })
	return a.flags.mouse && (flag || !a.overSSH())
}

// overSSH reports whether the terminal is at the other end of an ssh.
func (a *app) overSSH() bool { return a.Getenv("SSH_CONNECTION") != "" || a.Getenv("SSH_TTY") != "" }

// identity returns as whom a location is read: for a path the user of this machine, for a bucket the credentials;
// "" for what is inside the program.
func (a *app) identity(location string) string {
	switch {
	case strings.HasPrefix(location, demoPrefix):
		return ""
	case isBucket(location):
		return a.meter.Snapshot().Identity
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
