package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/checkpoint/statestore"
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

// stateExits are what its exit statuses mean.
const stateExits = `0 done
2 the command line is wrong
3 a partition cannot be rebuilt or read; the others are printed
4 not a checkpoint
130 interrupted`

func stateCommand(a *app) *cobra.Command {
	var f stateFlags
	cmd := &cobra.Command{
		Use:   "state LOCATION",
		Short: "List the state stores, or print their rows",
		Long: long(`
Lists the state of every stateful operator: stores, partitions, the versions with
files, and the newest version that can be rebuilt from them.

With --operator it prints the rows of one store after the last committed batch, or
after --batch N. An operator with several stores needs --store. A join also accepts
left and right, transformWithState the name of a variable, and timers. Without a
recorded schema, as before Spark 3.1, tidemark guesses the columns and says so.

With --key it prints the rows of one key: --key ann compares the first key column, as
text or as a number; JSON such as {"user":"ann"} names the columns.

With --changes A..B it prints the rows that batches after A, up to B, added, changed
or removed.

With --parquet FILE the rows go to a new file on this machine, with Spark's types.
tidemark overwrites no file and writes nothing into a checkpoint.`),
		Example: `tidemark state /mnt/checkpoints/orders
tidemark state LOCATION --operator 0
tidemark state LOCATION --operator 0 --batch 119 --ndjson
tidemark state LOCATION --operator 1 --store left --count
tidemark state LOCATION --operator 0 --changes 118..119
tidemark state LOCATION --operator 0 --key a-17
tidemark state LOCATION --operator 0 --key '{"shop_id":"a-17"}'
tidemark state LOCATION --operator 0 --parquet orders-state.parquet`,
		Args:        args(1, 1),
		Annotations: exits(stateExits),
		RunE: a.run(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if err := f.validate(cmd); err != nil {
				return err
			}
			if f.parquet != "" {
				var err error
				if f.file, err = newTarget("parquet", f.parquet, append(a.otherLocations(), args[0])...); err != nil {
					return err
				}
			}
			cp, err := a.openCheckpoint(ctx, args[0])
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
	f.register(cmd.Flags())
	return cmd
}

func (f *stateFlags) register(set *pflag.FlagSet) {
	set.IntVar(&f.operator, "operator", -1, "print the rows of operator `N`")
	set.StringVar(&f.store, "store", "", "of the store, side or variable `NAME`")
	set.Int64Var(&f.batch, "batch", -1, "the rows after batch `N` (default: the last committed)")
	set.IntVar(&f.partition, "partition", -1, "of partition `N` only")
	set.StringVar(&f.key, "key", "", "only this `KEY`: a value of the first key column, or JSON as a row shows it")
	set.StringVar(&f.changes, "changes", "", "the rows that changed between two batches: `A..B`")
	set.BoolVar(&f.count, "count", false, "only the number of rows")
	set.BoolVar(&f.ndjson, "ndjson", false, "one JSON object a line")
	set.BoolVar(&f.csv, "csv", false, "comma-separated values")
	set.StringVar(&f.parquet, "parquet", "", "write a new Parquet `FILE` on this machine")
}

func (f *stateFlags) validate(cmd *cobra.Command) error {
	set := cmd.Flags()
	for name, n := range map[string]int64{"operator": int64(f.operator), "batch": f.batch, "partition": int64(f.partition)} {
		if set.Changed(name) && n < 0 {
			return usageError("--%s: %d is not a valid %s", name, n, name)
		}
	}
	for _, name := range []string{"store", "batch", "partition", "key", "changes", "count", "parquet"} {
		if set.Changed(name) && f.operator < 0 {
			return usageError("--%s needs --operator N", name)
		}
	}
	if set.Changed("changes") {
		var ok bool
		f.from, f.to, ok = batchRange(f.changes)
		switch {
		case set.Changed("batch"):
			return usageError("--changes and --batch exclude each other: --changes names two batches")
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
		return usageError("--ndjson, --csv, --parquet and --count exclude each other")
	case set.Changed("parquet") && f.parquet == "":
		return usageError("--parquet: FILE is missing")
	}
	return nil
}

// noSuch turns a request for what is not there into a wrong command line.
func noSuch(err error) error {
	if e, ok := errors.AsType[*statestore.NoSuchError](err); ok {
		return usageError("--%s: %v", e.What, err)
	}
	return err
}
