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
		{Units(0, "log entries"), "no log entries"},
		{Units(0, ""), "0"},
		{Bytes(0), "0 bytes"},
		{Bytes(1), "1 byte"},
		{Bytes(46), "46 bytes"},
		{Bytes(5000), "5.0 kB"},
		{Bytes(999_600), "999.6 kB"},
		{Batches(7, 7), "batch 7"},
		{Batches(7, 9), "batches 7 to 9"},
		{Bytes(1_230_000_000), "1.2 GB"},
		{Bytes(25_000), "25.0 kB"},
		{Bytes(999_940), "999.9 kB"},
		{Bytes(999_950), "1.0 MB"},
		{Span(3000), "3 s"},
		{Span(5500), "5.5 s"},
		{Span(5050), "5 s"},
		{Span(90 * 1000), "1 min 30 s"},
		{Span(21*60*1000 + 999), "21 min"},
		{Span(3600 * 1000), "1 h"},
		{Span(17*3600*1000 + 20*60*1000), "17 h 20 min"},
		{Span(31*3600*1000 + 17*60*1000), "1 d 7 h"},
		{Span(273 * 86400 * 1000), "273 d"},
		{Share(0, 120), "0 %"},
		{Share(1, 120), "0.8 %"},
		{Share(1, 10_000), "< 0.1 %"},
		{Share(30, 120), "25 %"},
		{Share(119, 120), "99.2 %"},
		{Share(9_999_999, 10_000_000), "> 99.9 %"},
		{Share(120, 120), "100 %"},
		{Share(0, 0), "–"},
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

// TestSeveritiesDiffer: no two severities have one sign, in plain ASCII neither.
func TestSeveritiesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for word, sign := range Severities {
		symbol := ASCII(sign.Symbol)
		if other := seen[symbol]; other != "" {
			t.Errorf("%s and %s share the sign %q", word, other, symbol)
		}
		seen[symbol] = word
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
		{Total([]source.Range{upTo(1), {}}), "at most 1 record in all, without ranges that cannot be counted"},
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
	for ms, want := range map[int64]string{-1000: "in 1 s", 999: "< 1 s ago", 5500: "5 s ago", 21 * 60000: "21 min ago", 5 * 3600000: "5 h ago", 400 * 86400000: "400 d ago"} {
		if got := (Clock{Now: func() time.Time { return now }}).Age(now.UnixMilli() - ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
	for ms, want := range map[int64]string{now.UnixMilli() - 21*60000: "21 min ago  13:20:07Z", now.UnixMilli() - 14*3600000: "14 h ago  2026-11-28 23:41:07Z", 0: "–"} {
		if got := (Clock{Now: func() time.Time { return now }}).Aged(ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
	if got := (Clock{}).Aged(1795959667000); got != "2026-11-29 13:41:07Z" {
		t.Errorf("without a clock: %s", got)
	}
	if got := (Clock{}).Age(1795959667000); got != "" {
		t.Errorf("an age without a clock: %s", got)
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", -123: "-123"} {
		if got := Count(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
