package kit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
)

// InOrder are the indices of a folder's entries as a person orders them.
func InOrder(l *checkpoint.Listing) []int {
	order := make([]int, len(l.Entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return Natural(l.Entries[a].Name, l.Entries[b].Name) })
	return order
}

// Natural compares names by the numbers they begin with, then byte by byte. A dot before the number
// does not count, so that a checksum is next to its file.
func Natural(a, b string) int {
	number := func(s string) (int64, bool) {
		s = strings.TrimLeft(s, ".")
		end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(s)
		}
		n, err := strconv.ParseInt(s[:end], 10, 64)
		return n, err == nil
	}
	x, isX := number(a)
	y, isY := number(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case isX != isY:
		return map[bool]int{true: 1, false: -1}[isX]
	}
	return strings.Compare(a, b)
}

// NaturalPath is Natural for each part of names with slashes.
func NaturalPath(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), Natural)
}

// Safe is text from a file, made harmless and cut to a length that is worth drawing.
func Safe(s string) string {
	const enough = 4096
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return phrase.Printable(s)
}

// Prose is text of ours about what is in files: its line breaks mean nothing.
func Prose(s string) string { return Safe(strings.Join(strings.Fields(s), " ")) }

// DayAndTime is a moment in ms since the epoch as a day and a time of that day to the second; ok is false where it is no time
// that has a day.
func DayAndTime(c phrase.Clock, ms int64) (day, time string, ok bool) {
	day, time, ok = strings.Cut(c.Full(ms), " ")
	if !ok || len(day) != len("2006-01-02") || len(time) < len("15:04:05") {
		return "", "", false
	}
	return day, time[:len("15:04:05")], true
}

// Extent is the least, the most and the last of the values that are known; -1 where none is.
func Extent(values []int64) (least, most, last int64) {
	least, most, last = -1, -1, -1
	for _, v := range values {
		if v < 0 {
			continue
		}
		if least < 0 || v < least {
			least = v
		}
		most, last = max(most, v), v
	}
	return least, most, last
}
