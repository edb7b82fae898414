package page

import (
	"regexp"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// DiffItem is a part of one side of a difference: a column, a topic, or the whole value.
type DiffItem struct {
	Text  string
	Other bool // the other side does not have it
}

// Diff is a difference side by side: what is recorded and what is declared, item by item. A side without a value is empty.
type Diff struct {
	Recorded, Declared []DiffItem
	Columns            bool // the items are columns: a name and a type each
}

// DiffOf compares the two sides of a difference. Values of several items are compared item by item.
func DiffOf(d *checks.Drift) Diff {
	recorded, declared := items(d.Recorded), items(d.Declared)
	if len(recorded) <= 1 && len(declared) <= 1 {
		return Diff{Recorded: single(d.Recorded), Declared: single(d.Declared), Columns: columnsField(d.Field)}
	}
	diff := Diff{Columns: columnsField(d.Field)}
	common := commonItems(recorded, declared)
	diff.Recorded, diff.Declared = sideItems(recorded, common), sideItems(declared, common)
	return diff
}

func columnsField(field string) bool {
	return strings.HasSuffix(field, ".key") || strings.HasSuffix(field, ".value")
}

// single is a value as one item; none where it is "".
func single(value string) []DiffItem {
	if value == "" {
		return nil
	}
	return []DiffItem{{Text: phrase.Printable(value), Other: true}}
}

// items parts a list at its commas, not within brackets.
func items(list string) (all []string) {
	depth, from := 0, 0
	for i, r := range list {
		switch r {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case ',':
			if depth == 0 && strings.HasPrefix(list[i:], ", ") {
				all, from = append(all, list[from:i]), i+2
			}
		}
	}
	if from < len(list) {
		all = append(all, list[from:])
	}
	for i := range all {
		all[i] = phrase.Printable(all[i])
	}
	return all
}

// mostItems is how many items of a side are compared one by one.
const mostItems = 500

// commonItems is the longest sequence that two lists have in common.
func commonItems(a, b []string) []string {
	a, b = a[:min(len(a), mostItems)], b[:min(len(b), mostItems)]
	length := make([][]int, len(a)+1) // of what a[i:] and b[j:] have in common
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var common []string
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common = append(common, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return common
}

// sideItems are the items of one side; those that are not in common are marked.
func sideItems(side, common []string) []DiffItem {
	all := make([]DiffItem, len(side))
	for i, text := range side {
		if len(common) > 0 && text == common[0] {
			all[i], common = DiffItem{Text: text}, common[1:]
		} else {
			all[i] = DiffItem{Text: text, Other: true}
		}
	}
	return all
}

// Short are both sides of a difference of one value without the beginning that they have in common, where that is long.
func (d *Diff) Short() (recorded, declared string) {
	recorded, declared = textOf(d.Recorded), textOf(d.Declared)
	n, _ := alike(recorded, declared)
	at := strings.LastIndexAny(string([]rune(recorded)[:n]), "/.") + 1
	if at < leastShared {
		return recorded, declared
	}
	return "…" + recorded[at:], "…" + declared[at:]
}

// leastShared is how many bytes two values have in common at least where that is left out.
const leastShared = 8

func textOf(items []DiffItem) string {
	texts := make([]string, len(items))
	for i := range items {
		texts[i] = items[i].Text
	}
	return strings.Join(texts, ", ")
}

var indexed = regexp.MustCompile(`^(source|operator)s\[(\d+)\]\.?`)

// FieldName is a field of a spec as people read it: "operator 0 · key", "shuffle.partitions".
func FieldName(field string) string {
	if m := indexed.FindStringSubmatch(field); m != nil {
		name := m[1] + " " + m[2]
		if rest := field[len(m[0]):]; rest != "" {
			name += " · " + rest
		}
		return phrase.Printable(name)
	}
	for _, prefix := range []string{"conf.spark.sql.streaming.", "conf.spark.sql.", "conf."} {
		if rest, ok := strings.CutPrefix(field, prefix); ok {
			return phrase.Printable(rest)
		}
	}
	return phrase.Printable(strings.ReplaceAll(field, "_", " "))
}
