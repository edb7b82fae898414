package kafka

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/plain"

	"tidemark/internal/availability"
)

// may is a right of a user on a topic.
func may(topic string, operation kmsg.ACLOperation) kfake.ACL {
	return kfake.ACL{Resource: kmsg.ACLResourceTypeTopic, Name: topic, Pattern: kmsg.ACLResourcePatternTypeLiteral, Operation: operation, Allow: true}
}

// guarded is a cluster with two topics whose readers may each do something else.
func guarded(t *testing.T) *fake {
	f := newFake(t, kfake.EnableSASL(), kfake.EnableACLs(),
		kfake.Superuser("PLAIN", "root", "root-secret"),
		kfake.User("PLAIN", "reader", `pa"ss=\;`, may("orders", kmsg.ACLOperationDescribe), may("orders", kmsg.ACLOperationDescribeConfigs)),
		kfake.User("SCRAM-SHA-256", "reader", "secret-256", may("orders", kmsg.ACLOperationDescribe), may("orders", kmsg.ACLOperationDescribeConfigs)),
		kfake.User("SCRAM-SHA-512", "half", "secret-512", may("orders", kmsg.ACLOperationDescribe)),
		kfake.User("PLAIN", "nobody", "nothing"),
	).as(kgo.SASL(plain.Auth{User: "root", Pass: "root-secret"}.AsMechanism()))
	f.create("orders", 1, week)
	f.create("refunds", 1, week)
	return f
}

func login(mechanism, module, user, password string) string {
	return fmt.Sprintf("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=%s\nsasl.jaas.config=org.apache.kafka.common.security.%s required \\\n  username=\"%s\" password=\"%s\";\n",
		mechanism, module, user, strings.ReplaceAll(password, `\`, `\\`))
}

// TestLogin are users with more and fewer rights.
func TestLogin(t *testing.T) {
	f := guarded(t)
	whole := "orders/0: 0 to 0, stable 0, kept 168h0m0s\nwhole\n" + settingsFact("orders", "1 partition")
	for _, c := range []struct {
		name, properties, positions, want string
	}{
		{"PLAIN, quotes in the password", login("PLAIN", "plain.PlainLoginModule", "reader", `pa\"ss=\\;`), `{"orders":{"0":0}}`, whole},
		{"SCRAM-SHA-256", login("SCRAM-SHA-256", "scram.ScramLoginModule", "reader", "secret-256"), `{"orders":{"0":0}}`, whole},
		{"SCRAM-SHA-512, without DescribeConfigs", login("SCRAM-SHA-512", "scram.ScramLoginModule", "half", "secret-512"), `{"orders":{"0":0}}`,
			"orders/0: 0 to 0, stable 0\nwhole\nfact: topic orders (id) has 1 partition: the brokers did not return its retention\n" +
				"unseen: the retention is unknown: the right DescribeConfigs is missing on orders\n"},
		{"without Describe on one of two topics", login("PLAIN", "plain.PlainLoginModule", "reader", `pa\"ss=\\;`), `{"orders":{"0":0},"refunds":{"0":7}}`,
			"orders/0: 0 to 0, stable 0, kept 168h0m0s\nrefunds/0: ? to ?, stable ?\nwhole\n" + settingsFact("orders", "1 partition") +
				"error: topic refunds: this user lacks the right Describe\n"},
		{"without any right", login("PLAIN", "plain.PlainLoginModule", "nobody", "nothing"), `{"orders":{"0":7}}`,
			"orders/0: ? to ?, stable ?\nwhole\nerror: topic orders: this user lacks the right Describe\n"},
		{"a wrong password", login("PLAIN", "plain.PlainLoginModule", "reader", "guessed"), `{"orders":{"0":7}}`, "orders/0: ? to ?, stable ?\nerror: the brokers close the connection without an answer: they likely reject the login"},
		{"a wrong password, SCRAM", login("SCRAM-SHA-256", "scram.ScramLoginModule", "reader", "guessed"), `{"orders":{"0":7}}`, "orders/0: ? to ?, stable ?\nerror: the brokers close the connection without an answer: they likely reject the login"},
		{"a way that the brokers do not have", "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\nsasl.jaas.config=x.OAuthBearerLoginModule required oauth.access.token=\"a.b.c\";",
			`{"orders":{"0":7}}`, "orders/0: ? to ?, stable ?\nerror: the brokers do not support this login mechanism (sasl.mechanism)"},
		{"no login where one is wanted", "", `{"orders":{"0":7}}`, "orders/0: ? to ?, stable ?\nerror: a broker closes the connection at the first request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := f.ask(f.cluster(c.properties), at(c.positions))
			if !strings.HasPrefix(got, c.want) || strings.HasSuffix(c.want, "\n") && got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if strings.Contains(got, "guessed") || strings.Contains(got, "a.b.c") {
				t.Errorf("a secret is told: %s", got)
			}
		})
	}
}

