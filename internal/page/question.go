package page

import (
	"cmp"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// QuestionName is one of the three questions in words.
type QuestionName struct {
	Name  string // as the verdict has it
	Short string // "intact?"
	Asks  string // in a sentence
}

// QuestionNames are the three questions in their order.
var QuestionNames = []QuestionName{
	{checks.Intact, "intact?", "Is the checkpoint complete and intact?"},
	{checks.SameQuery, "same query?", "Is it the checkpoint of the query as declared today?"},
	{checks.ReplaySafe, "replay safe?", "Can a batch be re-run without wrong rows in the sink?"},
}

// Questions are the answers to the three questions, each with its reason.
func Questions(v *checks.Verdict) Section {
	s := Section{Key: "questions", Title: "Three questions"}
	var f Facts
	for i := range v.Questions {
		q := &v.Questions[i]
		sign := phrase.Answers.Of(q.Answer)
		f.Rows = append(f.Rows, Fact{Span{sign.Role, sign.Symbol}, questionShort(q.Name), Span{sign.Role, sign.Word},
			Plain(phrase.Prose(q.Short()))})
	}
	if len(f.Rows) > 0 {
		s.add(f)
	}
	return s
}

func questionShort(name string) string {
	for _, q := range QuestionNames {
		if q.Name == name {
			return q.Short
		}
	}
	return ""
}

// Answer is what is known of a question. Its answer is "" while the run has not ended.
func Answer(v *checks.Verdict, name string) checks.Question {
	for i := range v.Questions {
		if v.Questions[i].Name == name {
			return v.Questions[i]
		}
	}
	if v.Done {
		return checks.Question{Name: name, Answer: "unknown", Because: "not checked"}
	}
	return checks.Question{Name: name, Because: "still reading"}
}

// Question is what the answer to one question is based on: what was compared, the findings behind it, and what was not
// checked; of "intact" also the ways back.
func Question(v *checks.Verdict, name QuestionName) Page {
	q := Answer(v, name.Name)
	p := Page{}
	p.fill(questionAnswer(&q, name), comparedFiles(&q), bearing(v, &q))
	if q.Name == checks.Intact {
		p.fill(shortWays(v))
	}
	p.fill(questionOpen(v, q.Name))
	return p
}

// questionAnswer is the question, its answer, and why.
func questionAnswer(q *checks.Question, name QuestionName) Section {
	s := Section{Key: "question", Title: phrase.Capital(name.Short)}
	s.say(0, name.Asks)
	s.add(Blank{})
	sign := phrase.Answers.Of(q.Answer)
	s.add(Paragraph{Text: Text{{sign.Role, sign.Head()}}})
	s.say(0, phrase.Sentence(phrase.Prose(q.Head())))
	return s
}

// comparedFiles are the comparisons of files with each other, and what was checked by less, one a line.
func comparedFiles(q *checks.Question) Section {
	s := Section{Key: "compared", Title: "Files that agree with each other"}
	lines := func(tone phrase.Role, all []string) {
		sign := phrase.Tones[tone]
		for _, text := range all {
			s.add(Paragraph{Mark: Span{sign.Role, sign.Symbol}, Text: Plain(phrase.Prose(text))})
		}
	}
	lines(phrase.Good, q.Compared)
	lines(phrase.Open, q.Less)
	return s
}

// bearing are the findings behind the answer, worst first.
func bearing(v *checks.Verdict, q *checks.Question) Section {
	s := Section{Key: "bearing", Title: "Findings behind this answer"}
	for _, i := range Behind(v, q) {
		s.add(found(v.Findings[i : i+1])...)
	}
	switch {
	case len(s.Blocks) > 0:
	case v.Done:
		s.say(0, "none")
	default:
		s.say(0, "… none so far")
	}
	return s
}

// bears reports whether a finding bears on the answer: it is named there, or is about the question and of some weight.
func bears(f *checks.Finding, q *checks.Question) bool {
	if strings.Contains(q.Because, f.Code) {
		return true
	}
	return about(f.Question) == q.Name && (f.Severity >= checks.High || q.Name != checks.Intact)
}

// about is the question that a check bears on.
func about(question string) string { return cmp.Or(question, checks.Intact) }

// wayRanges is how many lines of ranges a way back shows next to an answer.
const wayRanges = 12

// shortWays are the ways back, with the first ranges of each.
func shortWays(v *checks.Verdict) Section {
	s := Recovery(v)
	for i, b := range s.Blocks {
		if r, ok := b.(Ranges); ok {
			s.Blocks[i] = r.First(wayRanges, "")
		}
	}
	return s
}

// questionOpen is what was not checked: the answer cannot be based on it.
func questionOpen(v *checks.Verdict, name string) Section {
	s := Section{Key: "not-checked", Title: "Not checked"}
	for _, i := range OpenOf(v, name) {
		s.add(Paragraph{Mark: Span{phrase.NotRun.Role, phrase.NotRun.Symbol}, Text: Plain(NotRunLine(&v.NotRun[i]))})
	}
	return s
}
