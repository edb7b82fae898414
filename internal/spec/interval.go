package spec

import (
	"regexp"
	"slices"
	"strings"
)

// units are those of Spark's intervals (IntervalUtils.IntervalUnit), in the singular.
var units = []string{"year", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"}

var amount = regexp.MustCompile(`^[+-]?([0-9]{1,18}|[0-9]{0,18}\.[0-9]{1,9}|[0-9]{1,18}\.)$`)

// isInterval reports whether text is an interval as Spark reads it from a text: an optional "interval", then
// numbers with a unit each ("1 hour 30 minutes"). Only seconds may have a fraction.
func isInterval(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) > 0 && words[0] == "interval" {
		words = words[1:]
	}
	for i := 0; i+1 < len(words); i += 2 {
		unit := strings.TrimSuffix(words[i+1], "s")
		if !amount.MatchString(words[i]) || !slices.Contains(units, unit) || strings.Contains(words[i], ".") && unit != "second" {
			return false
		}
	}
	return len(words) > 0 && len(words)%2 == 0
}
