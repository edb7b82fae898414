package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
	"tidemark/storage"
)

func openTree(t *testing.T, s storage.Store) *Checkpoint {
	t.Helper()
	c, err := Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLogDirReadsNamesAsSpark(t *testing.T) {
	t.Parallel()
	c := openTree(t, testfiles.Tree(map[string]string{
		"offsets/9": testfiles.Plan(9), "offsets/10": testfiles.Plan(10), "offsets/011": testfiles.Plan(11), "offsets/12/x": "", "offsets/-3": testfiles.Plan(3), "offsets/7.compact": "", "offsets/.9.crc": "",
	}))
	if got := slices.Collect(c.Offsets.IDs()); !slices.Equal(got, []int64{9, 10, 11}) {
		t.Errorf("ids %v", got)
	}
	if c.Offsets.Find(10) == nil || c.Offsets.Find(11) != nil || c.Offsets.Find(12) != nil || c.Offsets.Find(7) != nil {
		t.Error("only a file named as Spark writes the number is found")
	}
	if c.Offsets.First() != 9 || c.Offsets.Last() != 11 || c.Commits.Last() != -1 {
		t.Errorf("first %d, last %d, commits %d", c.Offsets.First(), c.Offsets.Last(), c.Commits.Last())
	}
	var others []string
	for _, e := range c.Offsets.Others {
		others = append(others, e.Name)
	}
	if !slices.Equal(others, []string{"-3", ".9.crc", "12", "7.compact"}) {
		t.Errorf("others %v", others)
	}
}

func TestBatchesInOrderAndFromBothLogs(t *testing.T) {
	t.Parallel()
	files := map[string]string{"commits/0": "v1\n{}", "commits/1": "v1\n{}", "commits/205": "v1\n{}"}
	for n := 1; n < 200; n++ {
		files[fmt.Sprintf("offsets/%d", n)] = testfiles.Plan(n)
	}
	c := openTree(t, testfiles.Tree(files))
	var got []string
	for b, err := range c.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if b.Plan != nil && b.Timestamp() != b.ID {
			t.Errorf("batch %d has the plan of %d", b.ID, b.Timestamp())
		}
		if b.ID < 3 || b.ID > 198 {
			got = append(got, fmt.Sprintf("%d %v %v", b.ID, b.Plan != nil, b.Commit != nil))
		}
	}
	if want := "0 false true, 1 true true, 2 true false, 199 true false, 205 false true"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// TestOneUnreadFileHidesNoOther: denied, gone and archived files are told and the rest is read; a
// used-up budget ends the sequence.
func TestOneUnreadFileHidesNoOther(t *testing.T) {
	t.Parallel()
	files := map[string]string{"metadata": `{"id":"a"}`, "sources/0/0": ""}
	for n := range 5 {
		files[fmt.Sprintf("offsets/%d", n)], files[fmt.Sprintf("commits/%d", n)] = testfiles.Plan(n), "v1\n{}"
	}
	s := &testfiles.Faulty{Store: testfiles.Tree(files), Broken: map[string]error{
		"offsets/1": fs.ErrPermission, "offsets/2": fs.ErrNotExist, "commits/3": storage.ErrArchived, "metadata": fs.ErrPermission, "sources/": fs.ErrPermission, "offsets/4": errors.New("connection reset"),
	}}
	c := openTree(t, s)
	var got []string
	for b, err := range c.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range b.Unread {
			got = append(got, u.Name+" "+u.Why())
		}
	}
	if want := "offsets/1 denied, offsets/2 gone, commits/3 archived, offsets/4 unreachable"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	survey, err := c.Survey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, u := range survey.Unread {
		names = append(names, u.Name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"metadata", "sources"}) {
		t.Errorf("survey: unread %v", names)
	}

	s.Broken["offsets/3"] = storage.ErrBudget
	var last error
	n := 0
	for _, err := range c.Batches(t.Context()) {
		last = err
		n++
	}
	if !errors.Is(last, storage.ErrBudget) || n != 4 {
		t.Errorf("%d batches, then %v", n, last)
	}
}

func TestOpenFailsOnlyWhenNothingListed(t *testing.T) {
	t.Parallel()
	denied := map[string]error{"./": fs.ErrPermission, "offsets/": fs.ErrPermission, "commits/": fs.ErrPermission, "sources/": fs.ErrPermission, "state/": fs.ErrPermission}
	if _, err := Open(t.Context(), &testfiles.Faulty{Store: testfiles.Tree(nil), Broken: denied}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("all denied: %v", err)
	}
	delete(denied, "offsets/")
	if c := openTree(t, &testfiles.Faulty{Store: testfiles.Tree(map[string]string{"offsets/3": testfiles.Plan(3)}), Broken: denied}); c.Offsets.Last() != 3 || c.Commits.Err == nil {
		t.Errorf("offsets alone: %+v", c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, testfiles.Tree(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestStanding(t *testing.T) {
	t.Parallel()
	c := openTree(t, testfiles.Tree(map[string]string{"offsets/4": testfiles.Plan(4), "offsets/6": testfiles.Plan(6), "offsets/7": testfiles.Plan(7), "commits/5": "v1\n{}", "commits/6": "v1\n{\"nextBatchWatermarkMs\":3}"}))
	s, err := c.Standing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.LastPlanned != 7 || s.LastCommitted != 6 || s.Last.ID != 7 || s.Before.ID != 6 || s.Committed != s.Before || s.Committed.Commit.NextWatermark != 3 {
		t.Errorf("%+v", s)
	}
	survey, err := c.Survey(t.Context())
	if err != nil || survey.Standing.Last.ID != 7 || survey.Standing.Before.ID != 6 || survey.Standing.Committed.ID != 6 {
		t.Errorf("survey: %+v, %v", survey.Standing, err)
	}
}

func TestIsCheckpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		want bool
	}{{"metadata", true}, {"offsets/0", true}, {"state/0/0/1.delta", true}, {"sources/0/0", true}, {"commits/0", true}, {"orders/offsets/0", false}, {"_delta_log/0.json", false}, {"offsets/notes.txt", false}} {
		if got := openTree(t, testfiles.Tree(map[string]string{c.file: ""})).IsCheckpoint(); got != c.want {
			t.Errorf("%s: %v", c.file, got)
		}
	}
}

// TestSurveyReadsTheNewestFirst: where the requests run out, what the start reads is there.
func TestSurveyReadsTheNewestFirst(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for n := range 100 {
		files[fmt.Sprintf("offsets/%d", n)], files[fmt.Sprintf("commits/%d", n)] = testfiles.Plan(n), "v1\n{}"
	}
	s := &testfiles.Faulty{Store: testfiles.Tree(files), Broken: map[string]error{"offsets/3": storage.ErrBudget}}
	survey, err := openTree(t, s).Survey(t.Context())
	if !errors.Is(err, storage.ErrBudget) {
		t.Fatal(err)
	}
	if st := survey.Standing; st.Last == nil || st.Before == nil || st.Committed == nil || st.Last.ID != 99 || st.Before.ID != 98 {
		t.Errorf("%+v", st)
	}
}
