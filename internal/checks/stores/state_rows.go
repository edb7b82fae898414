package stores

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
)

var comparedRows = checks.Comparison{Short: "state rows", One: "state row with its recorded schema", Many: "state rows with their recorded schema"}

// readRows reads the rows of the state that the next start loads, with --deep, as they are shown: what the reader notices
// that the files' own marks do not show is told. Stores with a flaw that is told already are left out.
func readRows(ctx context.Context, p *checks.Pass) error {
	version, ok := StartVersion(p)
	if !ok || version <= 0 {
		return nil
	}
	whole := map[string]Need{} // by folder
	ops := map[int]bool{}
	for n := range Needs(p) {
		if n.store != nil && n.loadsWhole(p, &n.Chain) {
			whole[n.Dir], ops[n.Op.ID] = n, true
		}
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if !ops[op.ID] || len(op.Problems()) > 0 {
			continue
		}
		s, err := statestore.At(ctx, p.Checkpoint, op.ID, version-1)
		switch {
		case checkpoint.Stopped(err):
			return err
		case err != nil:
			ContentsOf(p).notShown(op.Dir, err)
			continue
		case s.Problem != nil:
			ContentsOf(p).notShown(op.Dir, s.Problem)
		}
		for j := range s.Views {
			if s.Views[j].Guessed {
				continue // what does not decode may only be guessed wrong
			}
			if err := readView(ctx, p, s, &s.Views[j], whole); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadsWhole reports whether all files of a chain are there and nothing is wrong with them, as far as they were read.
func (n *Need) loadsWhole(p *checks.Pass, c *state.Chain) bool {
	return c.Whole() && !slices.ContainsFunc(c.Files, func(f state.File) bool { return n.Contents(p, f) == nil || !n.good(p, f) })
}

// notShown notes that the rows of an operator were not read, and why.
func (c *contents) notShown(dir string, err error) {
	if c.noRows == "" {
		c.noRows = fmt.Sprintf("%s: %v", dir, err)
	}
}

// readView reads the rows of one view, and tells of each store where one does not read: once, with how many more.
func readView(ctx context.Context, p *checks.Pass, s *statestore.State, v *statestore.View, whole map[string]Need) error {
	type bad struct {
		first *decode.Error
		more  int
	}
	found := map[string]*bad{}
	var order []string
	read := int64(0)
	for _, err := range s.Rows(ctx, v, -1) {
		partial, ok := errors.AsType[*statestore.PartitionError](err)
		switch {
		case err == nil:
			read++
			continue
		case checkpoint.Stopped(err):
			return err
		case !ok:
			ContentsOf(p).notShown(s.Operator.Dir, err)
			return nil
		}
		if _, judged := whole[partial.Dir]; !judged {
			continue
		}
		if _, passed := errors.AsType[*statestore.PassedError](partial.Err); passed {
			continue // it is told of the file
		}
		e, broken := errors.AsType[*decode.Error](partial.Err)
		if !broken {
			ContentsOf(p).notShown(partial.Dir, partial.Err)
			continue
		}
		if found[partial.Dir] == nil {
			found[partial.Dir] = &bad{first: e}
			order = append(order, partial.Dir)
		} else {
			found[partial.Dir].more++
		}
	}
	p.Crosschecked(comparedRows, int(read))
	for _, dir := range order {
		n, b := whole[dir], found[dir]
		at := b.first.Where
		at.File, _, _ = strings.Cut(at.File, "!")
		more := ""
		if b.more > 0 {
			more = fmt.Sprintf(" (and %d more such rows)", b.more)
		}
		p.Report(checks.Finding{Severity: checks.High, Batch: n.Chain.Version - 1, Where: at,
			Evidence: fmt.Sprintf("%s, %s: %v%s", path.Base(b.first.File), v.Name, b.first.Err, more),
			Title:    "rows of the state do not match their recorded schema",
			Meaning: `The files of this store are complete. Some rows do not match the schema, the row checksum or the sort order. They
are from another query, schema or attempt. Or a Spark release newer than this version of tidemark wrote them. Spark may silently misread
their bytes.`,
			NextStep: `Check the rows before you restart (tidemark state --operator ` + fmt.Sprint(n.Op.ID) + `). Compare
the files with object versions or a backup.`,
			Avoid: `Do not take a successful start as proof that the state is right.`})
	}
	return nil
}
