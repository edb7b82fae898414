package basics

import (
	"testing"

	"tidemark/checkpoint/spark"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	v := func(major, minor int) spark.Version { return spark.Version{Major: major, Minor: minor} }
	if a, b := (spark.Span{From: v(3, 0), Below: v(4, 0)}), (spark.Span{From: v(4, 0)}); overlap(a, b) || overlap(b, a) {
		t.Error("3.x and 4.x have no release in common")
	}
	if a, b := (spark.Span{From: v(3, 0)}), (spark.Span{Below: v(3, 1)}); !overlap(a, b) || !overlap(b, a) {
		t.Error("3.0 is in both")
	}
}
