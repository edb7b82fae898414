package cli

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidemark/internal/config"
)

// reopen returns the command line that opens a view of a location again, to be pasted into a shell. Whatever the names
// in it are, the shell takes each for one word, and the terminal gets no control character.
func (a *app) reopen(location, view string) string {
	words := []string{"tidemark"}
	if example, ok := strings.CutPrefix(location, demoPrefix); ok {
		words = append(words, "demo", shellWord(example))
	} else {
		words = append(words, shellWord(asPath(withoutUser(location))))
	}
	if view != "" && view != "overview" {
		words = append(words, "--view", shellWord(view))
	}
	places := a.flags.places()
	for i := range config.Settings {
		s := &config.Settings[i]
		if !s.Reopens {
			continue
		}
		for _, flag := range s.Flags() {
			words = append(words, flagWords(flag, places[s.Name])...)
		}
	}
	return strings.Join(words, " ")
}

// flagWords returns the words that give a flag its value; none where it has none.
func flagWords(flag string, place any) (words []string) {
	switch p := place.(type) {
	case *bool:
		if *p {
			words = append(words, "--"+flag)
		}
	case *string:
		for value := range strings.SplitSeq(*p, "\n") { // a flag that may be given several times has a line for each
			if value != "" {
				words = append(words, "--"+flag, shellWord(withoutUser(value)))
			}
		}
	case fmt.Stringer:
		if text := p.String(); text != "" {
			words = append(words, "--"+flag, shellWord(withoutUser(text)))
		}
	}
	return words
}

// asPath returns a location that is taken for a path: one that could be a flag or a command is written as a path.
func asPath(location string) string {
	if !strings.ContainsAny(location, "/:") || strings.HasPrefix(location, "-") {
		return "./" + location
	}
	return location
}

// withoutUser returns a URL without the user, the password and the query that may stand in it; any other text as it is.
func withoutUser(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	host, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndex(host, "@"); i >= 0 {
		host = host[i+1:]
	}
	if slash {
		host += "/" + path
	}
	if strings.HasPrefix(scheme, "http") {
		if u, err := url.Parse(scheme + "://" + host); err == nil {
			u.RawQuery, u.Fragment = "", ""
			return u.String()
		}
	}
	return scheme + "://" + host
}

// shellWord returns a text as one word of a POSIX shell; with control, invisible or broken characters, which must not
// reach a terminal, as one of bash, zsh and ksh: $'\x1b'.
func shellWord(s string) string {
	plain, printable := s != "", utf8.ValidString(s)
	for _, r := range s {
		plain = plain && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("_-./:=@%+,", r))
		printable = printable && (r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Co))
	}
	switch {
	case plain:
		return s
	case printable:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
