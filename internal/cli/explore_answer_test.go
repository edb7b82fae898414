package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
)

const (
	dedupSpec = "spec: 1\noperators:\n  - name: dedupe\n    key: order_id STRING, shop STRING\n"

	telemetryPositions = `{"positions": 1, "sources": [
  {"index": 0, "earliest": {"telemetry": {"0": 7883100, "1": 7913640}}, "latest": {"telemetry": {"0": 9100222, "1": 9133210}}}]}`
)

// writeFile writes a file of a test, and returns its name.
func writeFile(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnswers: what is told in the explorer is judged as with the flag of the same name: a sink, a spec, a file of positions, each of a
// checkpoint that Spark wrote.
func TestAnswers(t *testing.T) {
	const cases, golden = "../../testdata/cases/", "../../testdata/golden/"
	for _, test := range []struct {
		at, kind, text string
		state          checks.State // before and after
		after          checks.State
	}{
		{golden + "delta-sink-ahead.tar.gz/checkpoint", "sink", golden + "delta-sink-ahead.tar.gz/sink", checks.OnlyIf, checks.Safe},
		{cases + "C55-dedup-key-added.tar.gz/checkpoint", "spec", writeFile(t, "spec.yaml", dedupSpec), checks.Safe, checks.Stop},
		{cases + "C30-kafka-aged-out-uncommitted.tar.gz/checkpoint", "positions", writeFile(t, "positions.json", telemetryPositions), checks.OnlyIf, checks.Stop},
	} {
		a := &app{Config: program(nil, "../../testdata/demo")}
		cp, err := a.open(t.Context(), test.at)
		if err != nil {
			t.Error(err)
			continue
		}
		opt := a.examination(false)
		if got := stateOf(t, cp, opt); got != test.state {
			t.Errorf("%s: before %s is told: %s, want %s", test.at, test.kind, got, test.state)
		}
		read, err := a.answer(test.kind, test.text)
		if err != nil {
			t.Fatal(err)
		}
		use, err := read(t.Context())
		if err != nil {
			t.Errorf("%s %s: %v", test.kind, test.text, err)
			continue
		}
		use(&opt)
		if got := stateOf(t, cp, opt); got != test.after {
			t.Errorf("%s: after %s %s: %s, want %s", test.at, test.kind, test.text, got, test.after)
		}
	}
}

// stateOf is what an examination says to do about a restart.
func stateOf(t *testing.T, cp *checkpoint.Checkpoint, opt examine.Options) checks.State {
	v := &checks.Verdict{}
	for e := range examine.Examine(t.Context(), cp, opt) {
		v.Add(e)
	}
	if !v.Done || v.Err != nil {
		t.Errorf("the examination ended with %v", v.Err)
	}
	return v.Decision().State
}

// TestAnswersAreAdded: a spec that comes after a sink keeps its location, and what tells of the sources is asked before what was told earlier.
func TestAnswersAreAdded(t *testing.T) {
	const golden = "../../testdata/golden/"
	a := &app{Config: program(nil, "../../testdata/demo")}
	opt := a.examination(false)
	for _, told := range [][2]string{{"sink", golden + "delta-sink-ahead.tar.gz/sink"}, {"spec", writeFile(t, "spec.yaml", dedupSpec)}} {
		read, err := a.answer(told[0], told[1])
		if err != nil {
			t.Fatal(err)
		}
		use, err := read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		use(&opt)
	}
	if sink, ok := opt.Sink.(*lazySink); !ok || sink.namedLocation() != golden+"delta-sink-ahead.tar.gz/sink" || opt.Spec == nil {
		t.Errorf("the sink is %v, the spec %v", opt.Sink, opt.Spec)
	}
}

// TestWrongAnswers: what cannot be used says why, without the name of a flag.
func TestWrongAnswers(t *testing.T) {
	a := &app{Config: program(nil, "../../testdata/demo")}
	for told, want := range map[[2]string]string{
		{"sink", "/nowhere/at/all"}:      "/nowhere/at/all: there is no such folder",
		{"spec", "/nowhere/spec.yaml"}:   "/nowhere/spec.yaml: ",
		{"positions", "/nowhere/p.json"}: "/nowhere/p.json: ",
		{"kafka", "no port:"}:            "no port:",
	} {
		read, err := a.answer(told[0], told[1])
		if err != nil {
			t.Fatal(err)
		}
		if _, err = read(t.Context()); err == nil || !strings.Contains(err.Error(), want) || strings.HasPrefix(err.Error(), "--") {
			t.Errorf("%s %s: %v", told[0], told[1], err)
		}
	}
	if _, err := a.answer("color", "red"); err == nil {
		t.Error("a kind that nobody knows can be told")
	}
}
