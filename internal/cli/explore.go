package cli

import (
	"context"
	"fmt"
	"iter"
	"os"
	"os/user"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/config"
	"tidemark/internal/report"
	"tidemark/storage"
	"tidemark/ui"
)

// opener opens a checkpoint, again each time it is called.
type opener func(context.Context) (*checkpoint.Checkpoint, error)

// The explorer runs under the context of the program and not under --timeout: a person who reads is not
// late, and ends a long reading with a key.

// viewFlag gives a command that opens the explorer the flags for where in it, and whether to follow.
func (a *app) viewFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.view, "view", "", "open the explorer at this `COMMAND`, as it is typed\nafter \":\" there: \"batch 120\", \"state 0/3\",\n\"offsets/120:3@69\"")
	cmd.Flags().BoolVar(&a.follow, "follow", false, "watch a running query in the explorer: look again every\nfew seconds")
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

// explore opens the explorer on a location, or where there is no terminal writes the verdict.
func (a *app) explore(ctx context.Context, location string) error {
	open := a.opener(location)
	return a.exploreWith(ctx, location, open, a.looker(location, open))
}

// opener opens a location. A bucket is kept, with what was read of it: opened again it is listed anew, and
// only files that have changed are read again.
func (a *app) opener(location string) opener {
	store := keeping(location, func(ctx context.Context) (storage.Store, error) { return a.store(ctx, location) })
	return func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := store(ctx)
		if err != nil {
			return nil, err
		}
		return a.openIn(ctx, s, location)
	}
}

// keeping is open, the function that opens a location, but that a bucket is opened once: with one set of credentials
// and connections it is listed anew each time.
func keeping(location string, open func(context.Context) (storage.Store, error)) func(context.Context) (storage.Store, error) {
	if !isBucket(location) {
		return open
	}
	var mu sync.Mutex
	var kept storage.Store
	return func(ctx context.Context) (storage.Store, error) {
		mu.Lock()
		defer mu.Unlock()
		if kept != nil {
			storage.Refresh(kept)
			return kept, nil
		}
		s, err := open(ctx)
		if err == nil {
			kept = s
		}
		return s, err
	}
}

// looker opens a location for the rounds of a following. open is how it is opened otherwise, and is all that a
// bucket needs. What a person reads on this machine is read from the disk each time, what a round reads only
// where it has changed.
func (a *app) looker(location string, open opener) opener {
	if isBucket(location) {
		return open
	}
	again := &storage.Again{Now: a.Now}
	return func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := a.storeBy(ctx, location, again.Open)
		if err != nil {
			return nil, err
		}
		return a.openIn(ctx, s, location)
	}
}

func isBucket(location string) bool {
	scheme, _, _ := strings.Cut(location, ":")
	return strings.HasPrefix(strings.ToLower(scheme), "s3")
}

func (a *app) exploreWith(ctx context.Context, location string, open, look opener) error {
	if a.plainWanted() {
		return a.plain(a.life, location, open)
	}
	if !a.interactive() {
		return a.checkOf(ctx, location, open, form{})
	}
	o := a.uiOptions()
	o.Location, o.Open, o.Look = lasting(location), open, look
	return ui.Run(a.life, o)
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
		o.Choices = append(o.Choices, ui.Choice{Label: e.name, Detail: e.about, Location: demoPrefix + e.name, Open: a.exampleOpener(e)})
	}
	if a.plainWanted() {
		return a.plainStart(a.life, a.spoken(ctx, o))
	}
	return ui.Run(a.life, o)
}

