package cli

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
	for h, data := range testfiles.In(t, "../../testdata/golden/"+golden+".tar.gz") {
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
	c := program(args, "../../testdata/demo")
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
	if status, out, errs := run("find", "s3://b/"); status != 0 || !strings.Contains(out, "✓ starts batch") {
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

// TestWhatOnlyCouldNotBeRead: a right that is missing, a login that has expired and a store that contradicts itself are
// exit status 3, and each is told as what it is.
func TestWhatOnlyCouldNotBeRead(t *testing.T) {
	refuse := func(key string, status int, code string) func(w http.ResponseWriter, r *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, key) {
				return false
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<Error><Code>" + code + "</Code><Message>see https://h/k?X-Amz-Signature=hunter2</Message></Error>"))
			return true
		}
	}
	for what, c := range map[string]struct {
		first func(w http.ResponseWriter, r *http.Request) bool
		code  string // of the finding; "" for none
		says  string
		not   string
	}{
		"denied":      {refuse("/offsets/3", 403, "AccessDenied"), "access-denied", "s3:GetObject", "sign in"},
		"expired":     {refuse("/offsets/3", 400, "ExpiredToken"), "login-refused", "have expired", "s3:GetObject"},
		"404 always":  {refuse("/offsets/6", 404, "NoSuchKey"), "", "lists it with", "offsets/6 is missing"},
		"no metadata": {refuse("/metadata", 404, "NoSuchKey"), "", "lists it with", "metadata is missing"},
		"cut": {func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/offsets/6") && r.Header.Get("Range") == "" {
				_, _ = w.Write([]byte("v1\n{"))
				return true
			}
			return refuse("/offsets/6", 416, "InvalidRange")(w, r)
		}, "", "the store or something on the way cuts it", "log-malformed"},
	} {
		run := attacked(t, "file-source", nil, c.first)
		status, out, errs := run("check", "s3://b/cp", "--json")
		v := parsed(t, out)
		if status != 3 || v.Complete || !strings.Contains(out, c.says) || strings.Contains(out, c.not) || strings.Contains(out+errs, "hunter2") {
			t.Errorf("%s: exit status %d, want 3 and %q, never %q\n%s%s", what, status, c.says, c.not, out, errs)
		}
		if c.code == "" && len(v.Findings) > 0 || c.code != "" && (len(v.Findings) != 1 || v.Findings[0].Code != c.code) {
			t.Errorf("%s: %+v, want %q", what, v.Findings, c.code)
		}
	}
}

// TestASecretInALocationIsTheUsersMistake: the command line is wrong, not the store.
func TestASecretInALocationIsTheUsersMistake(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"check", "s3a://AKIA:hunter2@b/cp"}, {"batches", "s3://b/cp?X-Amz-Signature=hunter2"}, {"find", "s3://AKIA:hunter2@b/cp"}} {
		if status, _, errs := runs(t, args...); status != 2 || !strings.Contains(errs, "must not contain credentials") || strings.Contains(errs, "hunter2") {
			t.Errorf("%s: exit status %d, %s", args, status, errs)
		}
	}
}

