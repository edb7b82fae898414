package cli

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"tidemark/internal/mask"
)

// secretVariables hold what must appear nowhere.
var secretVariables = []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN"}

// secrets are values that were given to this run and give access: whatever repeats them, they are not shown.
type secrets struct {
	all    []string // longest first
	others []string // short ones of the environment: they may be ordinary words, so stdout is not searched for them
}

// from takes the secrets out of words of a command line, of settings and of files: "URL", "--flag=URL", "0=URL".
func (s *secrets) from(words ...string) {
	for _, word := range words {
		_, value, _ := strings.Cut(word, "=")
		for _, text := range []string{word, value} {
			for _, secret := range mask.SecretsIn(text) {
				s.add(secret)
			}
		}
	}
}

// fromEnvironment takes the secrets out of the environment.
func (s *secrets) fromEnvironment(getenv func(string) string) {
	for _, name := range secretVariables {
		switch v := getenv(name); {
		case len(v) >= 16:
			s.add(v)
		case len(v) >= 4:
			s.others = append(s.others, v)
		}
	}
}

// add takes one value; a short one would be found in ordinary words.
func (s *secrets) add(value string) {
	if len(value) >= 4 && !strings.ContainsAny(value, "\r\n") && !slices.Contains(s.all, value) {
		s.all = append(s.all, value)
		slices.SortFunc(s.all, func(a, b string) int { return len(b) - len(a) }) // one may begin another
	}
}

func (s *secrets) hide(text string) string {
	for _, secret := range s.all {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// everywhere does what hide does, for what the environment holds too.
func (s *secrets) everywhere(text string) string {
	for _, secret := range s.others {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return s.hide(text)
}

// message returns text for a person without what gives access, known or by its form.
func (s *secrets) message(text string) string { return mask.URLs(s.everywhere(text)) }

// maskedWriter is stderr, of which each write is a whole message.
type maskedWriter struct {
	io.Writer
	hide func(string) string
}

func (m *maskedWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(m.Writer, m.hide(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// secretFilter is stdout where something must not appear in it. It keeps back as much as may be the begin of a secret.
type secretFilter struct {
	io.Writer
	*secrets
	rest []byte
}

func (s *secretFilter) Write(text []byte) (int, error) {
	if len(s.all) == 0 {
		return s.Writer.Write(text)
	}
	s.rest = []byte(s.hide(string(append(s.rest, text...))))
	out := max(len(s.rest)-len(s.all[0])+1, bytes.LastIndexByte(s.rest, '\n')+1) // no secret has two lines
	if out <= 0 {
		return len(text), nil
	}
	_, err := s.Writer.Write(s.rest[:out])
	s.rest = append([]byte(nil), s.rest[out:]...)
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

func (s *secretFilter) flush() error {
	_, err := s.Writer.Write(s.rest)
	s.rest = nil
	return err
}

// withoutSecrets returns an error whose words are safe to show on a screen.
func (s *secrets) withoutSecrets(err error) error {
	if err == nil {
		return nil
	}
	if text := s.message(err.Error()); text != err.Error() {
		return &hiddenError{text, err}
	}
	return err
}

// hiddenError is an error with other words: what it is stays.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string { return e.text }

func (e *hiddenError) Is(target error) bool { return errors.Is(e.err, target) }

func (e *hiddenError) As(target any) bool { return errors.As(e.err, target) }
