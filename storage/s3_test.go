package storage

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// before sees a request first; where it answers, it returns true.
type before func(http.ResponseWriter, *http.Request) bool

// fakeS3 is an S3 server inside the test, with a bucket "b" that holds these files below a prefix.
func fakeS3(t *testing.T, prefix string, files map[string]string, first before) Options {
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
		if first == nil || !first(w, r) {
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	noAWS(t)
	return Options{EndpointURL: server.URL, Region: "us-east-1", Meter: new(Meter)}
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

// says answers as S3 refuses.
func says(w http.ResponseWriter, status int, code, message string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
	return true
}

func isList(r *http.Request) bool { return r.URL.Query().Has("list-type") }

func TestS3LocationKeepsItsScheme(t *testing.T) {
	o := fakeS3(t, "", nil, nil)
	for location, want := range map[string]string{
		"s3://b": "s3://b", "s3://b/": "s3://b", "s3a://b/cp": "s3a://b/cp", "s3n://b/cp/orders/": "s3n://b/cp/orders", "S3://b/a%20b c": "S3://b/a%20b c",
	} {
		if got := open(t, location, o).String(); got != want {
			t.Errorf("%s is called %s, want %s", location, got, want)
		}
	}
	for _, location := range []string{"s3://", "s3:///cp", "s3:b/cp", "s3a://AKIAKEY:hunter2@b/cp", "s3://hunter2@b"} {
		_, err := Open(t.Context(), location, o)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error without the secret", location, err)
		}
	}
}

func TestS3ListsPageByPage(t *testing.T) {
	files := map[string]string{}
	for i := range 2345 {
		files[fmt.Sprintf("state/%d", i)] = "x"
	}
	files["state/10/below"] = "x"
	o := fakeS3(t, "cp/", files, nil)
	names := strings.Fields(listing(t, open(t, "s3://b/cp", o), "state"))
	if len(names) != 2346 || names[0] != "0" || names[1] != "1" || names[2] != "10" || names[3] != "10/" {
		t.Errorf("listed %d names, from %q", len(names), names[:min(4, len(names))])
	}
	if r := o.Meter.Snapshot(); r.Lists != 3 || r.Requests() != 3 {
		t.Errorf("%+v, want three pages of a thousand", r)
	}
}

// Stores mark an empty folder with a key; neither form is a file of the checkpoint.
func TestS3HidesMarksOfFolders(t *testing.T) {
	s := s3Store(t, map[string]string{
		"": "", "offsets/": "", "offsets/0": "v1", "commits_$folder$": "", "state_$folder$": "", "state/0/": "", "state/0_$folder$": "",
		"sources/0_$folder$": "", "kept_$folder$": "not empty, so a file",
	})
	for dir, want := range map[string]string{
		".": "commits/ kept_$folder$ offsets/ sources/ state/", "offsets": "0", "commits": "", "state": "0/", "state/0": "", "sources": "0/",
	} {
		if got := listing(t, s, dir); got != want {
			t.Errorf("%s: listed %q, want %q", dir, got, want)
		}
	}
}

// A listing may come with its keys encoded or, from stores that do not know how, as they are.
func TestS3DecodesKeysOnce(t *testing.T) {
	list := func(encoding, key string) before {
		return func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, `<ListBucketResult>%s<IsTruncated>false</IsTruncated><Contents><Key>%s</Key><Size>1</Size></Contents></ListBucketResult>`, encoding, key)
			return true
		}
	}
	for _, c := range []struct{ encoding, key, want string }{
		{"<EncodingType>url</EncodingType>", "cp/a%2Bb+c%2525", "a+b c%25"},
		{"", "cp/a+b c%25", "a+b c%25"},
	} {
		if got := listing(t, open(t, "s3://b/cp", fakeS3(t, "", nil, list(c.encoding, c.key))), "."); got != c.want {
			t.Errorf("%s %s: listed %q, want %q", c.encoding, c.key, got, c.want)
		}
	}
}

