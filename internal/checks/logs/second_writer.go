package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var SecondWriter = &checks.Check{
	Code:     "second-writer",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.TwoWriters,
	Banner:   "two runs of this query write here",
	Short:    "two runs write here",
	Title:    "two runs of the query wrote to this checkpoint",
	Meaning: `A run plans each batch once. The run that wrote the log cannot have written this offset file too, so a second
run used this checkpoint. Likely causes: an old driver that was still active, two jobs with one checkpointLocation, or a copy
that continued separately. Both runs may have written rows to the sink.`,
	NextStep: `Find every run of this query and stop all but one, before anything else. Then restart that one: it re-runs the
newest uncommitted batch with its recorded offsets. Check the sink for rows the other run wrote.`,
	Avoid: `Do not delete the offset file or rename a temporary file over it: Spark would run the batch with other offsets. Do
not start a new checkpoint.`,
	Run: runSecondWriter,
	Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(before, b *checkpoint.Batch) { wentBack(p, before, b) }}
	},
}

// rivalsRead is how many temporary files of batches that are planned are read, newest names first.
const rivalsRead = 50

// rival is a temporary plan of a batch that is planned too.
type rival struct {
	name string // within the checkpoint
	id   int64  // of the batch
	text string // how it contradicts the plan in the log; "" where it may be an earlier attempt at it
}

// rivals reads the temporary plans whose batch is in the offset log as well.
func rivals(ctx context.Context, p *checks.Pass) ([]rival, error) {
	var all []rival
	for i := len(p.Offsets.Others) - 1; i >= 0 && len(all) < rivalsRead; i-- {
		e := p.Offsets.Others[i]
		n := log.ParseName(e.Name)
		if e.Dir || n.Role != log.Temp || p.Offsets.Find(n.ID) == nil {
			continue
		}
		name := path.Join("offsets", e.Name)
		data, err := readLog(ctx, p, name)
		if err != nil {
			return all, err
		}
		if data == nil {
			continue
		}
		b, err := p.Batch(ctx, n.ID)
		if err != nil {
			return all, err
		}
		all = append(all, rival{name, n.ID, contradicts(b.Plan, log.ParsePlan(name, data, nil))})
	}
	return all, nil
}

func runSecondWriter(ctx context.Context, p *checks.Pass) error {
	all, err := rivals(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.text != "" {
			p.Reportf(r.id, decode.Where{File: r.name}, "%s is a second offset file for batch %d: %s", r.name, r.id, r.text)
		}
	}
	return secondCommits(ctx, p)
}

// secondCommits tells the temporary commits of batches that are committed too. They show less than two plans do: a run that was
// killed before the rename and started again leaves one as well.
func secondCommits(ctx context.Context, p *checks.Pass) error {
	read := 0
	for i := len(p.Commits.Others) - 1; i >= 0 && read < rivalsRead; i-- {
		e := p.Commits.Others[i]
		n := log.ParseName(e.Name)
		if e.Dir || n.Role != log.Temp || p.Commits.Find(n.ID) == nil {
			continue
		}
		read++
		temp, name := path.Join("commits", e.Name), basics.LogName(&p.Commits, n.ID)
		a, err := readLog(ctx, p, temp)
		if err != nil {
			return err
		}
		b, err := readLog(ctx, p, name)
		if err != nil {
			return err
		}
		if len(a) == 0 || len(b) == 0 {
			continue // not written to its end, or gone meanwhile
		}
		same := "is equal to"
		if !bytes.Equal(a, b) {
			same = "differs from"
		}
		p.Report(checks.Finding{Severity: checks.Medium, Batch: n.ID, Where: decode.Where{File: temp},
			Title:    "two runs may have committed the same batch",
			Evidence: fmt.Sprintf("%s is a second commit file for batch %d: it %s %s", temp, n.ID, same, name),
			Meaning: `A run writes the commit of a batch once and renames it. Two runs at once, one of which was refused the
rename, may have left this file. It does not prove them: a run killed before the rename and started again leaves the same
file. So does a store that renames by copying. Two different offset files of one batch would prove it.`,
			NextStep: fmt.Sprintf(`Make sure at most one run of the query is active. Check the driver logs for two run IDs at
the time of batch %d. If you find two: check the sink for rows of this batch written twice.`, n.ID),
			Avoid: `Do not rename the temporary file over the commit or delete the commit: Spark could re-run the batch.`})
	}
	return nil
}

