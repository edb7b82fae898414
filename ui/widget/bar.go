package widget

import "strings"

// Bar is a bar of no more than w cells for v on a scale that ends at full. What is more than nothing
// shows at least as one cell, and what is negative not at all.
func Bar(v, full int64, w int) string {
	if v <= 0 || full <= 0 || w <= 0 {
		return ""
	}
	n := int(float64(min(v, full)) / float64(full) * float64(w))
	return strings.Repeat("━", max(n, 1))
}

const steps = "▁▂▃▄▅▆▇█"

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
	marks := []rune(steps)
	var b strings.Builder
	for _, v := range values {
		switch {
		case v < 0:
			b.WriteRune('·')
		case v == 0 || top == 0:
			b.WriteRune(marks[0])
		default:
			b.WriteRune(marks[int(float64(v)/float64(top)*float64(len(marks)-1))])
		}
	}
	return b.String()
}
