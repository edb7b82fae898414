package page

import (
	"strings"

	"tidemark/internal/phrase"
)

// Page is what is to be read, top to bottom.
type Page struct {
	Title    string
	Subtitle string // right below the title; "" for none
	Sections []Section
}

// Section is a part of a page under one head.
type Section struct {
	Key    string // what it is, for links and choices: "restart"; the same in every release of the program
	Title  string // "" for none: its blocks then stand at the left edge
	Blocks []Block
}

// Section is the section of that key; nil where the page has none.
func (p *Page) Section(key string) *Section {
	for i := range p.Sections {
		if p.Sections[i].Key == key {
			return &p.Sections[i]
		}
	}
	return nil
}

// Block is one of Paragraph, Facts, Table, Steps, Ranges, Code and Blank.
type Block interface{ block() }

// Span is a piece of text with a role.
type Span struct {
	Role phrase.Role
	Text string
}

// Text is spans, one behind the other: blanks between them are theirs.
type Text []Span

// String is the text without roles.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Plain is text in one span without a role.
func Plain(s string) Text { return Text{{phrase.Plain, s}} }

// Paragraph is sentences, broken into lines between words.
type Paragraph struct {
	Mark  Span // before the first line; the later ones begin below the text
	Text  Text
	Level int  // how far in: two cells each
	Whole bool // it stays on one line, with its blanks
}

// Facts are names with what they are, one below the other.
type Facts struct {
	Rows  []Fact
	Level int
}

// Fact is one name and what it is.
type Fact struct {
	Mark  Span
	Name  string
	Value Span // a word in a column of its own; "" for none
	Text  Text
}

// Table is rows of cells in columns.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	More    string // what the last line says of rows that are not shown; "" for none
	Level   int
}

// Column is how one column stands.
type Column struct {
	Title string // no line of titles is drawn where all are ""
	Right bool   // its cells stand at the right
	Path  bool   // where room is short it is cut in its middle, and first
}

// Cell is one cell of a table.
type Cell struct {
	Mark string // a symbol before the text; "" for none
	Text string
	Role phrase.Role
}

// Steps are what to do, in order, numbered from 1.
type Steps struct {
	Items []Step
	Never string // the last line, behind the word "Never"; "" for none
}

// Step is one thing to do: a sentence, under a condition or under none.
type Step struct {
	If string // "Found"
	Do string
}

// Ranges are what is read of each part of each source, a line a part.
type Ranges struct {
	Rows  []Range
	Sum   string // how much they are together; "" for nothing
	More  string // what the last line says of parts that are not shown; "" for none
	Level int
}

// Range is what is read of one part.
type Range struct {
	Name, From, To, Amount string
	Start                  bool // only where it begins is known
}

// First are the first n lines of ranges: where there are more, n-1 of them and one that says how many are left out, with
// how to see them.
func (r Ranges) First(n int, how string) Ranges {
	if len(r.Rows) <= n {
		return r
	}
	n = max(n-1, 0)
	r.More = "… " + phrase.Count(int64(len(r.Rows)-n)) + " more"
	if how != "" {
		r.More += " (" + how + ")"
	}
	r.Rows = r.Rows[:n]
	return r
}

// Prose is the section without its ranges.
func (s Section) Prose() Section {
	var blocks []Block
	for _, b := range s.Blocks {
		if _, ok := b.(Ranges); !ok {
			blocks = append(blocks, b)
		}
	}
	s.Blocks = blocks
	return s
}

// Code is a value to copy: it is never broken.
type Code struct {
	Text  string
	Level int
}

// Blank is an empty line between blocks that do not belong together.
type Blank struct{}

func (Paragraph) block() {}
func (Facts) block()     {}
func (Table) block()     {}
func (Steps) block()     {}
func (Ranges) block()    {}
func (Code) block()      {}
func (Blank) block()     {}

// add puts blocks behind those that are there.
func (s *Section) add(blocks ...Block) { s.Blocks = append(s.Blocks, blocks...) }

// say adds a paragraph.
func (s *Section) say(level int, text string) {
	s.add(Paragraph{Text: Plain(text), Level: level})
}

// item adds a paragraph behind a mark.
func (s *Section) item(level int, mark, text string) {
	s.add(Paragraph{Mark: Span{Text: mark}, Text: Plain(text), Level: level})
}

// fill adds the sections that have anything to say.
func (p *Page) fill(sections ...Section) {
	for _, s := range sections {
		if len(s.Blocks) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
}
