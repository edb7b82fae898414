package widget

import (
	"bytes"
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Filter is the line in which a person types what to look for, and what it finds. Case does not count:
//
//	text       what holds it
//	!text      what does not; "!" goes before the other forms, too
//	-f text    what has its letters in that order
//	-r regex   what the expression matches, in the syntax of RE2; /regex/ is the same
type Filter struct {
	Input
	Pattern string // what is looked for, as typed; "" for everything
	Err     error  // what is wrong with the expression; everything is wanted then

	not  bool
	form form
	text string // lower case: of an expression unused
	re   *regexp.Regexp
}

// form is how a text is looked for.
type form byte

const (
	substring form = iota
	fuzzy
	expression
)

// Set looks for text, as if it had been typed and kept.
func (f *Filter) Set(text string) {
	f.Input.Set(text)
	f.parse()
}

// Clear forgets the pattern.
func (f *Filter) Clear() { *f = Filter{} }

// Update takes a key or a paste while Typing. Enter keeps the pattern, esc drops it; backspace on an
// empty line leaves it too.
func (f *Filter) Update(msg tea.Msg) {
	f.Input.Update(msg)
	f.parse()
}

// parse makes out the form of what is typed. What has only begun to be one looks for everything.
func (f *Filter) parse() {
	f.Pattern, f.Err, f.not, f.form, f.text, f.re = f.Typed(), nil, false, substring, "", nil
	rest := f.Pattern
	if after, ok := strings.CutPrefix(rest, "!"); ok {
		rest, f.not = after, true
	}
	switch {
	case rest == "-f" || strings.HasPrefix(rest, "-f "):
		f.form, rest = fuzzy, strings.ReplaceAll(rest[2:], " ", "")
	case rest == "-r" || strings.HasPrefix(rest, "-r "):
		f.form, rest = expression, strings.TrimPrefix(rest[2:], " ")
	case len(rest) > 2 && rest[0] == '/' && rest[len(rest)-1] == '/':
		f.form, rest = expression, rest[1:len(rest)-1]
	}
	f.text = strings.ToLower(rest)
	if f.form == expression && rest != "" {
		f.re, f.Err = regexp.Compile("(?i)" + rest)
		if bad, ok := errors.AsType[*syntax.Error](f.Err); ok {
			f.Err = errors.New(bad.Code.String() + ": " + strings.TrimPrefix(bad.Expr, "(?i)"))
		}
	}
}

// all reports whether everything is wanted.
func (f *Filter) all() bool { return f.text == "" || f.Err != nil }

// Form says in a word how is looked for, where that is not the usual way: "without", "fuzzy", "regex".
func (f *Filter) Form() string {
	form := [...]string{substring: "", fuzzy: "fuzzy", expression: "regex"}[f.form]
	if f.not {
		form = strings.TrimSpace("without " + form)
	}
	return form
}

// Plain is the text that is looked for, in lower case, where it is looked for in the usual way and no other.
func (f *Filter) Plain() (text string, ok bool) {
	return f.text, f.form == substring && !f.not
}

// Text is what has been typed behind a slash; while Typing a mark shows where the next letter goes.
func (f *Filter) Text() string { return "/" + f.Input.Text() }

// Wants reports whether a row with these texts is wanted: one of them is what is looked for, or with "!"
// none is.
func (f *Filter) Wants(texts ...string) bool { return f.WantsIn(texts) }

// WantsIn is Wants for texts in several lists.
func (f *Filter) WantsIn(lists ...[]string) bool {
	if f.all() {
		return true
	}
	for _, texts := range lists {
		for _, s := range texts {
			if f.finds(s) {
				return !f.not
			}
		}
	}
	return f.not
}

func (f *Filter) finds(s string) bool {
	switch f.form {
	case fuzzy:
		return inOrder(strings.ToLower(s), f.text)
	case expression:
		return f.re.MatchString(s)
	}
	return strings.Contains(strings.ToLower(s), f.text)
}

// WantsBytes is Wants for one text in lower case, and makes nothing new.
func (f *Filter) WantsBytes(s []byte) bool {
	if f.all() {
		return true
	}
	found := false
	switch f.form {
	case fuzzy:
		found = inOrder(string(s), f.text)
	case expression:
		found = f.re.Match(s)
	default:
		found = bytes.Contains(s, []byte(f.text))
	}
	return found != f.not
}

// inOrder reports whether s has the letters of text in their order.
func inOrder(s, text string) bool {
	for _, r := range text {
		i := strings.IndexRune(s, r)
		if i < 0 {
			return false
		}
		s = s[min(i+utf8.RuneLen(r), len(s)):]
	}
	return true
}

// Hit is where in s the text that is looked for begins and ends, in bytes: for marking. It finds nothing
// for what is looked for in other ways than as text or by an expression, or with "!".
func (f *Filter) Hit(s string) (from, to int, ok bool) {
	switch {
	case f.all() || f.not || f.form == fuzzy:
		return 0, 0, false
	case f.form == expression:
		at := f.re.FindStringIndex(s)
		if at == nil || at[0] == at[1] {
			return 0, 0, false
		}
		return at[0], at[1], true
	}
	lower := strings.ToLower(s)
	i := strings.Index(lower, f.text)
	if i < 0 || len(lower) != len(s) {
		return 0, 0, false // a letter whose other case takes more bytes: its place cannot be told
	}
	return i, i + len(f.text), true
}

// Hits are the places in data of what is looked for as text or by an expression, most at most: the byte that each
// begins at and the one after its end. Letters beyond ASCII are compared as they are.
func (f *Filter) Hits(data []byte, most int) [][2]int {
	switch {
	case f.all() || f.not || f.form == fuzzy:
		return nil
	case f.form == substring:
		lower := bytes.Clone(data)
		for i, c := range lower {
			if c >= 'A' && c <= 'Z' {
				lower[i] = c + 'a' - 'A'
			}
		}
		return All(lower, []byte(f.text), most)
	}
	var hits [][2]int
	for _, at := range f.re.FindAllIndex(data, most) {
		if at[1] > at[0] {
			hits = append(hits, [2]int{at[0], at[1]})
		}
	}
	return hits
}

// All are the places of part in data, most at most, none within another.
func All(data, part []byte, most int) [][2]int {
	var hits [][2]int
	for at := 0; len(part) > 0 && len(hits) < most; {
		i := bytes.Index(data[at:], part)
		if i < 0 {
			break
		}
		hits = append(hits, [2]int{at + i, at + i + len(part)})
		at += i + len(part)
	}
	return hits
}
