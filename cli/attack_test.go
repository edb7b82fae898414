package cli

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"tidemark/internal/testfiles"
)

// attacked is a bucket inside the test that holds a checkpoint at s3://b/cp and whose answers a test can change:
// where first answers a request it returns true. What comes back runs the program on it.
func attacked(t *testing.T, golden string, more map[string]string, first func(http.ResponseWriter, *http.Request) bool) func(args ...string) (status int, out, errs string) {
	t.Helper()
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
	put := func(name, data string) {
		if _, err := memory.PutObject("b", "cp/"+name, nil, strings.NewReader(data), int64(len(data)), nil); err != nil {
			t.Fatal(err)
		}
	}
	for h, data := range testfiles.In(t, "../testdata/golden/"+golden+".tar.gz") {
		if h.Typeflag == tar.TypeReg {
			put(strings.TrimPrefix(h.Name, "checkpoint/"), string(data))
		}
	}
	for name, data := range more {
		put(name, data)
	}
	fake := gofakes3.New(memory, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first == nil || !first(w, r) {
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return func(args ...string) (int, string, string) {
		t.Helper()
		return runs(t, append(args, "--endpoint-url", server.URL)...)
	}
}

// runs is one run of the program: its exit status and what it wrote.
func runs(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c := program(args, "../testdata/demo")
	c.Out, c.Err = &o, &e
	status = ExitStatus(Run(t.Context(), c))
	return status, o.String(), e.String()
}

// verdictOf is what of a verdict as JSON these tests look at.
type verdictOf struct {
	Complete bool `json:"complete"`
	Restart  struct {
		Outcome, Because string
	} `json:"restart"`
	Questions []struct{ Name, Answer, Because string }                    `json:"questions"`
	Findings  []struct{ Code, Severity, Title, Evidence, Meaning string } `json:"findings"`
	NotRun    []struct{ Code, Needs string }                              `json:"not_run"`
}

func parsed(t *testing.T, out string) (v verdictOf) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return v
}

// TestMarkBesideAFile: an empty key "offsets/3/" beside the object "offsets/3" is harmless, as Spark opens the object.
func TestMarkBesideAFile(t *testing.T) {
	plain := attacked(t, "file-source", nil, nil)
	_, out, _ := plain("check", "s3://b/cp", "--json")
	want := parsed(t, out)
	last := want.Restart.Because
	run := attacked(t, "file-source", map[string]string{"offsets/0/": "", "offsets/1/": "", "offsets/6/": "", "commits/0/": "", "commits/6/": "", "metadata/": "", "offsets": "", "state": ""}, nil)
	status, out, errs := run("check", "s3://b/cp", "--json")
	v := parsed(t, out)
	if status != 0 || v.Restart.Outcome != want.Restart.Outcome || v.Restart.Because != last || !v.Complete {
		t.Errorf("exit status %d, %+v, want as without the marks: %+v\n%s", status, v.Restart, want.Restart, errs)
	}
	if status, out, errs := run("find", "s3://b/"); status != 0 || !strings.Contains(out, "ok") {
		t.Errorf("find: exit status %d\n%s%s", status, out, errs)
	}
}

// TestRefusalCounts: a start that is predicted to fail is exit status 1, whatever its findings, and find shows it.
func TestRefusalCounts(t *testing.T) {
	run := attacked(t, "file-source", map[string]string{"offsets/7/": ""}, nil)
	status, out, _ := run("check", "s3://b/cp", "--json", "--fail-on", "critical")
	if v := parsed(t, out); v.Restart.Outcome != "refuses" || status != 1 {
		t.Errorf("exit status %d with outcome %s, want 1 with refuses", status, v.Restart.Outcome)
	}
	if status, out, _ := run("find", "s3://b/"); status != 1 || strings.Contains(out, " ok ") {
		t.Errorf("find: exit status %d\n%s", status, out)
	}
}