func TestS3SaysWhatARefusalMeans(t *testing.T) {
	for _, c := range []struct {
		name          string
		status        int
		code, message string
		kind          error
		list          bool
		words         []string
	}{
		{"read denied", 403, "AccessDenied", "Access Denied", fs.ErrPermission, false,
			[]string{"GetObject s3://b/cp/offsets/0", "403 AccessDenied", "s3:GetObject", "a missing key also gives 403", "does not show whether listing works"}},
		{"list denied", 403, "AccessDenied", "Access Denied", fs.ErrPermission, true, []string{"ListObjectsV2 s3://b/cp/offsets/", "s3:ListBucket"}},
		{"no use of the encryption key", 403, "AccessDenied", "not authorized to perform: kms:Decrypt", fs.ErrPermission, false, []string{"kms:Decrypt"}},
		{"encryption key disabled", 400, "KMS.DisabledException", "key is disabled", fs.ErrPermission, false, []string{"disabled"}},
		{"expired", 400, "ExpiredToken", "The provided token has expired.", ErrLogin, true, []string{"sign in again"}},
		{"missing", 404, "NoSuchKey", "The specified key does not exist.", fs.ErrNotExist, false, []string{"s3://b/cp/offsets/0"}},
		{"archived", 403, "InvalidObjectState", "The operation is not valid for the object's storage class", ErrArchived, false, []string{"restore it"}},
		{"no bucket", 404, "NoSuchBucket", "The specified bucket does not exist", errNoBucket, true, []string{"no such bucket", "s3://b/cp/"}},
		{"no bucket, reading", 404, "NoSuchBucket", "The specified bucket does not exist", errNoBucket, false, []string{"no such bucket"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := fakeS3(t, "cp/", map[string]string{"offsets/0": "v1"}, func(w http.ResponseWriter, r *http.Request) bool {
				return says(w, c.status, c.code, c.message)
			})
			s := open(t, "s3://b/cp", o)
			_, err := read(t.Context(), s, "offsets/0", 0, -1)
			if c.list {
				err = listError(t.Context(), s, "offsets")
			}
			if !errors.Is(err, c.kind) {
				t.Errorf("%v, want an error that is %v", err, c.kind)
			}
			for _, kind := range []error{fs.ErrPermission, ErrLogin, fs.ErrNotExist, ErrArchived, errNoBucket} {
				if kind != c.kind && errors.Is(err, kind) {
					t.Errorf("%v, which is %v too", err, kind)
				}
			}
			for _, words := range c.words {
				if !strings.Contains(err.Error(), words) {
					t.Errorf("%v\ndoes not say %q", err, words)
				}
			}
			if r := o.Meter.Snapshot(); r.Retries != 0 {
				t.Errorf("%d retries of what no retry mends", r.Retries)
			}
		})
	}
}

func TestS3SaysThatNobodyAnswers(t *testing.T) {
	noAWS(t)
	client, _, err := newS3Client(t.Context(), Options{EndpointURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bucket{scheme: "s3", name: "b", prefix: "cp"}
	b.client.Store(client)
	_, _, err = b.page(t.Context(), ".", "")
	busy, ok := errors.AsType[*busyError](err)
	if !ok || busy.why != "no connection" || !strings.HasPrefix(err.Error(), "ListObjectsV2 s3://b/cp/: no answer from 127.0.0.1:1: dial tcp") {
		t.Errorf("%v, want one that may pass and names the server", err)
	}
}

// What may be read stays readable where one part of a checkpoint is denied.
func TestS3DeniedInPart(t *testing.T) {
	files := map[string]string{"offsets/0": "v1", "state/0/0/1.delta": "x"}
	for _, c := range []struct {
		name                           string
		deny                           func(*http.Request) bool
		list, get, listState, getState bool
	}{
		{"lists", isList, false, true, false, true},
		{"reads", func(r *http.Request) bool { return !isList(r) }, true, false, true, false},
		{"one prefix", func(r *http.Request) bool { return strings.Contains(r.URL.Path+r.URL.Query().Get("prefix"), "/state/") }, true, true, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, "s3://b/cp", fakeS3(t, "cp/", files, func(w http.ResponseWriter, r *http.Request) bool {
				return c.deny(r) && says(w, 403, "AccessDenied", "Access Denied")
			}))
			_, get := read(t.Context(), s, "offsets/0", 0, -1)
			_, getState := read(t.Context(), s, "state/0/0/1.delta", 0, -1)
			for what, got := range map[string]struct {
				err error
				ok  bool
			}{
				"list": {listError(t.Context(), s, "offsets"), c.list}, "get": {get, c.get},
				"list state": {listError(t.Context(), s, "state/0/0"), c.listState}, "get state": {getState, c.getState},
			} {
				if got.ok != (got.err == nil) || !got.ok && !errors.Is(got.err, fs.ErrPermission) {
					t.Errorf("%s: %v, want success: %v", what, got.err, got.ok)
				}
			}
		})
	}
}

