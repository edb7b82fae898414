package kit

import (
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// RangeBar is what a restart reads of one part of a source, as a bar: what is committed, what is gone, what is read again, and
// what comes later. It is not to scale: only what is gone and what is read again are compared with each other.
type RangeBar struct {
	Pieces []RangePiece
	End    string // the position at its right end; "" where that is not known
}

// RangePiece is a piece of a bar.
type RangePiece struct {
	Kind  PieceKind
	At    string // the position at its left end; "" where that is not known
	Words string // how much it is: "gone 400"
	Size  int64  // of what is gone or read again; 0 where that is not known
}

// PieceKind is what a restart makes of a piece.
type PieceKind byte

// The kinds, in the order of a bar.
const (
	PieceCommitted PieceKind = iota
	PieceGone
	PieceAgain
	PieceLater
)

// pieces are how the kinds are drawn.
var pieces = [...]struct {
	sign, word string
	style      func(t *Theme) widget.Style
}{
	PieceCommitted: {"━", "committed", func(*Theme) widget.Style { return widget.Style{} }},
	PieceGone:      {"░", "gone", func(t *Theme) widget.Style { return t.Bad }},
	PieceAgain:     {"█", "read again", func(t *Theme) widget.Style { return t.Plot }},
	PieceLater:     {"╌", "later", func(t *Theme) widget.Style { return t.Edge }},
}

// RangeLegend says what the pieces of bars are.
func RangeLegend(t *Theme) string {
	var all []string
	for _, p := range pieces {
		all = append(all, p.style(t).Styled(p.sign)+t.Dim.Styled(" "+p.word))
	}
	return strings.Join(all, "  ")
}

// RangeBarOf is the bar of a part; reads is what a restart reads of it, nil where that is not known, and k is nil where its
// source was not asked.
func RangeBarOf(v *checks.Verdict, k *checks.KeptSource, p *checks.KeptPart, reads *checks.Range) RangeBar {
	var b RangeBar
	add := func(kind PieceKind, at *source.Position, size int64, words string) {
		b.Pieces = append(b.Pieces, RangePiece{kind, said(k, at), words, size})
	}
	if p.From != nil && v.Batches.LastCommitted >= 0 {
		b.Pieces = append(b.Pieces, RangePiece{Kind: PieceCommitted, Words: committedWords(v.Sink)})
	}
	lost := p.State.Lost() && p.State != checks.PartlyGone && p.State != checks.MaybeGone
	gone := lost || p.State.Lossy()
	at := p.From // where the next piece begins
	if gone {
		add(PieceGone, at, p.Gone, goneWords(k, p))
		at = p.Earliest
	}
	if p.To != nil && !lost && !samePosition(at, p.To) {
		words, n := "read again", p.Left
		switch {
		case !gone && reads != nil && reads.Counted:
			n = reads.Count
			words += " " + phrase.Amount(reads.Range)
		case p.LeftKnown:
			words += " " + phrase.Units(n, p.Unit)
		}
		add(PieceAgain, at, n, words)
	}
	if p.To != nil {
		at = p.To
	}
	elsewhere := p.State == checks.Another || p.State == checks.NotThere || p.State == checks.Beyond
	switch {
	case elsewhere:
		b.End = said(k, p.To)
	case samePosition(at, p.Latest), p.To != nil && p.Latest == nil:
		b.End = said(k, at)
	default:
		add(PieceLater, at, 0, "later")
		b.End = said(k, p.Latest)
	}
	return b
}

// goneWords are what is gone of a part, or why the source does not have it.
func goneWords(k *checks.KeptSource, p *checks.KeptPart) string {
	switch {
	case p.State == checks.MaybeGone:
		return "may be gone"
	case p.State == checks.Beyond && p.Latest != nil:
		return "the source ends at " + said(k, p.Latest)
	case p.State == checks.Another:
		return "the source changed"
	case p.State == checks.NotThere:
		return "no such partition"
	case p.GoneKnown:
		return "gone " + phrase.Count(p.Gone)
	}
	return "gone"
}

// committedWords is whether what is committed is in the sink.
func committedWords(o *checks.Output) string {
	if o == nil {
		return "in sink: ?"
	}
	switch o.Situation {
	case checks.InStep, checks.NotInSink, checks.Unacknowledged, checks.Ahead, checks.Replanned, checks.Running:
		return "in the sink"
	}
	return ""
}

func samePosition(a, b *source.Position) bool { return a != nil && b != nil && a.Text == b.Text }

// said is a position in words; "" where it is not known.
func said(k *checks.KeptSource, p *source.Position) string {
	if p == nil || k == nil {
		return Safe(phrase.PositionOr(p, ""))
	}
	return Safe(k.Say(p))
}

// Shares of a bar of 20 that what is committed and what comes later have.
const committedShare, laterShare = 4, 4

// CommittedWidth is how many of w cells of a bar are for what is committed.
func CommittedWidth(w int) int { return w * committedShare / 20 }

// widths share w cells between the pieces.
func (b *RangeBar) widths(w int) []int {
	widths := make([]int, len(b.Pieces))
	left, sizes, middle := w, int64(0), 0
	for i, p := range b.Pieces {
		switch p.Kind {
		case PieceCommitted:
			widths[i] = CommittedWidth(w)
		case PieceLater:
			widths[i] = w * laterShare / 20
		default:
			sizes += p.Size
			middle++
		}
		left -= widths[i]
	}
	if middle == 0 && len(widths) > 0 {
		widths[len(widths)-1] += left
		return widths
	}
	least := left / 5
	for i, p := range b.Pieces {
		if p.Kind == PieceCommitted || p.Kind == PieceLater {
			continue
		}
		n := left
		if middle > 1 {
			n = left / middle
			if sizes > 0 && p.Size > 0 {
				n = int(float64(p.Size) / float64(sizes) * float64(left))
			}
			n = max(min(n, left-least), least)
		}
		widths[i], left, sizes, middle = n, left-n, sizes-p.Size, middle-1
	}
	return widths
}

// Draw draws the bar in w cells, the positions at its joints below it, and how much each piece is.
func (b *RangeBar) Draw(t *Theme, w int) (bar, joints, words string) {
	widths := b.widths(w)
	var at labels
	var below labels
	var line strings.Builder
	x := 0
	for i, p := range b.Pieces {
		look := pieces[p.Kind]
		line.WriteString(look.style(t).Styled(strings.Repeat(look.sign, widths[i])))
		if x > 0 {
			at.center(t.Signs(p.At), x, w)
		} else {
			at.add(t.Signs(p.At), 0, w)
		}
		if phrase.Width(p.Words) <= widths[i] {
			below.styled(look.style(t), p.Words, x)
		}
		x += widths[i]
	}
	if end := t.Signs(b.End); end != "" {
		at.center(end, x, w)
	}
	return line.String() + phrase.Blanks(w-x), t.Dim.Styled(at.line), below.line
}

// labels is a line of texts at cells; one that would touch the one before is left out.
type labels struct {
	line string
	used int
}

func (l *labels) center(text string, x, w int) {
	l.add(text, min(x-phrase.Width(text)/2, w-phrase.Width(text)), w)
}

func (l *labels) add(text string, x, w int) {
	if text == "" || x < 0 || l.used > 0 && x <= l.used || x+phrase.Width(text) > w {
		return
	}
	l.line += phrase.Blanks(x-l.used) + text
	l.used = x + phrase.Width(text)
}

func (l *labels) styled(style widget.Style, text string, x int) {
	if text == "" || x < l.used {
		return
	}
	l.line += phrase.Blanks(x-l.used) + style.Styled(text)
	l.used = x + phrase.Width(text)
}
