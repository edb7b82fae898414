package page

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
)

// NotChecked is what was not checked: why it could not be, then, a line each, which flag answers a further question.
func NotChecked(v *checks.Verdict) Section {
	s := Section{Key: "not-checked", Title: "Not checked"}
	for _, n := range NotRun(v) {
		if !strings.HasPrefix(n.Needs, "--") {
			s.item(0, "-", NotRunLine(&n))
		}
	}
	for _, text := range wanted(v) {
		s.item(0, "-", text)
	}
	return s
}

// NotRun is everything that was not checked: what the run says, and why it ended early.
func NotRun(v *checks.Verdict) []checks.NotRun {
	if v.Err == nil {
		return v.NotRun
	}
	all := append([]checks.NotRun{}, v.NotRun...)
	return append(all, checks.NotRun{Needs: "the rest was not checked: " + v.Ended()})
}

// wanted is what would make more known than the checkpoint alone tells, one line for each thing that was not given: the
// flag, and the question that it answers.
func wanted(v *checks.Verdict) []string {
	var lines []string
	needs := func(flag string) bool {
		return slices.ContainsFunc(v.NotRun, func(n checks.NotRun) bool { return strings.HasPrefix(n.Needs, "--") && strings.Contains(n.Needs, flag) })
	}
	if needs("--positions") {
		if flags := asksSources(v.Sources); flags != "" {
			lines = append(lines, flags+": do the sources still have everything a restart reads?")
		}
	}
	if needs("--sink") {
		lines = append(lines, "--sink LOCATION: does the sink already have the batch, or lack an earlier one?")
	}
	if v.Done && v.Known && !v.NoCheckpoint() && !v.Declared {
		lines = append(lines, "--spec FILE: does the present code still match this checkpoint? (tidemark spec writes the file)")
	}
	return lines
}

// asksSources are the flags by which these sources can be asked what they still have; "" where none of them keeps
// anything.
func asksSources(all []checks.Source) string {
	var kafka, place, some bool
	for i := range all {
		for _, name := range all[i].Kinds {
			kind := availability.Of(source.ByName(name))
			kafka = kafka || kind.Ask == availability.AskBrokers
			place = place || kind.Ask == availability.AskLocation
			some = some || !kind.Volatile
		}
		some = some || len(all[i].Kinds) == 0
	}
	if !some && len(all) > 0 {
		return ""
	}
	var flags []string
	if kafka {
		flags = append(flags, "--kafka BROKERS")
	}
	if place {
		flags = append(flags, "--source INDEX=LOCATION")
	}
	flags = append(flags, "--positions FILE")
	if n := len(flags); n > 1 {
		return fmt.Sprintf("%s or %s", strings.Join(flags[:n-1], ", "), flags[n-1])
	}
	return flags[0]
}
