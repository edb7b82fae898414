package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
)

// TestWhy are errors of connections, and what a person is told of them.
func TestWhy(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("unable to dial: %w", errors.New("dial tcp 10.0.0.1:9092: connect: connection refused")), "a broker cannot be reached: dial tcp 10.0.0.1:9092: connect: connection refused"},
		{fmt.Errorf("unable to dial: dial tcp 10.0.0.1:9092: %w", os.ErrDeadlineExceeded), "a broker cannot be reached: dial tcp 10.0.0.1:9092: i/o timeout"},
		{fmt.Errorf("read tcp 10.0.0.1:9092: %w", os.ErrDeadlineExceeded), "a broker accepts the connection and does not answer"},
		{fmt.Errorf("%w: Authentication failed: %s", kerr.SaslAuthenticationFailed, strings.Repeat("x", 500)), "the brokers rejected the login: Authentication failed: " + strings.Repeat("x", 177)},
		{kerr.SaslAuthenticationFailed, "the brokers rejected the login (SASL_AUTHENTICATION_FAILED)"},
		{kerr.UnsupportedSaslMechanism, "the brokers do not support this login mechanism (sasl.mechanism) (UNSUPPORTED_SASL_MECHANISM)"},
		{kerr.ClusterAuthorizationFailed, "the brokers rejected the request: this user lacks access to the cluster (CLUSTER_AUTHORIZATION_FAILED)"},
		{kerr.UnknownServerError, "the brokers answered UNKNOWN_SERVER_ERROR: The server experienced an unexpected error when processing the request."},
		{io.EOF, "the brokers close the connection without an answer: they likely reject the login, or expect TLS"},
		{context.DeadlineExceeded, "the brokers did not answer in time"},
		{context.Canceled, "the requests were canceled"},
		{errors.New("invalid large response size; the first three bytes received appear to be a tls alert record for TLS v1.2"), "the broker uses TLS, and the request was without TLS (set security.protocol=SSL, or SASL_SSL with a login)"},
		{errors.New("remote error: tls: certificate required"), "the broker rejected the connection: certificate required (ssl.keystore.location names the client certificate)"},
	} {
		if got := why(c.err); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.err, got, c.want)
		}
	}
}
