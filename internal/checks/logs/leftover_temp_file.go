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
)

var LeftoverTempFile = &checks.Check{
	Code:     "leftover-temp-file",
	Severity: checks.Low,
	Question: checks.Intact,
	Title:    "a temporary file was never renamed",
	Meaning: `Spark writes a log file under a temporary name and renames it. This one was written and not renamed: the run was
killed between the two, or the storage refused the rename; or a run is writing it at this moment. Spark never reads such a
file, so it does no harm.`,
	NextStep: `Restart as if it were not there. If the query ended with a failed rename, look into the errors of the storage. The
file may stay.`,
	Avoid: `Do not rename it into place: the batch in it was never part of the log.`,
	Run:   runLeftoverTempFile,
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
			text := fmt.Sprintf("%s, %d bytes", name, e.Size)
			if n.ID >= 0 {
				text += fmt.Sprintf("; %s/%d is %s", d.Name, n.ID, map[bool]string{true: "there too", false: "not there"}[d.Find(n.ID) != nil])
			}
			if age := p.Now.Sub(e.Modified); !e.Modified.IsZero() && age > time.Minute {
				text += fmt.Sprintf("; written %s ago", age.Round(time.Second))
			}
			p.Reportf(n.ID, decode.Where{File: name}, "%s", text)
		}
	}
	leftInState(p)
	for _, e := range p.Root.Entries {
		if !e.Dir && log.ParseName(e.Name).Role == log.Temp {
			p.Reportf(-1, decode.Where{File: e.Name}, "%s, %d bytes", e.Name, e.Size)
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
			Meaning: `A task writes a state file under a temporary name and renames it. This was written and not renamed: the task was
killed, or another attempt of it was faster; or a task is writing it at this moment. Spark never reads such a file.`,
			NextStep: `Restart as if it were not there. The file may stay.`,
			Avoid:    `Do not rename it into place.`})
	}
}
