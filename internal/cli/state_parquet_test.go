package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/report"
)

// numbers is a view of one column, and n rows of it before err.
func numbers(n int64, err error) (*statestore.View, iter.Seq2[statestore.Row, error]) {
	long := row.StructOf(row.Field{Name: "n", Type: &row.Type{Kind: row.Integer, Name: "integer"}})
	v := &statestore.View{Key: long, Value: long, ValueName: "value"}
	return v, func(yield func(statestore.Row, error) bool) {
		for i := range n {
			item := row.Value{Type: long, Items: []row.Value{{Type: long.Fields[0].Type, Int: i << 30}}}
			if !yield(statestore.Row{View: v, Key: item, Value: item}, nil) {
				return
			}
		}
		if err != nil {
			yield(statestore.Row{}, err)
		}
	}
}

// TestUnfinishedFilesAreRemoved ends the rows of a file in every way that there is.
func TestUnfinishedFilesAreRemoved(t *testing.T) {
	const removed, none = "was incomplete and was removed\n", "no row could be read, so "
	partition := &statestore.PartitionError{Partition: 3, Dir: "state/0/3", Err: errors.New("cut off")}
	for _, c := range []struct {
		name   string
		rows   int64
		err    error
		status int // of the error; 0 for none
		errs   string
		kept   bool
	}{
		{"whole", 2, nil, 0, "", true},
		{"empty", 0, nil, 0, "", true},
		{"interrupted", 2, context.Canceled, 3, removed, false},
		{"unreachable", 2, errors.New("connection refused"), 3, removed, false},
		{"interrupted at once", 0, context.Canceled, 3, removed, false},
		{"no such partition", 0, &statestore.NoSuchError{What: "partition", Asked: "9"}, 2, "", false},
		{"one partition is cut", 2, partition, 3, "tidemark: state/0/3: cut off\n", true},
		{"all partitions are cut", 0, partition, 3, none, false},
		{"a row does not fit", 3, nil, 3, "tidemark: partition 0: key.n: 2147483648 is not of type integer; this row is left out", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var out, errs bytes.Buffer
			config := program(nil, "")
			config.Out, config.Err = &out, &errs
			a := &app{Config: config}
			to, err := newTarget("parquet", filepath.Join(dir, "rows.parquet"), "elsewhere")
			if err != nil {
				t.Fatal(err)
			}
			v, rows := numbers(c.rows, c.err)
			n, err := saveParquet(t.Context(), a, rows, to, func(w io.Writer) (*report.Parquet, error) { return report.NewParquet(w, v) }, (*report.Parquet).Write)
			status := 0
			if err != nil {
				status = 3 // what run makes of an error without a status
				if e, ok := errors.AsType[*statusError](err); ok {
					status = e.status
				}
			}
			if status != c.status || !strings.Contains(errs.String(), c.errs) || c.errs == "" && errs.Len() > 0 {
				t.Errorf("status %d, %q; want %d, %q", status, errs.String(), c.status, c.errs)
			}
			var want []string
			if c.kept {
				want = []string{"rows.parquet"}
			}
			if got := names(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("there is %v, want %v", got, want)
			}
			if c.kept != (out.Len() > 0) || c.kept && n != min(c.rows, 2) {
				t.Errorf("%d rows, %q", n, out.String())
			}
		})
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// TestRowsStopWhenTold has rows that never end, as those that are in memory may seem to.
func TestRowsStopWhenTold(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	v, _ := numbers(0, nil)
	endless := func(yield func(statestore.Row, error) bool) {
		for yield(statestore.Row{View: v}, nil) {
		}
	}
	written := 0
	n, err := writeRows(ctx, &app{}, endless, func(*statestore.Row) error {
		if written++; written == 5000 {
			stop()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n < 5000 || n > 5000+rowsBetweenChecks {
		t.Errorf("%d rows, %v", n, err)
	}
}

// What has come to be under the name while the file was written stays as it is.
func TestKeepOverwritesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "rows.parquet")
	to, err := newTarget("parquet", name, "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	f, err := to.create()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.keep(); err == nil || !strings.Contains(err.Error(), "tidemark overwrites nothing") {
		t.Errorf("%v", err)
	}
	if removed, err := f.discard(); !removed || err != nil {
		t.Errorf("%v, %v", removed, err)
	}
	if got, err := os.ReadFile(name); string(got) != "theirs" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := names(t, filepath.Dir(name)); len(got) != 1 {
		t.Errorf("there is %v", got)
	}
}

// The checkpoint that is read is known however it is written.
func TestNoTargetInTheCheckpoint(t *testing.T) {
	cp := filepath.Join(t.TempDir(), "a checkpoint")
	if err := os.MkdirAll(filepath.Join(cp, "state", "0"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, location := range []string{cp, cp + "/", "file:" + cp, "file://" + cp, "file://localhost" + strings.ReplaceAll(cp, " ", "%20")} {
		for _, dir := range []string{cp, filepath.Join(cp, "state", "0"), filepath.Join(cp, "state", "..")} {
			if _, err := newTarget("parquet", dir+"/rows.parquet", location); err == nil || ExitStatus(err) != 2 || !strings.Contains(err.Error(), "is in the checkpoint") {
				t.Errorf("%s in %s: %v", dir, location, err)
			}
		}
		if _, err := newTarget("parquet", filepath.Dir(cp)+"/rows.parquet", location); err != nil {
			t.Errorf("beside %s: %v", location, err)
		}
	}
}
