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
			{View: "overview", Key: "B", Text: "The driver was killed while batch 3 ran. The banner shows the answer: a restart re-runs batch 3 with these offsets."},
			{View: "batches", Key: "enter", Text: "Every batch, newest first: planned, committed, how much it reads. Batch 3 is not committed. Missing batches have their own line."},
			{View: "batch 3", Key: "F", Text: "What the batch reads from each partition, and its files. On a narrow screen, tab switches between the two."},
			{View: "findings", Text: "A finding shows the evidence, its meaning for the query, the next step, and what never to do."},
		}},
		{Choice: example("offset-gap"), Now: at(5, 20, 0, 5), Steps: []kit.Step{
			{View: "overview", Key: "B", Text: "This query will not start. The banner shows it on every screen: at which batch it fails, and why."},
			{View: "batches", Key: "F", Text: "The gap has its own line: batch 113258 has no file in offsets or commits."},
			{View: "findings", Key: "1", Text: "The worst finding is first. Enter opens its file at the right byte."},
			{View: "question 1", Text: "Why the checkpoint is not intact: the evidence, and what was not checked. 2 and 3 open the other questions."},
		}},
		{Choice: example("lost-state"), Now: at(3, 2, 10, 32), Steps: []kit.Step{
			{View: "overview", Key: "1", Text: "The logs are intact, but the start fails: one state partition cannot be rebuilt."},
			{View: "question 1", Key: "S", Text: "Why, and the ways to recover, cheapest first: which files, and which batches Spark would re-run."},
			{View: "state", Key: "T", Text: "Every state store, and the files its version is built from. In partition 1 one is missing. Enter shows the rows of a store."},
			{View: "tree", Text: "All files, with their Spark names. Enter opens one, x shows its bytes."},
		}},
		{Choice: example("two-writers"), Now: at(3, 5, 2, 10), Steps: []kit.Step{
			{View: "overview", Key: "F", Text: "Two runs of one query wrote to this checkpoint. Leftover files prove it."},
			{View: "findings", Text: "Evidence is quoted from its file. ? lists the keys, : goes anywhere, Q quits."},
		}},
	}
}

// tour guides through the examples, or through the one of that name.
func (a *app) tour(_ context.Context, all []example, name string) error {
	if !a.interactive() || a.plainWanted() {
		return usageError("--tour needs a terminal with cursor control; demo NAME and demo NAME --plain do not")
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
		return usageError("--tour: no tour of %s", name)
	}
	o := a.uiOptions()
	o.Tour, o.Memory = tour, nil // an example is nothing to remember
	o.Location, o.Open = tour[0].Location, tour[0].Open
	return ui.Run(a.life, o)
}
