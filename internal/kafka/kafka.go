package kafka

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"

	"tidemark/internal/availability"
)

// Options is how a cluster is reached.
type Options struct {
	Brokers []string    // host:port of some of them; none: those of the properties
	Client  *Properties // how to secure connections and log in; nil: without TLS, as nobody
	Profile string      // of the AWS settings, for AWS_MSK_IAM; "": the default one

	Read   func(name string) ([]byte, error) // reads a local file that a property names
	Getenv func(string) string
	Now    func() time.Time

	// Count is told of each request that goes to a broker (1, 0) and of the bytes of an answer (0, n); it may be
	// called at the same time from several goroutines. nil: nobody counts.
	Count func(requests, bytes int64)
	// May is asked before each round of requests; its error ends the asking, and Probe returns it. nil: no limit.
	May func() error
}

// The bounds of a probe.
const (
	patience     = 60 * time.Second // for all of it, where the caller sets no other limit
	dialTimeout  = 5 * time.Second
	answerWait   = 10 * time.Second // for one answer
	retryTimeout = 15 * time.Second // for one request with its repetitions
	retries      = 3
	backoff      = 100 * time.Millisecond // before the first repetition; twice as long before each other
	answerLimit  = 64 << 20               // bytes of one answer: a hundred thousand partitions take ten million
	clientName   = "tidemark"
)

// Cluster is an availability.Prober of sources that read from Kafka. It is safe for concurrent use.
type Cluster struct {
	o       Options
	brokers string // as given, for titles and errors
	opts    []kgo.Opt
	ignored []string
}

var (
	_ availability.TimeIndex  = (*Cluster)(nil)
	_ availability.Particular = (*Cluster)(nil)
)

// New prepares to ask a cluster; it does not connect yet. The error is about the options: what cannot be used of the
// properties, a file that they name and that is not there, an address that is none.
func New(o Options) (*Cluster, error) {
	s := &settings{o.Client, o.Read, o.Getenv, o.Now, o.Profile}
	brokers := o.Brokers
	if given := s.get("bootstrap.servers"); len(brokers) == 0 && given != "" {
		brokers = strings.Split(given, ",")
	}
	seeds, err := addresses(brokers)
	if err != nil {
		return nil, err
	}
	c := &Cluster{o: o, brokers: strings.Join(seeds, ","), opts: []kgo.Opt{
		kgo.SeedBrokers(seeds...),
		kgo.ClientID(orElse(s.get("client.id"), clientName)),
		kgo.SoftwareNameAndVersion(clientName, "1"),
		kgo.DialTimeout(dialTimeout),
		kgo.RequestTimeoutOverhead(answerWait),
		kgo.RetryTimeout(retryTimeout),
		kgo.RequestRetries(retries),
		kgo.RetryBackoffFn(func(n int) time.Duration { return backoff << min(n, 4) }),
		kgo.BrokerMaxReadBytes(answerLimit),
		kgo.DisableClientMetrics(),
		// Before 0.11 a question about a topic could create it.
		kgo.MinVersions(kversion.V0_11_0()),
		kgo.WithHooks(&counter{o.Count}),
	}}
	secured, login, err := s.security()
	if err != nil {
		return nil, err
	}
	if secured {
		t, err := s.tls()
		if err != nil {
			return nil, err
		}
		c.opts = append(c.opts, kgo.DialTLSConfig(t))
	}
	if login {
		m, err := s.mechanism()
		if err != nil {
			return nil, err
		}
		c.opts = append(c.opts, kgo.SASL(m))
	}
	c.ignored = o.Client.unused()
	return c, nil
}

// Ignored returns the properties that were not used, by name, in order: this client has no use for them, or does not know
// them.
func (c *Cluster) Ignored() []string { return c.ignored }

// String returns the addresses that were given.
func (c *Cluster) String() string { return c.brokers }

// addresses returns host:port, without what may stand before: Java takes PLAINTEXT://host:port.
func addresses(given []string) ([]string, error) {
	var all []string
	for _, text := range given {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		address := text
		if i := strings.Index(text, "://"); i >= 0 {
			address = text[i+len("://"):]
		}
		if strings.Contains(address, "@") {
			return nil, errors.New("a broker address must not contain credentials: put them in a properties file")
		}
		u, err := url.Parse("//" + address)
		if err != nil || u.Hostname() == "" || u.Host != address {
			return nil, fmt.Errorf("%.80q is not a broker address: write HOST:PORT", text)
		}
		if port, err := strconv.Atoi(u.Port()); u.Port() == "" || err != nil || port < 1 || port > 65535 {
			return nil, fmt.Errorf("%.80q has no port: write HOST:PORT", text)
		}
		all = append(all, address)
	}
	if len(all) == 0 {
		return nil, errors.New("no broker address is given: write HOST:PORT, several with commas")
	}
	return slices.Compact(all), nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// counter counts what goes over the connections.
type counter struct{ count func(requests, bytes int64) }

func (c *counter) OnBrokerWrite(_ kgo.BrokerMetadata, _ int16, _ int, _, _ time.Duration, _ error) {
	if c.count != nil {
		c.count(1, 0)
	}
}

func (c *counter) OnBrokerRead(_ kgo.BrokerMetadata, _ int16, bytesRead int, _, _ time.Duration, _ error) {
	if c.count != nil {
		c.count(0, int64(bytesRead))
	}
}

// Unfit says that no source of a checkpoint reads from Kafka; "" where one does.
func (c *Cluster) Unfit(recorded []availability.SourceProgress) string {
	for i := range recorded {
		if isKafka(&recorded[i]) {
			return ""
		}
	}
	return fmt.Sprintf("the Kafka brokers %s were not asked: no source has Kafka positions (%s)", c.brokers, availability.DescribeKinds(recorded))
}

// Probe asks the brokers about all sources whose positions are such as Kafka has.
func (c *Cluster) Probe(ctx context.Context, recorded []availability.SourceProgress) ([]availability.Source, error) {
	asked, err := c.probe(ctx, recorded)
	if asked == nil {
		return nil, err
	}
	var all []availability.Source
	for _, s := range asked.sources {
		all = append(all, asked.source(s))
	}
	return all, err
}

// At asks the brokers which offset belongs to a time. Earliest of a part is that offset, and Latest the head.
func (c *Cluster) At(ctx context.Context, recorded availability.SourceProgress, t time.Time) ([]availability.Part, bool, error) {
	q, s, err := c.open([]availability.SourceProgress{recorded})
	if err != nil || q == nil {
		return nil, false, err
	}
	defer q.close()
	if !s[0].comparable() {
		return nil, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := q.at(ctx, t); err != nil {
		return nil, true, q.words(err)
	}
	parts, err := s[0].atParts(q)
	return parts, true, err
}
