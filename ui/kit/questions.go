package kit

import (
	"tidemark/internal/checks"
)

// questionName is one of the three questions in our words.
type questionName struct {
	Name  string // as the verdict has it
	Title string // of its screen
	Short string
	Asks  string
}

// QuestionNames are the three questions in the order of their keys.
var QuestionNames = []questionName{
	{checks.Intact, "question 1", "intact?", "Is the checkpoint there and whole?"},
	{checks.SameQuery, "question 2", "same query?", "Is it the checkpoint of the query as it is today?"},
	{checks.ReplaySafe, "question 3", "replay safe?", "Does a batch that runs again leave the sink right?"},
}

// AnswerTo is what is known of a question.
func AnswerTo(s *Session, name string) (answer, because string) {
	if q := s.QuestionAnswer(name); q != nil {
		return q.Answer, q.Because
	}
	if s.Verdict.Done {
		return "unknown", "nothing was found out about it"
	}
	return "", "still being looked at"
}
