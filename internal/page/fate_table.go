package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// alikeShown is how many parts with one fate for one reason have a row each; more share one.
const alikeShown = 6

// FateTable is what happens to each range as a table, and below it what shows that, each reason once. Of fates, which are those
// of checks.Statement, it has the first most rows.
func FateTable(v *checks.Verdict, fates []checks.Fate, most int) []Block {
	if len(fates) == 0 {
		return []Block{Paragraph{Text: Plain(noRange)}}
	}
	t := Table{Columns: []Column{{Title: "batch"}, {Title: "what"}, {Title: "partition"}, {Title: "offsets"}, {Title: "amount", Right: true}}}
	fates = slices.SortedStableFunc(slices.Values(fates), func(a, b checks.Fate) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(fateRank(a.Word), fateRank(b.Word)))
	})
	var why []string
	for i := 0; i < len(fates); {
		n := 1
		for i+n < len(fates) && alikeFates(&fates[i], &fates[i+n]) {
			n++
		}
		group := fates[i : i+n]
		i += n
		if !slices.Contains(why, group[0].Evidence) {
			why = append(why, group[0].Evidence)
		}
		if n > alikeShown {
			t.Rows = append(t.Rows, sharedFate(group))
			continue
		}
		for j := range group {
			t.Rows = append(t.Rows, fateRow(v, &group[j]))
		}
	}
	if more := len(t.Rows) - most; more > 0 {
		t.Rows, t.More = t.Rows[:most], fmt.Sprintf("… %s more", phrase.Units(int64(more), "ranges"))
	}
	t.oneUnit()
	blocks := []Block{t}
	if v.Done && !v.Complete {
		blocks = append(blocks, Paragraph{Text: Plain(notAll)})
	}
	for _, text := range why[:min(len(why), alikeShown)] {
		blocks = append(blocks, Paragraph{Text: Text{{phrase.Dim, phrase.Sentence(phrase.Prose(text))}}})
	}
	return blocks
}

// fateRank orders what happens to the ranges of one batch: what needs a person first.
func fateRank(word checks.FateWord) int {
	order := []checks.FateWord{checks.Lost, checks.Skipped, checks.Doubled, checks.FateOpen}
	if i := slices.Index(order, word); i >= 0 {
		return i
	}
	return len(order)
}

// oneUnit says the unit of the amounts once, above them, where they all have the same.
func (t *Table) oneUnit() {
	at := len(t.Columns) - 1
	unit := ""
	for _, row := range t.Rows {
		text := row[at].Text
		n, rest, ok := strings.Cut(strings.TrimPrefix(text, "≤ "), " ")
		if text == "–" || text == "nothing new" {
			continue
		}
		if !ok || strings.Trim(n, "0123456789,") != "" || unit != "" && unit != rest {
			return
		}
		unit = rest
	}
	if !strings.HasSuffix(unit, "s") {
		return
	}
	t.Columns[at].Title = unit
	for _, row := range t.Rows {
		row[at].Text = strings.TrimSuffix(row[at].Text, " "+unit)
	}
}

func alikeFates(a, b *checks.Fate) bool {
	return a.Word == b.Word && a.First == b.First && a.Last == b.Last && a.Evidence == b.Evidence && a.Part != nil && b.Part != nil &&
		a.Part.Source == b.Part.Source
}

// fateRow is one range. Offsets that are numbers are those of the first and the last record.
func fateRow(v *checks.Verdict, f *checks.Fate) []Cell {
	part, offsets, amount := "all", "–", "–"
	if r := f.Part; r != nil {
		from, to := phrase.Ends(r.Range)
		part, offsets, amount = PartName(v, r.Source, r.Part), from+" → "+to, phrase.Amount(r.Range)
		last, ok := lastOf(to)
		switch {
		case r.To == nil:
			offsets = "from " + from
		case ok && r.Counted && r.Count > 0:
			offsets = from + "–" + last
		}
	}
	return []Cell{{Text: fateBatches(f)}, fateWord(f), {Text: part}, {Text: offsets}, {Text: amount}}
}

// sharedFate are ranges of several parts with one fate.
func sharedFate(group []checks.Fate) []Cell {
	var sum phrase.Sum
	for i := range group {
		sum.Add(group[i].Part.Range)
	}
	return []Cell{{Text: fateBatches(&group[0])}, fateWord(&group[0]), {Text: phrase.Units(int64(len(group)), "partitions")}, {Text: "–"},
		{Text: phrase.Or(sum.Short(), "–")}}
}

func fateWord(f *checks.Fate) Cell {
	sign := phrase.Fates.Of(string(f.Word))
	return Cell{sign.Symbol, sign.Word, sign.Role}
}

func fateBatches(f *checks.Fate) string {
	switch {
	case f.First < 0:
		return "–"
	case f.Last > f.First:
		return fmt.Sprintf("%d–%d", f.First, f.Last)
	}
	return fmt.Sprint(f.First)
}

// lastOf is the last record before an offset that is a number.
func lastOf(to string) (last string, ok bool) {
	n, err := strconv.ParseInt(to, 10, 64)
	return strconv.FormatInt(n-1, 10), err == nil
}

// LostRecords is how much the statement counts as lost; "" for nothing that can be counted.
func LostRecords(fates []checks.Fate) string {
	var sum phrase.Sum
	for i := range fates {
		if f := &fates[i]; f.Word == checks.Lost && f.Part != nil {
			sum.Add(f.Part.Range)
		}
	}
	return sum.String()
}
