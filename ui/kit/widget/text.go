package widget

import "tidemark/internal/phrase"

// Width is phrase.Width.
func Width(s string) int { return phrase.Width(s) }

// Cut is phrase.Cut.
func Cut(s string, w int) string { return phrase.Cut(s, w) }

// Middle is phrase.Middle.
func Middle(s string, w int) string { return phrase.Middle(s, w) }

// Fit is phrase.Fit.
func Fit(s string, w int) string { return phrase.Fit(s, w) }

// FitRight is phrase.FitRight.
func FitRight(s string, w int) string { return phrase.FitRight(s, w) }

// Wrap is phrase.Wrap.
func Wrap(s string, w int) []string { return phrase.Wrap(s, w) }

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
		out[i] = Fit(l, w) + line + r
	}
	return out
}
