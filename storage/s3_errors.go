package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsretry "github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"tidemark/internal/mask"
)

var (
	errNoKey    = fmt.Errorf("no such key: %w", fs.ErrNotExist)
	errPastEnd  = errors.New("the range begins beyond the end")
	errNoBucket = errors.New("no such bucket at this endpoint")
)

// refusal is a refused request: which call, on what, and what the store said.
type refusal struct {
	call, uri string // "GetObject", "s3://bucket/key"
	status    int    // of HTTP; 0 where no answer came
	code      string // of S3: "AccessDenied"
	message   string // of the store
	meaning   string // what it says and what it does not; "" where that is plain
	kind      error  // what errors.Is tells; nil for nothing of ours
	err       error
}

func (r *refusal) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s %s: ", r.call, r.uri)
	switch {
	case r.code == "" && r.status == 0:
		return s.String() + noAnswer(r.err)
	case r.code == "":
		fmt.Fprintf(&s, "%d %s", r.status, http.StatusText(r.status))
	default:
		fmt.Fprintf(&s, "%d %s", r.status, r.code)
	}
	if r.message != "" && r.message != r.code {
		fmt.Fprintf(&s, " %q", r.message)
	}
	if r.meaning != "" {
		s.WriteString(": " + r.meaning)
	}
	return s.String()
}

// noAnswer says why a request got none, without what the layers between have to say.
func noAnswer(err error) string {
	ue, ok := errors.AsType[*url.Error](err)
	if !ok {
		return mask.URLs(err.Error())
	}
	host := ue.URL
	if u, err := url.Parse(ue.URL); err == nil {
		host = u.Host
	}
	return fmt.Sprintf("no answer from %s: %s", mask.URLs(host), mask.URLs(ue.Err.Error()))
}

func (r *refusal) Unwrap() []error {
	if r.kind == nil {
		return []error{r.err}
	}
	return []error{r.kind, r.err}
}

// codes has one line per refusal that says more than its status.
var codes = map[string]struct {
	kind    error
	meaning string
}{
	"NoSuchKey":    {errNoKey, ""},
	"InvalidRange": {errPastEnd, ""},
	"NoSuchBucket": {errNoBucket, "no such bucket at this endpoint; check the name, the endpoint and the account"},
	"InvalidObjectState": {ErrArchived,
		"the object is in an archive storage class; restore it before tidemark or the query can read it"},
	"KMS.DisabledException":        {fs.ErrPermission, "the key that encrypts the object is disabled"},
	"KMS.NotFoundException":        {fs.ErrPermission, "the key that encrypts the object no longer exists"},
	"KMS.KMSInvalidStateException": {fs.ErrPermission, "the key that encrypts the object cannot be used in its state"},
	"ExpiredToken":                 {ErrLogin, "the credentials have expired; sign in again"},
	"ExpiredTokenException":        {ErrLogin, "the credentials have expired; sign in again"},
	"RequestExpired":               {ErrLogin, "the credentials have expired, or the clock of this machine is wrong"},
	"InvalidClientTokenId":         {ErrLogin, "this access key is unknown there; check the profile and the endpoint"},
	"UnrecognizedClientException":  {ErrLogin, "this access key is unknown there; check the profile and the endpoint"},
	"InvalidSecurity":              {ErrLogin, "the credentials are not accepted; sign in again"},
	"TokenRefreshRequired":         {ErrLogin, "the credentials have expired; sign in again"},
	"InvalidToken":                 {ErrLogin, "the session token is not accepted; sign in again"},
	"InvalidAccessKeyId":           {ErrLogin, "this access key is unknown there; check the profile and the endpoint"},
	"SignatureDoesNotMatch":        {ErrLogin, "the secret key does not match the access key, or the request was changed on the way"},
	"RequestTimeTooSkewed":         {ErrLogin, "the clock of this machine is wrong"},
	"AllAccessDisabled":            {fs.ErrPermission, "access to the bucket is disabled"},
}

