package kafka

import (
	"errors"
	"fmt"
	"strings"
)

// module is the value of sasl.jaas.config: one login module and its options.
//
//	org.apache.kafka.common.security.plain.PlainLoginModule required username="reader" password="…";
//
// A value stands in quotes, in which a backslash stands before a quote, or is one word (JaasConfig of the Kafka clients).
type module struct {
	class   string // the last part of its name: "PlainLoginModule"
	options map[string]string
}

// parseJAAS reads a login module. Its errors hold no value: the values are secret.
func parseJAAS(text string) (*module, error) {
	words := &jaasWords{rest: text}
	class, err := words.name("the class of a login module")
	if err != nil {
		return nil, err
	}
	m := &module{class: class[strings.LastIndexByte(class, '.')+1:], options: map[string]string{}}
	flag, err := words.name("required, after the class")
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(flag) {
	case "required", "requisite", "sufficient", "optional":
	default:
		return nil, errors.New("expected required after the class")
	}
	for {
		if words.take(';') {
			if words.left() {
				return nil, errors.New("expected one login module, but more follows after its semicolon")
			}
			return m, nil
		}
		if !words.left() {
			return nil, errors.New("the semicolon at its end is missing")
		}
		key, err := words.name("the name of an option")
		if err != nil {
			return nil, err
		}
		if !words.take('=') {
			return nil, fmt.Errorf("option %.40q: expected =", key)
		}
		if m.options[key], err = words.value(); err != nil {
			return nil, fmt.Errorf("option %.40q: %w", key, err)
		}
	}
}

// jaasWords is what is left of the text.
type jaasWords struct{ rest string }

func (w *jaasWords) left() bool {
	w.rest = strings.TrimLeft(w.rest, " \t\r\n")
	return w.rest != ""
}

func (w *jaasWords) take(c byte) bool {
	if !w.left() || w.rest[0] != c {
		return false
	}
	w.rest = w.rest[1:]
	return true
}

func (w *jaasWords) name(what string) (string, error) {
	w.left()
	end := strings.IndexAny(w.rest, " \t\r\n=;\"'")
	if end < 0 {
		end = len(w.rest)
	}
	if end == 0 {
		return "", fmt.Errorf("%s is missing", what)
	}
	name := w.rest[:end]
	w.rest = w.rest[end:]
	return name, nil
}

func (w *jaasWords) value() (string, error) {
	if !w.left() || w.rest[0] != '"' && w.rest[0] != '\'' {
		return w.name("its value")
	}
	quote := w.rest[0]
	var b strings.Builder
	for i := 1; i < len(w.rest); i++ {
		switch c := w.rest[i]; {
		case c == quote:
			w.rest = w.rest[i+1:]
			return b.String(), nil
		case c == '\\' && i+1 < len(w.rest):
			i++
			b.WriteByte(w.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("the quote at the end of its value is missing")
}
