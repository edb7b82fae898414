package kafka

import (
	"context"
	"fmt"
	"strings"

	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/aws"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

const (
	mechanismKey = "sasl.mechanism"
	jaasKey      = "sasl.jaas.config"
	protocolKey  = "security.protocol"
)

// mechanisms has one line per way to log in.
var mechanisms = []struct {
	name   string
	module string // of sasl.jaas.config
	login  func(*settings, map[string]string) (sasl.Mechanism, error)
}{
	{"PLAIN", "PlainLoginModule", plainLogin},
	{"SCRAM-SHA-256", "ScramLoginModule", scramLogin(scram.Auth.AsSha256Mechanism)},
	{"SCRAM-SHA-512", "ScramLoginModule", scramLogin(scram.Auth.AsSha512Mechanism)},
	{"OAUTHBEARER", "OAuthBearerLoginModule", oauthLogin},
	{"AWS_MSK_IAM", "IAMLoginModule", iamLogin},
}

// security says whether connections are secured, and whether this client logs in: what security.protocol stands for.
func (s *settings) security() (secured, login bool, err error) {
	switch protocol := strings.ToUpper(s.get(protocolKey)); protocol {
	case "", "PLAINTEXT":
		if s.has(jaasKey) && s.get(protocolKey) == "" {
			return false, false, s.errorf(jaasKey, "%s is missing: set SASL_SSL for a login over TLS, or SASL_PLAINTEXT for one without", protocolKey)
		}
		return false, false, nil
	case "SSL":
		return true, false, nil
	case "SASL_PLAINTEXT":
		return false, true, nil
	case "SASL_SSL":
		return true, true, nil
	default:
		return false, false, s.errorf(protocolKey, "unknown value %.40q; known are PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL", protocol)
	}
}

// mechanism returns how this client logs in.
func (s *settings) mechanism() (sasl.Mechanism, error) {
	name := s.get(mechanismKey)
	var names []string
	for _, m := range mechanisms {
		if m.name != name {
			names = append(names, m.name)
			continue
		}
		options, err := s.loginModule(m.module)
		if err != nil {
			return nil, err
		}
		return m.login(s, options)
	}
	if name == "" || name == "GSSAPI" {
		return nil, s.errorf(mechanismKey, "GSSAPI (Kerberos), the default, is not supported; supported are %s", strings.Join(names, ", "))
	}
	return nil, s.errorf(mechanismKey, "%.40q is not supported; supported are %s", name, strings.Join(names, ", "))
}

// loginModule returns the options of sasl.jaas.config, which must name this module.
func (s *settings) loginModule(class string) (map[string]string, error) {
	text := s.get(jaasKey)
	if text == "" {
		if class == "IAMLoginModule" || class == "OAuthBearerLoginModule" {
			return map[string]string{}, nil
		}
		return nil, s.errorf(jaasKey, "it is missing; it contains the login: …%s required username=\"…\" password=\"…\";", class)
	}
	m, err := parseJAAS(text)
	if err != nil {
		return nil, s.errorf(jaasKey, "%v", err)
	}
	if m.class != class {
		return nil, s.errorf(jaasKey, "%s=%s needs %s, not %.60q", mechanismKey, s.get(mechanismKey), class, m.class)
	}
	for key, value := range m.options {
		if strings.HasPrefix(value, "${") && s.has("config.providers") {
			return nil, s.errorf(jaasKey, "option %.40q needs config.providers, which is not supported: name a file with the value itself", key)
		}
	}
	return m.options, nil
}

// user returns the name and the password of a login.
func (s *settings) user(options map[string]string) (name, password string, err error) {
	for _, key := range []string{"username", "password"} {
		if options[key] == "" {
			return "", "", s.errorf(jaasKey, "%s is missing", key)
		}
	}
	return options["username"], options["password"], nil
}

func plainLogin(s *settings, options map[string]string) (sasl.Mechanism, error) {
	user, password, err := s.user(options)
	return plain.Auth{User: user, Pass: password}.AsMechanism(), err
}

func scramLogin(as func(scram.Auth) sasl.Mechanism) func(*settings, map[string]string) (sasl.Mechanism, error) {
	return func(s *settings, options map[string]string) (sasl.Mechanism, error) {
		user, password, err := s.user(options)
		return as(scram.Auth{User: user, Pass: password, IsToken: strings.EqualFold(options["tokenauth"], "true")}), err
	}
}

// iamLogin proves an AWS identity (software.amazon.msk.auth.iam.IAMLoginModule): that of awsProfileName, else of the
// profile that was chosen, else the one that the AWS tools would take; awsRoleArn is assumed with it.
func iamLogin(s *settings, options map[string]string) (sasl.Mechanism, error) {
	s.has("sasl.client.callback.handler.class")
	profile := options["awsProfileName"]
	if profile == "" {
		profile = s.profile
	}
	return aws.ManagedStreamingIAM(func(ctx context.Context) (aws.Auth, error) {
		cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithSharedConfigProfile(profile))
		if err != nil {
			return aws.Auth{}, &loginError{err}
		}
		provider := cfg.Credentials
		if role := options["awsRoleArn"]; role != "" {
			if region := options["awsStsRegion"]; region != "" {
				cfg.Region = region
			}
			provider = stscreds.NewAssumeRoleProvider(sts.NewFromConfig(cfg), role, func(o *stscreds.AssumeRoleOptions) {
				o.RoleSessionName = options["awsRoleSessionName"]
				if id := options["awsRoleExternalId"]; id != "" {
					o.ExternalID = &id
				}
			})
		}
		c, err := provider.Retrieve(ctx)
		if err != nil {
			return aws.Auth{}, &loginError{fmt.Errorf("no AWS credentials for the login: %w", err)}
		}
		return aws.Auth{AccessKey: c.AccessKeyID, SecretKey: c.SecretAccessKey, SessionToken: c.SessionToken, UserAgent: clientName}, nil
	}), nil
}

// loginError is a login that could not even be tried.
type loginError struct{ error }

func (e *loginError) Unwrap() error { return e.error }
