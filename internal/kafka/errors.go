package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// words says why the brokers did not answer, for the person who has to mend it.
func (q *inquiry) words(err error) error {
	if limit, ok := errors.AsType[*limitError](err); ok {
		return limit.error
	}
	return &AskError{q.brokers, why(err), err}
}

// AskError is a cluster that does not answer.
type AskError struct {
	Brokers string
	Why     string
	Err     error
}

func (e *AskError) Error() string { return e.Why }

func (e *AskError) Unwrap() error { return e.Err }

func why(err error) string {
	if text, ok := tlsWords(err); ok {
		return text
	}
	if e, ok := errors.AsType[*loginError](err); ok {
		return "no login was attempted: " + e.Error()
	}
	if e, ok := errors.AsType[*kgo.ErrFirstReadEOF](err); ok {
		if strings.Contains(e.Error(), "using TLS when the broker is not") {
			return "a broker closes the connection when TLS begins: it likely has no TLS on this port, but security.protocol sets TLS"
		}
		return "a broker closes the connection at the first request: it likely expects a login or TLS (security.protocol)"
	}
	kafkaError, ok := errors.AsType[*kerr.Error](err)
	switch {
	case ok && kafkaError == kerr.SaslAuthenticationFailed:
		return "the brokers rejected the login" + detail(err, kafkaError)
	case ok && kafkaError == kerr.UnsupportedSaslMechanism:
		return "the brokers do not support this login mechanism (sasl.mechanism)" + detail(err, kafkaError)
	case ok && kafkaError == kerr.ClusterAuthorizationFailed:
		return "the brokers rejected the request: this user lacks access to the cluster (CLUSTER_AUTHORIZATION_FAILED)"
	case ok:
		return fmt.Sprintf("the brokers answered %s: %s", kafkaError.Message, kafkaError.Description)
	case errors.Is(err, context.DeadlineExceeded):
		return "the brokers did not answer in time"
	case errors.Is(err, context.Canceled):
		return "the requests were canceled"
	case errors.Is(err, io.EOF):
		return "the brokers close the connection without an answer: they likely reject the login, or expect TLS"
	case strings.Contains(err.Error(), "tls alert record"):
		return "the broker uses TLS, and the request was without TLS (set security.protocol=SSL, or SASL_SSL with a login)"
	case strings.Contains(err.Error(), "below the user defined min"), strings.Contains(err.Error(), "broker is too old"):
		return "the brokers are older than Kafka 0.11: a request to them could create a topic"
	}
	text := err.Error()
	if e, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err); ok && e.Timeout() && !strings.Contains(text, "dial") {
		return "a broker accepts the connection and does not answer"
	}
	return "a broker cannot be reached: " + strings.TrimPrefix(text, "unable to dial: ")
}

// detail returns what a broker adds to the name of an error.
func detail(err error, named *kerr.Error) string {
	_, added, ok := strings.Cut(err.Error(), named.Error()+": ")
	if !ok {
		return " (" + named.Message + ")"
	}
	return fmt.Sprintf(": %.200s", added)
}

// topicWords says what the error of a topic or partition means; % stands for their names.
func topicWords(err error) string {
	switch err {
	case kerr.TopicAuthorizationFailed:
		return "%: this user lacks the right Describe"
	case kerr.InvalidTopicException:
		return "%: the brokers reject this name"
	case kerr.LeaderNotAvailable, kerr.NotLeaderForPartition, kerr.UnknownLeaderEpoch, kerr.FencedLeaderEpoch, kerr.OffsetNotAvailable:
		return "%: it has no leader now; try again later"
	case kerr.UnknownTopicOrPartition:
		return "%: it was deleted during the check"
	}
	if e, ok := errors.AsType[*kerr.Error](err); ok {
		return "%: the brokers answered " + e.Message
	}
	return "%: " + why(err)
}
