package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// placeOf is where a byte of the file stands.
func (p *parser) placeOf(at int) Pos {
	before := p.data[:at]
	line := bytes.LastIndexByte(before, '\n') + 1
	return Pos{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[line:]) + 1}
}

// inFile is at, or the end of the file where at is behind it: YAML counts a line that nothing stands on.
func (p *parser) inFile(at Pos) Pos {
	end := p.placeOf(len(p.data))
	switch {
	case at.Line > end.Line:
		return end
	case at.Line == end.Line:
		at.Column = min(at.Column, end.Column)
	}
	return at
}

// line is a line of the file, from 1.
func (p *parser) line(n int) string {
	for line := range bytes.Lines(p.data) {
		if n--; n == 0 {
			return strings.TrimRight(string(line), "\r\n")
		}
	}
	return ""
}

// within is where a byte of a text stands in the file. exact is false where the text is folded or escaped there:
// then it is where the text begins.
func (p *parser) within(n node, offset int) (at Pos, exact bool) {
	if n.Node.Line != n.at.Line || n.Node.Column != n.at.Column {
		return n.at, false // an alias
	}
	before := n.Value[:offset]
	if n.Style&yaml.LiteralStyle != 0 {
		lines := strings.Split(before, "\n")
		last := len(lines) - 1
		rest, _, _ := strings.Cut(n.Value[offset:], "\n")
		at := Pos{n.Line + len(lines), 0}
		source := p.line(at.Line)
		i := strings.Index(source, lines[last]+rest)
		if i < 0 || source == "" || strings.TrimSpace(source[:i]) != "" {
			return n.at, false
		}
		at.Column = utf8.RuneCountInString(source[:i]+lines[last]) + 1
		return at, true
	}
	source := []rune(p.line(n.Line))
	start := n.Column - 1
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		start++
	}
	text := []rune(before)
	if end := start + len(text); start > len(source) || end > len(source) || string(source[start:end]) != before {
		return n.at, false
	}
	return Pos{n.Line, start + len(text) + 1}, true
}

// ---- what is not YAML

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// yamlWords are the library's messages that are better said in other words.
var yamlWords = map[string]string{
	"mapping values are not allowed in this context":               "a text contains a colon and a blank: put the whole text in quotes, or the line is indented too far",
	"found character that cannot start any token":                  "this character cannot begin a text: put the text in quotes",
	"found a tab character that violates indentation":              "a tab cannot indent: use blanks",
	"found a tab character where an indentation space is expected": "a tab cannot indent: use blanks",
	"did not find expected key":                                    "a key is expected here: the line is indented too far or too little",
	"could not find expected ':'":                                  "a key has no colon after it",
	"found unexpected end of stream":                               "a text in quotes has no end",
	"did not find expected ',' or ']'":                             "a list in brackets has no end",
	"did not find expected ',' or '}'":                             "a mapping in braces has no end",
}

// malformed tells an error of the YAML library at its place.
func (p *parser) malformed(err error) {
	m := yamlError.FindStringSubmatch(err.Error())
	if m == nil {
		p.problemAt(Pos{1, 1}, "", "%v", err)
		return
	}
	line, _ := strconv.Atoi(m[1])
	at := p.where(max(line, 1), m[2])
	words, ok := yamlWords[m[2]]
	if !ok {
		words = m[2]
	}
	indent := p.line(at.Line)
	indent = indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 {
		at.Column, words = tab+1, "a tab cannot indent: use blanks"
	}
	p.problemAt(at, "", "%s", words)
}

// whereLimit bounds the search for the place of an error: bytes that are parsed again.
const whereLimit = 8 << 20

// where is the place of an error. The library names a line that may be off, and no column: it is the end of the
// shortest beginning of the file that has the same error.
func (p *parser) where(line int, message string) Pos {
	starts := []int{0}
	for i, c := range p.data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(p.data))
	fails := func(end int) bool {
		m := yamlError.FindStringSubmatch(fmt.Sprint(parseAll(p.data[:end])))
		return m != nil && m[2] == message
	}
	first, last := max(line-1, 1), min(line+2, len(starts))
	if len(starts)*len(p.data) <= whereLimit {
		first, last = 1, len(starts)
	}
	for n := first; n < last; n++ {
		if !fails(starts[n]) {
			continue
		}
		from, to := starts[n-1], starts[n]
		if (to-from)*to > whereLimit {
			return Pos{n, 1}
		}
		for end := from + 1; end < to; end++ {
			if fails(end) {
				return p.placeOf(end - 1)
			}
		}
		return p.placeOf(max(to-1, 0))
	}
	return Pos{min(line, len(starts)-1), 1}
}

func parseAll(data []byte) error {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
