package spark

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a feature release of Spark: 3.5, 4.1. The zero value is none.
type Version struct{ Major, Minor int }

// Known are the feature releases known here, oldest first.
var Known = []Version{
	{2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 4},
	{3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}, {3, 5},
	{4, 0}, {4, 1}, {4, 2}, {4, 3},
}

// Newest is the newest release known here.
func Newest() Version { return Known[len(Known)-1] }

// Parse reads "3.5", "3.5.1" or "v4.1". A release that is not known here is an error that names the
// nearest known ones.
func Parse(s string) (Version, error) {
	f := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(f) >= 2 {
		major, err := strconv.Atoi(f[0])
		minor, err2 := strconv.Atoi(f[1])
		if v := (Version{major, minor}); err == nil && err2 == nil && known(v) {
			return v, nil
		}
	}
	return Version{}, fmt.Errorf("%q is not a known Spark release (%s to %s)", s, Known[0], Newest())
}

func known(v Version) bool {
	for _, k := range Known {
		if k == v {
			return true
		}
	}
	return false
}

// String is "3.5"; "" for none.
func (v Version) String() string {
	if v == (Version{}) {
		return ""
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// AtLeast reports whether v is w or newer.
func (v Version) AtLeast(w Version) bool {
	return v.Major > w.Major || v.Major == w.Major && v.Minor >= w.Minor
}

// Span is the releases that can have written something.
type Span struct {
	From    Version  // the oldest; zero: any
	Below   Version  // the first that cannot have; zero: no upper end
	Because []string // the evidence: "offsets/120 pins spark.sql.… (since 3.3)"
}

// String is ">=3.4 <4.0"; "any" when nothing is known.
func (s Span) String() string {
	var parts []string
	if s.From != (Version{}) {
		parts = append(parts, ">="+s.From.String())
	}
	if s.Below != (Version{}) {
		parts = append(parts, "<"+s.Below.String())
	}
	if len(parts) == 0 {
		return "any"
	}
	return strings.Join(parts, " ")
}

// Newest is the newest known release within the span.
func (s Span) Newest() Version {
	newest := Version{}
	for _, v := range Known {
		if v.AtLeast(s.From) && (s.Below == (Version{}) || !v.AtLeast(s.Below)) {
			newest = v
		}
	}
	if newest == (Version{}) {
		return Newest()
	}
	return newest
}
