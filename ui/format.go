package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidemark/internal/report"
)

// safe is text from a file, made harmless and cut to a length that is worth drawing.
func safe(s string) string {
	const enough = 4096
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return report.Printable(s)
}

// prose is text of ours about what is in files: its line breaks mean nothing.
func prose(s string) string { return safe(strings.Join(strings.Fields(s), " ")) }

// plural is "1 record", "2 records"; one is the word for one.
func plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "ch") || strings.HasSuffix(one, "s") {
		return report.Count(n) + " " + one + "es"
	}
	return report.Count(n) + " " + one + "s"
}

// size writes a number of bytes.
func size(n int64) string {
	if n < 1000 {
		return plural(n, "byte")
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
	local bool
	now   func() time.Time
}

// full is date and time of ms since the epoch; "–" for 0, which stands for none.
func (c clock) full(ms int64) string { return c.in(ms, "2006-01-02 15:04:05") }

// short leaves out the year.
func (c clock) short(ms int64) string { return c.in(ms, "01-02 15:04:05") }

func (c clock) in(ms int64, layout string) string {
	if ms == 0 {
		return "–"
	}
	if ms < minTime || ms > maxTime {
		return strconv.FormatInt(ms, 10) + " ms"
	}
	t := time.UnixMilli(ms)
	if c.local {
		return t.Local().Format(layout + "-07:00")
	}
	return t.UTC().Format(layout + "Z")
}

// Times that are written as times: the years 1 to 9999. Others are shown as the number they are.
var (
	minTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()
)

// aged is a time with its age beside it.
func (c clock) aged(ms int64) string {
	if ms <= minTime || ms >= maxTime || ms == 0 {
		return c.full(ms)
	}
	return c.full(ms) + " (" + c.age(ms) + ")"
}

// age is how long ago ms was: "21 min ago".
func (c clock) age(ms int64) string {
	d := c.now().UnixMilli() - ms
	switch {
	case d < 0:
		return "in " + span(-d)
	case d < 1000:
		return "just now"
	}
	return span(d) + " ago"
}

// span writes a length of time given in ms, in its two largest steps at most.
func span(ms int64) string {
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
	return report.Count(s/86400) + " days"
}
