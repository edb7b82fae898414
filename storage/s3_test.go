package storage

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// fakeS3 is an S3 server inside the test, with a bucket "b" that holds these files below a prefix.
// before sees every request first; where it answers it returns true.
func fakeS3(t *testing.T, prefix string, files map[string]string, before func(http.ResponseWriter, *http.Request) bool) Options {
	t.Helper()
	store := s3mem.New()
	if err := store.CreateBucket("b"); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if _, err := store.PutObject("b", prefix+name, nil, strings.NewReader(data), int64(len(data)), nil); err != nil {
			t.Fatal(err)
		}
	}
	fake := gofakes3.New(store, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before == nil || !before(w, r) {
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	noAWS(t)
	return Options{EndpointURL: server.URL, Region: "us-east-1"}
}

// noAWS keeps what this machine has of an AWS configuration out of a test.
func noAWS(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_REGION": "",
		"AWS_DEFAULT_REGION": "", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": "",
	} {
		t.Setenv(name, value)
	}
}

func s3Store(t *testing.T, files map[string]string) Store {
	return open(t, "s3a://b/cp/orders", fakeS3(t, "cp/orders/", files, nil))
}

// s3Says answers as S3 refuses.
func s3Says(w http.ResponseWriter, status int, code, message string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
	return true
}

var _ = context.Background
var _ = url.Parse
