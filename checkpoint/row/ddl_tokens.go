package row

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// next goes on to the next token, over blanks and comments.
func (p *ddl) next() {
	if p.err != nil {
		return
	}
	p.at, p.name = p.end, ""
	if !p.skip() {
		return
	}
	rest := p.text[p.at:]
	switch c := rest[0]; {
	case c == '`':
		p.quotedName(rest)
	case c == '\'' || c == '"':
		p.literal(rest)
	case wordLength(rest) > 0:
		p.kind, p.end = word, p.at+wordLength(rest)
		p.name = p.text[p.at:p.end]
	default:
		_, n := utf8.DecodeRuneInString(rest)
		p.kind, p.end = sign, p.at+n
	}
}

// skip passes over blanks and comments; false at the end of the text, or after an error.
func (p *ddl) skip() bool {
	for {
		p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
		rest := p.text[p.at:]
		switch {
		case rest == "":
			p.kind, p.end = endOfText, p.at
			return false
		case strings.HasPrefix(rest, "--"):
			line, _, _ := strings.Cut(rest, "\n")
			p.at += len(line)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				p.fail("a comment has no end: */ is missing")
				return false
			}
			p.at += end + 2
		default:
			return true
		}
	}
}

// wordLength is how many bytes of text are letters, digits and _.
func wordLength(text string) int {
	n := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if n < 0 {
		return len(text)
	}
	return n
}

// quotedName reads `a name`, in which two backquotes stand for one backquote.
func (p *ddl) quotedName(rest string) {
	var name strings.Builder
	for i := 1; i < len(rest); i++ {
		if rest[i] != '`' {
			name.WriteByte(rest[i])
			continue
		}
		if i+1 < len(rest) && rest[i+1] == '`' {
			name.WriteByte('`')
			i++
			continue
		}
		p.kind, p.name, p.end = quoted, name.String(), p.at+i+1
		return
	}
	p.fail("a name has no end: a backquote is missing")
}

// literal reads 'a text' or "a text": a backslash keeps the next character from ending it, and so does doubling.
func (p *ddl) literal(rest string) {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == rest[0] && i+1 < len(rest) && rest[i+1] == rest[0]:
			i++
		case rest[i] == rest[0]:
			p.kind, p.end = literal, p.at+i+1
			return
		}
	}
	p.fail("a text has no end: a quote is missing")
}