func TestS3FollowsTheBucketToItsRegion(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer before
	}{
		{"redirect", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Amz-Bucket-Region", "eu-central-1")
			return says(w, 301, "PermanentRedirect", "The bucket you are attempting to access must be addressed using the specified endpoint.")
		}},
		{"refused signature", func(w http.ResponseWriter, r *http.Request) bool {
			return says(w, 400, "AuthorizationHeaderMalformed", "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var wrong atomic.Int64
			s := open(t, "s3://b/cp", fakeS3(t, "cp/", map[string]string{"offsets/0": "v1"}, func(w http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.Header.Get("Authorization"), "/eu-central-1/") {
					return false
				}
				wrong.Add(1)
				return c.answer(w, r)
			}))
			if got := listing(t, s, "offsets"); got != "0" {
				t.Errorf("listed %q", got)
			}
			if got, err := read(t.Context(), s, "offsets/0", 0, -1); err != nil || got != "v1" {
				t.Errorf("read %q with %v", got, err)
			}
			if wrong.Load() != 1 {
				t.Errorf("asked the wrong region %d times, want once", wrong.Load())
			}
		})
	}
}

func TestS3AsksUnsigned(t *testing.T) {
	o := fakeS3(t, "cp/", map[string]string{"metadata": "{}"}, func(w http.ResponseWriter, r *http.Request) bool {
		return r.Header.Get("Authorization") != "" && says(w, 403, "AccessDenied", "signed")
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	if _, err := Open(t.Context(), "s3://b/cp", o); err == nil || !strings.Contains(err.Error(), "no AWS credentials") {
		t.Errorf("without credentials: %v, want that there are none", err)
	}
	o.NoSignRequest = true
	if got, err := read(t.Context(), open(t, "s3://b/cp", o), "metadata", 0, -1); err != nil || got != "{}" {
		t.Errorf("unsigned: read %q with %v", got, err)
	}
}

// A store that does not know ranges sends the whole file.
func TestS3CutsWhatIsMoreThanAsked(t *testing.T) {
	s := open(t, "s3://b/cp", fakeS3(t, "", nil, func(w http.ResponseWriter, r *http.Request) bool {
		w.Write([]byte("0123456789"))
		return true
	}))
	if got, err := read(t.Context(), s, "f", 3, 4); err != nil || got != "3456" {
		t.Errorf("read %q with %v, want 3456", got, err)
	}
	if got, err := read(t.Context(), s, "f", 30, 4); err != nil || got != "" {
		t.Errorf("past the end: read %q with %v, want nothing", got, err)
	}
}

func TestS3RefusesAnotherRange(t *testing.T) {
	s := open(t, "s3://b/cp", fakeS3(t, "", nil, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Range", "bytes 0-3/10")
		w.WriteHeader(http.StatusPartialContent)
		w.Write([]byte("0123"))
		return true
	}))
	if got, err := read(t.Context(), s, "f", 3, 4); err == nil {
		t.Errorf("read %q, which is from another place", got)
	}
}

func TestS3EndsAListingThatGoesInCircles(t *testing.T) {
	for _, token := range []string{"", "<NextContinuationToken>again</NextContinuationToken>"} {
		s := open(t, "s3://b/cp", fakeS3(t, "", nil, func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, `<ListBucketResult><IsTruncated>true</IsTruncated>%s<Contents><Key>cp/1</Key></Contents></ListBucketResult>`, token)
			return true
		}))
		if err := listError(t.Context(), s, "."); err == nil {
			t.Errorf("%q: no error", token)
		}
	}
}

