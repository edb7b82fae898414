package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/storage"
)

// showLimit is how many bytes of a file are decoded; longer ones can be seen with --raw or --hex.
const showLimit = 64 << 20

func showCommand(a *app) *cobra.Command {
	var raw, asHex bool
	cmd := &cobra.Command{
		Use:   "show LOCATION FILE",
		Short: "Show one file of the checkpoint, decoded",
		Long: long(`
Shows one decoded file, every value with its line and byte. FILE is its name in the
checkpoint: metadata, offsets/120, sources/0/0. For an offset file (offsets/120) the
files of a file source follow. With --raw a terminal shows control characters as
escapes; other output gets the raw bytes.`),
		Example: `tidemark show /mnt/checkpoints/orders offsets/120
tidemark show LOCATION metadata
tidemark show LOCATION offsets/120 --raw
tidemark show LOCATION state/0/1/7.delta --hex | head`,
		Args:        args(2, 2),
		Annotations: exits(exitsOfReading),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if raw && asHex {
				return usageError("--raw and --hex: use one of them")
			}
			cp, err := a.open(ctx, args[0])
			if err != nil {
				return err
			}
			name := path.Clean(args[1])
			switch {
			case raw:
				return showFile(ctx, cp, name, a.showRaw)
			case asHex:
				return showFile(ctx, cp, name, a.showHex)
			}
			return showFile(ctx, cp, name, a.showDecoded)
		}),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the raw bytes")
	cmd.Flags().BoolVar(&asHex, "hex", false, "the bytes in hexadecimal")
	return cmd
}

// showFile shows a file in one form; of one that is not there it says what is.
func showFile(ctx context.Context, cp *checkpoint.Checkpoint, name string,
	show func(context.Context, *checkpoint.Checkpoint, string) error) error {
	err := show(ctx, cp, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return noSuchFile(ctx, cp, name)
	}
	return err
}

func (a *app) showDecoded(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	data, err := cp.Read(ctx, name, showLimit)
	if _, ok := errors.AsType[*storage.TooLargeError](err); ok {
		return fmt.Errorf("%w; --raw and --hex show all of it", err)
	}
	if err != nil {
		return err
	}
	lines := checkpoint.Describe(name, data)
	rows := make([][]string, len(lines))
	for i, l := range lines {
		mark := " "
		if l.Problem {
			mark = "!"
		}
		rows[i] = []string{mark, placeIn(l.Where), phrase.Printable(l.Label), phrase.Printable(l.Value)}
	}
	w := bufio.NewWriter(a.Out)
	fmt.Fprintf(w, "%s, %s\n", phrase.Printable(name), phrase.Units(int64(len(data)), "bytes"))
	for _, line := range report.Columns(rows) {
		fmt.Fprintln(w, line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := a.showFiles(ctx, cp, name); err != nil {
		return err
	}
	if command := rowsOfFile(name); command != "" {
		a.note("%s shows the rows", command)
	}
	return nil
}

// showFiles shows which files the batch of a plan reads of file sources: the plan itself names only the entries of their
// logs.
func (a *app) showFiles(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	dir, base := path.Split(name)
	n := log.ParseName(base)
	if dir != "offsets/" || n.Role != log.LogFile || cp.Offsets.Find(n.ID) == nil {
		return nil
	}
	b, err := cp.Batch(ctx, n.ID)
	if err != nil || b == nil || b.Plan == nil {
		return err
	}
	var before *checkpoint.Batch
	if n.ID > 0 && cp.Offsets.Find(n.ID-1) != nil {
		if before, err = cp.Batch(ctx, n.ID-1); err != nil {
			return err
		}
	}
	return a.writeFiles(ctx, cp, before, b)
}

// writeFiles writes the files that one batch reads of file sources.
func (a *app) writeFiles(ctx context.Context, cp *checkpoint.Checkpoint, before, b *checkpoint.Batch) error {
	taken, err := checkpoint.NewSourceLogs(cp, report.FilesShown, false).Of(ctx, before, b)
	if err != nil {
		return err
	}
	for i := range taken {
		files := page.Taken(&taken[i], phrase.Clock{})
		lines := make([]string, 0, len(files.Files)+2)
		for _, f := range files.Files {
			lines = append(lines, strings.TrimSuffix(f.Dir+f.Name+"  "+f.Modified, "  "))
		}
		for _, more := range []string{files.More, files.Why} {
			if more != "" {
				lines = append(lines, more)
			}
		}
		fmt.Fprintf(a.Out, "\n%s\n", files.Head)
		for _, line := range lines {
			if _, err := fmt.Fprintln(a.Out, "  "+line); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowsOfFile returns the command that shows the rows behind a state file, "state/0/1/7.delta"; "" for another file. It is
// the batch before a version that wrote it.
func rowsOfFile(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) != 4 && len(parts) != 5 || parts[0] != "state" {
		return ""
	}
	f, ok := state.ParseName(parts[len(parts)-1])
	operator, err := strconv.Atoi(parts[1])
	partition, err2 := strconv.Atoi(parts[2])
	if !ok || err != nil || err2 != nil {
		return ""
	}
	store := ""
	if len(parts) == 5 {
		store = " --store " + phrase.Printable(parts[3])
	}
	return fmt.Sprintf("tidemark state LOCATION --operator %d%s --partition %d --batch %d", operator, store, partition, f.Version-1)
}

// placeIn returns a place without its file: "3@69".
func placeIn(at decode.Where) string {
	switch {
	case at.Line > 0 && at.Offset > 0:
		return fmt.Sprintf("%d@%d", at.Line, at.Offset)
	case at.Line > 0:
		return strconv.Itoa(at.Line)
	}
	return fmt.Sprintf("@%d", at.Offset)
}

// noSuchFile says what is there instead.
func noSuchFile(ctx context.Context, cp *checkpoint.Checkpoint, name string) error {
	const shown = 12
	dir := name
	l := cp.List(ctx, dir)
	what := name + " is a folder"
	if len(l.Entries) == 0 {
		dir = path.Dir(name)
		what = name + " is missing"
		l = cp.List(ctx, dir)
	}
	var names []string
	for i, e := range l.Entries {
		if i == shown {
			names = append(names, fmt.Sprintf("and %s more", phrase.Count(int64(len(l.Entries)-shown))))
			break
		}
		if e.Dir {
			e.Name += "/"
		}
		names = append(names, e.Name)
	}
	switch {
	case len(names) == 0:
		return errors.New(what)
	case dir == ".":
		return fmt.Errorf("%s; the checkpoint contains %s", what, strings.Join(names, ", "))
	}
	return fmt.Errorf("%s; %s contains %s", what, dir, strings.Join(names, ", "))
}
