package phrase

import (
	"fmt"
	"strings"
)

// List writes the first texts of a list, no more than shown, and how many more there are: "a, b and 7 more".
func List(texts []string, shown int) string {
	if len(texts) <= shown {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:shown], ", "), len(texts)-shown)
}

// Clauses is List for texts that may have commas of their own: "a, b; c, d; and 7 more".
func Clauses(texts []string, shown int) string {
	text := strings.Join(texts[:min(shown, len(texts))], "; ")
	if more := len(texts) - shown; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
