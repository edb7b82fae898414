package kit

import "tidemark/internal/page"

// AnswerTo is page.Answer of the session.
func AnswerTo(s *Session, name string) (answer, because string) {
	q := page.Answer(&s.Verdict, name)
	return q.Answer, q.Because
}
