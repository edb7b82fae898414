package phrase

import "strings"

// Nearest returns the one of names that word was probably meant to be; "" where none is near. Case counts.
func Nearest(word string, names []string) string {
	best, least := "", len(word)/2+1
	for _, name := range names {
		if d := distance(word, name); d < least || len(word) > 2 && strings.HasPrefix(name, word) && best == "" {
			best, least = name, min(d, least)
		}
	}
	return best
}

// DidYouMean returns "; did you mean X?" with the nearest of names, to follow what is wrong with word; "" where none is near.
func DidYouMean(word string, names []string) string {
	if near := Nearest(word, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Misspelled returns the one of names that word is, but for a letter or two; "" where it is a word of its own.
func Misspelled(word string, names []string) string {
	best, least := "", min((len(word)+1)/3, 2)+1
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed to make a into b.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
