package availability

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/source"
	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/delta"
)

// A Delta source reads the commits of a table from its position on. Two clocks decide whether it can: commits are
// kept for delta.logRetentionDuration (30 days unless set), and files that a later commit removed from the table,
// until VACUUM deletes them, for delta.deletedFileRetentionDuration (7 days unless set). So the log may be whole and
// the data gone. A file that no commit removed cannot have been vacuumed, and is not looked for.

const (
	deltaCommits = 100    // commits that are read from the position on
	deltaFiles   = 100    // removed files that are looked for
	deltaHeld    = 100000 // files that are kept in memory
	deltaBack    = 16     // commits that are read from the newest back for the id of the table

	logRetention  = 30 * 24 * time.Hour
	fileRetention = 7 * 24 * time.Hour
)

// deltaLook is one look at a table.
type deltaLook struct {
	ctx   context.Context
	files tablelog.Files
	log   *delta.Log
	r     *SourceProgress
	s     *Source

	at       source.Position // where the batch begins: a version, and the last file of it that was read
	begins   bool            // at is recorded
	asked    int64           // the version from which a start asks for the newest plan once more; -1 where that is not recorded
	newest   source.Position // where the newest plan ends
	snapshot bool            // at, or the end of the first batch, lies inside the first snapshot of the table
	head     int64           // the newest version
	meta     *delta.Metadata
}

func askDelta(ctx context.Context, f tablelog.Files, r *SourceProgress, s *Source) error {
	d := &deltaLook{ctx: ctx, files: f, r: r, s: s, asked: -1}
	d.place()
	if err := d.list(); err != nil {
		return err
	}
	if d.head = d.log.Head(); d.head < 0 {
		return fmt.Errorf("no Delta table at %s: no commit is in %s", f.String(), delta.Folder)
	}
	if err := d.metadata(); err != nil {
		return err
	}
	if d.meta == nil {
		s.Unseen = append(s.Unseen, "the table ID was not found in the newest commits or in a checkpoint")
	} else if s.TableID = d.meta.ID; !strings.EqualFold(d.meta.ID, d.identity()) && d.identity() != "" {
		d.bounds(d.head)
		return nil // another table: its versions mean nothing here
	}
	d.versions()
	if f := d.log.Flaw(); f != nil {
		d.stop(Stop{Error: f.Error, Opening: true, Because: fmt.Sprintf("the table log lacks %s, so Delta cannot rebuild version %d, the newest", span("version", f.First, f.Last), d.head)})
	}
	return d.pending()
}

// identity returns the id of the table that was read.
func (d *deltaLook) identity() string {
	if d.r.To.None {
		return d.r.From.Identity()
	}
	return d.r.To.Identity()
}

// place finds where the batch begins.
func (d *deltaLook) place() {
	o := d.r.From
	if o.None {
		o = d.r.To
	}
	if len(o.Parts) == 0 {
		return
	}
	d.at, d.begins = o.Parts[0].Position, !d.r.From.None
	_, d.snapshot = o.Snapshot()
	d.newest = d.at
	if !d.r.To.None && len(d.r.To.Parts) > 0 {
		d.newest = d.r.To.Parts[0].Position
	}
	if p := d.r.Prior; !p.None && len(p.Parts) > 0 && p.Parts[0].Position.Num <= d.at.Num {
		d.asked = p.Parts[0].Position.Num
	}
}

// list lists the log from where the batch begins; all of it where the first snapshot is needed, or where the log does
// not reach that far.
func (d *deltaLook) list() (err error) {
	from := d.at.Num
	if d.asked >= 0 {
		from = min(from, d.asked)
	}
	if d.snapshot || !d.begins {
		from = 0
	}
	if from > 0 {
		from-- // the version before shows that a table which is caught up is the same
	}
	if d.log, err = delta.List(d.ctx, d.files, from); err != nil || len(d.log.Commits) > 0 || from == 0 {
		return err
	}
	d.log, err = delta.List(d.ctx, d.files, 0)
	return err
}

// metadata finds what the table is: in the newest checksum file, in the newest commits, or in a checkpoint.
func (d *deltaLook) metadata() error {
	sum, err := d.log.ReadChecksum(d.ctx, d.head)
	if err != nil {
		return err
	}
	if sum != nil && sum.Metadata != nil {
		d.meta = sum.Metadata
		return nil
	}
	for v := d.head; v >= d.log.From && v > d.head-deltaBack; v-- {
		if err := d.described(d.log, v); err != nil || d.meta != nil {
			return err
		}
	}
	log := d.log
	if log.Checkpoint() == nil && log.From > 0 {
		if log, err = delta.Open(d.ctx, d.files); err != nil {
			return err
		}
	}
	if log.Checkpoint() == nil { // then the log goes back to the first commit, which describes the table
		return d.described(log, 0)
	}
	state, err := log.ReadCheckpoint(d.ctx, log.Checkpoint())
	if state != nil {
		d.meta = state.Metadata
	}
	if undecoded(err) {
		d.s.Unseen = append(d.s.Unseen, err.Error())
		return nil
	}
	return err
}

