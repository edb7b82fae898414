package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/internal/trace"
)

// The parts of the conversation: each is what a command writes.

func (p *plain) verdict(context.Context, []string) error {
	return report.Text(p.Out, p.v, p.options())
}

func (p *plain) drift(context.Context, []string) error {
	if s := page.Drift(p.v); len(s.Blocks) > 0 {
		return p.sections(s)
	}
	return report.Blocks(p.Out, p.options(), page.Paragraph{Text: page.Plain(page.NoSpec)})
}

// findings numbers them; one is told with its words.
func (p *plain) findings(_ context.Context, words []string) error {
	all := p.v.Findings
	if len(words) > 0 {
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > len(all) {
			return fmt.Errorf("findings: %q is not a number from 1 to %d", words[0], len(all))
		}
		return p.sections(page.Finding(&all[n-1]))
	}
	if err := p.sections(page.FindingList(p.v)); err != nil {
		return err
	}
	if len(all) > 0 {
		fmt.Fprintln(p.Out, "findings N shows one, with its meaning and the next step.")
	}
	return p.sections(page.NotChecked(p.v))
}

// sections writes sections of a page.
func (p *plain) sections(all ...page.Section) error {
	return report.Sections(p.Out, p.options(), all...)
}

// newestBatches are how many are listed where nobody says how many.
const newestBatches = 20

func (p *plain) listBatches(ctx context.Context, words []string) error {
	out, err := p.outputOf(ctx, p.cp)
	if err != nil {
		return err
	}
	ids := slices.Collect(p.cp.IDs())
	upTo := len(ids)
	switch {
	case len(words) == 0:
	case words[0] == "all":
		l := newBatchLines(p.app, p.cp, out, filesOf(ctx, p.cp))
		return p.batches(ctx, p.cp, slices.Values(ids), l.batch, l.gap)
	default:
		n, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil {
			return fmt.Errorf("batches: %q is not a batch ID", words[0])
		}
		at, found := slices.BinarySearch(ids, n)
		if upTo = at; found {
			upTo++
		}
	}
	from := max(upTo-newestBatches, 0)
	l := newBatchLines(p.app, p.cp, out, filesOf(ctx, p.cp))
	if err := p.batches(ctx, p.cp, slices.Values(ids[from:upTo]), l.batch, l.gap); err != nil {
		return err
	}
	switch {
	case len(ids) == 0:
		fmt.Fprintln(p.Out, "No batches: offsets and commits are empty.")
	case from > 0:
		fmt.Fprintf(p.Out, "%s earlier batches: batches %d shows the next ones, batches all shows all.\n", phrase.Count(int64(from)), ids[from-1])
	}
	return nil
}

// batch is one batch: what the logs say of it, what it reads, and its two files.
func (p *plain) batch(ctx context.Context, words []string) error {
	id, err := strconv.ParseInt(strings.Join(words, " "), 10, 64)
	if err != nil || id < 0 {
		return fmt.Errorf("batch: %q is not a batch ID", strings.Join(words, " "))
	}
	plan, commit := p.cp.Offsets.Find(id), p.cp.Commits.Find(id)
	if plan == nil && commit == nil {
		return fmt.Errorf("batch %d has no file in offsets or commits", id)
	}
	near, err := p.neighbors(ctx, id)
	if err != nil {
		return err
	}
	out, err := p.outputOf(ctx, p.cp)
	if err != nil {
		return err
	}
	if err := p.sections(page.BatchReads(p.cp, near[0], near[1], near[2], out, phrase.Clock{Now: p.Now})); err != nil {
		return err
	}
	for _, file := range []struct {
		log  string
		node *checkpoint.LogFile
	}{{"offsets", plan}, {"commits", commit}} {
		if file.node == nil {
			continue
		}
		fmt.Fprintln(p.Out)
		if err := p.showDecoded(ctx, p.cp, path.Join(file.log, file.node.Name)); err != nil {
			return err
		}
	}
	return nil
}

// neighbors are the batch before, the batch and the one after it; nil where there is none.
func (p *plain) neighbors(ctx context.Context, id int64) (near [3]*checkpoint.Batch, err error) {
	ids := slices.Collect(p.cp.IDs())
	at, _ := slices.BinarySearch(ids, id)
	for i := range near {
		if j := at - 1 + i; j >= 0 && j < len(ids) {
			if near[i], err = p.cp.Batch(ctx, ids[j]); err != nil {
				return near, err
			}
		}
	}
	return near, nil
}

func (p *plain) compare(ctx context.Context, words []string) error {
	from, to, ok := batchRange(strings.Join(words, ""))
	if !ok {
		return errors.New("compare needs two batches, such as compare 7..9")
	}
	return p.compareBatches(ctx, p.cp, from, to)
}

func (p *plain) state(ctx context.Context, words []string) error {
	if len(words) > 0 {
		return p.rows(ctx, words)
	}
	if err := p.stores(ctx, p.cp, &stateFlags{operator: -1}); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.Out, "state OPERATOR/PARTITION shows rows, such as state 0/3.")
	return err
}

