package source

import (
	"math"
	"math/big"
	"testing"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	at := func(order Order, text string, num, sub int64) Position {
		return Position{Text: text, Order: order, Num: num, Sub: sub, Big: big.NewInt(num)}
	}
	for _, c := range []struct {
		about   string
		p, q    Position
		want    int
		ordered bool
	}{
		{"two numbers", at(Number, "9", 9, 0), at(Number, "10", 10, 0), -1, true},
		{"a Delta version, then its file", at(Pair, "57:3", 57, 3), at(Pair, "57:17", 57, 17), -1, true},
		{"a later Delta version with a lower file", at(Pair, "58:-1", 58, -1), at(Pair, "57:17", 57, 17), 1, true},
		{"files of one Iceberg snapshot", at(Within, "7:9", 7, 9), at(Within, "7:3", 7, 3), 1, true},
		{"two Iceberg snapshots", at(Within, "8:9", 8, 9), at(Within, "7:3", 7, 3), 1, false},
		{"one text equals itself", at(Unordered, "LATEST", 0, 0), at(Unordered, "LATEST", 0, 0), 0, true},
		{"two texts have no order", at(Unordered, "LATEST", 0, 0), at(Unordered, "TRIM_HORIZON", 0, 0), 0, false},
		{"a number and a text have none", at(Number, "1", 1, 0), at(Unordered, "LATEST", 0, 0), 0, false},
	} {
		if got, ok := c.p.Compare(c.q); ok != c.ordered || ok && got != c.want {
			t.Errorf("%s: %d, %t", c.about, got, ok)
		}
		if got, ok := c.q.Compare(c.p); ok != c.ordered || ok && got != -c.want {
			t.Errorf("%s, the other way: %d, %t", c.about, got, ok)
		}
	}
}

func TestMinusIsNoNumberBeyond64Bits(t *testing.T) {
	t.Parallel()
	low, high := Position{Order: Number, Num: math.MinInt64}, Position{Order: Number, Num: math.MaxInt64}
	for _, c := range []struct{ p, q Position }{{high, low}, {low, high}, {high, Position{Order: Pair, Num: 1}}} {
		if n, ok := c.p.Minus(c.q); ok {
			t.Errorf("%+v - %+v = %d", c.p, c.q, n)
		}
	}
	if n, ok := high.Minus(high); !ok || n != 0 {
		t.Errorf("a position lies %d after itself, %t", n, ok)
	}
}