// described takes the description of the table from a commit that has one.
func (d *deltaLook) described(log *delta.Log, v int64) error {
	return d.actions(log, v, func(a delta.Action) (err error) {
		if a.Name == "metaData" {
			d.meta, err = a.Metadata()
		}
		return err
	})
}

// actions reads a commit, if it is there. Lines that do not parse are told, and passed over.
func (d *deltaLook) actions(log *delta.Log, v int64, each func(delta.Action) error) error {
	c := log.Commit(v)
	if c == nil {
		return nil
	}
	for a, err := range log.Actions(d.ctx, c.Name) {
		if err == nil {
			err = each(a)
		}
		switch {
		case undecoded(err):
			d.s.Unseen = append(d.s.Unseen, err.Error())
		case err != nil:
			return err
		}
	}
	return nil
}

// bounds are the versions that can be read: from the first on up to the newest.
func (d *deltaLook) bounds(first int64) {
	p := Part{Earliest: versionAt(first)}
	if d.log.Staged {
		d.s.Facts = append(d.s.Facts, fmt.Sprintf("version %d is the newest in the folder; only a catalog may know newer ones", d.head))
	} else {
		p.Latest = versionAt(d.head + 1)
	}
	d.s.Parts = []Part{p}
}

func versionAt(v int64) *source.Position {
	return &source.Position{Text: strconv.FormatInt(v, 10), Order: source.Number, Num: v}
}

// versions holds the commits against those that the batch reads.
func (d *deltaLook) versions() {
	first := d.at.Num
	if d.snapshot {
		d.rebuild()
		first++ // the changes begin behind the snapshot
	}
	there := []int64{}
	for i := range d.log.Commits {
		if v := d.log.Commits[i].Version; v >= first {
			there = append(there, v)
		}
	}
	switch {
	case len(there) == 0 && first <= d.head: // only a checkpoint is left
		d.bounds(d.head + 1)
		return
	case len(there) == 0:
		d.bounds(d.at.Num)
		if d.log.Staged {
			return
		}
		d.s.Facts = append(d.s.Facts, fmt.Sprintf("version %d, the newest, is read: the query has no new version to read", d.head))
		return
	case d.snapshot && there[0] == first:
		d.bounds(d.at.Num)
	default:
		d.bounds(there[0])
	}
	for i := 1; i < len(there); i++ {
		if before := there[i-1]; there[i] > before+1 {
			d.s.Missing = append(d.s.Missing, MissingItem{Of: "version", What: span("version", before+1, there[i]-1) + " of the log",
				Why: fmt.Sprintf("the commits %d and %d exist", before, there[i]), Batch: d.r.Batch})
		}
	}
	d.kept(there[0])
}

// rebuild looks whether the version of the first snapshot can still be put together.
func (d *deltaLook) rebuild() {
	base := int64(-1)
	for _, c := range d.log.Checkpoints {
		if c.Version <= d.at.Num {
			base = c.Version
		}
	}
	for v := base + 1; v <= d.at.Num; v++ {
		if d.log.Commit(v) == nil {
			d.s.Missing = append(d.s.Missing, MissingItem{Of: "version", What: fmt.Sprintf("version %d of the table", d.at.Num),
				Why: fmt.Sprintf("the batch is inside the table's first snapshot, and neither a checkpoint up to it nor commit %d exists", v), Batch: d.r.Batch})
			return
		}
	}
	d.s.Unseen = append(d.s.Unseen, fmt.Sprintf("not checked: which files of version %d, the first snapshot, remain to be read, and whether they exist", d.at.Num))
}

// kept is until when the first commit of the batch stays in the log.
func (d *deltaLook) kept(first int64) {
	if d.setting("delta.enableExpiredLogCleanup") == "false" {
		return
	}
	if c := d.log.Commit(first); c != nil && c.Modified > 0 {
		d.s.Parts[0].Written, d.s.Parts[0].Retention = c.Modified, d.duration("delta.logRetentionDuration", logRetention)
	}
}

func (d *deltaLook) setting(name string) string {
	if d.meta == nil {
		return ""
	}
	return strings.ToLower(d.meta.Configuration[name])
}

func (d *deltaLook) duration(name string, usual time.Duration) time.Duration {
	if text := d.setting(name); text != "" {
		t, ok := delta.Interval(text)
		if !ok {
			return 0
		}
		return t
	}
	return usual
}

// end returns the last version that the batch reads files of, and the last of its files; all of the newest where the batch
// is not planned.
func (d *deltaLook) end() (version, index int64) {
	if d.r.To.None || len(d.r.To.Parts) == 0 {
		return d.head, 1 << 62
	}
	to := d.r.To.Parts[0].Position
	return to.Num, to.Sub
}

// reads reports whether the batch reads this file.
func (d *deltaLook) reads(version, index int64) bool {
	last, lastIndex := d.end()
	after := cmp.Or(cmp.Compare(version, d.at.Num), cmp.Compare(index, d.at.Sub)) > 0
	return after && cmp.Or(cmp.Compare(version, last), cmp.Compare(index, lastIndex)) <= 0
}
