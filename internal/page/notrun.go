package page

import (
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Needs is what it takes for a check to run, or why it could not, in a few words: "needs --sink".
func Needs(n *checks.NotRun) string {
	text := phrase.Printable(n.Needs)
	if strings.HasPrefix(text, "--") {
		return "needs " + text
	}
	return text
}

// NotRunLine is what was not checked, with what it takes: "sink-ahead: needs --sink". What has no code is a file or a folder,
// and says itself which.
func NotRunLine(n *checks.NotRun) string {
	if n.Code == "" {
		return phrase.Prose(Needs(n))
	}
	return phrase.Prose(n.Code + ": " + Needs(n))
}
