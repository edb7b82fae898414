package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestRedirectsEnd: a server that sends a request on to itself is left after a few times, and each time counts.
func TestRedirectsEnd(t *testing.T) {
	var asked atomic.Int64
	o := fakeS3(t, "cp/", nil, func(w http.ResponseWriter, r *http.Request) bool {
		asked.Add(1)
		w.Header().Set("Location", "http://"+r.Host+r.URL.Path+"?"+r.URL.RawQuery+"&X-Amz-Signature=hunter2")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	})
	err := listError(t.Context(), open(t, "s3://b/cp", o), ".")
	if err == nil || !strings.Contains(err.Error(), "the server redirects the request too often") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, want that it is sent on and on", err)
	}
	if n := asked.Load(); n != maxHops+1 || o.Meter.Snapshot().Requests() != n {
		t.Errorf("%d requests of which %d were counted, want %d", n, o.Meter.Snapshot().Requests(), maxHops+1)
	}
	o.MaxRequests, o.Meter = 2, new(Meter)
	asked.Store(0)
	if err := listError(t.Context(), open(t, "s3://b/cp", o), "."); !errors.Is(err, ErrBudget) || asked.Load() != 2 {
		t.Errorf("%v after %d requests, want that 2 are used up", err, asked.Load())
	}
}

// TestRedirectIsFollowedOnce: a bucket that is new is at another address.
func TestRedirectIsFollowedOnce(t *testing.T) {
	o := fakeS3(t, "cp/", map[string]string{"f": "x"}, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Has("moved") {
			return false
		}
		w.Header().Set("Location", "http://"+r.Host+r.URL.Path+"?"+r.URL.RawQuery+"&moved=1")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	})
	if got := listing(t, open(t, "s3://b/cp", o), "."); got != "f" {
		t.Errorf("listed %q", got)
	}
	if r := o.Meter.Snapshot(); r.Requests() != 2 || r.Others != 1 {
		t.Errorf("%+v, want two requests", r)
	}
}

// TestListingThatIsNone: what is no listing of S3 is said to be what it is, though some of it would parse.
func TestListingThatIsNone(t *testing.T) {
	for what, c := range map[string]struct{ kind, body, says string }{
		"a page":         {"text/html", "<html><body>Sign in</body></html>", `200 OK, text/html, beginning with "<html><body>Sign in`},
		"JSON":           {"application/json", `{"items":[]}`, `application/json, beginning with "{\"items`},
		"nothing":        {"", "", "beginning with an empty body"},
		"bytes":          {"application/octet-stream", "\x1b]0;x\x07\xff\xfe", `beginning with "\x1b]0;x\a…"`},
		"another answer": {"application/xml", `<?xml version="1.0"?><ListAllMyBucketsResult/>`, "ListAllMyBucketsResult"},
	} {
		o := fakeS3(t, "cp/", nil, func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", c.kind)
			_, _ = io.WriteString(w, c.body)
			return true
		})
		err := listError(t.Context(), open(t, "s3://b/cp", o), ".")
		if err == nil || !strings.Contains(err.Error(), "not a bucket listing") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", what, err, c.says)
		}
	}
}

