package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"tidemark/checkpoint/statestore"

	"github.com/spf13/cobra"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/internal/report"
)

// stateFlags are the flags of the command.
type stateFlags struct {
	operator, partition int
	batch               int64
	store, key          string
	changes             string
	from, to            int64 // of changes
	count, ndjson, csv  bool
	parquet             string
	file                *target // of parquet
}

func stateCommand(a *app) *cobra.Command {
	var f stateFlags
	cmd := &cobra.Command{
		Use:   "state LOCATION",
		Short: "List the state stores, or print their rows",
		Long: long(`
Lists the state of every operator: stores, partitions, the versions that have
files, and the newest that can be rebuilt from them.

With --operator it prints the rows of one store as the last committed batch
left them, or --batch N. An operator with several stores needs --store. A join
takes left and right too, transformWithState the name of a variable, and
timers. Where no schema is recorded, as before Spark 3.1, the columns are a
guess from the bytes, and that is said.

With --changes A..B it prints in which rows the state that batch B left differs
from the state that batch A left: added, changed, removed.

With --parquet FILE they go to a new file on this machine instead, with Spark's
types. Nothing is overwritten, and nothing is written into a checkpoint.

Exit status 3 where a partition cannot be rebuilt; the others are printed.`),
		Example: `tidemark state /mnt/checkpoints/orders
tidemark state LOCATION --operator 0
tidemark state LOCATION --operator 0 --batch 119 --ndjson
tidemark state LOCATION --operator 1 --store left --count
tidemark state LOCATION --operator 0 --changes 118..119
tidemark state LOCATION --operator 0 --key '{"shop_id":"a-17"}'
tidemark state LOCATION --operator 0 --parquet orders-state.parquet`,
		Args: args(1, 1),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			if f.parquet != "" {
				var err error
				if f.file, err = newTarget("parquet", f.parquet, append(a.lookedAt(), args[0])...); err != nil {
					return err
				}
			}
			cp, err := a.openWhole(ctx, args[0])
			if err != nil {
				return err
			}
			if f.operator < 0 {
				return a.stores(ctx, cp, &f)
			}
			if f.changes != "" {
				return a.changes(ctx, cp, &f)
			}
			return a.rows(ctx, cp, &f)
		}),
	}
	set := cmd.Flags()
	set.IntVar(&f.operator, "operator", -1, "print the rows of operator `N`")
	set.StringVar(&f.store, "store", "", "of the store, side or variable `NAME`")
	set.Int64Var(&f.batch, "batch", -1, "as batch `N` left them (default: the last committed)")
	set.IntVar(&f.partition, "partition", -1, "of partition `N` only")
	set.StringVar(&f.key, "key", "", "only the key `JSON`, as a row shows it")
	set.StringVar(&f.changes, "changes", "", "what differs between two batches: `A..B`")
	set.BoolVar(&f.count, "count", false, "only how many there are")
	set.BoolVar(&f.ndjson, "ndjson", false, "one JSON object a line")
	set.BoolVar(&f.csv, "csv", false, "comma-separated values")
	set.StringVar(&f.parquet, "parquet", "", "a new Parquet file on this machine: its name, `FILE`")
	return cmd
}

