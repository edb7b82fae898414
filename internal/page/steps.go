package page

import (
	"strings"

	"tidemark/internal/phrase"
)

// StepsFrom are the sentences of what to do next as steps, and those of what to avoid as their last line. A sentence that does
// not begin with a verb belongs to the step before it. It has no items if both texts are empty.
func StepsFrom(next, avoid string) Steps {
	var out Steps
	for _, sentence := range sentencesOf(next) {
		condition, act, ok := cutCondition(sentence)
		then, isThen := strings.CutPrefix(sentence, "Then ")
		switch n := len(out.Items); {
		case isThen && (n == 0 || out.Items[n-1].If == ""):
			out.Items = append(out.Items, Step{Do: phrase.Capital(then)})
		case ok:
			out.Items = append(out.Items, Step{If: condition, Do: act})
		case n > 0 && continues(sentence):
			out.Items[n-1].Do += ". " + sentence
		default:
			out.Items = append(out.Items, Step{Do: sentence})
		}
	}
	if out.Never = neverFrom(avoid); out.Never == "" && avoid != "" {
		out.Items = append(out.Items, Step{Do: strings.Join(sentencesOf(avoid), ". ")})
	}
	return out
}

// sentencesOf are the sentences of a text of ours, without full stops.
func sentencesOf(text string) []string {
	text = strings.TrimSuffix(phrase.Prose(text), ".")
	if text == "" {
		return nil
	}
	return strings.Split(text, ". ")
}

// cutCondition parts "Not found: roll back" at the end of the condition; ok is false for a sentence without one.
func cutCondition(sentence string) (condition, act string, ok bool) {
	for _, begin := range []string{"If ", "Found:", "Not found:", "Otherwise:", "Otherwise,"} {
		if !strings.HasPrefix(sentence, begin) {
			continue
		}
		at := strings.Index(sentence, ": ")
		if at < 0 {
			at = strings.Index(sentence, ", ")
		}
		if at > 0 {
			return sentence[:at], sentence[at+2:], true
		}
	}
	return "", "", false
}

// continuing are the words with which a sentence begins that is no step of its own.
var continuing = strings.Fields("A An And Both For In It Its Likely Only Rows Spark That The Their Then These They This Those With Without")

func continues(sentence string) bool {
	first, _, _ := strings.Cut(sentence, " ")
	for _, word := range continuing {
		if first == word {
			return true
		}
	}
	return false
}

// neverFrom is what a text warns of, as it follows the word "Never"; "" for a text that forbids nothing.
func neverFrom(avoid string) string {
	var all []string
	for i, sentence := range sentencesOf(avoid) {
		rest, ok := cutNever(sentence)
		switch {
		case !ok && i == 0:
			return ""
		case ok && i > 0:
			all = append(all, "Never "+rest)
		default:
			all = append(all, rest)
		}
	}
	return strings.ReplaceAll(strings.Join(all, ". "), "do not ", "never ")
}

func cutNever(sentence string) (rest string, ok bool) {
	for _, begin := range []string{"Do not ", "Never "} {
		if rest, ok = strings.CutPrefix(sentence, begin); ok {
			return rest, true
		}
	}
	return sentence, false
}
