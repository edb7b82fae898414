package phrase

import (
	"fmt"
	"strconv"
	"strings"
)

// Count writes a number of things with separators: "31,022". Batch IDs, versions and positions, which people copy,
// are written without.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Units writes a number of things with the word for them, which is given for many: "150 records", "1 log entry", "no files". A
// size is "0 bytes".
func Units(n int64, many string) string {
	switch {
	case n == 1:
		many = one(many)
	case n == 0 && many != "" && many != "bytes":
		return "no " + many
	}
	return strings.TrimSpace(Count(n) + " " + many)
}

// one turns the word for many things into the word for one: "record", "log entry", "batch".
func one(many string) string {
	if word, ok := strings.CutSuffix(many, "ies"); ok {
		return word + "y"
	}
	for _, ending := range []string{"ch", "sh", "ss", "x"} {
		if word, ok := strings.CutSuffix(many, ending+"es"); ok {
			return word + ending
		}
	}
	return strings.TrimSuffix(many, "s")
}

// Bytes writes a size in powers of 1000 with one decimal: "46 bytes", "5.0 kB", "1.2 GB".
func Bytes(n int64) string {
	if n < 1000 {
		return Units(n, "bytes")
	}
	v, unit := float64(n), ""
	for _, unit = range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		if v /= 1000; v < 999.95 {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", v, unit)
}

// Share writes which part of a whole n is: "0.9 %", "25 %". Only nothing is "0 %" and only all is "100 %": what is close
// to them is "< 0.1 %" and "> 99.9 %". It is "–" for a part of nothing.
func Share(n, whole int64) string {
	share := 100 * float64(n) / float64(whole)
	switch {
	case whole <= 0 || n < 0:
		return "–"
	case n == 0 || n == whole:
		return fmt.Sprintf("%.0f %%", share)
	case share < 0.1:
		return "< 0.1 %"
	case share > 99.9 && n < whole:
		return "> 99.9 %"
	case share < 9.95, share > 99 && n < whole:
		return fmt.Sprintf("%.1f %%", share)
	}
	return fmt.Sprintf("%.0f %%", share)
}

// Batch names one batch; "–" for -1, which stands for the whole checkpoint.
func Batch(id int64) string {
	if id < 0 {
		return "–"
	}
	return fmt.Sprintf("batch %d", id)
}

// Batches names the batches from first to last, both included: "batch 7", "batches 7 to 9".
func Batches(first, last int64) string {
	if first == last {
		return fmt.Sprintf("batch %d", first)
	}
	return fmt.Sprintf("batches %d to %d", first, last)
}