func (f *stateFlags) validate(cmd *cobra.Command) error {
	set := cmd.Flags()
	for name, n := range map[string]int64{"operator": int64(f.operator), "batch": f.batch, "partition": int64(f.partition)} {
		if set.Changed(name) && n < 0 {
			return usageError("--%s: %d is no %s", name, n, name)
		}
	}
	for _, name := range []string{"store", "batch", "partition", "key", "changes", "count", "parquet"} {
		if set.Changed(name) && f.operator < 0 {
			return usageError("--%s needs --operator N: the rows of which operator?", name)
		}
	}
	if set.Changed("changes") {
		var ok bool
		f.from, f.to, ok = batchRange(f.changes)
		switch {
		case set.Changed("batch"):
			return usageError("--changes and --batch exclude one another: --changes names two batches")
		case !ok:
			return usageError("--changes: %q is not two batches such as 7..9", f.changes)
		case f.from >= f.to:
			return usageError("--changes: %q: the earlier batch comes first, then a later one, such as 7..9", f.changes)
		}
	}
	forms := 0
	for _, asked := range []bool{f.count, f.ndjson, f.csv, set.Changed("parquet")} {
		if asked {
			forms++
		}
	}
	switch {
	case forms > 1:
		return usageError("--ndjson, --csv, --parquet and --count exclude one another")
	case set.Changed("parquet") && f.parquet == "":
		return usageError("--parquet: no file is named")
	}
	return nil
}

// storeLine is what is listed of one store of one partition.
type storeLine struct {
	Operator  int     `json:"operator"`
	Name      string  `json:"name"` // "" where nothing tells
	Guessed   bool    `json:"guessed"`
	Provider  string  `json:"provider"`
	Partition int     `json:"partition"`
	Store     string  `json:"store"`
	Dir       string  `json:"dir"`
	Oldest    int64   `json:"oldest_version"`  // that has a file; -1 for none
	Newest    int64   `json:"newest_version"`  // that has a file; -1 for none
	Loadable  int64   `json:"newest_loadable"` // that can be rebuilt from the files that are there; 0 for the empty one
	Files     int     `json:"files"`
	Bytes     int64   `json:"bytes"` // of these files; SST files, which several versions share, are not counted
	Problem   *string `json:"problem"`
}

// stores lists what there is.
func (a *app) stores(ctx context.Context, cp *checkpoint.Checkpoint, f *stateFlags) error {
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return err
	}
	var lines []storeLine
	for i := range survey.State {
		lines = append(lines, storeLines(survey, &survey.State[i])...)
	}
	switch {
	case f.ndjson:
		for _, l := range lines {
			if err := report.WriteJSON(a.Out, l, ""); err != nil {
				return err
			}
		}
	case f.csv:
		if err := a.storesCSV(lines); err != nil {
			return err
		}
	default:
		if err := a.storesTable(lines); err != nil {
			return err
		}
	}
	unread := 0
	for _, u := range survey.Unread {
		if u.Name == "state" || strings.HasPrefix(u.Name, "state/") {
			fmt.Fprintf(a.Err, "tidemark: %s\n", report.Printable(fmt.Sprintf("%s could not be read: %v", u.Name, u.Err)))
			unread++
		}
	}
	if unread > 0 {
		return exit(report.Unread)
	}
	return nil
}

func storeLines(survey *statestore.Survey, op *statestore.Operator) []storeLine {
	line := storeLine{Operator: op.ID, Name: op.Name, Guessed: op.Guessed, Provider: op.Provider, Partition: -1, Dir: op.Dir, Oldest: -1, Newest: -1}
	problem := func(l storeLine, err error) storeLine {
		if err != nil {
			text := err.Error()
			l.Problem = &text
		}
		return l
	}
	if op.Err != nil || len(op.Partitions) == 0 {
		return []storeLine{problem(line, op.Err)}
	}
	var lines []storeLine
	for i := range op.Partitions {
		p := &op.Partitions[i]
		l := line
		l.Partition, l.Dir = p.ID, path.Join(op.Dir, strconv.Itoa(p.ID))
		if len(p.Stores) == 0 {
			lines = append(lines, problem(l, p.Err))
		}
		for j := range p.Stores {
			s := &p.Stores[j]
			l.Store, l.Dir, l.Files, l.Bytes, l.Oldest, l.Newest = s.Name, s.Dir, len(s.Files), 0, -1, -1
			for _, file := range s.Files {
				l.Bytes += file.Size
			}
			if len(s.Files) > 0 {
				l.Oldest, l.Newest = s.Files[0].Version, state.Newest(s.Files)
			}
			rules := state.Rules{ID: survey.StateIDs(op.ID, p.ID, s.Name, survey.Standing.LastCommitted+1)}
			l.Loadable = state.NewestLoading(s.Files, l.Newest, rules)
			lines = append(lines, problem(l, s.Err))
		}
	}
	return lines
}

