package logs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var NotACheckpoint = &checks.Check{
	Code:         "not-a-checkpoint",
	Severity:     checks.Info,
	Question:     checks.Intact,
	NoCheckpoint: true,
	Title:        "this is not a checkpoint",
	Meaning: `This location has no batch log, no state and no query ID. Nothing is damaged: this is not the checkpointLocation
of a query.`,
	NextStep: `Compare this location with checkpointLocation in the query's code, letter by letter.`,
	Run:      runNotACheckpoint,
}

// belowLists is how many folders are listed to find checkpoints below a location that is none.
const belowLists = 200

func runNotACheckpoint(ctx context.Context, p *checks.Pass) error {
	if p.Root.Err != nil {
		return nil // nothing was seen, so nothing is known
	}
	below, more, err := checkpointsBelow(ctx, p)
	if err != nil {
		return err
	}
	f := checks.Finding{Severity: checks.Info, Batch: -1, Where: decode.Where{File: "."}}
	switch above := checkpointAbove(p); {
	case above != "":
		f.Evidence = fmt.Sprintf("this looks like part of the checkpoint %s", above)
		f.NextStep = fmt.Sprintf("Open %s.", above)
	case len(below) > 0:
		f.Evidence = fmt.Sprintf("checkpoints below it: %s", strings.Join(below, ", "))
		if more {
			f.Evidence += ", and perhaps more: not every folder was listed"
		}
		f.NextStep = `Open one of these: append a slash and its name to this location. tidemark find lists all of them with
their health.`
	case p.Root.Find("_spark_metadata") != nil:
		f.Evidence = "_spark_metadata exists: this is the output folder of a file sink"
		f.NextStep = `Open the query's checkpointLocation instead, and name this folder with --sink.`
	case p.Root.Find("_delta_log") != nil:
		f.Evidence = "_delta_log exists: this is a Delta table"
		f.NextStep = `Open the checkpointLocation of the query that writes or reads the table.`
	case len(p.Root.Entries) == 0:
		f.Evidence = "the folder is empty or does not exist"
	case len(p.Root.Archives()) > 0:
		f.Evidence = "archives, not opened: " + phrase.List(p.Root.Archives(), 3)
		f.NextStep = `If they contain copies of checkpoints: open one by appending a slash and its name to this location.
tidemark find reads all of them.`
	default:
		f.Evidence = "offsets, commits, state, sources and metadata are all missing"
		if more {
			f.Evidence += "; not every folder below was listed"
		}
	}
	p.Report(f)
	return nil
}

// checkpointsBelow names the checkpoints one and two folders down, in byte order; more where not
// every folder could be listed.
func checkpointsBelow(ctx context.Context, p *checks.Pass) (names []string, more bool, err error) {
	queue, depth := folderNames(&p.Root, ""), 1
	for lists := 0; len(queue) > 0; depth++ {
		var next []string
		for _, name := range queue {
			if lists++; lists > belowLists {
				return names, true, nil
			}
			l := p.List(ctx, name)
			if checkpoint.Stopped(l.Err) {
				return names, true, l.Err
			}
			if l.Err != nil {
				p.Unread(checkpoint.Unread{Name: name, List: true, Err: l.Err})
				more = true
				continue
			}
			if l.LooksLikeCheckpoint() {
				names = append(names, name)
			} else if depth == 1 {
				next = append(next, folderNames(&l, name)...)
			}
		}
		queue = next
	}
	return names, more, nil
}

func folderNames(l *checkpoint.Listing, below string) (names []string) {
	for _, e := range l.Entries {
		if e.Dir {
			names = append(names, path.Join(below, e.Name))
		}
	}
	return names
}

// checkpointAbove is the location of the checkpoint that this folder seems to be a part of: its path
// goes through offsets, commits, sources or state, and numbered entries are in it.
func checkpointAbove(p *checks.Pass) string {
	numbered := false
	for _, e := range p.Root.Entries {
		numbered = numbered || basics.IsNumber(e.Name) || strings.HasSuffix(e.Name, ".delta") || strings.HasSuffix(e.Name, ".zip") || strings.HasSuffix(e.Name, ".changelog") || log.ParseName(e.Name).Compact
	}
	location := strings.TrimRight(cmp.Or(p.Place, p.Location), "/")
	for range 4 {
		i := strings.LastIndexByte(location, '/')
		if i <= 0 || !numbered {
			return ""
		}
		switch location[i+1:] {
		case "offsets", "commits", "sources", "state":
			return location[:i]
		}
		location = location[:i]
	}
	return ""
}
