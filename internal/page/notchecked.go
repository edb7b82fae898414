package page

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
)

// NotChecked is what was not looked at: what stood in the way, then, a line each, what would make more known.
func NotChecked(v *checks.Verdict) Section {
	s := Section{Key: "not-checked", Title: "NOT LOOKED AT"}
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

// NotRun is everything that was not looked at: what the run says, and why it ended early.
func NotRun(v *checks.Verdict) []checks.NotRun {
	if v.Err == nil {
		return v.NotRun
	}
	all := append([]checks.NotRun{}, v.NotRun...)
	return append(all, checks.NotRun{Needs: "the rest was not looked at: " + v.Ended()})
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
			lines = append(lines, flags+": do the sources still have what a restart reads?")
		}
	}
	if needs("--sink") {
		lines = append(lines, "--sink LOCATION: does the output have the batch already, lack one, or skip one?")
	}
	if v.Done && v.Known && !v.NoCheckpoint() && !v.Declared {
		lines = append(lines, "--spec FILE: does the code as it is now still fit this checkpoint? (tidemark spec writes one)")
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
