package phrase

import (
	"math"
	"testing"

	"tidemark/checkpoint/source"
)

func TestSum(t *testing.T) {
	t.Parallel()
	exact := func(n int64, unit string) source.Range {
		return source.Range{Counted: true, Count: n, CountIs: "exact", Unit: unit}
	}
	for name, c := range map[string]struct {
		add         []source.Range
		long, short string
	}{
		"nothing":        {nil, "", ""},
		"one":            {[]source.Range{exact(1, "records")}, "1 record", "1 record"},
		"an upper bound": {[]source.Range{{Part: "a", Counted: true, Count: 2, CountIs: "at most", Unit: "records"}, exact(1000, "records")}, "at most 1,002 records", "≤ 1,002 records"},
		"two units":      {[]source.Range{exact(2, "records"), exact(3, "log entries")}, "2 records and 3 log entries", "2 records and 3 log entries"},
		"with a hole":    {[]source.Range{exact(2, "records"), {}}, "2 records", "2 records + ?"},
		"too much":       {[]source.Range{exact(math.MaxInt64, "records"), exact(1, "records")}, "9,223,372,036,854,775,807 records", "9,223,372,036,854,775,807 records + ?"},
	} {
		var s Sum
		for _, r := range c.add {
			s.Add(r)
		}
		if s.String() != c.long || s.Short() != c.short {
			t.Errorf("%s: got %q and %q, want %q and %q", name, s.String(), s.Short(), c.long, c.short)
		}
	}
}
