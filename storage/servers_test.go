//go:build servers

package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// These tests run against real servers, which .ci/servers.sh starts: one that checks signatures, users
// and policies (versitygw) and one that follows AWS closely elsewhere (moto).

// server is one of them, with a client that may write, for setting up.
type server struct {
	url    string
	writer *s3.Client
}

func setting(t *testing.T, name string) string {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		t.Fatalf("%s is not set: run .ci/servers.sh", name)
	}
	return v
}

func reach(t *testing.T, url string) *server {
	t.Helper()
	key, secret := setting(t, "TIDEMARK_TEST_S3_KEY"), setting(t, "TIDEMARK_TEST_S3_SECRET")
	noAWS(t)
	as(t, key, secret)
	return &server{url, s3.New(s3.Options{
		BaseEndpoint: &url, Region: "us-east-1", UsePathStyle: true, Credentials: credentials.NewStaticCredentialsProvider(key, secret, ""),
	})}
}

// as makes everything that is opened from now on ask as this user.
func as(t *testing.T, key, secret string) {
	t.Setenv("AWS_ACCESS_KEY_ID", key)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
}

func (s *server) options() Options {
	return Options{EndpointURL: s.url, Region: "us-east-1", Meter: new(Meter)}
}

func (s *server) bucket(t *testing.T, name string) {
	t.Helper()
	_, err := s.writer.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name})
	if owned := (*types.BucketAlreadyOwnedByYou)(nil); err != nil && !errors.As(err, &owned) {
		t.Fatal(err)
	}
}

func (s *server) put(t *testing.T, bucket, prefix string, files map[string]string) {
	t.Helper()
	var wg sync.WaitGroup
	turns := make(chan struct{}, 16)
	for name, data := range files {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			_, err := s.writer.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: aws.String(prefix + name), Body: strings.NewReader(data)})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	wg.Wait()
}

// suite runs the suite of all backends, each test on a prefix of its own.
func (s *server) suite(t *testing.T) {
	s.bucket(t, "suite")
	n := 0
	testStore(t, func(t *testing.T, files map[string]string) Store {
		n++
		prefix := fmt.Sprintf("cp %d+ü/", n)
		s.put(t, "suite", prefix, files)
		return open(t, "s3a://suite/"+prefix, s.options())
	})
}

// pages lists more than a page of keys, beside a lifecycle rule, which changes nothing for a reader.
func (s *server) pages(t *testing.T) {
	s.bucket(t, "pages")
	files := map[string]string{"state/0/0/1.delta": "x"}
	for i := range 1203 {
		files[fmt.Sprintf("offsets/%d", i)] = "v1"
	}
	s.put(t, "pages", "cp/", files)
	o := s.options()
	store := open(t, "s3://pages/cp", o)
	names := strings.Fields(listing(t, store, "offsets"))
	if len(names) != 1203 || names[2] != "10" || names[3] != "100" {
		t.Errorf("listed %d names, from %q", len(names), names[:min(4, len(names))])
	}
	if r := o.Meter.Snapshot(); r.Requests() != 2 || r.Retries != 0 {
		t.Errorf("%+v, want two pages", r)
	}
	if got := listing(t, store, "."); got != "offsets/ state/" {
		t.Errorf("listed %q", got)
	}
	_, err := Open(t.Context(), "s3://none-such/cp", s.options())
	if err == nil {
		err = listError(t.Context(), open(t, "s3://none-such/cp", s.options()), "offsets")
	}
	if !errors.Is(err, errNoBucket) {
		t.Errorf("a bucket that is not there: %v", err)
	}
}

