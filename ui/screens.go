package ui

import (
	"tidemark/ui/kit"
	"tidemark/ui/screen/batch"
	"tidemark/ui/screen/batches"
	"tidemark/ui/screen/compare"
	"tidemark/ui/screen/drift"
	"tidemark/ui/screen/explain"
	"tidemark/ui/screen/file"
	"tidemark/ui/screen/files"
	"tidemark/ui/screen/findings"
	"tidemark/ui/screen/help"
	"tidemark/ui/screen/outputs"
	"tidemark/ui/screen/overview"
	"tidemark/ui/screen/plan"
	"tidemark/ui/screen/question"
	"tidemark/ui/screen/replay"
	"tidemark/ui/screen/rows"
	"tidemark/ui/screen/sources"
	"tidemark/ui/screen/start"
	"tidemark/ui/screen/state"
)

// The list of all that the explorer can do, in the order in which help has it. A screen is one line here.

// specs are the rows of the list as they are written: first and choose are what is shown where a checkpoint is
// opened, and where one is chosen; placeSpec is what a line opens that begins with no command.
var (
	first, choose, placeSpec = overview.Spec, start.Spec, file.Place

	specs = flat([]kit.Spec{
		overview.Spec,
		batches.Spec,
		batch.Spec,
		compare.Spec,
		state.Spec,
		rows.Spec,
		findings.Spec,
		drift.Spec,
		replay.Spec,
		sources.Spec,
		outputs.Spec,
		plan.Spec,
		files.Spec,
		file.Spec,
		question.Spec,
		explain.Spec,
		{Command: "mark", Does: "bookmark this view", Key: kit.Keys.Bookmark, Do: kit.Always(bookmarkView{})},
		{Command: "bookmarks", Does: "list bookmarks", Key: kit.Keys.Bookmarks, Do: kit.Always(listBookmarks{})},
		{Command: "open", Args: "LOCATION", Need: true, Whole: true, Anywhere: true, Does: "open another checkpoint or a folder of them", Do: openLocation},
		start.Spec,
		help.Spec,
		{Command: "quit", Anywhere: true, Does: "quit", Do: kit.Always(quit{})},
	})
)

// What rows ask for that no screen does.
type (
	bookmarkView  struct{}
	listBookmarks struct{}
	leaveFor      struct{ location string }
	quit          struct{}
)

// flat lists each row, and after it the other commands of its screen; at the end the rows of kit.Wants, which ask for what a
// verdict was not told.
func flat(rows []kit.Spec) []kit.Spec {
	var all []kit.Spec
	for _, r := range rows {
		all = append(append(all, r), r.Also...)
	}
	return append(all, wantedRows()...)
}
