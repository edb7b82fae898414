package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
)

func JoinOr(words []string) string {
	for i := range words {
		words[i] = Safe(words[i])
	}
	return strings.Join(words, " or ")
}

// InOrder are the indices of a folder's entries as a person orders them.
func InOrder(l *checkpoint.Listing) []int {
	order := make([]int, len(l.Entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return Natural(l.Entries[a].Name, l.Entries[b].Name) })
	return order
}

// Natural compares names by the numbers they begin with, then byte by byte. A dot before the number
// does not count, so that a checksum stands beside its file.
func Natural(a, b string) int {
	number := func(s string) (int64, bool) {
		s = strings.TrimLeft(s, ".")
		end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(s)
		}
		n, err := strconv.ParseInt(s[:end], 10, 64)
		return n, err == nil
	}
	x, isX := number(a)
	y, isY := number(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case isX != isY:
		return map[bool]int{true: 1, false: -1}[isX]
	}
	return strings.Compare(a, b)
}

// Safe is text from a file, made harmless and cut to a length that is worth drawing.
func Safe(s string) string {
	const enough = 4096
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return phrase.Printable(s)
}

// Prose is text of ours about what is in files: its line breaks mean nothing.
func Prose(s string) string { return Safe(strings.Join(strings.Fields(s), " ")) }

// Plural is "1 record", "2 records"; one is the word for one.
func Plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "ch") || strings.HasSuffix(one, "s") {
		return phrase.Count(n) + " " + one + "es"
	}
	return phrase.Count(n) + " " + one + "s"
}

// Size writes a number of bytes.
func Size(n int64) string {
	if n < 1000 {
		return Plural(n, "byte")
	}
	v, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		if v /= 1000; v < 999.5 {
			break
		}
	}
	if v < 9.95 {
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.0f %s", v, unit)
}

// clock writes times: in UTC with a Z, or in local time with its distance from UTC.
type clock struct {
	Local bool
	Now   func() time.Time
}

// Full is date and time of ms since the epoch; "–" for 0, which stands for none.
func (c clock) Full(ms int64) string { return c.in(ms, "2006-01-02 15:04:05") }

// Short leaves out the year.
func (c clock) Short(ms int64) string { return c.in(ms, "01-02 15:04:05") }

func (c clock) in(ms int64, layout string) string {
	if ms == 0 {
		return "–"
	}
	if ms < minTime || ms > maxTime {
		return strconv.FormatInt(ms, 10) + " ms"
	}
	t := time.UnixMilli(ms)
	if c.Local {
		return t.Local().Format(layout + "-07:00")
	}
	return t.UTC().Format(layout + "Z")
}

// Times that are written as times: the years 1 to 9999. Others are shown as the number they are.
var (
	minTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()
)

// Aged is a time with its age beside it.
func (c clock) Aged(ms int64) string {
	if ms <= minTime || ms >= maxTime || ms == 0 {
		return c.Full(ms)
	}
	return c.Full(ms) + " (" + c.Age(ms) + ")"
}

// Age is how long ago ms was: "21 min ago".
func (c clock) Age(ms int64) string {
	d := c.Now().UnixMilli() - ms
	switch {
	case d < 0:
		return "in " + Span(-d)
	case d < 1000:
		return "just now"
	}
	return Span(d) + " ago"
}

// Span writes a length of time given in ms, in its two largest steps at most.
func Span(ms int64) string {
	s := ms / 1000
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case s < 10:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	case s < 120:
		return fmt.Sprintf("%d s", s)
	case s < 120*60:
		return fmt.Sprintf("%d min", s/60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s/60%60)
	}
	return phrase.Count(s/86400) + " days"
}

// BatchWord is the batch that a finding is about; "–" for the whole checkpoint.
func BatchWord(id int64) string {
	if id < 0 {
		return "–"
	}
	return fmt.Sprintf("batch %d", id)
}

// Extent is the least, the most and the last of the values that are known; -1 where none is.
func Extent(values []int64) (least, most, last int64) {
	least, most, last = -1, -1, -1
	for _, v := range values {
		if v < 0 {
			continue
		}
		if least < 0 || v < least {
			least = v
		}
		most, last = max(most, v), v
	}
	return least, most, last
}