// readLog reads one log file; nil where it is gone, or could not be read, which is noted.
func readLog(ctx context.Context, p *checks.Pass, name string) ([]byte, error) {
	data, _, err := ReadNoted(ctx, p, name, log.Limit)
	return data, err
}

// ReadNoted reads a file of up to limit bytes. ok is false where it is gone, or could not be read, which is noted; an error means that
// nothing more will be read.
func ReadNoted(ctx context.Context, p *checks.Pass, name string, limit int64) (data []byte, ok bool, err error) {
	data, err = p.Read(ctx, name, limit)
	switch {
	case checkpoint.Stopped(err):
		return nil, false, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		p.Unread(checkpoint.Unread{Name: name, Err: err})
		return nil, false, nil
	}
	return data, true, nil
}

// contradicts says how a temporary plan cannot be an earlier attempt of the run that wrote the plan
// in the log: it was made after that one, or it ends further on. A run that was killed before the
// rename and started again leaves an older one that does not end further on. "" where nothing shows.
func contradicts(plan, temp *log.Plan) string {
	if plan == nil || !plan.HasMetadata || !temp.HasMetadata || len(plan.Sources) != len(temp.Sources) {
		return ""
	}
	var ends []string
	differ, further := false, false
	for i := range plan.Sources {
		differ = differ || plan.Sources[i].Raw != temp.Sources[i].Raw
		for _, r := range source.Ranges(plan.Sources[i], temp.Sources[i]) {
			if r.From == nil || r.To == nil {
				continue
			}
			c, ordered := r.From.Compare(*r.To)
			if !ordered || c == 0 {
				continue
			}
			further = further || c < 0
			text := strings.TrimSpace(fmt.Sprintf("%s ends at %s in this file and at %s in the log", r.Part, r.To.Text, r.From.Text))
			if r.Counted {
				text += fmt.Sprintf(" (%+d)", r.Count)
			}
			if len(ends) < 4 {
				ends = append(ends, text)
			}
		}
	}
	later := temp.Timestamp - plan.Timestamp
	if plan.Timestamp == 0 || temp.Timestamp == 0 {
		later = 0
	}
	if later < 0 || !differ || later == 0 && !further {
		return ""
	}
	texts := ends
	if later > 0 {
		texts = append([]string{fmt.Sprintf("it was planned %d ms after the one in the log (%s)", later, basics.Stamp(temp.Timestamp))}, ends...)
	}
	return strings.Join(texts, "; ")
}

// wentBack finds a batch that was planned before the one before it and ends lower: it belongs to the
// history of another run. Either alone has other causes: a clock that was set, a topic created again.
func wentBack(p *checks.Pass, before, b *checkpoint.Batch) {
	if before == nil || before.Plan == nil || b.Plan == nil || before.Timestamp() == 0 || b.Timestamp() == 0 ||
		b.Timestamp() >= before.Timestamp() || len(before.Plan.Sources) != len(b.Plan.Sources) {
		return
	}
	for i := range b.Plan.Sources {
		for _, r := range source.Ranges(before.Plan.Sources[i], b.Plan.Sources[i]) {
			if r.From == nil || r.To == nil {
				continue
			}
			if c, ok := r.From.Compare(*r.To); ok && c > 0 {
				p.Report(checks.Finding{Severity: checks.Critical, Batch: b.ID, Where: b.Plan.Sources[i].Where,
					Evidence: fmt.Sprintf("batch %d was planned at %s, %s before batch %d; %s ends at %s in it, and at %s in the batch before", b.ID, basics.Stamp(b.Timestamp()),
						basics.Duration(before.Timestamp()-b.Timestamp()), before.ID, partName(i, r.Part), r.To.Text, r.From.Text),
					Meaning: `Spark plans a batch after the one before it and continues from its end offsets. This batch is
older and ends lower, so it belongs to another history of the query. Likely causes: a second run on this checkpoint, or files
of an older copy put over newer ones. Records between the two offsets were read twice or skipped.`,
					NextStep: `Find every run of this query and stop all but one, before anything else. Then find out which
history the sink has, before a restart continues from the lower offsets.`,
					Avoid: `Do not delete batches from the logs before you know which ones the sink has: their rows could be
lost or repeated.`})
				return
			}
		}
	}
}

// partName names a part of source i; the whole source where it has only one.
func partName(i int, part string) string {
	if part == "" {
		return fmt.Sprintf("source %d", i)
	}
	return part
}
