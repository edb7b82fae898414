package phrase

import (
	"fmt"
	"strconv"
	"time"
)

// Clock writes times as a person wants them. Its zero value writes UTC and no ages.
type Clock struct {
	Now   func() time.Time // for ages; nil: no ages are written
	Local bool             // times of this machine, with their distance from UTC, and not UTC with a Z
}

// Times that are written as times, in ms since the epoch: the years 1 to 9999. Others are shown as numbers.
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

// Aged writes the age of a time with the time behind it: "21 min ago  13:41:07Z", with the date if that is not today's.
// It is Full if there is no clock.
func (c Clock) Aged(ms int64) string {
	age := c.Age(ms)
	if age == "" {
		return c.Full(ms)
	}
	return age + "  " + c.Clocked(ms)
}

// Clocked writes the time of day of ms since the epoch, with the date if that is not today's or there is no clock.
func (c Clock) Clocked(ms int64) string {
	if c.Now != nil && c.day(time.UnixMilli(ms)) == c.day(c.Now()) {
		return c.layout(ms, "15:04:05")
	}
	return c.Full(ms)
}

// day is the date of a time where the clock is.
func (c Clock) day(t time.Time) string {
	if c.Local {
		return t.Local().Format(time.DateOnly)
	}
	return t.UTC().Format(time.DateOnly)
}

// Age writes how long ago ms since the epoch was: "21 min ago", "in 3 s"; "" if there is no clock, or no such time.
func (c Clock) Age(ms int64) string {
	if c.Now == nil || ms <= MinTime || ms >= MaxTime || ms == 0 {
		return ""
	}
	d := c.Now().UnixMilli() - ms
	switch {
	case d <= -1000:
		return "in " + wholeSeconds(-d)
	case d < 1000:
		return "< 1 s ago"
	}
	return wholeSeconds(d) + " ago"
}

func wholeSeconds(ms int64) string { return Span(ms / 1000 * 1000) }

// Span writes a length of time given in ms, in two units at most: "3 s", "21 min", "1 d 7 h", "273 d". The second unit is
// left out if there is none of it or the first one is large enough.
func Span(ms int64) string {
	s := ms / 1000
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case s < 10 && ms%1000 >= 100:
		return fmt.Sprintf("%d.%d s", s, ms%1000/100)
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 10*60:
		return twoUnits(s/60, "min", s%60, "s")
	case s < 3600:
		return twoUnits(s/60, "min", 0, "")
	case s < 86400:
		return twoUnits(s/3600, "h", s/60%60, "min")
	case s < 10*86400:
		return twoUnits(s/86400, "d", s/3600%24, "h")
	}
	return twoUnits(s/86400, "d", 0, "")
}

func twoUnits(n int64, unit string, rest int64, smaller string) string {
	text := Count(n) + " " + unit
	if rest > 0 {
		text += fmt.Sprintf(" %d %s", rest, smaller)
	}
	return text
}
