package page

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// QuestionTitles are the three questions in words.
var QuestionTitles = map[string]string{"intact": "intact?", "same_query": "same query?", "replay_safe": "replay safe?"}

// Questions are the answers to the three questions, each with what it rests on.
func Questions(v *checks.Verdict) Section {
	s := Section{Key: "questions", Title: "THREE QUESTIONS"}
	var f Facts
	for i := range v.Questions {
		q := &v.Questions[i]
		sign := phrase.Answers.Of(q.Answer)
		f.Rows = append(f.Rows, Fact{Span{sign.Role, sign.Symbol}, QuestionTitles[q.Name], Span{sign.Role, sign.Word}, Plain(phrase.Prose(q.Short()))})
	}
	if len(f.Rows) > 0 {
		s.add(f)
	}
	return s
}
