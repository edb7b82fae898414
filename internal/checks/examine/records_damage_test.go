package examine

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/storage"
)

// TestDamagedRecordsAreFound changes bytes of each schema, each record of an operator, and the plans and commits that a start reads, in
// goldens of every release. Where a decoder refuses what comes of it, or reads another record, check says so and does not call the checkpoint
// intact; where it does not, the file still says the same but for names and numbers that no other file tells. Checksum files are taken
// away, so that only the file itself can tell. TIDEMARK_DAMAGE ("25", "all") does it at so many bytes of each file, or at many.
func TestDamagedRecordsAreFound(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../../../testdata/golden/state-*.tar.gz")
	if err != nil || len(archives) < 100 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	places, each := 4, 3
	switch set := os.Getenv("TIDEMARK_DAMAGE"); {
	case set != "":
		each = 1
		if places, err = strconv.Atoi(set); err != nil {
			places = 300
		}
	case testing.Short():
		places, each = 1, 8
	}
	refused, taken := map[string]int{}, map[string]int{}
	for i, archive := range archives {
		if strings.HasSuffix(archive, ".rows.tar.gz") || strings.Contains(archive, "-damage-") || i%each != 0 {
			continue
		}
		files := fstest.MapFS{}
		for name, file := range untar(t, archive) {
			if name, ok := strings.CutPrefix(name, "checkpoint/"); ok && path.Ext(name) != ".crc" {
				files[name] = file
			}
		}
		before := verdictOn(t, files)
		random := rand.New(rand.NewPCG(11, uint64(i)))
		for _, name := range recordsRead(before) {
			for range places {
				at, bit := random.IntN(len(files[name].Data)), random.IntN(8)
				tree := maps.Clone(files)
				changed := bytes.Clone(files[name].Data)
				changed[at] ^= 1 << bit
				tree[name] = &fstest.MapFile{Data: changed}
				what := fmt.Sprintf("%s: %s, bit %d of byte %d", filepath.Base(archive), name, bit, at)
				class, why := refusal(name, changed, files[name].Data)
				if why == "" {
					taken[class]++
					continue
				}
				refused[class]++
				after := verdictOn(t, tree)
				if intact := after.Questions[0]; intact.Answer == "yes" || !newFinding(before, after) {
					t.Errorf("%s (%s): intact is %s, found:\n%s", what, why, intact.Answer, tell(after))
				}
			}
		}
	}
	for _, class := range []string{"schema", "record", "plan", "commit"} {
		t.Logf("%-7s %5d refused, %5d taken", class, refused[class], taken[class])
		if refused[class] == 0 {
			t.Errorf("no %s was damaged so that a decoder refuses it", class)
		}
	}
}

// verdictOn is the verdict on a tree.
func verdictOn(t *testing.T, files fstest.MapFS) *checks.Verdict {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	v := &checks.Verdict{}
	for e := range Examine(t.Context(), cp, Options{Now: time.UnixMilli(1764403200000)}) {
		v.Add(e)
	}
	return v
}

// recordsRead are the small files of state, and the plan and the commit, that a start reads.
func recordsRead(v *checks.Verdict) (names []string) {
	for _, op := range v.Operators {
		if op.Metadata != nil {
			names = append(names, op.Metadata.File)
		}
		for _, s := range slices.Concat(op.Schemas, op.Current) {
			names = append(names, s.File)
		}
	}
	if b := v.Standing.Last; b != nil && b.Plan != nil {
		names = append(names, b.Plan.File)
	}
	if b := v.Standing.Committed; b != nil && b.Commit != nil {
		names = append(names, b.Commit.File)
	}
	return names
}

// refusal is why what comes of a change cannot be taken for what was there; "" where a decoder takes it, and nothing that another file tells
// is different.
func refusal(name string, changed, before []byte) (class, why string) {
	switch {
	case strings.HasPrefix(name, "offsets/"):
		return "plan", minded(log.ParsePlan(name, changed, new(log.ConfCache)).Problems)
	case strings.HasPrefix(name, "commits/"):
		return "commit", minded(log.ParseCommit(name, changed).Problems)
	case path.Base(name) == "metadata" || path.Base(path.Dir(name)) == "v2":
		a, b := log.ParseOperatorMetadata(name, changed), log.ParseOperatorMetadata(name, before)
		if why := minded(a.Problems); why != "" {
			return "record", why
		}
		if a.ID != b.ID || a.Name != b.Name || len(a.Stores) > 0 && (a.Stores[0].Name != b.Stores[0].Name || a.Stores[0].Partitions != b.Stores[0].Partitions) {
			return "record", fmt.Sprintf("it says %+v, and said %+v", a, b)
		}
		return "record", ""
	}
	s := state.ParseSchema(name, changed)
	for _, f := range s.Families {
		e, err := row.ParseKeyEncoder(f.Encoder)
		key, err2 := row.Columns(f.Key)
		_, err3 := row.Columns(f.Value)
		if err == nil && err2 == nil {
			_, err = row.NewKeys(key, e, row.Unsafe)
		}
		for _, err := range []error{err, err2, err3} {
			if err != nil {
				return "schema", err.Error()
			}
		}
	}
	return "schema", minded(s.Problems)
}

// minded is the first problem that Spark's reader minds; "" for none.
func minded(all []*decode.Error) string {
	if e := basics.FirstProblem(all); e != nil && e.Flaw != decode.ExtraLine {
		return e.Error()
	}
	return ""
}

// newFinding reports whether something is found that was not before, and that costs something.
func newFinding(before, after *checks.Verdict) bool {
	was := map[string]bool{}
	for _, f := range before.Findings {
		was[f.Code+f.Evidence] = true
	}
	return slices.ContainsFunc(after.Findings, func(f checks.Finding) bool { return f.Severity >= checks.Medium && !was[f.Code+f.Evidence] })
}
