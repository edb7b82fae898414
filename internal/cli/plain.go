package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/sources"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// The explorer as a conversation, for screen readers and for terminals that can only append: the verdict
// as check writes it, numbered choices, and the parts as the other commands write them. Nothing is drawn
// over, nothing moves, and answers may come from a file.

// plainWanted is where it is asked for, or where the terminal can do no more.
func (a *app) plainWanted() bool {
	return a.flags.plain || a.Getenv("TERM") == "dumb" && isTerminal(a.Out) && isTerminal(a.in)
}

// plain is one conversation about one checkpoint.
type plain struct {
	*app
	*pager
	location string
	cp       *checkpoint.Checkpoint
	v        *checks.Verdict
}

// choice is one thing that can be asked for, by its number or its words.
type plainChoice struct {
	name string
	args string // what may stand after it; "" for nothing
	does string
	menu bool // it has a number
	do   func(*plain, context.Context, []string) error
}

// plainChoices are all there are; those of the menu have the numbers 1, 2, … in this order.
func plainChoices() []plainChoice {
	return []plainChoice{
		{"findings", "[N]", "all findings, or one with its meaning", true, (*plain).findings},
		{"batches", "[N or all]", "the newest batches, those up to N, or all", true, (*plain).listBatches},
		{"state", "[OPERATOR[/PARTITION]]", "the state stores, or the rows of one", true, (*plain).state},
		{"files", "[FILE or FOLDER]", "the files, or the contents of one", true, (*plain).files},
		{"drift", "", "the query compared with its checkpoint", true, (*plain).drift},
		{"explain", "", "explain a Spark error from this checkpoint", true, (*plain).explainTrace},
		{"offsets", "[N]", "where the query continues, also as start offsets", true, (*plain).offsets},
		{"verdict", "", "the verdict again", true, (*plain).verdict},
		{"batch", "N", "one batch: what it reads, its files", false, (*plain).batch},
		{"compare", "A..B", "what changed from batch A to batch B", false, (*plain).compare},
		{"rows", "OPERATOR[/PARTITION] [batch N] [store NAME] [key KEY]", "the rows of a state store", false, (*plain).rows},
		{"bytes", "FILE", "a file in hexadecimal", false, (*plain).bytes},
		{"text", "FILE", "a file as text", false, (*plain).text},
		{"help", "", "all commands", false, (*plain).help},
	}
}

// plain holds a conversation about the checkpoint at a location. Its exit status is that of check.
func (a *app) plain(ctx context.Context, location string, open opener) error {
	p := &plain{app: a, pager: newPager(ctx, a.Out, a.in), location: location}
	return p.about(ctx, open)
}

// plainStart asks which checkpoint it is about, where no LOCATION was given.
func (a *app) plainStart(ctx context.Context, choices []kit.Choice) error {
	p := &plain{app: a, pager: newPager(ctx, a.Out, a.in)}
	for i, c := range choices {
		fmt.Fprintf(p.out, "%d %s: %s\n", i+1, phrase.Printable(c.Label), phrase.Printable(c.Detail))
	}
	answer, ok := p.ask("a number, or the LOCATION of a checkpoint; q quit: ")
	answer = strings.TrimSpace(answer)
	n, err := strconv.Atoi(answer)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !ok || answer == "" || answer == "q":
		return nil
	case err == nil && n >= 1 && n <= len(choices):
		p.location = choices[n-1].Location
		return p.about(ctx, choices[n-1].Open)
	}
	p.location = answer
	return p.about(ctx, a.opener(answer))
}

func (p *plain) about(ctx context.Context, open opener) error {
	cp, err := open(ctx)
	if err != nil {
		return err
	}
	p.cp, p.v = cp, p.examine(ctx, cp, false)
	if sources.Mistaken(p.v.Err) {
		return p.usageProblems(p.v.Err)
	}
	p.show(ctx, (*plain).verdict, nil)
	line := p.view
	for ctx.Err() == nil {
		if line == "" {
			var ok bool
			if line, ok = p.ask(p.menu()); !ok {
				break
			}
		}
		if line = strings.TrimSpace(line); line == "q" || line == "quit" || line == ":q" {
			break
		}
		p.answer(ctx, line)
		line = ""
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return exit(report.Status(p.v, p.flags.severity))
}

// menu is the question between two parts.
func (p *plain) menu() string {
	var parts []string
	for _, c := range plainChoices() {
		if c.menu {
			parts = append(parts, fmt.Sprintf("%d %s", len(parts)+1, c.name))
		}
	}
	return "\n" + report.Wrap(strings.Join(parts, ", ")+"; ? help, q quit", p.options().Width) + "choice: "
}

// answer shows what a line asks for.
func (p *plain) answer(ctx context.Context, line string) {
	words := strings.Fields(strings.TrimPrefix(line, ":"))
	if len(words) == 0 || words[0] == "b" {
		return // there is only the menu to go back to
	}
	name, rest := words[0], words[1:]
	if name == "?" {
		name = "help"
	}
	number, err := strconv.Atoi(name)
	for _, c := range plainChoices() {
		if c.menu {
			number--
		}
		if c.name != name && !(err == nil && c.menu && number == 0) {
			continue
		}
		if c.args == "" && len(rest) > 0 {
			fmt.Fprintf(p.out, "%s: unexpected word %q\n", c.name, phrase.Printable(rest[0]))
			return
		}
		p.show(ctx, c.do, rest)
		return
	}
	if strings.Contains(name, "/") || p.cp.Root.Find(name) != nil {
		p.show(ctx, (*plain).files, words)
		return
	}
	fmt.Fprintf(p.out, "%q is not a choice; ? lists all commands\n", phrase.Printable(name))
}

// show writes one part, page by page. What goes wrong in it is told, and the conversation goes on.
func (p *plain) show(ctx context.Context, part func(*plain, context.Context, []string) error, words []string) {
	p.shown = 0
	errs := p.Err
	p.app.Out, p.app.Err = p.pager, p.pager // in the order in which it is said
	err := storage.Recover(func() error { return part(p, ctx, words) })
	err = cmp.Or(err, p.pager.end())
	p.app.Out, p.app.Err = p.out, errs
	switch e, status := errors.AsType[*statusError](err); {
	case err == nil, errors.Is(err, errEnough), status && e.err == nil:
	default:
		fmt.Fprintln(p.out, phrase.Sentence(phrase.Printable(err.Error())))
	}
}
