package ui

// The list of all that the explorer can do, in the order in which help has it. A screen is one line here.

// specs are the rows of the list as they are written: first and choose are what is shown where a checkpoint is
// opened, and where one is chosen; placeSpec is what a line opens that begins with no command.
var (
	first, choose, placeSpec = overviewSpec, startSpec, bytesPlace

	specs = flat([]Spec{
		overviewSpec,
		timelineSpec,
		batchSpec,
		compareSpec,
		findingsSpec,
		stateSpec,
		rowsSpec,
		driftSpec,
		sourcesSpec,
		replaySpec,
		outputSpec,
		planSpec,
		filesSpec,
		bytesSpec,
		questionSpec,
		explainSpec,
		{command: "mark", does: "keep this view as a bookmark", key: keys.bookmark, do: always(bookmarkView{})},
		{command: "bookmarks", does: "the views that were marked", key: keys.bookmarks, do: always(listBookmarks{})},
		{command: "open", args: "LOCATION", need: true, whole: true, anywhere: true, does: "another checkpoint, or a folder that holds some", do: openLocation},
		startSpec,
		helpSpec,
		{command: "quit", anywhere: true, does: "leave", do: always(quit{})},
	})
)

// What rows ask for that no screen does.
type (
	bookmarkView  struct{}
	listBookmarks struct{}
	leaveFor      struct{ location string }
	quit          struct{}
)

// flat lists each row, and after it the other commands of its screen.
func flat(rows []Spec) []Spec {
	var all []Spec
	for _, r := range rows {
		all = append(append(all, r), r.also...)
	}
	return all
}
