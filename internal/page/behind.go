package page

import "tidemark/internal/checks"

// Behind are the findings behind the answer to a question, worst first, by their places in the verdict.
func Behind(v *checks.Verdict, q *checks.Question) (all []int) {
	for i := range v.Findings {
		if bears(&v.Findings[i], q) {
			all = append(all, i)
		}
	}
	return all
}

// OpenOf is what was not checked that bears on a question, by its places in the verdict: also the files that could not be read.
func OpenOf(v *checks.Verdict, question string) (all []int) {
	for i := range v.NotRun {
		if n := &v.NotRun[i]; n.Code == "" || about(n.Question) == question {
			all = append(all, i)
		}
	}
	return all
}