// rows are those of a store: rows 0/3 batch 12 store left key {"id":7}. A key takes all that follows.
func (p *plain) rows(ctx context.Context, words []string) error {
	f := &stateFlags{operator: -1, partition: -1, batch: -1}
	if len(words) == 0 {
		return errors.New("rows needs an operator: rows 0, or rows 0/3 for one partition")
	}
	operator, partition, one := strings.Cut(words[0], "/")
	var err error
	if f.operator, err = strconv.Atoi(operator); err == nil && one {
		f.partition, err = strconv.Atoi(partition)
	}
	if err != nil || f.operator < 0 || one && f.partition < 0 {
		return fmt.Errorf("%q is not OPERATOR or OPERATOR/PARTITION", words[0])
	}
	for rest := words[1:]; len(rest) > 0; {
		switch {
		case rest[0] == "key" && len(rest) > 1:
			f.key, rest = strings.Join(rest[1:], " "), nil
		case rest[0] == "batch" && len(rest) > 1:
			if f.batch, err = strconv.ParseInt(rest[1], 10, 64); err != nil || f.batch < 0 {
				return fmt.Errorf("%q is not a batch ID", rest[1])
			}
			rest = rest[2:]
		case rest[0] == "store" && len(rest) > 1:
			f.store, rest = rest[1], rest[2:]
		default:
			return fmt.Errorf("unexpected word %q: rows OPERATOR/PARTITION [batch N] [store NAME] [key KEY]", rest[0])
		}
	}
	return p.app.rows(ctx, p.cp, f)
}

// files lists a folder, or shows a file decoded.
func (p *plain) files(ctx context.Context, words []string) error {
	name := path.Clean(cmp.Or(strings.Join(words, " "), "."))
	l := p.cp.List(ctx, name)
	if l.Err != nil && len(l.Entries) == 0 {
		return fmt.Errorf("%s could not be listed: %w", name, l.Err)
	}
	if len(l.Entries) == 0 && name != "." {
		return p.file(ctx, name, p.showDecoded)
	}
	var rows [][]string
	for _, e := range l.Entries {
		if e.Dir {
			rows = append(rows, []string{phrase.Printable(path.Join(name, e.Name)) + "/", ">", "folder"})
			continue
		}
		modified := ""
		if !e.Modified.IsZero() {
			modified = phrase.Time(e.Modified.UnixMilli())
		}
		rows = append(rows, []string{phrase.Printable(path.Join(name, e.Name)), ">" + phrase.Count(e.Size), "bytes", modified})
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(p.Out, line); err != nil {
			return err
		}
	}
	if l.Err != nil {
		return fmt.Errorf("the listing of %s is incomplete: %w", name, l.Err)
	}
	_, err := fmt.Fprintln(p.Out, "Type the name of a folder or a file to see its contents. Put bytes or text before it to see it raw.")
	return err
}

func (p *plain) bytes(ctx context.Context, words []string) error {
	return p.file(ctx, strings.Join(words, " "), p.showHex)
}

func (p *plain) text(ctx context.Context, words []string) error {
	return p.file(ctx, strings.Join(words, " "), p.showEscaped)
}

func (p *plain) file(ctx context.Context, name string, show func(context.Context, *checkpoint.Checkpoint, string) error) error {
	if name == "" {
		return errors.New("name a file, such as offsets/120")
	}
	return showFile(ctx, p.cp, path.Clean(name), show)
}

// offsets is where the query goes on, or where a batch ends, for a person and for a new query.
func (p *plain) offsets(ctx context.Context, words []string) error {
	batch := int64(-1)
	if len(words) > 0 {
		var err error
		if batch, err = strconv.ParseInt(words[0], 10, 64); err != nil || batch < 0 {
			return fmt.Errorf("offsets: %q is not a batch ID", words[0])
		}
	}
	at, err := readPositions(ctx, p.cp, batch, false)
	if err != nil {
		return err
	}
	for _, note := range at.Notes {
		fmt.Fprintln(p.Out, "note: "+phrase.Printable(note))
	}
	if err := p.offsetsTable(at); err != nil {
		return err
	}
	fmt.Fprintln(p.Out, "\nAs start offsets of a new query:")
	return p.startingOffsets(ctx, p.cp, at, time.Time{})
}

// explainTrace reads lines up to one with only a full stop: a trace may have empty ones.
func (p *plain) explainTrace(ctx context.Context, _ []string) error {
	var pasted strings.Builder
	for question := "Paste the stack trace, then a line with only a full stop:\n"; ; question = "" {
		line, ok := p.ask(question)
		if !ok || strings.TrimSpace(line) == "." {
			break
		}
		pasted.WriteString(line + "\n")
	}
	t, err := trace.Read(strings.NewReader(pasted.String()))
	if err != nil {
		return err
	}
	return report.Page(p.Out, page.Explanation(trace.Explain(ctx, t, p.v, p.cp)), p.options())
}

func (p *plain) help(context.Context, []string) error {
	rows, n := [][]string{}, 0
	for _, c := range plainChoices() {
		number := ""
		if c.menu {
			n++
			number = strconv.Itoa(n)
		}
		rows = append(rows, []string{number, strings.TrimSpace(c.name + " " + c.args), c.does})
	}
	rows = append(rows, []string{"", "FILE", "a file decoded, such as offsets/120"}, []string{"b", "an empty line", "back to the choices"}, []string{"q", "quit", "quit, with the exit status of check"})
	for _, line := range report.Columns(rows) {
		fmt.Fprintln(p.Out, line)
	}
	_, err := fmt.Fprintln(p.Out, "Read-only: no command changes the checkpoint.")
	return err
}
