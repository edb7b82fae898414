package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/logging"
)

// bucket is a prefix of an S3 bucket, or of any store that speaks its protocol. It lists, reads and
// asks for sizes; no other call is in this package.
type bucket struct {
	scheme string // as typed: s3, s3a, s3n
	name   string
	prefix string // without a slash at either end; "" for the whole bucket
	client atomic.Pointer[s3.Client]

	identity string // as whom it is read, for a person
}

func openS3(ctx context.Context, location string, o Options) (Store, error) {
	b, err := parseS3(location)
	if err != nil {
		return nil, err
	}
	client, who, err := newS3Client(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b, err)
	}
	b.client.Store(client)
	b.identity = who
	o.Meter.reader(who)
	whole, inner := archiveKey(b.prefix)
	if whole == "" {
		return remote(b, o), nil
	}
	folder, key := (&bucket{scheme: b.scheme, name: b.name, prefix: whole, identity: b.identity}).split()
	folder.client.Store(client)
	s := remote(folder, o)
	var size int64
	r := &retry{backend: folder, meter: o.Meter}
	err = r.do(ctx, func() (err error) {
		w, tryCtx := r.watch(ctx)
		defer w.stop()
		began := time.Now()
		size, err = folder.size(tryCtx, key)
		o.Meter.trace(began, Request{Op: "size", Name: b.String(), Err: err})
		return w.judge(err)
	})
	if errors.Is(err, errNoKey) {
		return remote(b, o), nil // a folder with such a name
	}
	if err != nil {
		return nil, err
	}
	a, err := openArchive(ctx, packed{b.String(), size, aligned(s, key)}, inner, o)
	if err != nil {
		return nil, err
	}
	return asStore(a), nil
}

// archiveKey returns the key of the archive that a prefix leads to or into, and the folder in it; "" where no part is named
// like one.
func archiveKey(prefix string) (key, inner string) {
	for at := 0; at < len(prefix); at++ {
		end := strings.IndexByte(prefix[at:], '/')
		if end < 0 {
			end = len(prefix) - at
		}
		if at += end; ArchiveName(prefix[:at]) {
			return prefix[:at], cmp.Or(strings.Trim(prefix[at:], "/"), ".")
		}
	}
	return "", ""
}

// parseS3 takes s3://bucket/prefix apart. A key is taken as it stands: S3 knows no escapes.
func parseS3(location string) (*bucket, error) {
	scheme, rest, _ := strings.Cut(location, ":")
	rest, ok := strings.CutPrefix(rest, "//")
	if strings.Contains(rest, "@") && !strings.Contains(rest[:strings.Index(rest, "@")], "/") {
		return nil, fmt.Errorf("%s://…: a location must not contain credentials; use a profile or the environment", scheme)
	}
	name, prefix, _ := strings.Cut(rest, "/")
	if !ok || name == "" {
		return nil, fmt.Errorf("%q: the bucket is missing; write %s://bucket/prefix", location, scheme)
	}
	return &bucket{scheme: scheme, name: name, prefix: strings.Trim(prefix, "/")}, nil
}

