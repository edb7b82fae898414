package widget

import "tidemark/internal/phrase"

// Beside puts two blocks side by side with a line between them: left in w cells, both in h lines.
func Beside(left []string, w int, line string, right []string, h int) []string {
	out := make([]string, h)
	for i := range out {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = phrase.Fit(l, w) + line + r
	}
	return out
}
