package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
)

// drifted is a query that differs from its checkpoint in every way, in the order of its spec.
func drifted() *checks.Verdict {
	v := verdicts()["clean"]
	v.Questions = []checks.Question{{Name: "same_query", Answer: "no", Because: "operators[0].key differs"}}
	pinned := decode.Where{File: "offsets/120", Line: 2}
	keeps := func(field, declared, recorded string) checks.Drift {
		return checks.Drift{Field: field, Declared: declared, Recorded: recorded, Effect: checks.KeepsRecorded, Where: pinned,
			Meaning: "Spark takes this setting from the newest plan.", NextStep: "Nothing has to be done."}
	}
	v.Drift = []checks.Drift{
		{Field: "sources[0].topics", Declared: "orders", Recorded: "orders, \x1b[2Jpayments", Effect: checks.Misreads, Where: decode.Where{File: "offsets/120", Line: 3, Offset: 69},
			Place: spec.Pos{Line: 5, Column: 5}, Meaning: "Spark lets the positions go.", NextStep: "Do not start this code\non this checkpoint.", Avoid: "Do not take a start for a proof."},
		{Field: "operators[0].key", Declared: "k STRING, v BIGINT", Effect: checks.RefusesDrift, Error: "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE",
			Where: decode.Where{File: "state/0/_metadata/schema"}, Place: spec.Pos{Line: 9, Column: 5}, Meaning: "The key is another one.", NextStep: "Start the old code."},
		{Field: "spark", Declared: "4.3", Recorded: ">=3.4 <4.0", Effect: checks.Allowed, Where: pinned, Meaning: "The query moves on.", NextStep: "Nothing has to be done."},
		keeps("conf.a", "5", "2"), keeps("conf.b", "x", "y"),
		{Field: "operators[1].value", Declared: "sum DOUBLE", Recorded: "sum BIGINT", Effect: checks.Misreads, Meaning: "The bytes of one are taken for the other.", NextStep: "Start the old code."},
	}
	v.Declared = true
	v.Agrees = []string{"sources", "conf.c", "conf.d", "operators[0].name"}
	v.NotCompared = []string{"watermark: a checkpoint does not record the delay", "sink.kind: no record of it", "sink.location: no record of it"}
	drift := &checks.Check{Code: "drift"}
	for _, s := range []checks.Severity{checks.Critical, checks.Critical, checks.High, checks.Info, checks.Info} {
		v.Findings = append(v.Findings, checks.Finding{Check: drift, Severity: s, Batch: -1, Title: "the query differs from its checkpoint", Evidence: "some", Meaning: "long words"})
	}
	return v
}

func TestDriftGolden(t *testing.T) {
	t.Parallel()
	for _, f := range Formats {
		var got bytes.Buffer
		if err := f.Write(&got, drifted(), Options{Now: now}); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "drift."+f.Name), got.String())
	}
}

// TestNoDrift says that nothing differs, where a spec was given, and is silent where none was.
func TestNoDrift(t *testing.T) {
	t.Parallel()
	v := drifted()
	v.Drift, v.Findings = nil, nil
	var text, json bytes.Buffer
	if err := Text(&text, v, Options{Now: now}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "No difference found.") || !strings.Contains(text.String(), "sources, operators[0].name, 2 settings") {
		t.Error(text.String())
	}
	v.Declared, v.Agrees, v.NotCompared = false, nil, nil
	text.Reset()
	if err := Text(&text, v, Options{Now: now}); err != nil || strings.Contains(text.String(), "Drift:") {
		t.Errorf("%v %s", err, text.String())
	}
	if err := JSON(&json, v, Options{}); err != nil || !strings.Contains(json.String(), `"drift": []`) || strings.Contains(json.String(), `"compared"`) {
		t.Errorf("%v %s", err, json.String())
	}
}