// newS3Client is a client with the credentials and the region that the AWS tools would take: the flags,
// the environment, the profile, single sign-on, or the role of the machine.
func newS3Client(ctx context.Context, o Options) (client *s3.Client, who string, err error) {
	set := []func(*config.LoadOptions) error{
		config.WithRegion(o.Region),
		config.WithSharedConfigProfile(o.Profile),
		config.WithLogger(logging.Nop{}),
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
			t.MaxIdleConns, t.MaxIdleConnsPerHost = requestsAtOnce, requestsAtOnce
		}).WithDialerOptions(func(d *net.Dialer) {
			d.Timeout = 5 * time.Second // an endpoint that cannot be reached is soon known
		})),
	}
	if o.NoSignRequest {
		set = append(set, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	ctx, cancel := context.WithTimeoutCause(ctx, signingIn, errSigningIn)
	defer cancel()
	cfg, err := config.LoadDefaultConfig(ctx, set...)
	if err != nil {
		return nil, "", fmt.Errorf("the AWS configuration: %w", err)
	}
	who = "anonymous"
	if !o.NoSignRequest {
		c, err := cfg.Credentials.Retrieve(ctx)
		if err != nil && errors.Is(context.Cause(ctx), errSigningIn) {
			return nil, "", errSigningIn
		}
		if err != nil {
			return nil, "", fmt.Errorf("no AWS credentials (choose a profile, sign in, or use unsigned requests for a public bucket): %w", err)
		}
		who = identity(c, cmp.Or(o.Profile, os.Getenv("AWS_PROFILE")))
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1" // a bucket elsewhere answers where it is
	}
	return s3.NewFromConfig(cfg, func(c *s3.Options) {
		if client, ok := cfg.HTTPClient.(interface{ GetTransport() *http.Transport }); ok {
			c.HTTPClient = newWire(client.GetTransport(), o)
		}
		c.Retryer = aws.NopRetryer{} // retry repeats, where the user can see it
		c.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if o.EndpointURL != "" {
			c.BaseEndpoint = &o.EndpointURL
		}
		c.UsePathStyle = o.PathStyle || c.BaseEndpoint != nil && bareHost(*c.BaseEndpoint)
	}), who, nil
}

// signingIn is how long it may take until there are credentials: the role of a machine, single sign-on and a program
// that is asked for them are other servers, which may never answer.
const signingIn = 90 * time.Second

var errSigningIn = errors.New("no AWS credentials within " + signingIn.String() + "; choose a profile, or use unsigned requests for a public bucket")

// bareHost reports whether a bucket's name cannot stand before the host of an endpoint: "localhost".
func bareHost(endpoint string) bool {
	u, err := url.Parse(endpoint)
	return err == nil && (net.ParseIP(u.Hostname()) != nil || !strings.Contains(u.Hostname(), "."))
}

// remote puts around an object store what it needs: what was read is kept, refusals that pass are tried
// again, and no more than a number of requests are under way.
func remote(b backend, o Options) Store {
	if o.Meter != nil {
		b = &metered{b, o.Meter}
	}
	if o.MaxRequests > 0 {
		b = &budget{b, o.MaxRequests, o.spent()}
	}
	c := cachedStore(asStore(limited(&retry{backend: b, meter: o.Meter})), o.cacheBytes())
	c.exact = true
	return c
}

func (b *bucket) String() string { return b.uri(b.prefix) }

func (b *bucket) uri(key string) string {
	if key == "" {
		return b.scheme + "://" + b.name
	}
	return b.scheme + "://" + b.name + "/" + key
}

// key returns the whole key of a name below the prefix.
func (b *bucket) key(name string) string {
	switch {
	case name == ".":
		return b.prefix
	case b.prefix == "":
		return name
	}
	return b.prefix + "/" + name
}

// split returns the folder in which the prefix is a key, and its name there.
func (b *bucket) split() (folder *bucket, name string) {
	dir, name := path.Split(b.prefix)
	folder = &bucket{scheme: b.scheme, name: b.name, prefix: strings.Trim(dir, "/"), identity: b.identity}
	folder.client.Store(b.client.Load())
	return folder, name
}

// call makes a request, and once more where the bucket answers that it lives in another region.
func (b *bucket) call(request func(*s3.Client) error) error {
	client := b.client.Load()
	err := request(client)
	region := regionIn(err)
	if region == "" || region == client.Options().Region {
		return err
	}
	client = s3.New(client.Options(), func(o *s3.Options) { o.Region = region })
	b.client.Store(client)
	return request(client)
}

func (b *bucket) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	prefix := b.key(dir)
	if prefix != "" {
		prefix += "/"
	}
	in := &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: &prefix, Delimiter: aws.String("/"), EncodingType: types.EncodingTypeUrl}
	if name, ok := startAfter(token); ok {
		in.StartAfter = aws.String(prefix + name)
	} else if token != "" {
		in.ContinuationToken = &token
	}
	ctx = asking(ctx)
	var out *s3.ListObjectsV2Output
	err := b.call(func(c *s3.Client) (err error) {
		out, err = c.ListObjectsV2(ctx, in)
		return err
	})
	if err != nil {
		return nil, "", b.refused("ListObjectsV2", prefix, err)
	}
	found, err := entries(prefix, out)
	if err != nil {
		return found, "", fmt.Errorf("ListObjectsV2 %s: %w", b.uri(prefix), err)
	}
	if !aws.ToBool(out.IsTruncated) {
		return found, "", nil
	}
	next := aws.ToString(out.NextContinuationToken)
	if next == "" {
		return found, "", fmt.Errorf("ListObjectsV2 %s: the store announces more pages without a continuation token", b.uri(prefix))
	}
	return found, next, nil
}

// tagOf makes a number of an ETag. Two contents of one key have two ETags.
func tagOf(etag *string) uint64 {
	if aws.ToString(etag) == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(*etag)) // it never fails
	return h.Sum64()
}

// folderMark is how EMR and s3n write an empty folder: a key "offsets_$folder$". Others write "offsets/".
const folderMark = "_$folder$"

