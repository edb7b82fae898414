package cli

import (
	"context"
	"slices"
	"time"

	"tidemark/ui"
	"tidemark/ui/kit"
)

// chapters returns the tour, in its order: examples, each with a clock that fits it, and its steps.
func chapters() []kit.Chapter {
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
	}
	example := func(name string) kit.Choice { return kit.Choice{Label: name} }
	return []kit.Chapter{
		{Choice: example("uncommitted"), Now: at(11, 29, 14, 51), Steps: []kit.Step{
			{View: "overview", Key: "B", Text: "The driver stopped while batch 3 ran. The banner has the answer: a restart re-runs batch 3 with its recorded offsets."},
			{View: "batches", Key: "enter", Text: "Every batch, newest first. Batch 3 is uncommitted: offsets/3 exists, commits/3 does not. Missing batches are rows too."},
			{View: "batch 3", Key: "F", Text: "What batch 3 reads of each partition, and its files. The left and right arrows go one batch back and forward, on every screen."},
			{View: "findings", Text: "A finding: what the files show, what it means for the query, what to do, and what never to do."},
		}},
		{Choice: example("offset-gap"), Now: at(5, 20, 0, 5), Steps: []kit.Step{
			{View: "overview", Key: "B", Text: "This query cannot restart. The banner stays on every screen: what Spark will do, at which batch, and why."},
			{View: "batches", Key: "F", Text: "The gap is a red row: batch 113258 has no file in offsets or commits. The batches before and after it have theirs."},
			{View: "findings", Key: "1", Text: "Findings, worst first. enter opens the file of a finding, at the byte."},
			{View: "question 1", Text: "Why the checkpoint is not intact, and what was not checked. 2 and 3 explain the other two answers."},
		}},
		{Choice: example("lost-state"), Now: at(3, 2, 10, 32), Steps: []kit.Step{
			{View: "overview", Key: "1", Text: "The logs are intact, but the restart will fail: Spark cannot rebuild one state partition."},
			{View: "question 1", Key: "S", Text: "Why, and how to recover, cheapest way first: which files you need, and which batches Spark would re-run."},
			{View: "state", Key: "T", Text: "Each state partition with the files its version is rebuilt from. Partition 1 lacks 24.delta. enter shows the rows of a partition."},
			{View: "tree", Text: "All files, and what Spark writes in each. enter opens a file; there, x shows it as text, then as bytes."},
		}},
		{Choice: example("two-writers"), Now: at(3, 5, 2, 10), Steps: []kit.Step{
			{View: "overview", Key: "F", Text: "Two runs of the same query wrote to this checkpoint. Each run left its own files."},
			{View: "findings", Text: "Each finding names the file and the place that prove it. ? lists the keys, : opens a batch, a file or a screen."},
		}},
	}
}

// tour guides through the examples, or through the one of that name.
func (a *app) tour(_ context.Context, all []example, name string) error {
	if !a.interactive() || a.plainWanted() {
		return usageError("--tour needs a terminal: use demo NAME or demo NAME --plain without one")
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
		return usageError("--tour: %s has no tour", name)
	}
	o := a.uiOptions()
	o.Tour, o.Memory = tour, nil // examples are not remembered
	o.Location, o.Open = tour[0].Location, tour[0].Open
	return ui.Run(a.life, o)
}
