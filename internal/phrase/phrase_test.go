package phrase

import (
	"math"
	"testing"
	"time"

	"tidemark/checkpoint/source"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{Count(31022), "31,022"},
		{Count(-1234567), "-1,234,567"},
		{Units(1, "log entries"), "1 log entry"},
		{Units(1, "batches"), "1 batch"},
		{Units(2, "batches"), "2 batches"},
		{Units(1, "matches"), "1 match"},
		{Units(1500, "records"), "1,500 records"},
		{Bytes(1), "1 byte"},
		{Bytes(46), "46 bytes"},
		{Bytes(5000), "5.0 kB"},
		{Bytes(999_600), "1.0 MB"},
		{Batches(7, 7), "batch 7"},
		{Batches(7, 9), "batches 7 to 9"},
		{Span(31*3600*1000 + 17*60*1000), "31 h 17 min"},
		{Time(math.MaxInt64), "9223372036854775807 ms"},
		{TimeOr(0, "none"), "none"},
		{Sentence("commits/120 is missing"), "commits/120 is missing."},
		{Sentence("it is missing"), "It is missing."},
		{ASCII("offsets/120 → 121, ≤ 3 …"), "offsets/120 -> 121, <= 3 .."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	upTo := func(n int64) source.Range {
		return source.Range{Unit: "records", Count: n, Counted: true, CountIs: "at most"}
	}
	for _, c := range []struct{ got, want string }{
		{Amount(upTo(150)), "≤ 150 records"},
		{Amount(upTo(0)), "nothing new"},
		{Amount(source.Range{Unit: "records"}), "–"},
		{Total([]source.Range{upTo(1), upTo(2)}), "at most 3 records in all"},
		{Total([]source.Range{upTo(1), {}}), "at most 1 record in all, besides parts that cannot be counted"},
		{Total([]source.Range{{}}), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTimesAndAges(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64]string{
		1795959667000:  "2026-11-29 13:41:07Z",
		-1:             "1969-12-31 23:59:59Z",
		math.MaxInt64:  "9223372036854775807 ms",
		-math.MaxInt64: "-9223372036854775807 ms",
	} {
		if got := Time(ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
	now := time.UnixMilli(1795959667000)
	for ms, want := range map[int64]string{-1000: "in 1.0 s", 5000: "5.0 s ago", 21 * 60000: "21 min ago", 5 * 3600000: "5 h 0 min ago", 400 * 86400000: "400 days ago"} {
		if got := (Clock{Now: func() time.Time { return now }}).Age(now.UnixMilli() - ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
	if got := (Clock{}).Aged(1795959667000); got != "2026-11-29 13:41:07Z" {
		t.Errorf("without a clock: %s", got)
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", -123: "-123"} {
		if got := Count(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
