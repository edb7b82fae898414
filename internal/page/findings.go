package page

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Findings are the findings of a verdict, worst first. Neighbors with the same words share them: the evidence of each is
// told, the words once. Those about differences that are told as drift are counted.
func Findings(v *checks.Verdict) Section {
	s := Section{Key: "findings", Title: "Findings"}
	for i := 0; i < len(v.Findings); {
		f := &v.Findings[i]
		differs := f.Code == "drift" && len(v.Drift) > 0
		n := i + 1
		for n < len(v.Findings) && (sameWords(f, &v.Findings[n]) || differs && v.Findings[n].Code == f.Code &&
			v.Findings[n].Severity == f.Severity) {
			n++
		}
		if i > 0 {
			s.add(Blank{})
		}
		if differs {
			s.add(Paragraph{Text: append(findingHead(f), Span{Text: " (" + phrase.Units(int64(n-i), "differences") + ", shown above)"})})
		} else {
			s.add(findingBlocks(v.Findings[i:n])...)
		}
		i = n
	}
	return s
}

// Finding is one finding.
func Finding(f *checks.Finding) Section {
	return Section{Key: "finding", Title: "Finding", Blocks: findingBlocks([]checks.Finding{*f})}
}

// FindingList are the findings of a verdict, numbered, a line each; or that there is none.
func FindingList(v *checks.Verdict) Section {
	s := Section{Key: "finding-list"}
	if len(v.Findings) == 0 {
		s.add(Paragraph{Text: Tally(v), Whole: true})
		return s
	}
	var f Facts
	for i := range v.Findings {
		x := &v.Findings[i]
		sign := phrase.Severities.Of(x.Severity.String())
		f.Rows = append(f.Rows, Fact{Name: strconv.Itoa(i + 1), Value: Span{sign.Role, sign.Head()},
			Text: Plain(x.Code + ": " + phrase.Prose(x.Title) + " (" + FindingPlace(x) + ")")})
	}
	s.add(f)
	return s
}

// meaning is the name of what a finding means.
const meaning = "Meaning"

func sameWords(a, b *checks.Finding) bool {
	return a.Code == b.Code && a.Severity == b.Severity && a.Title == b.Title && a.Meaning == b.Meaning && a.NextStep == b.NextStep &&
		a.Avoid == b.Avoid
}

func findingHead(f *checks.Finding) Text {
	sign := phrase.Severities.Of(f.Severity.String())
	return Text{{sign.Role, sign.Head()}, {Text: " "}, {phrase.Strong, f.Code}, {Text: ": " + phrase.Prose(f.Title)}}
}

// findingBlocks are findings with the same words.
func findingBlocks(same []checks.Finding) []Block {
	f := &same[0]
	blocks := found(same)
	return append(blocks, words(1, [][2]string{{meaning, f.Meaning}, {"Next", f.NextStep}, avoid(f.Avoid)}))
}

// found is what was found and where, without what it means: findings with the same words.
func found(same []checks.Finding) []Block {
	var s Section
	s.add(Paragraph{Text: findingHead(&same[0])})
	for i := range same {
		f := &same[i]
		s.say(2, FindingPlace(f)+": "+phrase.Printable(f.Evidence))
		if text := Salvaged(f); text != "" {
			s.say(2, "still readable: "+text)
		}
	}
	return s.Blocks
}

// words are texts of ours under their names; those that are empty are left out.
func words(level int, rows [][2]string) Facts {
	f := Facts{Level: level}
	for _, row := range rows {
		if text := phrase.Prose(row[1]); text != "" {
			f.Rows = append(f.Rows, Fact{Name: row[0], Text: Plain(text)})
		}
	}
	return f
}

// avoid is the tempting wrong act under its name: "Never", with what follows "Do not".
func avoid(text string) [2]string {
	if rest, ok := strings.CutPrefix(text, "Do not "); ok {
		return [2]string{"Never", rest}
	}
	return [2]string{"Avoid", text}
}

// FindingPlace is what a finding is about: "state/0/17, batch 119".
func FindingPlace(f *checks.Finding) string {
	place := phrase.Printable(f.Where.String())
	if place == "" || place == "." {
		place = "the checkpoint"
	}
	if f.Batch >= 0 {
		place += ", batch " + strconv.FormatInt(f.Batch, 10)
	}
	return place
}

// salvagedShown is how many of the things that still read of a damaged file a person is told.
const salvagedShown = 12

// Salvaged is what still reads of the damaged file that a finding is about, on one line: "id 1f0c9a2e-5b0c (cut off)"; "" for nothing.
// Settings are counted, but for the one that people look for.
func Salvaged(f *checks.Finding) string {
	var all []string
	settings := 0
	for _, s := range f.Salvaged {
		if strings.HasPrefix(s.Name, "spark.") && s.Name != "spark.sql.shuffle.partitions" {
			settings++
			continue
		}
		text := s.Name + " " + s.Value
		if s.Cut {
			text += " (truncated)"
		}
		all = append(all, text)
	}
	if more := len(all) - salvagedShown; more > 0 {
		all = append(all[:salvagedShown], fmt.Sprintf("%d more (see --json)", more))
	}
	if settings > 0 {
		all = append(all, phrase.Units(int64(settings), "settings")+" (see --json)")
	}
	return phrase.Printable(strings.Join(all, "; "))
}
