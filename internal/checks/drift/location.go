package drift

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/spec"
)

// location compares the folder of a file source with the files that its own log names. At a start the
// source is asked for the files of the newest batch once more, and FileStreamSource.getBatch refuses one
// that does not lie below its folder ("Wrong basePath"): it compares the beginnings of the two texts. A batch
// without files lets every folder pass. 2.4 and older do not compare the two (seen on 2.4.8; 3.0.3 refuses).
func (c *comparer) location(field string, d *spec.Source, key string, o source.Offset) {
	folder := basics.FolderOf(c.Pass, key)
	if !basics.FileSource(c.Pass, key, o) {
		c.skip(field, "offsets of this source kind record no location")
		return
	}
	if c.Sources.Err != nil || folder != nil && folder.Err != nil {
		c.skip(field, "sources/%s could not be listed", key)
		return
	}
	if folder == nil || !folder.IsLog() {
		c.skip(field, "sources/%s has no file source log", key)
		return
	}
	declared := basics.ParseLocation(d.Location)
	first, last := c.asked(key)
	asked := last >= first
	if !asked {
		first, last = folder.Log.Latest(), folder.Log.Latest()
	}
	var found *log.SourceEntry // the first file elsewhere
	var at basics.Containment
	some := false
	for e, err := range c.SourceEntries(c.Ctx, folder, first, last) {
		if err != nil {
			continue // told with the log
		}
		some = true
		if p := basics.ParsePath(e.Path); found == nil || at == basics.OtherButAlike {
			if where := p.Within(declared); where != basics.Inside {
				found, at = &e, where
			}
		}
	}
	switch {
	case !some:
		c.skip(field, "no entry of sources/%s could be read", key)
		return
	case found == nil:
		c.agree(field, true)
		return
	}
	diff := checks.Drift{Field: field, Declared: d.Location, Recorded: "files in " + found.Path[:max(0, strings.LastIndexByte(found.Path, '/'))], Where: found.Where, Place: d.At}
	if asked && at == basics.ElsewhereAltogether && !declared.Glob() && c.OnSpark(3, 0) {
		diff.Effect, diff.Stage = checks.RefusesDrift, checks.WhenOpened
		diff.Error = fmt.Sprintf("Wrong basePath %s for the root path: %s", d.Location, found.Path)
		diff.Meaning = `The file source log names files of a different folder from the one the query reads now. A restart reads the files
of the newest batch again and rejects files outside the query's folder. Sources that changed places look the same.`
		diff.NextStep = `Set the folder and the order of the sources back to what they were. To read another folder, give the query a new
checkpoint. The new checkpoint does not know which files were already read.`
	} else {
		diff.Effect = checks.Misreads
		diff.Meaning = `The file source log names files of a different folder from the one the query reads now. Spark does not notice it at
this restart. It reads the planned files of the old folder and treats every file of the new folder as new. Files moved there are read
twice.`
	}
	c.differ(diff)
}

// asked are the entries of a file source's log that a start asks for; none where last is below first.
func (c *comparer) asked(key string) (first, last int64) {
	if c.Last == nil || c.Last.Plan == nil {
		return 0, -1
	}
	last, ok := basics.LogOffset(basics.SourceNamed(c.Last.Plan, key))
	if !ok {
		return 0, -1
	}
	from := int64(-1)
	if before := c.Previous(); before != nil && c.L > 0 {
		if id, ok := basics.LogOffset(basics.SourceNamed(before, key)); ok {
			from = id
		}
	}
	return from + 1, last
}
