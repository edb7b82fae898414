package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const oldReleases = "../../checkpoint/statestore/testdata/old/"

// What is written as the spec of a checkpoint of an old release has no drift against it, and names its operator. Spark records no names
// before 4.0.
func TestSpecOfOldReleases(t *testing.T) {
	archives, err := filepath.Glob(oldReleases + "*.tar.gz")
	archives = slices.DeleteFunc(archives, func(name string) bool { return strings.HasSuffix(name, ".rows.tar.gz") })
	if err != nil || len(archives) < 9 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		location := archive + "/checkpoint"
		_, text, errs := run(t.Context(), t, "spec", location)
		if errs != "" || !strings.Contains(text, "  - name: ") {
			t.Errorf("%s: %s\n%s", archive, errs, text)
		}
		file := filepath.Join(t.TempDir(), "spec.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if drift, code := driftOf(t, location, file); len(drift) > 0 {
			t.Errorf("%s: status %d, %v", archive, code, drift)
		}
	}
}

// driftOf checks a checkpoint with a spec.
func driftOf(t *testing.T, location, spec string) (drift []string, status int) {
	t.Helper()
	status, out, errs := run(t.Context(), t, "check", location, "--spec", spec, "--json")
	var told struct {
		Drift []struct{ Field, Effect, Recorded string }
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil {
		t.Fatal(err, errs)
	}
	for _, d := range told.Drift {
		drift = append(drift, d.Field+" "+d.Effect+" "+d.Recorded)
	}
	return drift, status
}

// A right spec of a deduplication of 3.1 has no drift, although the schema file has the input row as its value; that of a count has.
func TestSpecOfADeduplicationOf31(t *testing.T) {
	const location = oldReleases + "3.1.3-dedup.tar.gz/checkpoint"
	spec := func(name, more string) string {
		file := filepath.Join(t.TempDir(), "spec.yaml")
		text := "spec: 1\noperators:\n  - name: " + name + "\n    key: k STRING, v BIGINT\n" + more
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if drift, status := driftOf(t, location, spec("dedupe", "    provider: hdfs\n")); len(drift) > 0 || status != 0 {
		t.Errorf("a right spec: status %d, %v", status, drift)
	}
	drift, status := driftOf(t, location, spec("stateStoreSave", "    value: count BIGINT NOT NULL\n"))
	if status != 1 || len(drift) == 0 || !strings.HasPrefix(drift[0], "operators[0].name misreads dedupe") {
		t.Errorf("another operator: status %d, %v", status, drift)
	}
}

// Every form of rows of a side of a join without schemas, as 2.4 leaves it.
func TestRowsOfAJoinOf24(t *testing.T) {
	for args, want := range map[string]string{
		"":                                 "symmetricHashJoin (inferred), left, after batch 14 (version 15). The columns are a guess:",
		"--csv":                            "0,ad-16,1772359350000000,ad-16,48\n",
		"--ndjson":                         `{"partition_id":0,"key":{"field0":"ad-16"},"value":{"column1":1772359350000000,"column2":"ad-16","column3":48}}` + "\n",
		"--count":                          "6\n",
		"--count --batch 7":                "9\n",
		"--count --partition 1":            "0\n",
		"--key ad-12 --count":              "2\n",
		`--key {"field0":"ad-13"} --count`: "2\n",
		"--changes 2..4 --count":           "added",
		"--changes 2..4 --key ad-8 --csv":  "added,0,ad-8,",
	} {
		line := append([]string{"state", oldReleases + "2.4-hdfs-join-inner.tar.gz/checkpoint", "--operator", "0", "--store", "left"}, strings.Fields(args)...)
		status, out, errs := run(t.Context(), t, line...)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d\n%s%s", args, status, out, errs)
		}
	}
}