// mechanismOf is the login that properties stand for.
func mechanismOf(t *testing.T, text string, env, files map[string]string) (*settings, error) {
	t.Helper()
	p, err := ParseProperties("client.properties", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{Properties: p, now: now, getenv: func(name string) string { return env[name] }, read: func(name string) ([]byte, error) {
		if data, ok := files[name]; ok {
			return []byte(data), nil
		}
		return nil, errors.New(name + " is not there")
	}}
	return s, nil
}

// TestToken: where the token of OAUTHBEARER comes from.
func TestToken(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "me" || secret != "s3cret" && secret != "s3cr+t/=%41 " || r.FormValue("grant_type") != "client_credentials" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		fmt.Fprintf(w, `{"access_token":"for-%s","token_type":"bearer"}`, r.FormValue("scope"))
	}))
	defer server.Close()
	const jaas = "sasl.mechanism=OAUTHBEARER\nsasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required "
	for _, c := range []struct {
		name, text string
		env, files map[string]string
		want       string // in what goes to the broker
		err        string
	}{
		{name: "environment", text: jaas + `clientId="x";`, env: map[string]string{TokenVariable: " from-env\n"}, want: "auth=Bearer from-env\x01"},
		{name: "option", text: jaas + `oauth.access.token="here" extension_logicalCluster="lkc-1";`, want: "auth=Bearer here\x01logicalCluster=lkc-1\x01"},
		{name: "file", text: jaas + ";\nsasl.oauthbearer.token.endpoint.url=file:///run/token", files: map[string]string{"/run/token": "filed\n"}, want: "auth=Bearer filed\x01"},
		{name: "file that is not there", text: jaas + ";\nsasl.oauthbearer.token.endpoint.url=file:///run/token", err: "no token: /run/token is not there"},
		{name: "empty file", text: jaas + ";\nsasl.oauthbearer.token.endpoint.url=file:/run/token", files: map[string]string{"/run/token": "\n"}, err: "no token: /run/token is empty"},
		{name: "server", text: jaas + `clientId="me" clientSecret="s3cret" scope="kafka";` + "\nsasl.oauthbearer.token.endpoint.url=" + server.URL, want: "auth=Bearer for-kafka\x01"},
		{name: "a secret as it is", text: jaas + `clientId="me" clientSecret="s3cr+t/=%41 " scope="kafka";` + "\nsasl.oauthbearer.token.endpoint.url=" + server.URL, want: "auth=Bearer for-kafka\x01"},
		{name: "server that refuses", text: jaas + `clientId="me" clientSecret="wrong";` + "\nsasl.oauthbearer.token.endpoint.url=" + server.URL, err: `no token: its server answered 401 Unauthorized, "invalid_client"`},
		{name: "server without credentials", text: jaas + ";\nsasl.oauthbearer.token.endpoint.url=" + server.URL, err: "client.properties:2: sasl.jaas.config: expected clientId and clientSecret for the token server"},
		{name: "no URL", text: jaas + ";\nsasl.oauthbearer.token.endpoint.url=token-server", err: "client.properties:3: sasl.oauthbearer.token.endpoint.url: expected the URL of a server or a file: https://… or file:///…"},
		{name: "unsigned", text: jaas + `unsecuredLoginStringClaim_sub="alice";`, want: "auth=Bearer eyJhbGciOiJub25lIn0."},
		{name: "none", text: jaas + ";", err: "client.properties:2: sasl.jaas.config: no token for OAUTHBEARER: put one into TIDEMARK_KAFKA_TOKEN, name a file with it as " +
			"sasl.oauthbearer.token.endpoint.url=file:///…, or a server as sasl.oauthbearer.token.endpoint.url with clientId and clientSecret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := mechanismOf(t, c.text, c.env, c.files)
			var first []byte
			m, err := s.mechanism()
			if err == nil {
				_, first, err = m.Authenticate(t.Context(), "broker:9093")
			}
			if got := fmt.Sprint(err); c.err != "" && got != c.err || c.err == "" && err != nil {
				t.Errorf("error %s, want %q", got, c.err)
			}
			if c.want != "" && !strings.Contains(string(first), c.want) {
				t.Errorf("%q goes to the broker, want %q in it", first, c.want)
			}
			if strings.Contains(fmt.Sprint(err), "s3cret") {
				t.Errorf("a secret is told: %v", err)
			}
		})
	}
	claims, err := base64.RawURLEncoding.DecodeString(strings.Split(unsigned("alice", now()), ".")[1])
	if want := fmt.Sprintf(`{"exp":%d,"iat":%d,"sub":"alice"}`, now().Unix()+3600, now().Unix()); err != nil || string(claims) != want {
		t.Errorf("claims %s, %v; want %s", claims, err, want)
	}
}

