package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// storeLine is what is listed of one store of one partition.
type storeLine struct {
	Operator  int     `json:"operator"`
	Name      string  `json:"name"` // "" where nothing tells
	Guessed   bool    `json:"guessed"`
	Provider  string  `json:"provider"`
	Partition int     `json:"partition"`
	Store     string  `json:"store"`
	Dir       string  `json:"dir"`
	Oldest    int64   `json:"oldest_version"`  // that has a file; -1 for none
	Newest    int64   `json:"newest_version"`  // that has a file; -1 for none
	Loadable  int64   `json:"newest_loadable"` // that can be rebuilt from the files that are there; 0 for the empty one
	Files     int     `json:"files"`
	Bytes     int64   `json:"bytes"` // of these files; SST files, which several versions share, are not counted
	Problem   *string `json:"problem"`
}

// stores lists what there is.
func (a *app) stores(ctx context.Context, cp *checkpoint.Checkpoint, f *stateFlags) error {
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return err
	}
	var lines []storeLine
	for i := range survey.State {
		lines = append(lines, storeLines(survey, &survey.State[i])...)
	}
	switch {
	case f.ndjson:
		for _, l := range lines {
			if err := report.WriteJSON(a.Out, l, ""); err != nil {
				return err
			}
		}
	case f.csv:
		if err := a.storesCSV(lines); err != nil {
			return err
		}
	default:
		if err := a.storesTable(cp, lines); err != nil {
			return err
		}
	}
	unread := 0
	for _, u := range survey.Unread {
		if u.Name == "state" || strings.HasPrefix(u.Name, "state/") {
			a.problem("%s could not be read: %v", u.Name, u.Err)
			unread++
		}
	}
	if unread > 0 {
		return exit(report.Unread)
	}
	return nil
}

func storeLines(survey *statestore.Survey, op *statestore.Operator) []storeLine {
	line := storeLine{Operator: op.ID, Name: op.Name, Guessed: op.Guessed, Provider: op.Provider, Dir: op.Dir,
		Partition: -1, Oldest: -1, Newest: -1}
	problem := func(l storeLine, err error) storeLine {
		if err != nil {
			text := err.Error()
			l.Problem = &text
		}
		return l
	}
	if op.Err != nil || len(op.Partitions) == 0 {
		return []storeLine{problem(line, op.Err)}
	}
	var lines []storeLine
	for i := range op.Partitions {
		p := &op.Partitions[i]
		l := line
		l.Partition, l.Dir = p.ID, path.Join(op.Dir, strconv.Itoa(p.ID))
		if len(p.Stores) == 0 {
			lines = append(lines, problem(l, p.Err))
		}
		for j := range p.Stores {
			s := &p.Stores[j]
			l.Store, l.Dir, l.Files, l.Bytes, l.Oldest, l.Newest = s.Name, s.Dir, len(s.Files), 0, -1, -1
			for _, file := range s.Files {
				l.Bytes += file.Size
			}
			if len(s.Files) > 0 {
				l.Oldest, l.Newest = s.Files[0].Version, state.Newest(s.Files)
			}
			rules := state.Rules{ID: survey.StateIDs(op.ID, p.ID, s.Name, survey.Standing.LastCommitted+1)}
			l.Loadable = state.NewestLoading(s.Files, l.Newest, rules)
			lines = append(lines, problem(l, s.Err))
		}
	}
	return lines
}

func (a *app) storesCSV(lines []storeLine) error {
	w := csv.NewWriter(a.Out)
	rows := [][]string{{"operator", "name", "provider", "partition", "store", "dir",
		"oldest_version", "newest_version", "newest_loadable", "files", "bytes"}}
	for _, l := range lines {
		rows = append(rows, []string{strconv.Itoa(l.Operator), phrase.Printable(l.Name), l.Provider,
			strconv.Itoa(l.Partition), phrase.Printable(l.Store), phrase.Printable(l.Dir),
			strconv.FormatInt(l.Oldest, 10), strconv.FormatInt(l.Newest, 10), strconv.FormatInt(l.Loadable, 10),
			strconv.Itoa(l.Files), strconv.FormatInt(l.Bytes, 10)})
	}
	return w.WriteAll(rows)
}

// storesTable has one line for neighboring partitions that have the same versions.
func (a *app) storesTable(cp *checkpoint.Checkpoint, lines []storeLine) error {
	if len(lines) == 0 {
		return report.Blocks(a.Out, a.options(), page.NoState(cp).Blocks...)
	}
	slices.SortStableFunc(lines, func(x, y storeLine) int {
		if x.Operator != y.Operator {
			return x.Operator - y.Operator
		}
		return strings.Compare(x.Store, y.Store)
	})
	rows := [][]string{{"operator", "store", "partitions", ">versions", ">loads", ">files", ">size"}}
	for i := 0; i < len(lines); {
		l, n := lines[i], 1
		for i+n < len(lines) && sameVersions(l, lines[i+n]) && lines[i+n].Partition == l.Partition+n {
			l.Files, l.Bytes, n = l.Files+lines[i+n].Files, l.Bytes+lines[i+n].Bytes, n+1
		}
		rows = append(rows, l.cells(n))
		i += n
	}
	for _, line := range report.Columns(rows) {
		if _, err := fmt.Fprintln(a.Out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprint(a.Out, "\nBatch N writes version N+1. A version loads if every file it is rebuilt from exists.\n")
	return err
}

func sameVersions(a, b storeLine) bool {
	return a.Operator == b.Operator && a.Store == b.Store &&
		a.Oldest == b.Oldest && a.Newest == b.Newest && a.Loadable == b.Loadable && a.Problem == nil && b.Problem == nil
}

// cells returns the columns of a line that stands for n partitions.
func (l storeLine) cells(n int) []string {
	name := strings.TrimSpace(strconv.Itoa(l.Operator) + " " + page.OperatorName(l.Name, l.Guessed))
	if l.Provider != "" {
		name += " (" + l.Provider + ")"
	}
	partitions := "-"
	switch {
	case l.Partition >= 0 && n > 1:
		partitions = fmt.Sprintf("%d to %d", l.Partition, l.Partition+n-1)
	case l.Partition >= 0:
		partitions = strconv.Itoa(l.Partition)
	}
	versions, loads := "no files", "-"
	switch {
	case l.Problem != nil:
		versions = "unread"
	case l.Oldest >= 0:
		versions, loads = fmt.Sprintf("%d to %d", l.Oldest, l.Newest), "none"
		if l.Loadable > 0 {
			loads = strconv.FormatInt(l.Loadable, 10)
		}
	}
	return []string{phrase.Printable(name), phrase.Printable(l.Store), partitions, ">" + versions, ">" + loads, ">" + phrase.Count(int64(l.Files)), ">" + phrase.Count(l.Bytes)}
}
