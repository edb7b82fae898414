package kafka

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SizeLimit is how many bytes a properties file may have: stores of certificates may stand in it.
const SizeLimit = 1 << 20

// Properties are those of a Kafka client, as java.util.Properties reads them from a file:
//
//	# a comment; so is a line that begins with !
//	bootstrap.servers = broker-1:9093,\
//	                    broker-2:9093
//	ssl.truststore.type: PEM
//
// A name ends at the first =, : or blank; a line that ends in a backslash goes on in the next; \t \n \r \f and \uXXXX
// stand for a character, and a backslash before any other for that other. Of a name that stands twice the last
// counts. A name that begins as Spark's option does ("kafka.security.protocol") counts without that beginning.
//
// It is read here and not by github.com/magiconair/properties, because every error names the line of a property, which
// that library does not tell.
type Properties struct {
	name   string
	values map[string]property
	used   map[string]bool
}

// property is a value and where it stands.
type property struct {
	text string
	line int // from 1
}

// PropertyError is a property that cannot be used. It never holds a value that may be secret.
type PropertyError struct {
	File string
	Line int    // from 1; 0 where none is to blame
	Name string // of the property
	Text string
}

func (e *PropertyError) Error() string {
	place := e.File
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	return fmt.Sprintf("%s: %s: %s", place, e.Name, e.Text)
}

// ParseProperties reads a file of properties; name stands in errors.
func ParseProperties(name string, data []byte) (*Properties, error) {
	p := &Properties{name: name, values: map[string]property{}, used: map[string]bool{}}
	if len(data) > SizeLimit {
		return nil, fmt.Errorf("%s: the file has more than %d bytes", name, SizeLimit)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s: this is not a properties file: it contains zero bytes", name)
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(bytes.TrimPrefix(data, []byte("\ufeff"))))
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		at, line := i+1, strings.TrimLeft(lines[i], " \t\f")
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		for continues(line) {
			line = line[:len(line)-1]
			if i++; i == len(lines) {
				break
			}
			line += strings.TrimLeft(lines[i], " \t\f")
		}
		key, value := splitProperty(line)
		k, err := unescape(key)
		if err == nil {
			value, err = unescape(value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, at, err)
		}
		p.values[strings.TrimPrefix(k, "kafka.")] = property{strings.TrimRight(value, " \t"), at}
	}
	return p, nil
}

// continues reports whether a line ends in an odd number of backslashes.
func continues(line string) bool {
	n := len(line) - len(strings.TrimRight(line, `\`))
	return n%2 == 1
}

// splitProperty cuts a line at the end of its name.
func splitProperty(line string) (key, value string) {
	end := 0
	for end < len(line) && !strings.ContainsRune("=: \t\f", rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	rest := strings.TrimLeft(line[end:], " \t\f")
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], " \t\f")
	}
	return line[:end], rest
}

func unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 'f':
			b.WriteByte('\f')
		case 'u':
			r, size, err := unicodeEscape(s[i-1:])
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			i += size - 2
		default:
			_, size := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+size])
			i += size - 1
		}
	}
	return b.String(), nil
}

// unicodeEscape reads \uXXXX, and a second one where the two are one character.
func unicodeEscape(s string) (r rune, size int, err error) {
	hex := func(s string) (rune, bool) {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		return rune(n), err == nil
	}
	r, ok := hex(s)
	if !ok {
		return 0, 0, fmt.Errorf(`four hexadecimal digits must follow \u`)
	}
	if low, ok := hex(s[6:]); ok && utf16.IsSurrogate(r) {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12, nil
		}
	}
	return r, 6, nil
}

// get returns a property; "" where it is absent or empty. A nil receiver has none.
func (p *Properties) get(name string) string {
	if p == nil {
		return ""
	}
	p.used[name] = true
	return strings.TrimSpace(p.values[name].text)
}

// has reports whether a property stands in the file, be it empty.
func (p *Properties) has(name string) bool {
	if p == nil {
		return false
	}
	p.used[name] = true
	_, ok := p.values[name]
	return ok
}

// errorf says what is wrong with a property.
func (p *Properties) errorf(name, format string, args ...any) error {
	return &PropertyError{File: p.name, Line: p.values[name].line, Name: name, Text: fmt.Sprintf(format, args...)}
}

// unused returns the names that nobody asked for, in order.
func (p *Properties) unused() []string {
	var all []string
	if p != nil {
		for name := range p.values {
			if !p.used[name] {
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}
