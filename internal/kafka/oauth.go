package kafka

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
)

// TokenVariable is the environment variable with a token for OAUTHBEARER.
const TokenVariable = "TIDEMARK_KAFKA_TOKEN"

const (
	endpointKey  = "sasl.oauthbearer.token.endpoint.url"
	tokenLimit   = 1 << 20          // bytes of an answer
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
	request := tokenRequest{endpoint: endpoint, id: first("clientId", "oauth.client.id"), secret: first("clientSecret", "oauth.client.secret"), scope: first("scope", "oauth.scope")}
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
	return nil, s.errorf(jaasKey, "no token for OAUTHBEARER: put one into %s, or name a file with it as %s=file:///…, or a server as %s with clientId and clientSecret", TokenVariable, endpointKey, endpointKey)
}

// asked is a login with a token that a server gives.
func (s *settings) asked(r *tokenRequest, with func(func(context.Context) (string, error)) sasl.Mechanism) (sasl.Mechanism, error) {
	if u, err := url.Parse(r.endpoint); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, s.errorf(endpointKey, "neither the URL of a server nor of a file: https://… or file:///… is expected")
	}
	if r.id == "" || r.secret == "" {
		return nil, s.errorf(jaasKey, "clientId and clientSecret are expected, with which the server of the tokens is asked")
	}
	roots, err := s.trusted()
	if err != nil {
		return nil, err
	}
	r.client = &http.Client{Timeout: tokenTimeout}
	if roots != nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSClientConfig = tlsWith(roots)
		r.client.Transport = transport
	}
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

func (t *tokenRequest) token(ctx context.Context) (string, error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if t.scope != "" {
		form.Set("scope", t.scope)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return "", errors.New("no token: the URL of its server does not parse")
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.SetBasicAuth(t.id, t.secret)
	resp, err := t.client.Do(req)
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, tokenLimit))
	if err != nil {
		return "", fmt.Errorf("no token: %w", err)
	}
	var answer struct {
		Token string `json:"access_token"`
		Error string `json:"error"`
	}
	malformed := json.Unmarshal(data, &answer)
	switch {
	case resp.StatusCode != http.StatusOK && answer.Error != "":
		return "", fmt.Errorf("no token: its server answers %s, %.80q", resp.Status, answer.Error)
	case resp.StatusCode != http.StatusOK:
		return "", fmt.Errorf("no token: its server answers %s", resp.Status)
	case malformed != nil || answer.Token == "":
		return "", errors.New("no token: the answer of its server has no access_token")
	}
	return answer.Token, nil
}

// unsigned is a token that nobody signed, good for an hour (OAuthBearerUnsecuredLoginCallbackHandler).
func unsigned(subject string, now time.Time) string {
	claims, _ := json.Marshal(map[string]any{"sub": subject, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}) // cannot fail
	b64 := base64.RawURLEncoding.EncodeToString
	return b64([]byte(`{"alg":"none"}`)) + "." + b64(claims) + "."
}
