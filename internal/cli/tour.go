package cli

import (
	"context"
	"slices"
	"time"

	"tidemark/ui"
	"tidemark/ui/kit"
)

// chapters returns the tour, in its order: an example, a clock that fits it, and what to look at.
func chapters() []kit.Chapter {
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
	}
	example := func(name string) kit.Choice { return kit.Choice{Label: name} }
	return []kit.Chapter{
		{Choice: example("uncommitted"), Now: at(11, 29, 14, 51), Steps: []kit.Step{
			{View: "overview", Key: "B", Text: "The driver was killed while batch 3 ran. The answer stands here without a key: a start runs batch 3 again, and reads these ranges."},
			{View: "batches", Key: "enter", Text: "Every batch, newest first: planned, committed, how much it reads. Batch 3 has a plan and no commit. What is missing has a line of its own."},
			{View: "batch 3", Key: "F", Text: "What the batch reads, part by part, and its files as they are written: beside it, or where there is room for one only, behind tab."},
			{View: "findings", Text: "A finding says what is there, what that means for the query, what to do next, and what to leave alone."},
		}},
		{Choice: example("offset-gap"), Now: at(5, 20, 0, 5), Steps: []kit.Step{
			{View: "overview", Key: "B", Text: "This query does not start any more. The line at the top has it on every screen: refuses, at which batch, in Spark's own words."},
			{View: "batches", Key: "F", Text: "The gap is drawn where it is: no file of batch 113258, neither in offsets nor in commits, between two that are there."},
			{View: "findings", Key: "1", Text: "Of all that was found the worst stands first. Enter on one opens the file that it is about, at the byte."},
			{View: "question 1", Text: "Why intact is no: what speaks against it, and what was not looked at. 2 and 3 open the other questions."},
		}},
		{Choice: example("lost-state"), Now: at(3, 2, 10, 32), Steps: []kit.Step{
			{View: "overview", Key: "1", Text: "The logs are whole, and still the start fails: one partition of the state cannot be rebuilt."},
			{View: "question 1", Key: "S", Text: "Why, and the ways back, cheapest first: which files, and which batches would run again."},
			{View: "state", Key: "T", Text: "Every store, and the chain of files that its version is built from. That of partition 1 has a hole. Enter shows the rows of a store."},
			{View: "tree", Text: "All files, in Spark's words for each. Enter opens one, x shows its bytes."},
		}},
		{Choice: example("two-writers"), Now: at(3, 5, 2, 10), Steps: []kit.Step{
			{View: "overview", Key: "F", Text: "Two runs of one query wrote to this checkpoint. Files left behind give it away."},
			{View: "findings", Text: "Evidence is quoted as it is recorded, with its file. ? lists the keys, : goes anywhere, q leaves."},
		}},
	}
}

// tour guides through the examples, or through the one of that name.
func (a *app) tour(_ context.Context, all []example, name string) error {
	if !a.interactive() || a.plainWanted() {
		return usageError("--tour: it is shown on a terminal that can be drawn on; demo NAME and demo NAME --plain need none")
	}
	tour := chapters()
	for i := range tour {
		e, err := chooseExample(all, tour[i].Label)
		if err != nil {
			return err
		}
		tour[i].Location, tour[i].Open = demoPrefix+e.name, a.exampleOpener(e)
	}
	if name != "" {
		tour = slices.DeleteFunc(tour, func(c kit.Chapter) bool { return c.Label != name })
	}
	if len(tour) == 0 {
		return usageError("--tour: there is none of %s", name)
	}
	o := a.uiOptions()
	o.Tour, o.Memory = tour, nil // an example is nothing to remember
	o.Location, o.Open = tour[0].Location, tour[0].Open
	return ui.Run(a.life, o)
}
