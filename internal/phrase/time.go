package phrase

import (
	"fmt"
	"strconv"
	"time"
)

// Clock writes times as a person wants them. Its zero value writes UTC and tells no ages.
type Clock struct {
	Now   func() time.Time // for ages; nil: no ages are told
	Local bool             // times of this machine, with their distance from UTC, and not UTC with a Z
}

// Times that are written as times, in ms since the epoch: the years 1 to 9999. Others are shown as the number they are.
const (
	MinTime = -62135596800000
	MaxTime = 253402300799000
)

// Time writes ms since the epoch in UTC to the second.
func Time(ms int64) string { return Clock{}.layout(ms, "2006-01-02 15:04:05") }

// TimeOr is Time, or none for 0, which stands for none.
func TimeOr(ms int64, none string) string {
	if ms == 0 {
		return none
	}
	return Time(ms)
}

// Full writes date and time of ms since the epoch; "–" for 0, which stands for none.
func (c Clock) Full(ms int64) string {
	if ms == 0 {
		return "–"
	}
	return c.layout(ms, "2006-01-02 15:04:05")
}

// Short is Full without the year.
func (c Clock) Short(ms int64) string {
	if ms == 0 {
		return "–"
	}
	return c.layout(ms, "01-02 15:04:05")
}

func (c Clock) layout(ms int64, layout string) string {
	switch t := time.UnixMilli(ms); {
	case ms < MinTime || ms > MaxTime:
		return strconv.FormatInt(ms, 10) + " ms"
	case c.Local:
		return t.Local().Format(layout + "-07:00")
	default:
		return t.UTC().Format(layout + "Z")
	}
}

// Aged is Full with the age behind it, where the clock is known: "2026-03-02 10:11:00Z (21 min ago)".
func (c Clock) Aged(ms int64) string {
	if c.Now == nil || ms <= MinTime || ms >= MaxTime || ms == 0 {
		return c.Full(ms)
	}
	return c.Full(ms) + " (" + c.Age(ms) + ")"
}

// Age writes how long ago ms since the epoch was: "21 min ago", "in 3 s".
func (c Clock) Age(ms int64) string {
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
	return Count(s/86400) + " days"
}