// TestNoSecretIsShown: what gives access in a location, an endpoint or a file is in no output of any kind.
func TestNoSecretIsShown(t *testing.T) {
	run := attacked(t, "file-source", nil, nil)
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	spec := filepath.Join(dir, "spec.json")
	if err := os.WriteFile(spec, []byte(`{"spec":1,"sink":{"kind":"delta","location":"abfss://c@a.dfs.core.windows.net/t?sv=2024&sig=hunter2"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cp, err := filepath.Abs("../../testdata/golden/file-source.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", "https://user:hunter2@host/cp"}, {"check", "https://host/cp?sv=2024&sig=hunter2"}, {"https://user:hun/hunter2@host/cp"},
		{"check", "abfss://c@a.dfs.core.windows.net/cp?sv=2024&sig=hunter2"}, {"check", "wasbs://c:hunter2@a/cp"}, {"find", "wasbs://c@a/cp?sig=hunter2"},
		{"check", "s3://b/cp?X-Amz-Signature=hunter2"}, {"check", "s3a://AKIA:hunter2@b/cp"}, {"check", "S3A://AKIA:hunter2@b/cp", "--json"},
		{"check", "file://user:hunter2@host/cp"}, {"check", "gs://b/cp?X-Goog-Signature=hunter2"},
		{"check", "s3://b/cp", "--sink", "https://host/t?sig=hunter2"}, {"check", "s3://b/cp", "--sink=s3://b/t?X-Amz-Signature=hunter2", "--json"},
		{"check", "s3://b/cp", "--source", "0=abfss://c@a/t?sig=hunter2"}, {"check", "s3://b/cp", "--spec", "https://host/t?sig=hunter2"},
		{"check", "s3://b/cp", "--spec", spec}, {"check", "s3://b/cp", "--spec", spec, "--json"}, {"check", "s3://b/cp", "--positions", "https://host/t?sig=hunter2"},
		{"state", "s3://b/cp", "--operator", "0", "--parquet", "https://host/t?sig=hunter2"}, {"diff", "s3://b/cp", "https://u:hunter2@host/cp"},
		{"check", "s3://b/cp", "--config", "https://host/t?sig=hunter2"}, {"check", "--no-such=https://u:hunter2@h"}, {"chekc", "https://u:hunter2@h"},
		{"check", cp, "--endpoint-url", "http://user:hunter2@127.0.0.1:1/"}, {"config", "--show"},
	} {
		_, out, errs := run(append(args, "--debug-log", log)...)
		if strings.Contains(out+errs, "hunter2") {
			t.Errorf("%q shows it:\n%s%s", args, out, errs)
		}
	}
	for _, url := range []string{"http://user:hunter2@127.0.0.1:1/", "http://user:hun%zzhunter2@127.0.0.1:1/", "http://127.0.0.1:1/?sig=hunter2", "user:hunter2@127.0.0.1:1", "http://user:h/hunter2@127.0.0.1:1"} {
		for _, args := range [][]string{{"check", "s3://b/cp"}, {"find", "s3://b/cp", "--json"}, {"config", "--show"}, {"config", "--show", "--json"}} {
			_, out, errs := runs(t, append(args, "--endpoint-url", url, "--debug-log", log, "--timeout", "1s")...)
			if strings.Contains(out+errs, "hunter2") {
				t.Errorf("%q with %s shows it:\n%s%s", args, url, out, errs)
			}
		}
	}
	if data, err := os.ReadFile(log); err != nil || len(data) == 0 || strings.Contains(string(data), "hunter2") {
		t.Errorf("the debug log, %d bytes (%v), shows it:\n%s", len(data), err, data)
	}
}

// TestSieve: a secret is found however it is cut into writes, and lines do not wait for what follows.
func TestSieve(t *testing.T) {
	for cut := range 12 {
		var got bytes.Buffer
		s := &secretFilter{Writer: &got, secrets: &secrets{all: []string{"hunter2"}}}
		const text = "ab hunter2\nhunter"
		for _, part := range []string{text[:cut], text[cut:]} {
			if _, err := s.Write([]byte(part)); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasPrefix(got.String(), "ab …\n") {
			t.Errorf("cut at %d: %q waits", cut, got.String())
		}
		if err := s.flush(); err != nil || got.String() != "ab …\nhunter" {
			t.Errorf("cut at %d: %q", cut, got.String())
		}
	}
}

// TestFileTooLargeIsSaid: a file that is longer than is read is named, and is exit status 3.
func TestFileTooLargeIsSaid(t *testing.T) {
	t.Parallel()
	cp, _ := someCheckpoint(t, t.TempDir())
	if err := os.RemoveAll(filepath.Join(cp, "state")); err != nil { // it is damaged
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"metadata": 2 << 20, "offsets/0": 70 << 20, "commits/0": 70 << 20} {
		before, err := os.Stat(filepath.Join(cp, name))
		if err == nil {
			err = os.Truncate(filepath.Join(cp, name), size) // zeros, of which the disk keeps none
		}
		if err != nil {
			t.Fatal(err)
		}
		status, out, _ := run(t.Context(), t, "check", cp, "--json", "--fail-on", "critical")
		if v := parsed(t, out); v.Complete || v.Restart.Outcome == "refuses" && status != 1 || v.Restart.Outcome != "refuses" && status != 3 || !strings.Contains(out, name+": longer than") {
			t.Errorf("%s: exit status %d, complete %v, %s", name, status, v.Complete, v.Restart.Because)
		}
		if err := os.Truncate(filepath.Join(cp, name), before.Size()); err != nil {
			t.Fatal(err)
		}
	}
}
