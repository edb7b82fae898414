package overview

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// No verdict: the checkpoint, or a file that a restart needs, could not be read.

// unreadShown is how many files are named that could not be read.
const unreadShown = 6

// unread is what could be read, and what could not.
func (o *model) unread(w int) (lines []string) {
	t, v := &o.Session.Theme, &o.Session.Verdict
	if v.Progress.Batches > 0 {
		lines = append(lines, t.Good.Styled(t.Signs("✓"))+" "+phrase.Units(v.Progress.Batches, "batches")+" were read")
	}
	n := 0
	for _, x := range page.NotRun(v) {
		if x.Code != "" {
			continue
		}
		if n++; n > unreadShown {
			continue
		}
		for i, line := range phrase.Wrap(page.NotRunLine(&x), w-2) {
			mark := " "
			if i == 0 {
				mark = t.Unknown.Styled("?")
			}
			lines = append(lines, mark+" "+line)
		}
	}
	if n > unreadShown {
		lines = append(lines, t.Dim.Styled(t.Signs(fmt.Sprintf("… %d more", n-unreadShown))))
	}
	if len(lines) == 0 {
		return phrase.Wrap(kit.Prose(o.Session.Decision().Because), w)
	}
	return lines
}

// failure is a kind of error on opening a checkpoint: its likely cause, and what to do.
type failure struct {
	likely string
	steps  []string
	never  string
}

// failureOf is what an error on opening means.
func failureOf(s *kit.Session) failure {
	again := s.WithKeys("Press %s to try again.", kit.Keys.Reread)
	switch why := checkpoint.Why(s.Err); {
	case errors.Is(s.Err, fs.ErrNotExist):
		return failure{"the location is misspelled, or was deleted", []string{"Check the spelling of the location.",
			s.WithKeys("Open another location with %sopen LOCATION.", kit.Keys.Command), again}, ""}
	case why == "not logged in":
		return failure{"the credentials have expired, or none were found", []string{"Sign in again.",
			s.WithKeys("Or use another profile: %s, then tidemark --profile NAME LOCATION.", kit.Keys.QuitAll), again}, ""}
	case why == "denied":
		return failure{"this identity may not list or read this location", []string{
			s.WithKeys("Use a profile that can read: %s, then tidemark --profile NAME LOCATION.", kit.Keys.QuitAll),
			"Or ask for the right to list and read this location." + policyHint(s), "Or read a copy: copy the checkpoint, then tidemark COPY.", again},
			"open the location to everyone to solve this"}
	case why == "archived":
		return failure{"the objects are in an archive tier, so Spark cannot read them either", []string{"Restore the objects from the archive.", again}, ""}
	case why == "stopped":
		return failure{"you stopped reading, or a limit was reached", []string{s.WithKeys("Press %s to read on.", kit.Keys.Reread)}, ""}
	}
	return failure{"the location is misspelled, or this machine cannot reach it", []string{"Check the spelling of the location.",
		"Check that this machine can reach it.", again}, ""}
}

func policyHint(s *kit.Session) string {
	if policyOf(s.Location) == "" {
		return ""
	}
	return s.WithKeys(" Press %s to copy a policy.", kit.Keys.Copy)
}

// policyOf is an IAM policy that allows reading a location in S3; "" for other locations.
func policyOf(location string) string {
	rest, ok := strings.CutPrefix(location, "s3://")
	if !ok {
		if rest, ok = strings.CutPrefix(location, "s3a://"); !ok {
			return ""
		}
	}
	bucket, prefix, _ := strings.Cut(strings.TrimRight(rest, "/"), "/")
	if bucket == "" {
		return ""
	}
	arn := "arn:aws:s3:::" + bucket
	within := strings.TrimPrefix(prefix+"/*", "/")
	type statement struct {
		Effect, Action, Resource string
		Condition                map[string]map[string]string `json:",omitempty"`
	}
	text, err := json.MarshalIndent(struct {
		Version   string
		Statement []statement
	}{"2012-10-17", []statement{
		{"Allow", "s3:ListBucket", arn, map[string]map[string]string{"StringLike": {"s3:prefix": within}}},
		{"Allow", "s3:GetObject", arn + "/" + within, nil},
	}}, "", "  ")
	if err != nil {
		return ""
	}
	return string(text)
}

// happened is what was tried, and what failed.
func (o *model) happened() *kit.Panel {
	s, t := o.Session, &o.Session.Theme
	return &kit.Panel{ID: whyID, Title: "What happened", Rank: 1, Text: func(w int) []string {
		var f kit.Facts
		f.Tell("failed", kit.Prose(s.Err.Error()), t.Bad)
		if traffic := s.Traffic(); traffic.Requests > 0 {
			f.Say("requests", fmt.Sprintf("%s, %s listed", phrase.Count(traffic.Requests), phrase.Units(traffic.Listed, "names")))
		}
		if who := s.Identity(s.Location); who != "" {
			f.Say("identity", kit.Safe(who))
		}
		f.Say("likely", failureOf(s).likely)
		lines := f.Lines(t, w)
		if checkpoint.Why(s.Err) == "denied" {
			lines = append(lines, phrase.Wrap("This says nothing about the rights of the job itself.", w)...)
		}
		return append(lines, phrase.Wrap("Nothing is known about the checkpoint.", w)...)
	}}
}

// retry is what to do about a location that could not be opened.
func (o *model) retry() *kit.Panel {
	s, t := o.Session, &o.Session.Theme
	return &kit.Panel{ID: stepsID, Title: "What to do", Right: t.Dim.Styled(s.FirstKey(kit.Keys.Copy) + " copies"), Text: func(w int) []string {
		return t.Draw(w, failureOf(s).asSteps())
	}}
}

// unanswered is the three questions of a checkpoint of which nothing could be read.
func (o *model) unanswered() *kit.Panel {
	return &kit.Panel{ID: questionsID, Title: "Three questions", Rank: 2, Text: func(w int) []string {
		t, line := &o.Session.Theme, ""
		for i := range page.QuestionNames {
			line += t.Paint(phrase.Open, "?") + " " + o.answer(i, w).asks + "  "
		}
		return []string{phrase.Cut(line+" unknown: no file could be read", w)}
	}}
}

func (f failure) asSteps() page.Steps {
	steps := page.Steps{Never: f.never}
	for _, text := range f.steps {
		steps.Items = append(steps.Items, page.Step{Do: text})
	}
	return steps
}

// stepsOf are the steps of what is known now.
func stepsOf(s *kit.Session) page.Steps {
	if s.Checkpoint == nil && s.Err != nil {
		return failureOf(s).asSteps()
	}
	steps := page.StepsOf(&s.Verdict.Advice)
	for i := range steps.Items {
		for _, of := range kit.Wants {
			if s.Answer != nil { // here the command of that name is nearer than the flag
				steps.Items[i].Do = strings.ReplaceAll(steps.Items[i].Do, "--"+of.Command, ":"+of.Command)
			}
		}
	}
	return steps
}
