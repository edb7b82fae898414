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

// NotRunCheck is one thing that was not checked.
func NotRunCheck(n *checks.NotRun) Section {
	s := Section{Key: "not-run", Title: "Not checked"}
	s.add(Paragraph{Text: Text{{phrase.NotRun.Role, phrase.NotRun.Head()}, {Text: " "}, {phrase.Strong, phrase.Printable(n.Code)}}}, Blank{})
	if flags := phrase.Printable(n.Needs); strings.HasPrefix(flags, "--") {
		s.say(0, "It runs with "+flags+" on the command line.")
	} else {
		s.say(0, phrase.Sentence(flags))
	}
	s.add(Blank{})
	s.say(0, "What was not checked does not count as intact.")
	return s
}
