package cli

import (
	"archive/tar"
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// writer puts a file of a checkpoint where it belongs.
type writer func(t *testing.T, name, data string)

// batch writes the two files of a batch.
func (w writer) batch(t *testing.T, n int) {
	t.Helper()
	w(t, fmt.Sprintf("offsets/%d", n), fmt.Sprintf("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{}}\n{\"orders\":{\"0\":%d}}", 1764403200000+int64(n)*60_000, 10*n))
	w(t, fmt.Sprintf("commits/%d", n), "v1\n{\"nextBatchWatermarkMs\":0}")
}

// TestFollowingReadsWhatIsNew: a round of a following after one batch costs the listings and a handful of reads,
// however many batches there are.
func TestFollowingReadsWhatIsNew(t *testing.T) {
	for _, place := range []struct {
		name    string
		begin   func(t *testing.T) (location, endpoint string, w writer)
		batches [2]int
	}{{"folder", onDisk, [2]int{260, 500}}, {"bucket", inBucket, [2]int{30, 120}}} {
		t.Run(place.name, func(t *testing.T) {
			var cost []int64
			for _, batches := range place.batches {
				location, endpoint, w := place.begin(t)
				w(t, "metadata", `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)
				for n := range batches {
					w.batch(t, n)
				}
				c := program(nil, "../../testdata/demo")
				later := time.Now().Add(time.Hour)
				c.Now = func() time.Time { return later }
				a := &app{Config: c, flags: flags{endpointURL: endpoint}}
				open := a.opener(location)
				look := a.poller(location, open)
				round := func(n int) int64 {
					t.Helper()
					before := a.meter.Snapshot().Requests()
					cp, err := look(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					v := a.examine(t.Context(), cp, false)
					if !v.Complete || v.Restart.Batch != int64(n) {
						t.Fatalf("complete %v, a start plans batch %d, want %d", v.Complete, v.Restart.Batch, n)
					}
					return a.meter.Snapshot().Requests() - before
				}
				if all := round(batches); all < 2*int64(batches) {
					t.Errorf("the first round made %d requests for %d batches", all, batches)
				}
				w.batch(t, batches)
				cost = append(cost, round(batches+1))
			}
			t.Logf("a round after one new batch: %d requests", cost[0])
			if cost[0] != cost[1] || cost[0] > 10 {
				t.Errorf("a round after one new batch made %d requests, want the same and at most 10 at %d batches", cost, place.batches)
			}
		})
	}
}

func onDisk(t *testing.T) (string, string, writer) {
	dir := t.TempDir()
	return dir, "", func(t *testing.T, name, data string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func inBucket(t *testing.T) (string, string, writer) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "",
	} {
		t.Setenv(name, value)
	}
	memory := s3mem.New()
	if err := memory.CreateBucket("b"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(memory, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	return "s3://b/cp", server.URL, func(t *testing.T, name, data string) {
		t.Helper()
		if _, err := memory.PutObject("b", "cp/"+name, nil, bytes.NewReader([]byte(data)), int64(len(data)), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNothingIsAskedTwice: a verdict on a checkpoint in a bucket lists every folder and reads every file once at most.
func TestNothingIsAskedTwice(t *testing.T) {
	for _, golden := range []string{"s3-4.1-hdfs", "s3-4.1-rocks", "file-source", "state-3.5-rocks-join-inner"} {
		t.Run(golden, func(t *testing.T) {
			location, endpoint, w := inBucket(t)
			for h, data := range testfiles.In(t, "../../testdata/golden/"+golden+".tar.gz") {
				if h.Typeflag == tar.TypeReg {
					w(t, strings.TrimPrefix(h.Name, "checkpoint/"), string(data))
				}
			}
			a := &app{Config: program(nil, "../../testdata/demo"), flags: flags{endpointURL: endpoint}}
			var mu sync.Mutex
			asked := map[string]int{}
			a.meter.Trace = func(r storage.Request) {
				mu.Lock()
				defer mu.Unlock()
				asked[r.Op+" "+r.Name]++
			}
			cp, err := a.openCheckpoint(t.Context(), location)
			if err != nil {
				t.Fatal(err)
			}
			if v := a.examine(t.Context(), cp, false); !v.Done || v.Err != nil {
				t.Fatal(v.Err)
			}
			for what, n := range asked {
				if n > 1 {
					t.Errorf("%d times: %s", n, what)
				}
			}
			if len(asked) < 10 {
				t.Errorf("only %d requests", len(asked))
			}
		})
	}
}
