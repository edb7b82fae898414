package kit

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// Summary is what a list of checkpoints shows of one. Its texts are printable.
type Summary struct {
	State                checks.State // "" while the checkpoint is checked
	Short, Does, Because string       // see checks.Decision
	Facts                page.Facts
	Newest               int64 // when the newest batch was planned, in ms since the epoch; 0 where that is not known
	Steps                page.Steps
}

// SummaryOf is what a verdict comes to.
func SummaryOf(v *checks.Verdict) Summary {
	d := v.Decision()
	s := Summary{State: d.State, Short: Prose(d.Short()), Does: Prose(d.Does), Because: Prose(d.Because), Steps: page.StepsOf(&v.Advice)}
	if last := v.Standing.Last; last != nil && last.Plan != nil {
		s.Newest = last.Plan.Timestamp
	}
	if v.Known && d.State != checks.NoVerdict {
		s.Facts = summaryFacts(v)
	}
	return s
}

func summaryFacts(v *checks.Verdict) (facts page.Facts) {
	add := func(name, text string) {
		if text != "" {
			facts.Rows = append(facts.Rows, page.Fact{Name: name, Text: page.Plain(text)})
		}
	}
	if b := v.Batches; b.LastPlanned >= 0 {
		text := phrase.Batches(b.FirstPlanned, b.LastPlanned)
		if n := int64(len(b.Uncommitted)) + b.More.Uncommitted; n > 0 {
			text += ", " + phrase.Count(n) + " uncommitted"
		}
		add("batches", strings.TrimPrefix(strings.TrimPrefix(text, "batches "), "batch "))
	}
	for i := range v.Sources {
		src := &v.Sources[i]
		text := strings.Join(src.Kinds, " or ")
		if src.Parts > 0 {
			text += ", " + phrase.Units(int64(src.Parts), "partitions")
		}
		add(fmt.Sprintf("source %d", src.Index), Prose(strings.TrimPrefix(text, ", ")))
	}
	state := "none"
	if n := len(v.Operators); n > 0 {
		state = phrase.Units(int64(n), "stateful operators")
	}
	add("state", state)
	add("query", Prose(v.QueryID[:min(len(v.QueryID), 8)]))
	if v.Spark != (spark.Version{}) {
		add("Spark", v.Spark.String())
	}
	return facts
}
