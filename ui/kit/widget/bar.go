package widget

import "strings"

// MostBar is how many cells a bar has at most.
const MostBar = 16

// Bar is a bar of no more than w cells for v on a scale that ends at full. What is more than nothing
// shows at least as one cell, and what is negative not at all.
func Bar(v, full int64, w int) string {
	if v <= 0 || full <= 0 || w <= 0 {
		return ""
	}
	n := int(float64(min(v, full)) / float64(full) * float64(w))
	return strings.Repeat("█", max(n, 1))
}

const steps = "▁▂▃▄▅▆▇█"

// Step is a value on a scale from 0 to top as one column of eight heights.
func Step(v, top int64) string { return string(step(v, top)) }

// Spark draws the last w values as one line of columns on one scale from 0 to the largest. A value
// below 0 is unknown and shows as a dot.
func Spark(values []int64, w int) string {
	if w <= 0 {
		return ""
	}
	if len(values) > w {
		values = values[len(values)-w:]
	}
	var top int64
	for _, v := range values {
		top = max(top, v)
	}
	var b strings.Builder
	for _, v := range values {
		if v < 0 {
			b.WriteRune('·')
		} else {
			b.WriteRune(step(v, top))
		}
	}
	return b.String()
}