func (a *app) storesCSV(lines []storeLine) error {
	w := csv.NewWriter(a.Out)
	rows := [][]string{{"operator", "name", "provider", "partition", "store", "dir", "oldest_version", "newest_version", "newest_loadable", "files", "bytes"}}
	for _, l := range lines {
		rows = append(rows, []string{strconv.Itoa(l.Operator), report.Printable(l.Name), l.Provider, strconv.Itoa(l.Partition), report.Printable(l.Store), report.Printable(l.Dir),
			strconv.FormatInt(l.Oldest, 10), strconv.FormatInt(l.Newest, 10), strconv.FormatInt(l.Loadable, 10), strconv.Itoa(l.Files), strconv.FormatInt(l.Bytes, 10)})
	}
	return w.WriteAll(rows)
}

// storesTable has one line for neighbouring partitions that have the same versions.
func (a *app) storesTable(lines []storeLine) error {
	if len(lines) == 0 {
		_, err := fmt.Fprintln(a.Out, "There is no state: no folder of an operator in state.")
		return err
	}
	slices.SortStableFunc(lines, func(x, y storeLine) int {
		if x.Operator != y.Operator {
			return x.Operator - y.Operator
		}
		return strings.Compare(x.Store, y.Store)
	})
	rows := [][]string{{"operator", "store", "partitions", ">versions", ">loads", ">files", ">size"}}
	for i := 0; i < len(lines); {
		l, n := lines[i], 1
		for i+n < len(lines) && sameVersions(l, lines[i+n]) && lines[i+n].Partition == l.Partition+n {
			l.Files, l.Bytes, n = l.Files+lines[i+n].Files, l.Bytes+lines[i+n].Bytes, n+1
		}
		rows = append(rows, l.cells(n))
		i += n
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(a.Out, "\nBatch N writes version N+1. A version loads where every file that it is rebuilt from is there.\n")
	return err
}

func sameVersions(a, b storeLine) bool {
	return a.Operator == b.Operator && a.Store == b.Store && a.Oldest == b.Oldest && a.Newest == b.Newest && a.Loadable == b.Loadable && a.Problem == nil && b.Problem == nil
}

// cells are the columns of a line that stands for n partitions.
func (l storeLine) cells(n int) []string {
	name := strconv.Itoa(l.Operator)
	if l.Name != "" {
		name += " " + l.Name
	}
	if l.Guessed {
		name += "?"
	}
	if l.Provider != "" {
		name += " (" + l.Provider + ")"
	}
	partitions := "-"
	switch {
	case l.Partition >= 0 && n > 1:
		partitions = fmt.Sprintf("%d to %d", l.Partition, l.Partition+n-1)
	case l.Partition >= 0:
		partitions = strconv.Itoa(l.Partition)
	}
	versions, loads := "no files", "-"
	switch {
	case l.Problem != nil:
		versions = "unread"
	case l.Oldest >= 0:
		versions, loads = fmt.Sprintf("%d to %d", l.Oldest, l.Newest), "none"
		if l.Loadable > 0 {
			loads = strconv.FormatInt(l.Loadable, 10)
		}
	}
	return []string{report.Printable(name), report.Printable(l.Store), partitions, ">" + versions, ">" + loads, ">" + report.Count(int64(l.Files)), ">" + report.Count(l.Bytes)}
}

// noSuch turns a request for what is not there into a wrong command line.
func noSuch(err error) error {
	if e, ok := errors.AsType[*statestore.NoSuchError](err); ok {
		return usageError("--%s: %v", e.What, err)
	}
	return err
}
