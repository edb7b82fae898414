package logs

import (
	"context"
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var EphemeralLocation = &checks.Check{
	Code:     "ephemeral-location",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Later:    true,
	Title:    "the checkpoint is in a temporary folder",
	Meaning: `This folder is emptied when the machine or cluster ends, or by a cleanup of temporary files. If the query writes
here, its next run on another machine finds no checkpoint. It then starts as a new query and reads everything its sources
still have.`,
	NextStep: `If this is a copy made for inspection: leave it; nothing is needed. If the query writes here: stop it after a
committed batch, copy the whole folder to durable storage, and set checkpointLocation to the copy.`,
	Avoid: `Do not move a checkpoint while a run of the query is active: the copy may be incomplete.`,
	Run:   runEphemeralLocation,
}

// shortLived are folders of local disks that do not outlive a machine or a cluster, and whose they are.
var shortLived = []struct{ prefix, whose string }{
	{"/local_disk0", "the local disk of a Databricks node, lost when the cluster ends"},
	{"/databricks/driver", "the local disk of a Databricks driver, lost when the cluster ends"},
	{"/tmp", "the folder of temporary files"},
	{"/var/tmp", "a folder of temporary files"},
	{"/private/tmp", "the folder of temporary files"},
	{"/private/var/tmp", "a folder of temporary files"},
	{"/private/var/folders", "the folder of temporary files of a user on macOS"},
	{"/var/folders", "the folder of temporary files of a user on macOS"},
	{"/dev/shm", "memory, lost when the machine stops"},
	{"/run", "memory, lost when the machine stops"},
}

// runEphemeralLocation judges the place and not its spelling. A copy that someone made to look at it lies in such a
// folder too, with its checksums and times: only a path that the query itself recorded shows that it wrote here.
func runEphemeralLocation(_ context.Context, p *checks.Pass) error {
	whose := losesWith(p.Place)
	if whose == "" {
		return nil
	}
	f := checks.Finding{Severity: checks.Info, Batch: -1, Where: decode.Where{File: "."}, Evidence: fmt.Sprintf("%s is %s", p.Place, whose)}
	if at, file := recordedPlace(p); at != "" {
		f.Severity, f.Where = checks.High, decode.Where{File: file}
		f.Evidence += fmt.Sprintf("; %s records %s as the location the query wrote to", file, at)
		f.NextStep = `Stop the query after a committed batch, copy the whole folder to durable storage, and set
checkpointLocation to the copy.`
	} else {
		f.Evidence += "; the files do not show whether a query writes here or this is a copy"
	}
	p.Report(f)
	return nil
}

// losesWith says what takes away what lies at a place of this machine: "below /tmp: the folder of temporary files";
// "" for a place that lasts.
func losesWith(name string) string {
	for _, s := range shortLived {
		if name == s.prefix || strings.HasPrefix(name, s.prefix+"/") {
			return "below " + s.prefix + ": " + s.whose
		}
	}
	if strings.Contains(name, "/appcache/application_") {
		return "in the working folder of a YARN application, removed when it ends"
	}
	return ""
}

// recordedPlace is the path of this checkpoint as the query recorded it, and the file that has it: the metadata of an
// operator name the files of its schemas by their whole paths (4.0 on). "" where no file names this very place.
func recordedPlace(p *checks.Pass) (at, file string) {
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if op.Metadata == nil {
			continue
		}
		for _, s := range op.Metadata.Stores {
			for _, recorded := range s.SchemaFiles {
				root, _, ok := strings.Cut(recorded, "/"+op.Dir+"/")
				if at := basics.ParseLocation(root); ok && (at.Scheme == "file" || at.Scheme == "") && onMac(at.Path) == onMac(p.Place) {
					return root, op.Metadata.File
				}
			}
		}
	}
	return "", ""
}

// onMac leaves out what macOS puts before the real path of /tmp and /var.
func onMac(place string) string { return strings.TrimPrefix(place, "/private") }