func TestMoto(t *testing.T) {
	s := reach(t, setting(t, "TIDEMARK_TEST_S3_MOTO"))
	t.Run("suite", s.suite)
	t.Run("pages", s.pages)
	t.Run("lifecycle", func(t *testing.T) {
		s.bucket(t, "lifecycle")
		_, err := s.writer.PutBucketLifecycleConfiguration(t.Context(), &s3.PutBucketLifecycleConfigurationInput{
			Bucket: aws.String("lifecycle"),
			LifecycleConfiguration: &types.BucketLifecycleConfiguration{Rules: []types.LifecycleRule{{
				ID: aws.String("clean-up"), Status: types.ExpirationStatusEnabled,
				Filter: &types.LifecycleRuleFilter{Prefix: aws.String("cp/")}, Expiration: &types.LifecycleExpiration{Days: aws.Int32(7)},
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.put(t, "lifecycle", "cp/", map[string]string{"metadata": "{}"})
		store := open(t, "s3://lifecycle/cp", s.options())
		if got, err := read(t.Context(), store, "metadata", 0, -1); err != nil || got != "{}" || listing(t, store, ".") != "metadata" {
			t.Errorf("read %q with %v, listed %q", got, err, listing(t, store, "."))
		}
	})
	t.Run("archived", func(t *testing.T) {
		s.bucket(t, "archived")
		_, err := s.writer.PutObject(t.Context(), &s3.PutObjectInput{
			Bucket: aws.String("archived"), Key: aws.String("cp/metadata"), Body: strings.NewReader("{}"), StorageClass: types.StorageClassGlacier,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(t.Context(), open(t, "s3://archived/cp", s.options()), "metadata", 0, -1); !errors.Is(err, ErrArchived) {
			t.Errorf("read %q with %v, want ErrArchived", got, err)
		}
	})
}

func TestVersityGW(t *testing.T) {
	s := reach(t, setting(t, "TIDEMARK_TEST_S3_VERSITYGW"))
	t.Run("suite", s.suite)
	t.Run("pages", s.pages)
	t.Run("denied", s.denied)
	t.Run("unknown key", func(t *testing.T) {
		as(t, "nobody", "wrong")
		if err := listError(t.Context(), open(t, "s3://suite", s.options()), "."); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "access key") {
			t.Errorf("%v, want that the key is not known", err)
		}
	})
	t.Run("wrong secret", func(t *testing.T) {
		as(t, os.Getenv("TIDEMARK_TEST_S3_KEY"), "wrong")
		if err := listError(t.Context(), open(t, "s3://suite", s.options()), "."); !errors.Is(err, ErrLogin) || !strings.Contains(err.Error(), "secret key") {
			t.Errorf("%v, want that the secret is wrong", err)
		}
	})
}

// denied asks as a user whose policy lacks something.
func (s *server) denied(t *testing.T) {
	reader, secret := setting(t, "TIDEMARK_TEST_S3_READER"), setting(t, "TIDEMARK_TEST_S3_READER_SECRET")
	for _, c := range []struct {
		name, statements          string // of the policy; %[1]s is the user
		list, get, getState, gone bool   // what succeeds; gone: a missing key is told from a denied one
	}{
		{"may-read", `{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:ListBucket"],"Resource":"arn:aws:s3:::may-read"},
			{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:GetObject"],"Resource":"arn:aws:s3:::may-read/*"}`, true, true, true, true},
		{"may-list", `{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:ListBucket"],"Resource":"arn:aws:s3:::may-list"}`, true, false, false, false},
		{"may-get", `{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:GetObject"],"Resource":"arn:aws:s3:::may-get/*"}`, false, true, true, true},
		{"not-state", `{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:ListBucket"],"Resource":"arn:aws:s3:::not-state"},
			{"Effect":"Allow","Principal":{"AWS":["%[1]s"]},"Action":["s3:GetObject"],"Resource":"arn:aws:s3:::not-state/*"},
			{"Effect":"Deny","Principal":{"AWS":["%[1]s"]},"Action":["s3:GetObject"],"Resource":"arn:aws:s3:::not-state/cp/state/*"}`, true, true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.bucket(t, c.name)
			s.put(t, c.name, "cp/", map[string]string{"offsets/0": "v1", "state/0/0/1.delta": "x"})
			_, err := s.writer.PutBucketPolicy(t.Context(), &s3.PutBucketPolicyInput{
				Bucket: &c.name, Policy: aws.String(fmt.Sprintf(`{"Version":"2012-10-17","Statement":[`+c.statements+`]}`, reader)),
			})
			if err != nil {
				t.Fatal(err)
			}
			as(t, reader, secret)
			store := open(t, "s3://"+c.name+"/cp", s.options())
			get := func(name string) error { _, err := read(t.Context(), store, name, 0, -1); return err }
			for what, got := range map[string]struct {
				err error
				ok  bool
			}{
				"list": {listError(t.Context(), store, "offsets"), c.list},
				"get":  {get("offsets/0"), c.get}, "get state": {get("state/0/0/1.delta"), c.getState},
			} {
				if got.ok != (got.err == nil) || !got.ok && !errors.Is(got.err, fs.ErrPermission) {
					t.Errorf("%s: %v, want success: %v", what, got.err, got.ok)
				}
			}
			want := fs.ErrPermission
			if c.gone {
				want = fs.ErrNotExist
			}
			if err := get("offsets/1"); !errors.Is(err, want) {
				t.Errorf("a missing key: %v, want %v", err, want)
			}
		})
	}
}
