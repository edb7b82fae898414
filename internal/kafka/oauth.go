package kafka

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// TokenVariable is the environment variable with a token for OAUTHBEARER.
const TokenVariable = "TIDEMARK_KAFKA_TOKEN"

const (
	endpointKey  = "sasl.oauthbearer.token.endpoint.url"
	tokenTimeout = 20 * time.Second // for the answer
)

// oauthLogin logs in with a token (OAuthBearerLoginModule). It is, the first that is there:
//
//   - in TIDEMARK_KAFKA_TOKEN
//   - in the option oauth.access.token of sasl.jaas.config
//   - in the file of sasl.oauthbearer.token.endpoint.url=file:///…
//   - given by the server of that URL, or of oauth.token.endpoint.uri, for clientId and clientSecret (or
//     oauth.client.id and oauth.client.secret), with scope
//   - made up for unsecuredLoginStringClaim_sub, unsigned, for brokers that are set up for tests
func oauthLogin(s *settings, options map[string]string) (sasl.Mechanism, error) {
	for _, handler := range []string{"sasl.login.callback.handler.class", "sasl.oauthbearer.scope.claim.name", "sasl.oauthbearer.sub.claim.name"} {
		s.has(handler) // who gets the token is decided by what is there
	}
	first := func(names ...string) string {
		for _, name := range names {
			if options[name] != "" {
				return options[name]
			}
		}
		return ""
	}
	extensions := map[string]string{}
	for key, value := range options {
		if name, ok := strings.CutPrefix(key, "extension_"); ok {
			extensions[name] = value
		}
	}
	with := func(token func(context.Context) (string, error)) sasl.Mechanism {
		return oauth.Oauth(func(ctx context.Context) (oauth.Auth, error) {
			text, err := token(ctx)
			if err != nil {
				return oauth.Auth{}, &loginError{err}
			}
			return oauth.Auth{Token: text, Extensions: extensions}, nil
		})
	}
	always := func(token string) sasl.Mechanism {
		return with(func(context.Context) (string, error) { return token, nil })
	}

	endpoint := s.get(endpointKey)
	if endpoint == "" {
		endpoint = first("oauth.token.endpoint.uri")
	}
	request := tokenRequest{
		endpoint: endpoint,
		id:       first("clientId", "oauth.client.id"),
		secret:   first("clientSecret", "oauth.client.secret"),
		scope:    first("scope", "oauth.scope"),
	}
	switch file, isFile := strings.CutPrefix(endpoint, "file:"); {
	case s.getenv(TokenVariable) != "":
		return always(strings.TrimSpace(s.getenv(TokenVariable))), nil
	case first("oauth.access.token") != "":
		return always(first("oauth.access.token")), nil
	case isFile:
		return with(func(context.Context) (string, error) { return s.tokenFile(file) }), nil
	case endpoint != "":
		return s.asked(&request, with)
	case first("unsecuredLoginStringClaim_sub") != "":
		return with(func(context.Context) (string, error) {
			return unsigned(first("unsecuredLoginStringClaim_sub"), s.now()), nil
		}), nil
	}
	return nil, s.errorf(jaasKey, "no token for OAUTHBEARER: put one into %s, name a file with it as %s=file:///…, or a server as %s with clientId and clientSecret", TokenVariable, endpointKey, endpointKey)
}

// asked logs in with a token that a server gives.
func (s *settings) asked(r *tokenRequest, with func(func(context.Context) (string, error)) sasl.Mechanism) (sasl.Mechanism, error) {
	if u, err := url.Parse(r.endpoint); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, s.errorf(endpointKey, "expected the URL of a server or a file: https://… or file:///…")
	}
	if r.id == "" || r.secret == "" {
		return nil, s.errorf(jaasKey, "expected clientId and clientSecret for the token server")
	}
	roots, err := s.trusted()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if roots != nil {
		transport.TLSClientConfig = tlsWith(roots)
	}
	r.client = &http.Client{Timeout: tokenTimeout, Transport: &asKafka{r.id, r.secret, transport}}
	return with(r.token), nil
}

// tokenFile reads a token from the path of a file: URL.
func (s *settings) tokenFile(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		path = strings.TrimPrefix(rest, "localhost")
	}
	data, err := s.read(path)
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("no token: %s is empty", path)
	}
	return token, nil
}

// tokenRequest asks a server for a token with the credentials of a client (RFC 6749, section 4.4), as
// OAuthBearerLoginCallbackHandler does.
type tokenRequest struct {
	endpoint, id, secret, scope string
	client                      *http.Client
}

// token asks once; its errors hold nothing of the answer but the code of an error.
func (t *tokenRequest) token(ctx context.Context) (string, error) {
	c := clientcredentials.Config{ClientID: t.id, ClientSecret: t.secret, TokenURL: t.endpoint, AuthStyle: oauth2.AuthStyleInHeader}
	if t.scope != "" {
		c.Scopes = []string{t.scope}
	}
	token, err := c.Token(context.WithValue(ctx, oauth2.HTTPClient, t.client))
	if err == nil {
		return token.AccessToken, nil
	}
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response.StatusCode != http.StatusOK {
		text := "no token: its server answered " + refused.Response.Status
		if refused.ErrorCode != "" {
			text += fmt.Sprintf(", %.80q", refused.ErrorCode)
		}
		return "", errors.New(text)
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return "", fmt.Errorf("no token: %w", err)
	}
	if broken, ok := strings.CutPrefix(err.Error(), "oauth2: cannot fetch token: "); ok { // the connection, while the answer was read
		return "", errors.New("no token: " + broken)
	}
	return "", errors.New("no token: the answer of its server has no access_token")
}

// asKafka does what Kafka's client does otherwise than the library: it sends the name and the secret of a client as they
// are, where RFC 6749 wants them URL-encoded (sasl.oauthbearer.header.urlencode=false, the default), and takes every answer
// for JSON.
type asKafka struct {
	id, secret string
	http.RoundTripper
}

// RoundTrip replaces credentials only where there are some: a request that the server sends on to another host has none.
func (k *asKafka) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept", "application/json")
	if r.Header.Get("Authorization") != "" {
		r.SetBasicAuth(k.id, k.secret)
	}
	resp, err := k.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Header.Set("Content-Type", "application/json")
	}
	return resp, err
}

// unsigned makes a token that nobody signed, good for an hour (OAuthBearerUnsecuredLoginCallbackHandler).
func unsigned(subject string, now time.Time) string {
	claims, _ := json.Marshal(map[string]any{"sub": subject, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}) // cannot fail
	b64 := base64.RawURLEncoding.EncodeToString
	return b64([]byte(`{"alg":"none"}`)) + "." + b64(claims) + "."
}
