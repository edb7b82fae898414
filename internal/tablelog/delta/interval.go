package delta

import (
	"strconv"
	"strings"
	"time"
)

// Interval reads a duration as Delta writes its settings: "interval 30 days", "7 days". ok is false where it is
// another form, or has months, which are no duration.
func Interval(text string) (total time.Duration, ok bool) {
	words := strings.Fields(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "interval "))
	if len(words) == 0 || len(words)%2 != 0 {
		return 0, false
	}
	units := map[string]time.Duration{"week": 7 * 24 * time.Hour, "day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute,
		"second": time.Second}
	for i := 0; i < len(words); i += 2 {
		n, err := strconv.ParseInt(words[i], 10, 32)
		unit, known := units[strings.TrimSuffix(words[i+1], "s")]
		if err != nil || !known {
			return 0, false
		}
		total += time.Duration(n) * unit
	}
	return total, true
}