// TestStoreThatContradictsItself: what is listed and not there, or shorter, is asked for again, and is then the
// store's fault; what has really gone or changed is not.
func TestStoreThatContradictsItself(t *testing.T) {
	const name, data = "offsets/3", "v1\n{}\n0123456789"
	for what, c := range map[string]struct {
		answer func(w http.ResponseWriter, n int64) bool
		want   string // of the content
		says   string // of the error
	}{
		"404 always": {func(w http.ResponseWriter, _ int64) bool { return says(w, 404, "NoSuchKey", "no") }, "", "lists it with 16 bytes, and twice answers a read with 404"},
		"404 once":   {func(w http.ResponseWriter, n int64) bool { return n == 1 && says(w, 404, "NoSuchKey", "no") }, data, ""},
		"cut always": {func(w http.ResponseWriter, n int64) bool {
			if n > 1 {
				return says(w, 416, "InvalidRange", "no")
			}
			_, _ = io.WriteString(w, data[:5])
			return true
		}, "", "lists it with 16 bytes, and twice sends 5"},
		"cut once": {func(w http.ResponseWriter, n int64) bool {
			if n == 1 {
				_, _ = io.WriteString(w, data[:5])
			}
			return n == 1
		}, data, ""},
		"nothing": {func(w http.ResponseWriter, n int64) bool { return true }, "", "sends 0"},
	} {
		var reads atomic.Int64
		o := fakeS3(t, "cp/", map[string]string{name: data, "offsets/2": "", "offsets/30/": ""}, func(w http.ResponseWriter, r *http.Request) bool {
			return !isList(r) && c.answer(w, reads.Add(1))
		})
		s := open(t, "s3://b/cp", o)
		listing(t, s, "offsets")
		got, err := read(t.Context(), s, name, 0, -1)
		switch {
		case c.says == "" && (err != nil || got != c.want):
			t.Errorf("%s: %q, %v", what, got, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || errors.Is(err, fs.ErrNotExist)):
			t.Errorf("%s: %v, want %q", what, err, c.says)
		}
		if n := o.Meter.Snapshot().Requests(); n > 8 {
			t.Errorf("%s: %d requests", what, n)
		}
	}
}

// TestFileThatWentIsGone: a file that is deleted, or written shorter, after it was listed is no fault of the store.
func TestFileThatWentIsGone(t *testing.T) {
	files := map[string]string{"offsets/3": "0123456789", "offsets/4": "0123456789"}
	b := scripted(files, always)
	s := remote(b, Options{})
	listing(t, s, "offsets")
	delete(files, "offsets/3")
	b.backend = scripted(map[string]string{"offsets/4": "01234"}, always).backend
	if _, err := read(t.Context(), s, "offsets/3", 0, -1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that it is gone", err)
	}
	if got, err := read(t.Context(), s, "offsets/4", 0, -1); err != nil || got != "01234" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestSilentStoreIsLeft: a store that takes requests and never answers is left after a minute, and what is asked of
// it then ends sooner; one that answers again is believed.
func TestSilentStoreIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := false
		s := remote(scripted(map[string]string{"f": "x"}, func(ctx context.Context, _ int64) error {
			if answers {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}), Options{})
		for i, most := range []time.Duration{61 * time.Second, 6 * time.Second, 6 * time.Second} {
			began := time.Now()
			if _, err := read(t.Context(), s, "f", 0, -1); !errors.Is(err, errStalled) || time.Since(began) > most {
				t.Errorf("read %d: %v after %v, want no answer within %v", i, err, time.Since(began), most)
			}
		}
		answers = true
		if got, err := read(t.Context(), s, "f", 0, -1); err != nil || got != "x" {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// slowly is a body of which a byte comes now and then, as long as anyone listens.
type slowly struct {
	ctx context.Context
	gap time.Duration
}

func (b *slowly) Close() error { return nil }
func (b *slowly) Read(p []byte) (int, error) {
	select {
	case <-time.After(b.gap):
		p[0] = 'x'
		return 1, nil
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
}

// drip is a backend of such bodies.
type drip struct {
	*script
	gap time.Duration
}

func (d *drip) open(ctx context.Context, _ string, _, _ int64) (io.ReadCloser, error) {
	return &slowly{ctx, d.gap}, nil
}

// TestBodyThatDripsIsLeft: a body that comes a byte at a time, or not at all, ends.
func TestBodyThatDripsIsLeft(t *testing.T) {
	for _, gap := range []time.Duration{time.Second, 29 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err := read(t.Context(), remote(&drip{scripted(nil, always), gap}, Options{}), "f", 0, -1)
			if took := time.Since(began); !errors.Is(err, errStalled) || took > 90*time.Second {
				t.Errorf("a byte every %v: %v after %v", gap, err, took)
			}
		})
	}
}

// TestOnlyReadsGoOut: whatever asks, no other method leaves the program.
func TestOnlyReadsGoOut(t *testing.T) {
	for _, method := range []string{"PUT", "POST", "DELETE", "PATCH"} {
		r, err := http.NewRequest(method, "http://127.0.0.1:1/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newWire(http.DefaultTransport, Options{}).Do(r); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s is not a read request", method)) {
			t.Errorf("%s: %v", method, err)
		}
	}
}
