package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/logs"
)

var ephemeralLocation = &Check{
	Code:     "ephemeral-location",
	Severity: High,
	Title:    "the checkpoint lies where it will not survive",
	Meaning: `This folder is emptied when the machine or the cluster ends, or by its clean-up of temporary files. If the query writes
here, the next run on another machine finds nothing, starts as a new query, and reads everything again that its sources still
offer.`,
	NextStep: `If this is a copy that was made to look at it, nothing has to be done. If the query writes here: stop it after a
committed batch, copy the whole folder to storage that lasts, and set checkpointLocation to that.`,
	Avoid: `Do not move a checkpoint while a run of the query is alive.`,
	Run:   runEphemeralLocation,
}

// shortLived are folders of local disks that do not outlive a machine or a cluster, and whose they are.
var shortLived = []struct{ prefix, whose string }{
	{"/local_disk0", "the local disk of a Databricks node, lost when the cluster ends"},
	{"/databricks/driver", "the local disk of a Databricks driver, lost when the cluster ends"},
	{"/tmp", "the folder of temporary files"},
	{"/var/tmp", "a folder of temporary files"},
	{"/private/tmp", "the folder of temporary files"},
	{"/private/var/folders", "the folder of temporary files of a user on macOS"},
	{"/dev/shm", "memory, lost when the machine stops"},
	{"/run", "memory, lost when the machine stops"},
}

func runEphemeralLocation(_ context.Context, p *Pass) error {
	name, local := localPath(p.Location)
	if !local || packed(name) {
		return nil
	}
	for _, s := range shortLived {
		if name != s.prefix && !strings.HasPrefix(name, s.prefix+"/") {
			continue
		}
		f := Finding{Severity: High, Batch: -1, Where: decode.Where{File: "."}, Evidence: fmt.Sprintf("%s is below %s: %s", p.Location, s.prefix, s.whose)}
		if strings.Contains(s.whose, "temporary") && !writtenLocally(p) {
			f.Severity = Low
			f.Evidence += "; there are no checksums of Hadoop's local file system here, so this looks like a copy from elsewhere"
		}
		p.Report(f)
		return nil
	}
	if i := strings.Index(name, "/appcache/application_"); i >= 0 {
		p.Reportf(-1, decode.Where{File: "."}, "%s is in the working folder of a YARN application, removed when it ends", p.Location)
	}
	return nil
}

// writtenLocally reports whether Hadoop's local file system wrote the logs: it keeps a checksum
// beside each file.
func writtenLocally(p *Pass) bool {
	for _, e := range p.Offsets.Others {
		if logs.ParseName(e.Name).Role == logs.HadoopCRC {
			return true
		}
	}
	return p.Root.Find(".metadata.crc") != nil
}

// localPath is the path of a location on a local disk.
func localPath(location string) (string, bool) {
	name := strings.TrimPrefix(location, "file:")
	if rest, found := strings.CutPrefix(name, "//"); found && name != location {
		name = rest
	}
	return name, strings.HasPrefix(name, "/")
}

// packed reports whether the path leads into an archive: a copy, which no query writes to.
func packed(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return slices.ContainsFunc([]string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"}, func(ending string) bool {
			return strings.HasSuffix(part, ending)
		})
	})
}
