package storage

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// identity tells a person whose credentials a bucket is asked with: the key, shortened, and where
// it came from. It costs no request: who stands behind a key only the store could say.
func identity(creds aws.Credentials, profile string) string {
	from := origin(creds.Source)
	if profile != "" && from != "environment" {
		from = "profile " + profile
	}
	key := shortKey(creds.AccessKeyID)
	switch {
	case from == "":
		return key
	case key == "":
		return from
	}
	return fmt.Sprintf("%s, %s", from, key)
}

// origin returns where credentials came from; the names are those of the AWS library, some with a path behind them.
func origin(source string) string {
	for _, s := range []struct{ begins, means string }{
		{"EnvConfigCredentials", "environment"},
		{"SharedConfigCredentials", "profile default"},
		{"EC2RoleProvider", "instance role"},
		{"CredentialsEndpoint", "container role"},
		{"WebIdentityCredentials", "role by web identity"},
		{"AssumeRoleProvider", "assumed role"},
		{"SSOProvider", "single sign-on"},
		{"LoginProvider", "sign-in"},
		{"ProcessProvider", "credential process"},
	} {
		if strings.HasPrefix(source, s.begins) {
			return s.means
		}
	}
	return ""
}

// shortKey shortens an access key so that a person knows it again and nobody can use it: "AKIA…WXYZ".
func shortKey(id string) string {
	if len(id) < 12 {
		return strings.Repeat("…", min(len(id), 1))
	}
	return id[:4] + "…" + id[len(id)-4:]
}

// reader notes as whom a store is read.
func (m *Meter) reader(who string) {
	if m != nil {
		m.identity.Store(&who)
	}
}