// entries returns a page of a listing without the marks of folders, which are keys and no files.
func entries(prefix string, out *s3.ListObjectsV2Output) ([]Entry, error) {
	decode := func(key *string) (string, error) {
		if out.EncodingType != types.EncodingTypeUrl {
			return aws.ToString(key), nil
		}
		return url.QueryUnescape(aws.ToString(key))
	}
	found := make([]Entry, 0, len(out.Contents)+len(out.CommonPrefixes))
	add := func(key string, e Entry) {
		if e.Name = strings.TrimPrefix(key, prefix); validName(e.Name) && e.Name != "." && !strings.Contains(e.Name, "/") {
			found = append(found, e)
		}
	}
	for _, p := range out.CommonPrefixes {
		key, err := decode(p.Prefix)
		if err != nil {
			return found, err
		}
		add(strings.TrimSuffix(key, "/"), Entry{Dir: true})
	}
	for _, o := range out.Contents {
		key, err := decode(o.Key)
		if err != nil {
			return found, err
		}
		if dir, ok := markedFolder(key, aws.ToInt64(o.Size)); ok {
			add(dir, Entry{Dir: true})
			continue
		}
		add(key, Entry{Size: aws.ToInt64(o.Size), Modified: aws.ToTime(o.LastModified).UTC(), Tag: tagOf(o.ETag)})
	}
	return found, nil
}

// markedFolder returns the folder that a key stands for; that of the listed prefix itself is no entry of it.
func markedFolder(key string, size int64) (string, bool) {
	if dir, ok := strings.CutSuffix(key, "/"); ok {
		return dir, true
	}
	dir, ok := strings.CutSuffix(key, folderMark)
	return dir, ok && size == 0
}

func (b *bucket) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	key := b.key(name)
	in := &s3.GetObjectInput{Bucket: &b.name, Key: &key, Range: httpRange(offset, length)}
	ctx = asking(ctx)
	var out *s3.GetObjectOutput
	err := b.call(func(c *s3.Client) (err error) {
		out, err = c.GetObject(ctx, in)
		return err
	})
	if err != nil {
		if err = b.refused("GetObject", key, err); errors.Is(err, errPastEnd) {
			return nothing(), nil
		}
		return nil, err
	}
	r := &lossy{out.Body, b.uri(key)}
	skip := offset
	if got := aws.ToString(out.ContentRange); strings.HasPrefix(got, fmt.Sprintf("bytes %d-", offset)) {
		skip = 0
	} else if got != "" {
		return nil, errors.Join(fmt.Errorf("GetObject %s: the store answered with another range than from byte %d: %q", b.uri(key), offset, got), r.Close())
	}
	if err := discard(r, skip); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.Join(err, r.Close())
	}
	return &joined{cut(r, length), r}, nil
}

// httpRange returns the value of the header, nil for all. An empty range asks for a byte, to learn whether
// the key is there.
func httpRange(offset, length int64) *string {
	last := offset + max(length, 1) - 1
	switch {
	case length >= 0 && last >= offset:
		return aws.String(fmt.Sprintf("bytes=%d-%d", offset, last))
	case offset > 0:
		return aws.String(fmt.Sprintf("bytes=%d-", offset))
	}
	return nil
}

// size asks for the length of a key in bytes; the error for one that is not there is errNoKey.
func (b *bucket) size(ctx context.Context, name string) (int64, error) {
	key := b.key(name)
	var out *s3.HeadObjectOutput
	err := b.call(func(c *s3.Client) (err error) {
		out, err = c.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.name, Key: &key})
		return err
	})
	if err != nil {
		return 0, b.refused("HeadObject", key, err)
	}
	return aws.ToInt64(out.ContentLength), nil
}

// aligned reads a file of a store in blocks, which its cache keeps: an archive is read in many small
// steps that lie close together. A long read is one request.
func aligned(s Store, name string) func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	const block = 256 << 10
	return func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		begin := offset / block * block
		if length < 0 || offset+length > begin+block {
			return s.Open(ctx, name, offset, length)
		}
		rc, err := s.Open(ctx, name, begin, block)
		if err != nil {
			return nil, err
		}
		if err := discard(rc, offset-begin); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.Join(err, rc.Close())
		}
		return &joined{cut(rc, length), rc}, nil
	}
}

// lossy is a body that may break off with its connection.
type lossy struct {
	io.ReadCloser
	uri string
}

func (l *lossy) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		err = &busyError{why: "connection lost", err: fmt.Errorf("GetObject %s: the connection was lost while reading: %w", l.uri, err)}
	}
	return n, err
}
