package examine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/storage"
)

// everyVerdict calls each with the verdict of every story and of every archived checkpoint, with what else is known there.
func everyVerdict(t *testing.T, each func(name string, v *checks.Verdict)) {
	t.Helper()
	stories, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(stories, caseFiles(t)...) {
		v := readCase(t, file).examine(t)
		each(file, &v)
	}
	for _, dir := range []string{"golden", "cases"} {
		archives, err := filepath.Glob("../../../testdata/" + dir + "/*.tar.gz")
		if err != nil || len(archives) == 0 {
			t.Fatalf("%s: %d archives, %v", dir, len(archives), err)
		}
		for _, archive := range archives {
			if strings.HasSuffix(archive, ".rows.tar.gz") {
				continue
			}
			cp := opened(t, archive)
			v := &checks.Verdict{}
			for e := range Examine(t.Context(), cp, Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}) {
				v.Add(e)
			}
			each(filepath.Base(archive), v)
		}
	}
}

// TestDecisionAndStepsAgree holds that what is loudest, the steps and the JSON never say different things.
func TestDecisionAndStepsAgree(t *testing.T) {
	t.Parallel()
	seen := map[checks.State]int{}
	everyVerdict(t, func(name string, v *checks.Verdict) {
		d := v.Decision()
		seen[d.State]++
		for _, wrong := range disagreements(v) {
			t.Errorf("%s: %s: %s: %s", name, d.State, d.Does, wrong)
		}
		if state, because := verdictJSON(t, v); state != string(d.State) || because != d.Because {
			t.Errorf("%s: the JSON says %s: %s, the decision %s: %s", name, state, because, d.State, d.Because)
		}
	})
	for _, state := range []checks.State{checks.Stop, checks.OnlyIf, checks.Safe, checks.NoVerdict} {
		if seen[state] < 20 {
			t.Errorf("%s: only %d verdicts", state, seen[state])
		}
	}
}

// endsRuns finds the steps that say to stop runs of the query, or to make sure of that.
var endsRuns = regexp.MustCompile(`stop (every|all|the) (run|query|but)|stop all but|no run of the query|run that is active`)

// disagreements is what a verdict that is over says against its own decision.
func disagreements(v *checks.Verdict) (wrong []string) {
	d, steps := v.Decision(), v.Advice.Steps
	holds := func(ok bool, text string) {
		if !ok {
			wrong = append(wrong, text)
		}
	}
	holds(d.Does != "" && d.Because != "" && d.Short() != "", "a text is missing")
	holds(strings.HasSuffix(d.Because, ".") && !strings.HasSuffix(d.Does, "."), "full stops")
	if v.NoCheckpoint() {
		holds(d.State == checks.NoVerdict && len(steps) == 0, "there is no checkpoint")
		return wrong
	}
	if len(steps) == 0 {
		return append(wrong, "no steps")
	}
	first, last := steps[0], steps[len(steps)-1]
	ends := 0
	for _, s := range steps {
		if endsRuns.MatchString(s.Do) {
			ends++
		}
	}
	holds(ends <= 1, fmt.Sprintf("%d steps end runs", ends))
	switch d.State {
	case checks.Safe:
		holds(v.Complete && !v.Refused() && v.Restart.Outcome != checks.Unknown, "not everything is known")
		holds(strings.HasPrefix(last.Do, "restart the query: Spark ") && last.If == "", "the last step is "+last.String())
		for _, s := range steps {
			holds(!strings.HasPrefix(s.Do, "put ") && !strings.HasPrefix(s.Do, "set aside") && !strings.HasPrefix(s.Do, "roll back"), "a step fixes something: "+s.String())
		}
		for i := range v.Drift {
			holds(!v.Drift[i].Stops(), v.Drift[i].Text())
		}
		for i := range v.Findings {
			f := &v.Findings[i]
			holds(f.Severity < checks.High || f.Later || f.Harmless, f.Code+" needs something first")
		}
	case checks.OnlyIf:
		holds(last.If != "" && last.Do == "restart the query", "the last step has no condition: "+last.String())
		holds(v.Complete && !v.Refused(), "not everything is known")
	case checks.Stop:
		holds(!strings.HasPrefix(first.Do, "restart"), "the first step is a restart: "+first.String())
	case checks.NoVerdict:
		holds(!v.Complete || v.Restart.Outcome == checks.Unknown, "everything is known")
		holds(strings.HasPrefix(last.Do, "check again"), "the last step is "+last.String())
	default:
		holds(false, "no state of a run that is over")
	}
	holds((v.Advice.Way == checks.Resume) == (d.State == checks.Safe), "the advice is "+v.Advice.String())
	holds((v.Advice.Way == checks.Decide) == (d.State == checks.OnlyIf), "the advice is "+v.Advice.String())
	return wrong
}

// verdictJSON are the words of the JSON.
func verdictJSON(t *testing.T, v *checks.Verdict) (state, because string) {
	t.Helper()
	var b strings.Builder
	if err := report.JSON(&b, v, report.Options{}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Verdict struct{ State, Because string }
	}
	if err := json.Unmarshal([]byte(b.String()), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Verdict.State, doc.Verdict.Because
}

// TestDecisionWhileReading holds that nothing is called safe before everything was read, and that what stops a restart is said as
// soon as it is found.
func TestDecisionWhileReading(t *testing.T) {
	t.Parallel()
	for _, file := range caseFiles(t) {
		c := readCase(t, file)
		cp, err := checkpoint.Open(t.Context(), storage.FromFS(brokenFS{c.files, c.broken}, c.location))
		if err != nil {
			t.Fatal(err)
		}
		cp.Place = c.place
		v, stopped := &checks.Verdict{}, false
		for e := range Examine(t.Context(), cp, c.opt) {
			v.Add(e)
			switch state := v.Decision().State; {
			case !v.Done && state != checks.Stop && state != checks.StillReading && !v.NoCheckpoint():
				t.Errorf("%s: %s before the end", file, state)
			case stopped && state != checks.Stop:
				t.Errorf("%s: %s after it was stop", file, state)
			case state == checks.Stop:
				stopped = true
			}
		}
	}
}