// spoken are the places of the start screen in one list with words: this folder, what was opened lately, the
// examples.
func (a *app) spoken(ctx context.Context, o ui.Options) []ui.Choice {
	var all []ui.Choice
	if cp, err := a.open(ctx, o.Here); err == nil && cp.IsCheckpoint() {
		c := a.place(o.Here)
		c.Label, c.Detail = "this folder", o.Here
		all = append(all, c)
	}
	if o.Memory != nil {
		recents, err := o.Memory.Recents()
		if err != nil {
			fmt.Fprintln(a.Err, "tidemark: "+report.Printable(err.Error()))
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

// place is how a location that was typed or found is opened.
func (a *app) place(location string) ui.Choice {
	open := a.opener(location)
	return ui.Choice{Location: lasting(location), Open: open, Look: a.looker(location, open)}
}

// How far the explorer looks for checkpoints by itself: nobody has asked for as much as with find.
const (
	nearDepth   = 5
	nearFolders = 2000
	nearArchive = 32 << 20 // bytes of an archive
)

// near looks for checkpoints below a location, and at each that it finds.
func (a *app) near(ctx context.Context, location string) iter.Seq2[ui.Found, error] {
	return func(yield func(ui.Found, error) bool) {
		root, err := a.store(ctx, location)
		if err != nil {
			yield(ui.Found{}, err)
			return
		}
		var step ui.Found
		first := map[string]*ui.Found{} // of each query, by its id
		for folder, err := range checkpoint.Find(ctx, root, checkpoint.Search{Depth: nearDepth, Folders: nearFolders, Archive: nearArchive, Left: &step.Left}) {
			if err != nil {
				yield(ui.Found{}, err)
				return
			}
			step.Looked++
			step.Unread = ""
			if folder.Err != nil {
				step.Unread = folder.Dir + ": " + folder.Err.Error()
			}
			if !folder.IsCheckpoint {
				if !yield(step, nil) {
					return
				}
				continue
			}
			f := step
			f.Choice = a.place(storage.Sub(root, folder.Dir).String())
			f.Label = folder.Dir
			id := folder.QueryID(ctx)
			twin := first[id]
			if twin != nil {
				f.Same = twin.Label
				if twin.Same == "" {
					twin.Same = f.Label
					if !yield(*twin, nil) {
						return
					}
				}
			}
			if !yield(f, nil) {
				return
			}
			if f = a.health(ctx, f); !yield(f, nil) {
				return
			}
			if id != "" && twin == nil {
				f.Unread = ""
				first[id] = &f
			}
		}
		if step.Left {
			step.Unread = ""
			yield(step, nil)
		}
	}
}

// health is what was found with what an examination says of it.
func (a *app) health(ctx context.Context, f ui.Found) ui.Found {
	f.Unread = ""
	f.Health, f.Outcome = "unknown", "UNKNOWN"
	cp, err := f.Open(ctx)
	if err != nil {
		return f
	}
	v := &checks.Verdict{}
	for e := range checks.Examine(ctx, cp, a.examination(false)) {
		v.Add(e)
	}
	f.Health, f.Outcome = report.HealthWord(v), report.Outcome(v)
	return f
}

func (a *app) uiOptions() ui.Options {
	return ui.Options{
		Reopen:   a.reopen,
		Write:    a.save,
		Tmux:     a.Getenv("TMUX") != "",
		View:     a.view,
		Follow:   a.follow,
		Examine:  a.examination(false),
		ASCII:    a.asciiWanted(),
		NoColor:  !a.colorWanted(),
		Theme:    a.theme(),
		Mouse:    a.mouseWanted(),
		Far:      a.far(),
		Still:    a.flags.still,
		Environ:  a.terminalEnvironment(),
		Light:    a.flags.look == "light",
		Local:    a.flags.clock == "local",
		Now:      a.Now,
		Identity: a.identity,
		Memory:   a.memory(),
		Keys:     a.keys(),
		OpenAt:   a.place,
		Find:     a.near,
		Traffic: func() ui.Traffic {
			r := a.meter.Snapshot()
			return ui.Traffic{Listed: r.Entries, Requests: r.Requests(), Bytes: r.Bytes, Retry: r.Notice}
		},
	}
}

// mouseWanted is where the mouse is to be on at the start. Over ssh, where taking it from the terminal costs
// the selection of text, a setting does not count, only the flag.
func (a *app) mouseWanted() bool {
	flag := slices.ContainsFunc(a.settings, func(v config.Value) bool { return v.Name == "mouse" && v.From == config.FromFlag })
	return a.flags.mouse && (flag || !a.far())
}

// far reports whether the terminal is at the other end of an ssh.
func (a *app) far() bool { return a.Getenv("SSH_CONNECTION") != "" || a.Getenv("SSH_TTY") != "" }

// identity is as whom a location is read: for a path the user of this machine, for a bucket the credentials;
// "" for what is inside the program.
func (a *app) identity(location string) string {
	switch {
	case strings.HasPrefix(location, demoPrefix):
		return ""
	case len(storage.Places(location)) == 0:
		return a.meter.Snapshot().Identity
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
