package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// What is no difference, and is told after them.
const (
	NotCompared checks.Effect = "not compared"
	Same        checks.Effect = "same"
)

// Effects are the effects of a difference in the order in which they are told: worst first, then what is none.
var Effects = []checks.Effect{checks.Misreads, checks.RefusesDrift, checks.KeepsRecorded, checks.Allowed, NotCompared, Same}

// EffectRank orders differences as Effects are; an effect that is not among them comes last.
func EffectRank(e checks.Effect) int {
	if i := slices.Index(Effects, e); i >= 0 {
		return i
	}
	return len(Effects)
}

// Compared is all that was compared: the differences, worst first, then, each as a row of its own, what could not be
// compared, with the reason as its meaning, and what is the same.
func Compared(v *checks.Verdict) []*checks.Drift {
	rows := worstFirst(v)
	for _, text := range v.NotCompared {
		field, why, _ := strings.Cut(text, ": ")
		rows = append(rows, &checks.Drift{Field: field, Effect: NotCompared, Meaning: why})
	}
	for _, field := range v.Agrees {
		rows = append(rows, &checks.Drift{Field: field, Effect: Same, Meaning: "The query and the checkpoint are the same here."})
	}
	return rows
}

func worstFirst(v *checks.Verdict) []*checks.Drift {
	all := make([]*checks.Drift, len(v.Drift))
	for i := range v.Drift {
		all[i] = &v.Drift[i]
	}
	slices.SortStableFunc(all, func(a, b *checks.Drift) int { return cmp.Compare(EffectRank(a.Effect), EffectRank(b.Effect)) })
	return all
}

// Drift is what the query declares beside what the checkpoint records, worst first; then what agrees, and what was not
// compared. Neighbors with the same words share them. It is empty where no spec was given.
func Drift(v *checks.Verdict) Section {
	s := Section{Key: "drift", Title: "Drift: recorded and declared"}
	if len(v.Drift)+len(v.Agrees)+len(v.NotCompared) == 0 {
		return s
	}
	if len(v.Drift) == 0 {
		s.say(0, NoDifference)
	}
	all := worstFirst(v)
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && sameDriftWords(all[i], all[n]) {
			n++
		}
		if i > 0 {
			s.add(Blank{})
		}
		s.add(differenceBlocks(v, all[i:n])...)
		i = n
	}
	if f := compared(v); len(f.Rows) > 0 {
		s.add(Blank{}, f)
	}
	return s
}

// NoDifference says that nothing that was compared differs.
const NoDifference = "No difference found."

// NoSpec says why nothing is compared.
const NoSpec = "Not checked: what the query declares now. Give a spec (--spec FILE, from tidemark spec) or the checkpoint of a test run."

func sameDriftWords(a, b *checks.Drift) bool {
	return a.Effect == b.Effect && a.Error == b.Error && a.Meaning == b.Meaning && a.NextStep == b.NextStep && a.Avoid == b.Avoid
}

// differenceBlocks are differences with the same words.
func differenceBlocks(v *checks.Verdict, same []*checks.Drift) []Block {
	var s Section
	for _, d := range same {
		s.add(differenceHead(d), sides(d))
	}
	d := same[0]
	effect := strings.TrimSpace("Spark "+v.Spark.String()) + " " + phrase.Effects.Of(string(d.Effect)).Word + "."
	if d.Error != "" {
		effect += " Spark's error: " + d.Error
	}
	s.add(words(1, [][2]string{{"Effect", effect}, {"Meaning", d.Meaning}, {"Next", d.NextStep}, avoid(d.Avoid)}))
	return s.Blocks
}

// differenceHead is what differs, and how.
func differenceHead(d *checks.Drift) Paragraph {
	sign := phrase.Effects.Of(string(d.Effect))
	return Paragraph{Text: Text{{sign.Role, sign.Symbol}, {Text: " "}, {phrase.Strong, phrase.Printable(d.Field)}, {Text: ": "},
		{sign.Role, cmp.Or(sign.Word, string(d.Effect))}}}
}

// sides are what is declared and what is recorded, the part in which they differ marked.
func sides(d *checks.Drift) Facts {
	declared, recorded := side(d.Declared), side(d.Recorded)
	first, last := alike(declared, recorded)
	if d.Declared == "" || d.Recorded == "" {
		first, last = max(len(declared), len(recorded)), 0
	}
	return Facts{Level: 2, Rows: []Fact{
		{Name: "declared", Text: append(marked(declared, first, last), Span{Text: declaredAt(d)})},
		{Name: "recorded", Text: append(marked(recorded, first, last), Span{Text: recordedAt(d)})},
	}}
}

// marked is a text marked after its first runes and up to its last ones.
func marked(text string, first, last int) Text {
	runes := []rune(text)
	first = min(first, len(runes))
	to := max(len(runes)-last, first)
	return Text{{Text: string(runes[:first])}, {phrase.Marked, string(runes[first:to])}, {Text: string(runes[to:])}}
}

// alike is how many runes two texts begin with alike, and how many they end with alike behind those.
func alike(a, b string) (first, last int) {
	x, y := []rune(a), []rune(b)
	n := min(len(x), len(y))
	for first < n && x[first] == y[first] {
		first++
	}
	for last < n-first && x[len(x)-1-last] == y[len(y)-1-last] {
		last++
	}
	return first, last
}

// side is what one side says.
func side(text string) string { return phrase.Printable(cmp.Or(text, "nothing")) }

func declaredAt(d *checks.Drift) string {
	if d.Place.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d of the spec)", d.Place.Line)
}

func recordedAt(d *checks.Drift) string {
	if d.Where.File == "" {
		return ""
	}
	return " (" + phrase.Printable(d.Where.String()) + ")"
}

// compared is what else was compared, and what could not be.
func compared(v *checks.Verdict) Facts {
	var f Facts
	same, settings := []string{}, 0
	for _, field := range v.Agrees {
		if strings.HasPrefix(field, "conf.") {
			settings++
		} else {
			same = append(same, field)
		}
	}
	if settings > 0 {
		same = append(same, phrase.Units(int64(settings), "settings"))
	}
	if len(same) > 0 {
		f.Rows = append(f.Rows, Fact{Name: "same", Text: Plain(phrase.Printable(strings.Join(same, ", ")))})
	}
	var reasons []string
	fields := map[string][]string{}
	for _, text := range v.NotCompared {
		field, why, _ := strings.Cut(text, ": ")
		if fields[why] == nil {
			reasons = append(reasons, why)
		}
		fields[why] = append(fields[why], field)
	}
	for _, why := range reasons {
		f.Rows = append(f.Rows, Fact{Name: "not compared", Text: Plain(phrase.Printable(strings.Join(fields[why], ", ") + ": " + why))})
	}
	return f
}
