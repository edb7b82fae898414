package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDebugLog reads a bucket that refuses in words that hold what must not be told, and looks into the log.
func TestDebugLog(t *testing.T) {
	const secret, token = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY", "IQoJb3JpZ2luX2VjEXAMPLETOKEN"
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token, "AWS_PROFILE": "", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "",
	} {
		t.Setenv(name, value)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		switch prefix := r.URL.Query().Get("prefix"); {
		case prefix == "cp/":
			fmt.Fprint(w, `<ListBucketResult><IsTruncated>false</IsTruncated><CommonPrefixes><Prefix>cp/offsets/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>cp/commits/</Prefix></CommonPrefixes><Contents><Key>cp/metadata</Key><Size>45</Size></Contents></ListBucketResult>`)
		case prefix != "":
			w.WriteHeader(403)
			fmt.Fprintf(w, `<Error><Code>AccessDenied</Code><Message>no: https://b.example/cp?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE&amp;X-Amz-Signature=0badcafe %s</Message></Error>`, secret)
		default:
			fmt.Fprint(w, `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)
		}
	}))
	t.Cleanup(server.Close)
	name := filepath.Join(t.TempDir(), "tidemark.log")
	if err := os.WriteFile(name, []byte("from before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	c := program([]string{"check", "s3://b/cp", "--endpoint-url", server.URL, "--debug-log", name}, "../../testdata/demo")
	c.Out, c.Err, c.Getenv = &out, &errs, os.Getenv
	if status := ExitStatus(Run(t.Context(), c)); status != 3 {
		t.Errorf("status %d: %s%s", status, &out, &errs)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	log := string(data)
	for _, never := range []string{secret, token, "0badcafe", "AKIAIOSFODNN7EXAMPLE"} {
		if strings.Contains(log+out.String(), never) {
			t.Errorf("the log tells %q:\n%s", never, log)
		}
	}
	for _, want := range []string{
		"^from before\n", `msg=begin program="tidemark v0.0.0-test" command="tidemark check" arguments=s3://b/cp\n`,
		`level=INFO msg=list key=s3://b/cp entries=3 took=\S+\n`,
		`level=WARN msg=list key=s3://b/cp/offsets entries=0 status=403 took=\S+ error="ListObjectsV2 s3://b/cp/offsets/: 403 AccessDenied`,
		`level=INFO msg=read key=s3://b/cp/metadata bytes=0-\d+ received=45 took=\S+\n`,
		`msg=end lists=\d+ reads=\d+ others=0 retries=0 received=45 exit=3 identity="environment, AKIA…MPLE"`,
	} {
		if !regexp.MustCompile(want).MatchString(log) {
			t.Errorf("the log has no %s:\n%s", want, log)
		}
	}
}

// TestDebugLogPlaces: what the log would be written into is looked at before anything is read.
func TestDebugLogPlaces(t *testing.T) {
	dir := t.TempDir()
	cp := filepath.Join(dir, "cp")
	for _, d := range []string{"offsets", "commits"} {
		if err := os.MkdirAll(filepath.Join(cp, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(cp, "x.log"): "is in the checkpoint", filepath.Join(cp, "offsets", "x"): "is in the checkpoint", dir: "is a folder",
		filepath.Join(dir, "link"): "is not a regular file", filepath.Join(dir, "none", "x"): "no such folder", "s3://b/x.log": "only on this machine",
	} {
		if status, _, errs := run(t.Context(), t, "version", "--debug-log", name); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
		t.Error("a link was followed")
	}
	name := filepath.Join(dir, "x.log")
	if status, _, errs := run(t.Context(), t, "find", dir, "--debug-log", name); status != 2 || !strings.Contains(errs, "tidemark never writes there") {
		t.Errorf("below the location: status %d, %s", status, errs)
	}
}

// TestDebugLogFull: a log that cannot be written is told once, and the command does its work.
func TestDebugLogFull(t *testing.T) {
	d := &debugLog{typed: "x.log", secrets: new(secrets)}
	var err error
	if d.file, err = os.Open(os.DevNull); err != nil { // for reading only
		t.Fatal(err)
	}
	a := &app{Config: program(nil, "../../testdata/demo"), debug: d}
	var errs bytes.Buffer
	a.Err = &errs
	d.start()
	d.Info("one")
	d.Info("two")
	a.closeDebugLog(nil)
	if got := errs.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "--debug-log: x.log does not contain every request: write /dev/null: ") {
		t.Errorf("%q", got)
	}
}
