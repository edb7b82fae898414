package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bucket is a server that holds one file, as S3 answers for it. Anything else is not there.
func bucket(t *testing.T, name, text string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != name {
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`<Error><Code>NoSuchKey</Code><Message>not there</Message></Error>`))
			return
		}
		http.ServeContent(w, r, "", now, strings.NewReader(text))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestSpecInABucket reads a spec that lies beside the checkpoints.
func TestSpecInABucket(t *testing.T) {
	const checkpoint = "../../testdata/golden/kafka-two-topics.tar.gz"
	url := bucket(t, "/lake/specs/orders.yaml", "sources:\n- topics: [orders]\n")
	s3 := []string{"--endpoint-url", url, "--region", "eu-west-1", "--no-sign-request", "--path-style"}
	status, out, errs := run(t.Context(), t, append([]string{"check", checkpoint, "--spec", "s3://lake/specs/orders.yaml"}, s3...)...)
	if status != 1 || !strings.Contains(out, "sources[0].topics: will fail") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	status, _, errs = run(t.Context(), t, append([]string{"check", checkpoint, "--spec", "s3://lake/specs/other.yaml"}, s3...)...)
	if status != 2 || !strings.Contains(errs, "s3://lake/specs/other.yaml: no such file") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// TestSpecIsSeen tells files of text, archives and folders apart by what they are, not by their names.
func TestSpecIsSeen(t *testing.T) {
	dir := t.TempDir()
	archive, err := os.ReadFile("../../testdata/golden/kafka-two-topics.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"declared": "sources: [{topics: [orders, payments]}]\n", "short": "{}", "backup": string(archive), "noise": "\x00\x01\x02", "latin": "owner: M\xfcller and many more\n", "latin.yaml": "owner: M\xfcller\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"declared": "sources[0].topics", "short": "SAFE TO RESTART", "backup": "No difference found.", "noise": "noise:1:1: the control character", "latin": "latin:1:9: the byte 0xfc is not UTF-8", "latin.yaml": "latin.yaml:1:9: the byte 0xfc is not UTF-8",
	} {
		status, out, errs := run(t.Context(), t, "check", "../../testdata/golden/kafka-two-topics.tar.gz", "--spec", filepath.Join(dir, name))
		if !strings.Contains(out+errs, want) || (status == 0) != (errs == "") || errs != "" && status != 2 {
			t.Errorf("%s: status %d\n%s%s", name, status, out, errs)
		}
	}
}
