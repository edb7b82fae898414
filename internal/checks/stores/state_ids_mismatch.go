package stores

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/logs"
)

var comparedStateIDs = checks.Comparison{Short: "state file IDs", One: "list of state file IDs in commits with the operators and partitions", Many: "lists of state file IDs in commits with the operators and partitions"}

var StateIDsMismatch = &checks.Check{
	Code:     "state-ids-mismatch",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Altered,
	OfState:  true,
	Rejudge:  true,
	Title:    "a commit does not name the state files of every partition",
	Meaning: `In checkpoint format 2 the names of state files contain IDs, and only the newest commit records which files count. It does
not match the existing operators and partitions. It was changed, or it belongs to another run. The first batch after a restart takes the
IDs from it.`,
	NextStep: basics.CopyFirst + `Put the commit back from a backup or object versions.`,
	Avoid:    `Do not write IDs by hand, and do not rename state files: nothing else records which of two files of a version counts.`,
	Walk:     walkStateIDs,
}

// walkStateIDs holds the ids in each commit against the folders of operators and the partitions that its plan pins.
func walkStateIDs(p *checks.Pass) checks.Walker {
	compared := 0
	return checks.Walker{
		Batch: func(_, b *checkpoint.Batch) {
			if b.Commit == nil || b.Commit.StateUniqueIDs == nil {
				return
			}
			compared++
			text, harmless := idsMismatch(p, b)
			if text == "" {
				return
			}
			f := checks.Finding{Severity: checks.Critical, Batch: b.ID, Where: decode.Where{File: b.Commit.File, Line: 2},
				Evidence: b.Commit.File + ": " + text}
			switch {
			case harmless:
				f.Severity = checks.Medium
				f.Meaning = `In checkpoint format 2 the names of state files contain IDs, and only the newest commit records which files
count. A start takes the IDs of the partitions in the offset file, and ignores the others. Either the commit or the offset file was
changed.`
			case b.ID != p.Commits.Last():
				f.Severity, f.Meaning = checks.Medium, logs.UnreadAtStart
				f.NextStep = `Nothing to do before a restart. Find out what changed the file: a newer one may be affected next.`
			}
			p.Report(f)
		},
		Done: func(bool) {
			p.Crosschecked(comparedStateIDs, compared)
		},
	}
}

// idsMismatch is what the ids of a commit say that cannot be; "" for nothing. A folder that is gone is told as state-empty. harmless: a start
// goes on.
func idsMismatch(p *checks.Pass, b *checkpoint.Batch) (text string, harmless bool) {
	ids := b.Commit.StateUniqueIDs
	seen := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(ids)) {
		i := slices.IndexFunc(p.Survey.State, func(op statestore.Operator) bool { return strconv.Itoa(op.ID) == key })
		if i < 0 {
			continue
		}
		op, parts := &p.Survey.State[i], ids[key]
		if n, pinned := pinnedIn(b); pinned && len(parts) != n && len(parts) != 1 {
			return fmt.Sprintf("it has IDs for %d partitions of %s, and its offset file records %d", len(parts), op.Dir, n), len(parts) > n
		}
		for j, stores := range parts {
			if len(stores) != len(parts[0]) || len(stores) == 0 {
				return fmt.Sprintf("it has %d IDs for partition %d of %s, and %d for partition 0", len(stores), j, op.Dir, len(parts[0])), false
			}
			for _, id := range stores {
				place := fmt.Sprintf("partition %d of %s", j, op.Dir)
				switch other, again := seen[id]; {
				case id == "":
					return fmt.Sprintf("it has an empty ID for %s", place), false
				case again:
					return fmt.Sprintf("it has the ID %.60q for %s and for %s", id, other, place), false
				}
				seen[id] = place
			}
		}
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if _, ok := ids[strconv.Itoa(op.ID)]; !ok && op.Metadata != nil {
			return fmt.Sprintf("it has no IDs for %s", op.Dir), false
		}
	}
	return "", false
}
