package delta

import "testing"

func TestInterval(t *testing.T) {
	t.Parallel()
	for text, days := range map[string]float64{"interval 30 days": 30, "interval 1 week": 7, "12 hours": 0.5, "INTERVAL 1 DAY 12 HOURS": 1.5} {
		if d, ok := Interval(text); !ok || d.Hours() != days*24 {
			t.Errorf("%q: %v %v", text, d, ok)
		}
	}
	for _, text := range []string{"", "interval 1 month", "30", "P30D"} {
		if d, ok := Interval(text); ok {
			t.Errorf("%q: %v", text, d)
		}
	}
}
