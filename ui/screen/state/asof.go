package state

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

// The state stores as of another batch, to which ← and → went: the files of the version that it wrote. Spark deletes old
// versions, so one that cannot be rebuilt any more is no damage.

// past reports whether another version is shown than the one that a restart loads.
func (x *model) past() bool {
	return x.s.AsOf >= 0 && len(x.s.Verdict.Loads) > 0 && x.s.AsOf+1 != x.restartVersion()
}

// scrub goes to the batch after (negative: before) the one whose state is shown; after the newest one to now.
func (x *model) scrub(by int64) {
	if len(x.s.Verdict.Loads) == 0 {
		return
	}
	from := x.s.AsOf
	if from < 0 {
		from = x.restartVersion() - 1
	}
	if !x.s.Scrub(from, by) {
		return
	}
	x.moved = true
	x.goTo()
}

// goTo shows the version of the batch that is looked at, if it is not the one that is shown. Rows that were counted were those
// of the version before.
func (x *model) goTo() {
	if !x.built || x.shown == x.version() {
		return
	}
	x.counts.by = map[kit.StoreKey]*rowSum{}
	x.build()
	x.counts.total(x.rows, &x.held)
	x.arrange()
}

// pastMark says whether the files of an older version exist.
func (x *model) pastMark(r *storeRow) kit.StoreMark {
	t := &x.s.Theme
	switch {
	case r.load == nil:
		return kit.StoreMark{Symbol: "·", Words: "not loaded", Style: t.Dim}
	case r.store == nil || len(r.store.Files) == 0:
		return kit.StoreMark{Symbol: "·", Words: "no file", Style: t.Dim}
	case len(r.load.Missing) > 0:
		return kit.StoreMark{Symbol: "·", Words: missingWords(r), Style: t.Dim}
	case len(r.load.Empty) > 0:
		return kit.StoreMark{Symbol: "!", Words: fmt.Sprintf("%d empty", r.load.Empty[0].Version), Style: t.Warn}
	}
	return kit.StoreMark{Symbol: "·", Words: "files exist"}
}

// pastJudgement is what the files of a row say of an older version.
func (x *model) pastJudgement(r *storeRow) []string {
	l := r.load
	switch {
	case r.store == nil || len(r.store.Files) == 0:
		return []string{"This store has no state file of any version."}
	case len(l.Missing) > 0:
		return []string{fmt.Sprintf("Version %d cannot be rebuilt: version %d has no file.", l.Version, l.Missing[0].From),
			"Spark deletes old versions, so this is no damage. A restart loads another version."}
	case len(l.Empty) > 0:
		return []string{fmt.Sprintf("Version %d cannot be rebuilt: %s has no bytes.", l.Version, fileName(l.Empty[0]))}
	}
	return []string{x.equation(r, true), "The contents were not checked: a restart loads another version."}
}

// loads are the stores with the version that is shown.
func (x *model) loads() []checks.Load {
	if !x.past() {
		return x.s.Verdict.Loads
	}
	all := make([]checks.Load, 0, len(x.s.Verdict.Loads))
	for i := range x.s.Verdict.Loads {
		all = append(all, x.s.Verdict.Loads[i].At(x.s.AsOf+1))
	}
	return all
}
