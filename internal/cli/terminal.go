package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// isTerminal reports whether a stream, to write or to read, is a terminal.
func isTerminal(stream any) bool {
	f, ok := fileOf(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// fileOf returns the file behind a stream, or behind the pager in front of it.
func fileOf(stream any) (f *os.File, ok bool) {
	if p, paged := stream.(*pager); paged {
		stream = p.out
	}
	switch around := stream.(type) {
	case *maskedWriter:
		stream = around.Writer
	case *secretFilter:
		stream = around.Writer
	}
	f, ok = stream.(*os.File)
	return f, ok
}

// interactive reports whether the explorer can be shown.
func (a *app) interactive() bool {
	return isTerminal(a.Out) && a.Getenv("TERM") != "dumb"
}

// widest is how wide text gets, however wide the terminal is.
const widest = 100

// options returns how text is laid out on stdout.
func (a *app) options() report.Options {
	width := widest
	if f, ok := fileOf(a.Out); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			width = min(w, widest)
		}
	}
	return report.Options{Width: width, Color: a.colorWanted(), ASCII: a.asciiWanted(), Now: a.Now()}
}

// progress shows on stderr how far a long run has come: on a terminal only, one line that is gone
// when done.
type progress struct {
	w     io.Writer // nil: nobody looks
	now   func() time.Time
	began time.Time
	last  time.Time
	shown bool
}

// Nothing is shown of runs that are over at once, and no more often than the eye follows.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func (a *app) progress() *progress {
	p := &progress{now: time.Now, began: time.Now()}
	if isTerminal(a.Err) && a.Getenv("TERM") != "dumb" && !a.flags.plain {
		p.w = a.Err
	}
	return p
}

func (p *progress) say(format string, args ...any) {
	now := p.now()
	if p.w == nil || now.Sub(p.began) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", oneLine(phrase.Printable(fmt.Sprintf(format, args...)), p.w))
}

// oneLine returns text as far as it fits a line of the terminal: what wraps is not taken away again.
func oneLine(text string, w io.Writer) string {
	width := widest
	if f, ok := fileOf(w); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 1 {
			width = columns - 1
		}
	}
	if ansi.StringWidth(text) > width {
		text = ansi.Truncate(text, width, "...")
	}
	return text
}

// clear takes the line away before anything else is written.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
