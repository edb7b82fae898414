package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// TestTrace: every request is told once when it is over: what was asked, how it ended, and each repetition.
func TestTrace(t *testing.T) {
	var slow atomic.Bool
	o := fakeS3(t, "cp/", map[string]string{"offsets/0": "v1\n{}", "offsets/1": "v1"}, func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasSuffix(r.URL.Path, "/offsets/1"):
			return says(w, 403, "AccessDenied", "Access Denied")
		case !isList(r) && slow.CompareAndSwap(true, false):
			return says(w, 503, "SlowDown", "Please reduce your request rate.")
		}
		return false
	})
	var mu sync.Mutex
	var told []string
	o.Meter.Trace = func(r Request) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%s %s %d+%d: %d entries, %d bytes, %d %t", r.Op, r.Name, r.From, r.Length, r.Entries, r.Bytes, r.Status, r.Err != nil))
		if r.Op == "retry" && !strings.HasPrefix(r.Notice, "503 SlowDown, retry 1/5") {
			t.Errorf("a retry says %q", r.Notice)
		}
	}
	s := open(t, "s3://b/cp", o)
	for _, err := range s.List(t.Context(), "offsets") {
		if err != nil {
			t.Fatal(err)
		}
	}
	slow.Store(true)
	if _, err := ReadFile(t.Context(), s, "offsets/0", 100); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(t.Context(), s, "offsets/1", 100); !errors.Is(err, fs.ErrPermission) {
		t.Fatal(err)
	}
	want := []string{
		"list s3://b/cp/offsets 0+0: 2 entries, 0 bytes, 0 false",
		"read s3://b/cp/offsets/0 0+4194305: 0 entries, 0 bytes, 503 true",
		"retry  0+0: 0 entries, 0 bytes, 0 false",
		"read s3://b/cp/offsets/0 0+4194305: 0 entries, 5 bytes, 0 false",
		"read s3://b/cp/offsets/1 0+4194305: 0 entries, 0 bytes, 403 true",
	}
	if got := strings.Join(told, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("told\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// TestIdentity: as whom a bucket is read is known without a request, and stands in what a refusal says.
func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		creds         aws.Credentials
		profile, want string
	}{
		{aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", Source: "EnvConfigCredentials"}, "", "environment, AKIA…MPLE"},
		{aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", Source: "EnvConfigCredentials"}, "prod", "environment, AKIA…MPLE"},
		{aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", Source: "SharedConfigCredentials: /home/x/.aws/credentials"}, "prod", "profile prod, AKIA…MPLE"},
		{aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", Source: "SharedConfigCredentials: /home/x/.aws/credentials"}, "", "profile default, AKIA…MPLE"},
		{aws.Credentials{AccessKeyID: "ASIAIOSFODNN7EXAMPLE", Source: "EC2RoleProvider"}, "", "instance role, ASIA…MPLE"},
		{aws.Credentials{AccessKeyID: "ASIAIOSFODNN7EXAMPLE", Source: "SSOProvider"}, "prod", "profile prod, ASIA…MPLE"},
		{aws.Credentials{AccessKeyID: "short", Source: "unheard of"}, "", "…"},
	} {
		if got := identity(c.creds, c.profile); got != c.want {
			t.Errorf("%s of profile %q: %q, want %q", c.creds.Source, c.profile, got, c.want)
		}
	}

	requests := 0
	o := fakeS3(t, "", nil, func(w http.ResponseWriter, r *http.Request) bool {
		requests++
		return says(w, 403, "AccessDenied", "Access Denied")
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
	s := open(t, "s3://b/cp", o)
	if got := o.Meter.Snapshot().Identity; got != "environment, AKIA…MPLE" || requests != 0 {
		t.Errorf("%q after %d requests", got, requests)
	}
	for _, err := range s.List(t.Context(), ".") {
		if !strings.Contains(err.Error(), "the identity used here (environment, AKIA…MPLE) likely lacks s3:ListBucket") {
			t.Error(err)
		}
	}
	o.NoSignRequest = true
	open(t, "s3://b/cp", o)
	if got := o.Meter.Snapshot().Identity; got != "anonymous" {
		t.Errorf("unsigned it is %q", got)
	}
}
