package storage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// maxHops is how often one request is sent on to another address. S3 does so once, for a bucket that is new.
const maxHops = 3

var (
	errHops  = errors.New("the server redirects the request too often")
	errNotS3 = errors.New("the answer is not a bucket listing")
)

// asked is one request of a bucket as the layers above count it. What goes out beyond it, to another address or to
// another region, is counted where it goes out.
type asked struct{ out atomic.Bool }

type askedKey struct{}

// asking marks what ctx is for as a request that is counted already.
func asking(ctx context.Context) context.Context {
	return context.WithValue(ctx, askedKey{}, new(asked))
}

// wire is the last layer before the net: it counts what nobody above has counted, and lets no page of another
// server pass for a listing.
type wire struct {
	net     http.RoundTripper
	meter   *Meter
	allowed int64 // requests; 0 for no limit
	made    *atomic.Int64
}

// newWire makes a client for one store.
func newWire(net http.RoundTripper, o Options) *http.Client {
	return &http.Client{Transport: &wire{net, o.Meter, o.MaxRequests, o.spent()}, CheckRedirect: hop}
}

// hop decides whether a request is sent on: as it is, a few times, and never from TLS to the open.
func hop(r *http.Request, before []*http.Request) error {
	if status := r.Response.StatusCode; status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect {
		return http.ErrUseLastResponse // these may change what is asked
	}
	last := before[len(before)-1]
	switch {
	case len(before) > maxHops:
		return fmt.Errorf("%w: after %d redirects it points to %s", errHops, maxHops, bare(r))
	case last.URL.Scheme == "https" && r.URL.Scheme != "https":
		return fmt.Errorf("%w: from TLS to %s without encryption", errHops, bare(r))
	}
	if last.URL.Host != r.URL.Host {
		r.Header.Del("X-Amz-Security-Token")
	}
	return nil
}

// bare returns the address of a request without what may give access.
func bare(r *http.Request) string { return r.URL.Scheme + "://" + r.URL.Host + r.URL.Path }

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil, fmt.Errorf("%s is not a read request", r.Method)
	}
	if a, ok := r.Context().Value(askedKey{}).(*asked); !ok || a.out.Swap(true) {
		if w.meter != nil {
			w.meter.others.Add(1)
		}
		if w.allowed > 0 && w.made.Add(1) > w.allowed {
			return nil, fmt.Errorf("%w: %d", ErrBudget, w.allowed)
		}
	}
	resp, err := w.net.RoundTrip(r)
	if err == nil && resp.StatusCode == http.StatusOK && r.URL.Query().Has("list-type") {
		err = listed(resp)
	}
	if err != nil && resp != nil {
		err = errors.Join(err, resp.Body.Close())
		resp = nil
	}
	return resp, err
}

// listed looks whether an answer begins as a listing does, or as an error of S3. The client takes any XML for one,
// and a listing without entries is a folder without files.
func listed(resp *http.Response) error {
	const enough = 1 << 10
	body := bufio.NewReaderSize(resp.Body, enough)
	head, err := body.Peek(enough)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	resp.Body = &joined{body, resp.Body}
	if bytes.Contains(head, []byte("ListBucketResult")) || bytes.Contains(head, []byte("<Error>")) {
		return nil
	}
	kind := resp.Header.Get("Content-Type")
	if kind == "" {
		kind = "no content type"
	}
	begin := strings.ToValidUTF8(string(head[:min(len(head), 80)]), "…")
	switch {
	case len(head) == 0:
		begin = "an empty body"
	default:
		begin = fmt.Sprintf("%q", begin)
	}
	return fmt.Errorf("%w: %d %s, %s, beginning with %s", errNotS3, resp.StatusCode, http.StatusText(resp.StatusCode), kind, begin)
}