// TestTokenServer are answers of a server of tokens; a secret goes to no other host, and no answer is told but its error.
func TestTokenServer(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); ok {
			t.Error("the credentials go to another host")
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	for _, c := range []struct {
		name string
		send http.HandlerFunc
		want string // of the error; "" for none
	}{
		{"a token with more beside it", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"access_token":"t","expires_in":"3600","scope":"kafka"}`)
		}, ""},
		{"no token in it", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id_token":"s3cret"}`) }, "no token: the answer of its server has no access_token"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>s3cret</html>") }, "no token: the answer of its server has no access_token"},
		{"an error without a code", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "s3cret", http.StatusBadGateway) }, "no token: its server answered 502 Bad Gateway"},
		{"sent on to another host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}, "no token: its server answered 403 Forbidden"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, `{"access_token":"s3cret`)
		}, "no token: unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.send)
			defer server.Close()
			s, _ := mechanismOf(t, "sasl.mechanism=OAUTHBEARER\nsasl.jaas.config=x.OAuthBearerLoginModule required clientId=\"me\" clientSecret=\"s3cret\";\n"+
				"sasl.oauthbearer.token.endpoint.url="+server.URL, nil, nil)
			m, err := s.mechanism()
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = m.Authenticate(t.Context(), "broker:9093")
			if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
				t.Errorf("error %s, want %q", got, c.want)
			}
		})
	}
}

// TestIAM: the credentials of the AWS tools are what signs the login.
func TestIAM(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "hidden")
	t.Setenv("AWS_SESSION_TOKEN", "token")
	t.Setenv("AWS_CONFIG_FILE", t.TempDir()+"/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", t.TempDir()+"/none")
	s, _ := mechanismOf(t, "sasl.mechanism=AWS_MSK_IAM\nsasl.jaas.config=software.amazon.msk.auth.iam.IAMLoginModule required;\n"+
		"sasl.client.callback.handler.class=software.amazon.msk.auth.iam.IAMClientCallbackHandler\n", nil, nil)
	m, err := s.mechanism()
	if err != nil {
		t.Fatal(err)
	}
	_, first, err := m.Authenticate(t.Context(), "b-1.orders.abc123.c2.kafka.eu-west-1.amazonaws.com:9098")
	if err != nil {
		t.Fatal(err)
	}
	var signed map[string]string
	if err := json.Unmarshal(first, &signed); err != nil {
		t.Fatal(err)
	}
	if got := signed["x-amz-credential"]; !strings.HasPrefix(got, "AKIDEXAMPLE/") || !strings.HasSuffix(got, "/eu-west-1/kafka-cluster/aws4_request") {
		t.Errorf("credential %q", got)
	}
	if strings.Contains(string(first), "hidden") || signed["user-agent"] != clientName {
		t.Errorf("sent: %s", first)
	}
	if len(s.unused()) > 0 {
		t.Errorf("not used: %q", s.unused())
	}
}

// TestLoginNotTried: a login that fails before a broker is asked says so, and is no word about the brokers.
func TestLoginNotTried(t *testing.T) {
	f := guarded(t)
	f.ControlKey(int16(kmsg.SASLHandshake), func(r kmsg.Request) (kmsg.Response, error, bool) {
		return r.ResponseKind(), nil, true
	})
	c := newCluster(t, Options{Brokers: f.ListenAddrs()}, "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.token.endpoint.url=file:///run/token", nil)
	all, err := c.Probe(context.WithoutCancel(t.Context()), []availability.SourceProgress{at(`{"orders":{"0":7}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(all[0].Err), "no login was attempted: no token: open /run/token: file does not exist"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