// refused does what s3Error does, for a call on a key, or a prefix, of the bucket.
func (b *bucket) refused(call, key string, err error) error {
	return s3Error(call, b.uri(key), b.identity, err)
}

// s3Error sorts the error of a call into the kinds that a Store tells apart. who asked, in words; "" where that
// is not known.
func s3Error(call, uri, who string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: %w", call, uri, err)
	}
	for _, ours := range []error{ErrBudget, errHops, errNotS3} { // of wire: no answer of the store
		if errors.Is(err, ours) {
			return fmt.Errorf("%s %s: %w", call, uri, innermost(err, ours))
		}
	}
	r := &refusal{call: call, uri: mask.Location(uri), err: err}
	header := http.Header{}
	if re, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
		r.status = re.HTTPStatusCode()
		if re.Response != nil && re.Response.Response != nil {
			header = re.Response.Header
		}
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		r.code, r.message = api.ErrorCode(), mask.URLs(api.ErrorMessage())
	}
	known, ok := codes[r.code]
	switch {
	case ok:
		if r.kind, r.meaning = known.kind, known.meaning; (r.kind == fs.ErrPermission || r.kind == ErrLogin) && who != "" {
			r.meaning += " (requested as: " + who + ")"
		}
	case r.status == http.StatusForbidden || r.status == http.StatusUnauthorized:
		r.kind, r.meaning = fs.ErrPermission, denied(call, who, r.message)
	case r.status == http.StatusNotFound && call == "HeadObject": // its answer has no body to say it in
		r.kind = errNoKey
	case r.status == http.StatusRequestedRangeNotSatisfiable:
		r.kind = errPastEnd
	case awsretry.IsErrorRetryables(awsretry.DefaultRetryables).IsErrorRetryable(err) == aws.TrueTernary || r.status >= 500:
		return &busyError{why: r.brief(), after: retryAfter(header), err: r}
	}
	return r
}

// innermost returns the error in err that was made around kind, without what the layers above have to say.
func innermost(err, kind error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil || next == kind || !errors.Is(next, kind) {
			return err
		}
		err = next
	}
}

func (r *refusal) brief() string {
	switch {
	case r.status == 0:
		return "no connection"
	case r.code == "":
		return strconv.Itoa(r.status)
	}
	return fmt.Sprintf("%d %s", r.status, r.code)
}

// denied tells what a 403 says, and what it does not: a missing key is a 403 too for those who may not list.
func denied(call, who, message string) string {
	here := "the identity used here"
	if who != "" {
		here += " (" + who + ")"
	}
	if strings.Contains(strings.ToLower(message), "kms") {
		return here + " likely lacks kms:Decrypt for the key that encrypts the object; the identity of the query may differ"
	}
	if call == "ListObjectsV2" {
		return here + " likely lacks s3:ListBucket for this prefix; this call does not show whether its keys can be read, " +
			"and the identity of the query may differ"
	}
	return here + " likely lacks s3:GetObject for this key or kms:Decrypt for its encryption key, or the key is missing: " +
		"without s3:ListBucket a missing key also gives 403. This call does not show whether listing works, " +
		"and the identity of the query may differ"
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 3600)) * time.Second
}

// expecting finds the region in the words of S3 and of those who copy them.
var expecting = regexp.MustCompile(`expecting '([a-z0-9-]+)'`)

// regionIn returns the region in which a bucket says that it is; "" where err is about something else.
func regionIn(err error) string {
	re, ok := errors.AsType[*smithyhttp.ResponseError](err)
	if !ok || re.Response == nil || re.Response.Response == nil {
		return ""
	}
	switch re.HTTPStatusCode() {
	case http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusBadRequest:
	default:
		return ""
	}
	if region := re.Response.Header.Get("X-Amz-Bucket-Region"); region != "" {
		return region
	}
	if m := expecting.FindStringSubmatch(err.Error()); m != nil {
		return m[1]
	}
	return ""
}
