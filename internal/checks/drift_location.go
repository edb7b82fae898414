package checks

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/spec"
)

// location compares the folder of a file source with the files that its own log names. At a start the
// source is asked for the files of the newest batch once more, and FileStreamSource.getBatch refuses one
// that does not lie below its folder ("Wrong basePath"): it compares the beginnings of the two texts. A batch
// without files lets every folder pass.
func (c *comparer) location(field string, d *spec.Source, key string, o source.Offset) {
	folder := folderOf(c.Pass, key)
	if !fileSource(c.Pass, key, o) {
		c.skip(field, "the offsets of this kind of source record no location")
		return
	}
	if c.Sources.Err != nil || folder != nil && folder.Err != nil {
		c.skip(field, "sources/%s could not be listed", key)
		return
	}
	if folder == nil || !folder.IsLog() {
		c.skip(field, "sources/%s has no log of the files that were read", key)
		return
	}
	declared := parseLocation(d.Location)
	first, last := c.asked(key)
	asked := last >= first
	if !asked {
		first, last = folder.Log.Latest(), folder.Log.Latest()
	}
	var found *log.SourceEntry // the first file elsewhere
	var at place
	some := false
	for e, err := range c.SourceEntries(c.ctx, folder, first, last) {
		if err != nil {
			continue // told with the log
		}
		some = true
		if p := parsePath(e.Path); found == nil || at == otherButAlike {
			if where := p.within(declared); where != inside {
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
	diff := Drift{Field: field, Declared: d.Location, Recorded: "files in " + found.Path[:max(0, strings.LastIndexByte(found.Path, '/'))], Where: found.Where, Place: d.At}
	if asked && at == elsewhereAltogether && !declared.glob() {
		diff.Effect, diff.stage = RefusesDrift, whenOpened
		diff.Error = fmt.Sprintf("Wrong basePath %s for the root path: %s", d.Location, found.Path)
		diff.Meaning = `The log of this source names files of another folder than the one that the query reads now. The start asks for the files of the newest
batch once more, and refuses those that do not lie in the folder of the query. Sources that changed places look the same.`
		diff.NextStep = `Set the folder, and the order of the sources, back to what they were. To read another folder, give the query a new checkpoint; files of the
old folder that were read already are not known there.`
	} else {
		diff.Effect = Misreads
		diff.Meaning = `The log of this source names files of another folder than the one that the query reads now. Spark does not notice it at this start: it reads
the files of the old folder that are planned, and takes every file of the new one for a new file. Files that were moved there are read twice.`
	}
	c.differ(diff)
}

// asked are the entries of a file source's log that a start asks for; none where last is below first.
func (c *comparer) asked(key string) (first, last int64) {
	if c.Last == nil || c.Last.Plan == nil {
		return 0, -1
	}
	last, ok := logOffset(sourceNamed(c.Last.Plan, key))
	if !ok {
		return 0, -1
	}
	from := int64(-1)
	if before := c.previous(); before != nil && c.L > 0 {
		if id, ok := logOffset(sourceNamed(before, key)); ok {
			from = id
		}
	}
	return from + 1, last
}

// hadoopPath is a path as Hadoop names it.
type hadoopPath struct{ scheme, host, path string }

// parseLocation reads a location as a person or a program writes it: "s3a://lake/in", "/data/in".
func parseLocation(text string) hadoopPath {
	p := hadoopPath{path: text}
	if scheme, rest, ok := strings.Cut(text, ":"); ok && scheme != "" && !strings.Contains(scheme, "/") {
		p.scheme, p.path = strings.ToLower(scheme), rest
		if after, ok := strings.CutPrefix(rest, "//"); ok {
			host, rest, _ := strings.Cut(after, "/")
			p.host, p.path = host, "/"+rest
		}
	}
	switch p.scheme {
	case "s3a", "s3n":
		p.scheme = "s3" // one store by three names
	case "abfs":
		p.scheme = "abfss"
	}
	p.path = path.Clean("/" + p.path)
	return p
}

// parsePath reads a path as a file source's log has it: URI-encoded.
func parsePath(text string) hadoopPath {
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	return parseLocation(text)
}

func (p hadoopPath) glob() bool { return strings.ContainsAny(p.path, "*?[{") }

// place is how a file lies to a folder.
type place byte

const (
	inside        place = iota
	otherButAlike       // in another folder whose name begins as that of the folder does: "in2" for "in"
	elsewhereAltogether
)

// within says how the file lies to a folder, or to a pattern of folders. What one of the two does not say
// (a scheme, a host) is taken to be the same.
func (p hadoopPath) within(folder hadoopPath) place {
	if p.scheme != "" && folder.scheme != "" && p.scheme != folder.scheme || p.host != "" && folder.host != "" && p.host != folder.host {
		return elsewhereAltogether
	}
	if folder.glob() {
		for dir := p.path; ; dir = path.Dir(dir) {
			if ok, err := path.Match(folder.path, dir); ok || err != nil || strings.Contains(folder.path, "{") {
				return inside // or a pattern that is not understood here
			}
			if dir == "/" || dir == "." {
				return elsewhereAltogether
			}
		}
	}
	switch {
	case p.path == folder.path || folder.path == "/" || strings.HasPrefix(p.path, folder.path+"/"):
		return inside
	case strings.HasPrefix(p.path, folder.path):
		return otherButAlike
	}
	return elsewhereAltogether
}
