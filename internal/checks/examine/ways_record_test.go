package examine

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/internal/checks"
)

// goldenCopy is the checkpoint of a golden.
func goldenCopy(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, f := range untar(t, "../../../testdata/golden/"+name+".tar.gz") {
		if rest, ok := strings.CutPrefix(name, "checkpoint/"); ok {
			files[rest] = f
		}
	}
	return files
}

// The record of an operator that no query fits is set aside, or put back, before anything is started anew.
func TestRecordIsSetAside(t *testing.T) {
	t.Parallel()
	const record = "state/0/_metadata/metadata"
	files := goldenCopy(t, "state-4.3-hdfs-window-agg")
	files[record] = &fstest.MapFile{Data: []byte(strings.Replace(string(files[record].Data), "stateStoreSave", "stateStoreSavf", 1))}
	v := judge(t, files)
	best := v.Recover.Cheapest()
	if v.Restart.Outcome != checks.Refuses || best == nil || best.Way != checks.SetAside || !slices.Contains(best.Files, record) {
		t.Fatalf("%+v: %+v", v.Restart, v.Recover)
	}
	if !slices.ContainsFunc(v.Recover.Ways, func(r checks.Recovery) bool {
		return r.Way == checks.PutBack && slices.Equal(r.Files, []string{record})
	}) {
		t.Errorf("not to be put back: %+v", v.Recover.Ways)
	}
	copied := maps.Clone(files)
	for _, name := range best.Files {
		delete(copied, name)
	}
	if r := judge(t, copied).Restart; r.Outcome != best.Restart.Outcome || r.Outcome != checks.Next {
		t.Errorf("foretold %+v, then %+v", best.Restart, r)
	}
}

// No newer release is advised where none is known that reads the file.
func TestUnknownVersionIsPutBack(t *testing.T) {
	t.Parallel()
	files := goldenCopy(t, "kafka-clean-3.5")
	files["offsets/5"] = &fstest.MapFile{Data: []byte("v9" + strings.TrimPrefix(string(files["offsets/5"].Data), "v1"))}
	found := judge(t, files).Findings
	i := slices.IndexFunc(found, func(f checks.Finding) bool { return f.Code == "log-version-unknown" })
	if i < 0 || !strings.Contains(found[i].NextStep, "Put offsets/5 back from object versions or a backup") {
		t.Errorf("%+v", found)
	}
}
