package logs

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

var LeftoverTempFile = &checks.Check{
	Code:     "leftover-temp-file",
	Severity: checks.Low,
	Question: checks.Intact,
	Title:    "a temporary file was never renamed",
	Meaning: `Spark writes a log file under a temporary name, then renames it. This one was not renamed: the run was killed,
the storage refused the rename, or a run is writing it now. Spark never reads such a file, so it does no harm.`,
	NextStep: `Restart as usual; the file may stay. If the query ended with a failed rename: check the errors of the storage.`,
	Avoid:    `Do not rename it into place: its batch was never part of the log.`,
	Run:      runLeftoverTempFile,
}

func runLeftoverTempFile(ctx context.Context, p *checks.Pass) error {
	told := map[string]bool{} // by second-writer
	all, err := rivals(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range all {
		told[r.name] = r.text != ""
	}
	for _, d := range slices.Concat([]checkpoint.LogDir{p.Offsets, p.Commits}, p.Survey.Sources) {
		for _, e := range d.Others {
			n := log.ParseName(e.Name)
			name := path.Join(d.Name, e.Name)
			if e.Dir || n.Role != log.Temp || told[name] {
				continue
			}
			text := name + ", " + phrase.Bytes(e.Size)
			if n.ID >= 0 {
				text += fmt.Sprintf("; %s/%d %s", d.Name, n.ID, map[bool]string{true: "exists too", false: "is missing"}[d.Find(n.ID) != nil])
			}
			if age := p.Now.Sub(e.Modified); !e.Modified.IsZero() && age > time.Minute {
				text += fmt.Sprintf("; written %s ago", phrase.Span(age.Milliseconds()))
			}
			p.Reportf(n.ID, decode.Where{File: name}, "%s", text)
		}
	}
	leftInState(p)
	for _, e := range p.Root.Entries {
		if !e.Dir && log.ParseName(e.Name).Role == log.Temp {
			p.Reportf(-1, decode.Where{File: e.Name}, "%s, %s", e.Name, phrase.Bytes(e.Size))
		}
	}
	return nil
}

// leftInState tells the temporary files of each operator in one finding: a crash leaves one in many
// partitions at once.
func leftInState(p *checks.Pass) {
	for _, op := range p.Survey.State {
		var first string
		count, batch := 0, int64(-1)
		for _, part := range op.Partitions {
			for _, s := range part.Stores {
				for _, e := range s.Others {
					n := log.ParseName(e.Name)
					if e.Dir || n.Role != log.Temp && !strings.HasPrefix(e.Name, "temp-") {
						continue
					}
					if count++; count == 1 {
						first = path.Join(s.Dir, e.Name)
						batch = max(n.ID-1, -1)
					}
				}
			}
		}
		if count == 0 {
			continue
		}
		text := first
		if count > 1 {
			text += fmt.Sprintf(" and %d more in %s", count-1, op.Dir)
		}
		p.Report(checks.Finding{Severity: checks.Low, Batch: batch, Where: decode.Where{File: first}, Evidence: text,
			Meaning: `A task writes a state file under a temporary name, then renames it. This one was not renamed: the task
was killed, another attempt was faster, or a task is writing it now. Spark never reads such a file.`,
			NextStep: `Restart as usual; the file may stay.`,
			Avoid:    `Do not rename it into place: it was never part of the state.`})
	}
}
