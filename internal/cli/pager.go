package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/muesli/cancelreader"
	"golang.org/x/term"

	"tidemark/internal/phrase"
)

// errEnough is that a person has read enough of a part: it is not an error to tell.
var errEnough = errors.New("stopped by the reader")

// pager shows text page by page and reads answers: it only ever appends, and moves no cursor.
type pager struct {
	out   io.Writer // a terminal, or what takes the transcript
	in    *bufio.Reader
	lines int // of a page; 0: no pages, where nobody watches
	shown int // lines since the last answer
	rest  []byte
	next  string // an answer that was given early
	echo  bool   // answers do not show by themselves
	ended bool   // there are no more answers
}

// linesUnseen are the lines of a page where the terminal does not tell its height.
const linesUnseen = 24

// newPager answers to ctx too: who waits for a line stops waiting when it ends.
func newPager(ctx context.Context, out io.Writer, in io.Reader) *pager {
	p := &pager{out: out, echo: !isTerminal(in)}
	if isTerminal(in) && isTerminal(out) {
		p.lines = linesUnseen - 2
	}
	if f, ok := out.(*os.File); ok {
		if _, h, err := term.GetSize(int(f.Fd())); err == nil && h > 4 && p.lines > 0 {
			p.lines = h - 2
		}
	}
	if isTerminal(in) {
		if c, err := cancelreader.NewReader(in); err == nil {
			context.AfterFunc(ctx, func() { c.Cancel() })
			in = c
		}
	}
	p.in = bufio.NewReader(in)
	return p
}

// Write shows whole lines, and at the end of a page asks whether to go on.
func (p *pager) Write(text []byte) (int, error) {
	n := len(text)
	p.rest = append(p.rest, text...)
	for {
		line, rest, whole := bytesCut(p.rest)
		if !whole {
			return n, nil
		}
		if p.lines > 0 && p.shown >= p.lines {
			answer, ok := p.ask("-- enter for more, b for back: ")
			if answer = strings.TrimSpace(answer); !ok || answer != "" {
				p.rest = nil
				if answer != "b" {
					p.next = answer // it is already what to show next
				}
				return 0, errEnough
			}
		}
		if _, err := p.out.Write(line); err != nil {
			return 0, err
		}
		p.shown++
		p.rest = rest
	}
}

func bytesCut(text []byte) (line, rest []byte, whole bool) {
	for i, c := range text {
		if c == '\n' {
			return text[:i+1], text[i+1:], true
		}
	}
	return nil, text, false
}

// end shows what was written without the end of a line.
func (p *pager) end() error {
	if len(p.rest) == 0 {
		return nil
	}
	_, err := p.Write([]byte{'\n'})
	return err
}

// answerLimit is how long an answer may be, in bytes.
const answerLimit = 1 << 20

// ask reads a line, without its end; ok is false where there are no more.
func (p *pager) ask(question string) (answer string, ok bool) {
	if p.next != "" {
		answer, p.next = p.next, ""
		return answer, true
	}
	if p.ended {
		return "", false
	}
	fmt.Fprint(p.out, question)
	var line []byte
	for {
		part, err := p.in.ReadSlice('\n')
		if line = append(line, part...); len(line) > answerLimit {
			err = io.EOF // nobody types this
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		p.shown = 0
		answer = strings.TrimRight(string(line), "\r\n")
		if p.ended = err != nil; p.ended || p.echo {
			fmt.Fprintln(p.out, phrase.Printable(answer))
		}
		return answer, err == nil || answer != ""
	}
}
