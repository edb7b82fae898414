package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// effectsWorstFirst are the effects of a difference in the order in which they are told.
var effectsWorstFirst = []checks.Effect{checks.Misreads, checks.RefusesDrift, checks.KeepsRecorded, checks.Allowed}

// EffectRank orders differences, worst first; what has no effect comes last.
func EffectRank(e checks.Effect) int {
	if i := slices.Index(effectsWorstFirst, e); i >= 0 {
		return i
	}
	return len(effectsWorstFirst)
}

// Drift is what the query declares beside what the checkpoint records, worst first; then what agrees, and what was not
// compared. Neighbours with the same words share them. It is empty where no spec was given.
func Drift(v *checks.Verdict) Section {
	s := Section{Key: "drift", Title: "DRIFT: THE QUERY AND ITS CHECKPOINT"}
	if len(v.Drift)+len(v.Agrees)+len(v.NotCompared) == 0 {
		return s
	}
	if len(v.Drift) == 0 {
		s.say(0, "No difference was found.")
	}
	all := slices.Clone(v.Drift)
	slices.SortStableFunc(all, func(a, b checks.Drift) int { return cmp.Compare(EffectRank(a.Effect), EffectRank(b.Effect)) })
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && sameDriftWords(&all[i], &all[n]) {
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

// NoSpec says why nothing is compared.
const NoSpec = "Nothing says what the query declares now. Give --spec a file that tidemark spec writes, or the checkpoint of a test run."

func sameDriftWords(a, b *checks.Drift) bool {
	return a.Effect == b.Effect && a.Error == b.Error && a.Meaning == b.Meaning && a.NextStep == b.NextStep && a.Avoid == b.Avoid
}

// differenceBlocks are differences with the same words.
func differenceBlocks(v *checks.Verdict, same []checks.Drift) []Block {
	var s Section
	sign := phrase.Effects.Of(string(same[0].Effect))
	for i := range same {
		d := &same[i]
		s.add(Paragraph{Text: Text{{sign.Role, sign.Symbol}, {Text: " "}, {phrase.Strong, phrase.Printable(d.Field)}, {Text: ": "}, {sign.Role, string(d.Effect)}}})
		s.add(Facts{Level: 2, Rows: []Fact{{Name: "declared", Text: Plain(side(d.Declared) + declaredAt(d))}, {Name: "recorded", Text: Plain(side(d.Recorded) + recordedAt(d))}}})
	}
	d := &same[0]
	effect := strings.TrimSpace("Spark "+v.Spark.String()) + " " + sign.Word + "."
	if d.Error != "" {
		effect += " Spark's words: " + d.Error
	}
	s.add(words(1, [][2]string{{"Effect", effect}, {"Meaning", d.Meaning}, {"Next", d.NextStep}, {"Avoid", d.Avoid}}))
	return s.Blocks
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
