package checkpoint

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// plansRead counts how many plans are read.
type plansRead struct {
	storage.Store
	n atomic.Int64
}

func (s *plansRead) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if strings.HasPrefix(name, "offsets/") {
		s.n.Add(1)
	}
	return s.Store.Open(ctx, name, offset, length)
}

// longPlans are the logs of a query that reads a topic of very many partitions.
func longPlans(batches, partitions int) *plansRead {
	files := testfiles.Logs(batches-1, "")
	for n := range batches {
		var b strings.Builder
		for p := range partitions {
			fmt.Fprintf(&b, `,"%d":%d`, p, 1000+n)
		}
		files[fmt.Sprintf("offsets/%d", n)] = strings.TrimSuffix(testfiles.ConfPlan(""), `{"orders":{"0":5}}`) + `{"orders":{` + b.String()[1:] + `}}`
	}
	return &plansRead{Store: testfiles.Tree(files)}
}

// TestLongPlansAreNotReadFarAhead: a plan of 50,000 partitions takes megabytes once it is taken apart. Few of
// them are in memory at once, and none is kept that can be read again.
func TestLongPlansAreNotReadFarAhead(t *testing.T) {
	t.Parallel()
	s := longPlans(40, 50_000)
	c := openTree(t, s)
	size := c.Offsets.Files[0].Size
	most := bytesAhead/size + 1
	seen := int64(0)
	for b, err := range c.Batches(t.Context()) {
		if err != nil || len(b.Plan.Sources) != 1 || len(b.Plan.Sources[0].Parts) != 50_000 {
			t.Fatalf("%v, %v", b.Problems(), err)
		}
		if ahead := s.n.Load() - seen; ahead > most {
			t.Fatalf("%d plans of %d bytes are in memory, want %d at most", ahead, size, most)
		}
		seen++
	}
	if seen != 40 {
		t.Errorf("%d batches", seen)
	}
	for _, test := range []struct {
		partitions int
		kept       bool
	}{{10, true}, {50_000, false}} {
		c := openTree(t, longPlans(40, test.partitions))
		survey, err := c.Survey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if kept := survey.Kept(20) != nil; kept != test.kept || survey.Standing.Last.ID != 39 {
			t.Errorf("%d partitions: kept %t, %+v", test.partitions, kept, survey.Standing.Last)
		}
	}
}
