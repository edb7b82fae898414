package examine

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/drift"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// TestRecordAgreesWithItself writes the spec of every checkpoint that there is, whole or damaged, and holds the
// checkpoint against it: nothing differs.
func TestRecordAgreesWithItself(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, dir := range []string{"golden", "cases"} {
		archives, err := filepath.Glob("../../../testdata/" + dir + "/*.tar.gz")
		if err != nil || len(archives) == 0 {
			t.Fatalf("%s: %d archives, %v", dir, len(archives), err)
		}
		for _, archive := range archives {
			name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
			if strings.HasSuffix(name, ".rows") {
				continue
			}
			t.Run(name, func(t *testing.T) { compared += agreesWithItself(t, archive) })
		}
	}
	if compared < 500 {
		t.Errorf("only %d fields were compared", compared)
	}
}

// opened is the checkpoint in an archive.
func opened(t *testing.T, archive string) *checkpoint.Checkpoint {
	t.Helper()
	store, err := storage.Open(t.Context(), archive+"/checkpoint", storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cp, err := checkpoint.Open(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	return cp
}

// agreesWithItself is how many fields of the spec were compared.
func agreesWithItself(t *testing.T, archive string) (compared int) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	cp := opened(t, archive)
	if !cp.IsCheckpoint() {
		return 0
	}
	r, err := drift.RecordOf(t.Context(), cp, now)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := spec.Write(&text, r.Spec, r.Notes); err != nil {
		t.Fatal(err)
	}
	back, err := spec.Parse("spec.yaml", []byte(text.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	for _, s := range []*spec.Spec{back, r.Spec, r.Certain()} {
		v := &checks.Verdict{}
		for e := range Examine(t.Context(), cp, Options{Now: now, Spec: s}) {
			v.Add(e)
		}
		for _, d := range v.Drift {
			t.Errorf("%s: declared %s, recorded %s: %s\n%s", d.Field, d.Declared, d.Recorded, d.Effect, text.String())
		}
		plain := &checks.Verdict{}
		for e := range Examine(t.Context(), cp, Options{Now: now}) {
			plain.Add(e)
		}
		compared += len(v.Agrees)
		if a, b := plain.Restart.Outcome, v.Restart.Outcome; a != b {
			t.Errorf("restart: %s without the spec, %s with it", a, b)
		}
	}
	return compared
}
