package overview

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What is known while files are read, and what is not read yet.

// soFarPanel is what a restart would do, and what was checked.
func (o *model) soFarPanel() *kit.Panel {
	s, t, v := o.Session, &o.Session.Theme, &o.Session.Verdict
	p := &kit.Panel{ID: whyID, Title: "So far", Rank: 1, Least: 1}
	if s.Decision().State == checks.Stop {
		p.Sign = phrase.Tones[phrase.Bad]
	}
	p.Text = func(w int) []string {
		var lines []string
		if v.Known {
			lines = phrase.Wrap(o.would(), w)
		}
		done := func(text string) { lines = append(lines, t.Good.Styled(t.Signs("✓"))+" "+phrase.Cut(text, w-2)) }
		done(fmt.Sprintf("listed: %s, %s", phrase.Units(int64(len(s.Checkpoint.Offsets.Files)), "offset files"), phrase.Units(int64(len(s.Checkpoint.Commits.Files)), "commit files")))
		if v.Known {
			done("the newest files of both logs")
		}
		if v.Progress.Batches > 0 {
			done("the newest " + phrase.Units(v.Progress.Batches, "batches"))
		}
		return lines
	}
	p.Fold = func(w int) string { return p.Text(w)[0] }
	return p
}

// would is what a restart would do by what was read.
func (o *model) would() string {
	r := &o.Session.Verdict.Restart
	because := kit.Prose(r.Because)
	if because != "" {
		because = ": " + because
	}
	switch r.Outcome {
	case checks.Rerun:
		return fmt.Sprintf("Would re-run batch %d%s.", r.Batch, because)
	case checks.Next:
		return fmt.Sprintf("Would start batch %d%s.", r.Batch, because)
	case checks.Fresh:
		return "Would start batch 0."
	case checks.Refuses:
		return "Would fail" + because + "."
	}
	return "What a restart does is unknown" + because + "."
}

// stillPanel is what is not read yet.
func (o *model) stillPanel() *kit.Panel {
	s, t, v := o.Session, &o.Session.Theme, &o.Session.Verdict
	return &kit.Panel{ID: stepsID, Title: "Still to check", Text: func(w int) []string {
		var f kit.Facts
		if !v.Known {
			f.Say("newest files", t.Signs("…"))
			f.Say("state", "waiting")
		}
		if p := v.Progress; p.Of > 0 {
			f.Line("batches", t.Progress(p.Batches, p.Of, min(20, w/3))+"   "+phrase.Count(p.Batches)+" of "+phrase.Count(p.Of))
		} else {
			f.Say("batches", "waiting")
		}
		text := s.WithKeys("You can open every screen now. Rows not read yet show …. %s stops and keeps the rest.", kit.Keys.Stop)
		return append(f.Lines(t, w), phrase.Wrap(t.Signs(text), w)...)
	}}
}
