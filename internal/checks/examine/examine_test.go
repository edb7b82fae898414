package examine

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// committed is a healthy query of n batches.
func committed(n int) fstest.MapFS {
	fsys := fstest.MapFS{"metadata": {Data: []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)}}
	for i := range n {
		fsys[fmt.Sprintf("offsets/%d", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{}}\n{\"orders\":{\"0\":%d}}", 1764403200000+i*60000, 10*i)}
		fsys[fmt.Sprintf("commits/%d", i)] = &fstest.MapFile{Data: []byte(`v1` + "\n" + `{"nextBatchWatermarkMs":0}`)}
	}
	return fsys
}

// run examines with these checks in the place of All.
func run(t *testing.T, ctx context.Context, s storage.Store, all ...*checks.Check) (*checks.Verdict, []checks.Event) {
	t.Helper()
	cp, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	v, events := new(checks.Verdict), []checks.Event(nil)
	x := newExamination(ctx, cp, Options{Now: time.UnixMilli(1764403200000)}, all, func(e checks.Event) bool {
		v.Add(e)
		events = append(events, e)
		return true
	})
	x.run()
	return v, events
}

func TestExamineTellsFactsFirst(t *testing.T) {
	t.Parallel()
	v, events := run(t, t.Context(), storage.FromFS(committed(3), "x"), All...)
	if events[0].Facts == nil || events[1].Restart == nil || events[len(events)-1].Done == nil {
		t.Errorf("order of events: %+v", events)
	}
	if !v.Complete || !v.Done || v.Err != nil || v.Progress != (checks.Progress{Batches: 3, Of: 3}) {
		t.Errorf("%+v", v)
	}
}

func TestExamineSurvivesACheckThatBreaksDown(t *testing.T) {
	t.Parallel()
	breaks := &checks.Check{Code: "breaks", Walk: func(*checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			if b.ID == 1 {
				panic("a bad file")
			}
		}}
	}}
	sees := &checks.Check{Code: "sees", Title: "t", Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) { p.Reportf(b.ID, decode.Where{}, "seen") }}
	}}
	v, _ := run(t, t.Context(), storage.FromFS(committed(3), "x"), breaks, sees)
	if v.Complete || len(v.Findings) != 3 || len(v.NotRun) != 1 || !strings.Contains(v.NotRun[0].Needs, "a bad file") {
		t.Errorf("complete %v, %d findings, not run: %+v", v.Complete, len(v.Findings), v.NotRun)
	}
}

func TestExamineCountsAFlood(t *testing.T) {
	t.Parallel()
	many := &checks.Check{Code: "many", Title: "t", Severity: checks.High, Run: func(_ context.Context, p *checks.Pass) error {
		for i := range int64(1000) {
			p.Reportf(i, decode.Where{}, "again")
		}
		return nil
	}}
	v, _ := run(t, t.Context(), storage.FromFS(committed(1), "x"), many)
	if n := len(v.Findings); n != floodLimit+1 {
		t.Fatalf("%d findings", n)
	}
	if f := v.Findings[0]; f.Batch != -1 || f.Severity != checks.High || !strings.Contains(f.Evidence, "900 more") {
		t.Errorf("%+v", f)
	}
}

func TestExamineNeverClaimsWhatItDidNotRead(t *testing.T) {
	t.Parallel()
	denied := &deny{storage.FromFS(committed(3), "x"), "offsets/1"}
	v, _ := run(t, t.Context(), denied)
	if v.Complete || len(v.NotRun) != 1 || !strings.Contains(v.NotRun[0].Needs, "offsets/1") {
		t.Errorf("denied: complete %v, not run %+v", v.Complete, v.NotRun)
	}
	for _, q := range v.Questions {
		if q.Answer == "yes" {
			t.Errorf("%s: yes, though a file was not read", q.Name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, _ = run(t, ctx, storage.FromFS(committed(3), "x"), All...)
	if v.Complete || v.Err == nil || !v.Done {
		t.Errorf("canceled: %+v", v)
	}
}

type deny struct {
	storage.Store
	name string
}

func (s *deny) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if name == s.name {
		return nil, &fs.PathError{Op: "GetObject", Path: name, Err: fs.ErrPermission}
	}
	return s.Store.Open(ctx, name, offset, length)
}