func TestS3OpensAnArchive(t *testing.T) {
	cp := map[string]string{"orders/metadata": "{}", "orders/offsets/0": "v1", "orders/state/0/0/1.snapshot": strings.Repeat("abcdefgh", 90_000)}
	for name, data := range map[string][]byte{
		"cp.zip": zipped(t, cp, zip.Deflate), "cp.tar": tarred(t, cp), "cp.tgz": gz(t, tarred(t, cp)), "cp.tar.zst": zst(t, tarred(t, cp)),
	} {
		o := fakeS3(t, "old/", map[string]string{name: string(data)}, nil)
		s := open(t, "s3://b/old/"+name, o)
		if got := listing(t, s, "."); got != "metadata offsets/ state/" {
			t.Errorf("%s: listed %q", name, got)
		}
		for file, want := range cp {
			if got, err := read(t.Context(), s, strings.TrimPrefix(file, "orders/"), 0, -1); err != nil || got != want {
				t.Errorf("%s: %s: %d bytes with %v, want %d", name, file, len(got), err, len(want))
			}
		}
		if s.String() != "s3://b/old/"+name {
			t.Errorf("it is called %s", s)
		}
	}
	s := open(t, "s3://b/old/cp.zip", fakeS3(t, "old/cp.zip/", map[string]string{"metadata": "{}"}, nil))
	if got := listing(t, s, "."); got != "metadata" {
		t.Errorf("a folder named cp.zip: listed %q", got)
	}
}

// The package holds nothing that could change a bucket or a disk: of the S3 client only what reads, and
// no function of os that writes.
func TestNothingWrites(t *testing.T) {
	ofS3 := regexp.MustCompile(`\b(?:s3|c|client)\.([A-Z]\w*)`)
	reads := regexp.MustCompile(`^(GetObject|ListObjectsV2|HeadObject)(Input|Output)?$|^(New|NewFromConfig|Client|Options|Load|Store|BaseEndpoint|Retryer|ResponseChecksumValidation|UsePathStyle|HTTPClient|GetTransport)$`)
	words := regexp.MustCompile(`(Put|Delete|Copy|Restore|Abort|Create|Complete)(Object|Bucket|Multipart|Part)`)
	disk := regexp.MustCompile(`\bos\.(Create|Write|Mkdir|Remove|Rename|Ch|Truncate|Symlink|Link)|O_(WRONLY|RDWR|CREATE|APPEND|TRUNC)|\broot\.(Create|Write|Mkdir|Remove|Rename|Ch|Symlink|Link)`)
	calls := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		code, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for m := range strings.SplitSeq(string(code), "\n") {
			if words.MatchString(m) || disk.MatchString(m) {
				t.Errorf("%s: %s", f.Name(), strings.TrimSpace(m))
			}
			if !strings.HasPrefix(f.Name(), "s3") {
				continue
			}
			for _, name := range ofS3.FindAllStringSubmatch(m, -1) {
				if calls[name[1]] = true; !reads.MatchString(name[1]) {
					t.Errorf("%s: %s: %s does not read", f.Name(), strings.TrimSpace(m), name[1])
				}
			}
		}
	}
	if !calls["GetObject"] || !calls["ListObjectsV2"] || !calls["HeadObject"] {
		t.Errorf("found only %v: the pattern has lost the calls it looks for", calls)
	}
}
