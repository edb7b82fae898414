//go:build servers

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestRealKafkaStories(t *testing.T) {
	before, after := planned.Add(-30*time.Minute), planned.Add(10*time.Minute)

	t.Run("all is there", func(t *testing.T) {
		b := newBroker(t, "there")
		b.create(3)
		b.write(before, 40, 20, 10)
		v := b.ask(b.checkpoint())
		v.is(t, 0, nil)
		if got := v.states(); got != "2 complete, 1 complete, 0 complete" {
			t.Error(got)
		}
		if !v.Complete {
			t.Error("something was not looked at")
		}
	})
	t.Run("retention passed", func(t *testing.T) {
		b := newBroker(t, "passed")
		b.create(3)
		b.write(before, 40, 20, 10)
		b.forget(0, 28)
		v := b.ask(b.checkpoint())
		v.is(t, 1, map[string]string{"source-data-gone": "4 records lost, 4 left"})
		if got := v.states(); got != "2 complete, 1 complete, 0 partly-gone" || v.answer("replay_safe") != "no" {
			t.Error(got, v.answer("replay_safe"))
		}
	})
	t.Run("made again, and shorter", func(t *testing.T) {
		b := newBroker(t, "shorter")
		b.create(3)
		b.write(before, 40, 20, 10)
		b.drop()
		b.create(3)
		b.write(after, 3, 2, 1)
		v := b.ask(b.checkpoint())
		v.is(t, 1, map[string]string{"source-identity-changed": "its oldest record, 0 of shorter/"})
		if v.answer("replay_safe") == "yes" {
			t.Error("a replay is said to be safe")
		}
	})
	t.Run("made again, and empty", func(t *testing.T) {
		b := newBroker(t, "empty")
		b.create(3)
		v := b.ask(b.checkpoint())
		v.is(t, 1, map[string]string{"source-data-gone": "the source ends at 0"})
	})
	t.Run("made again, and longer", func(t *testing.T) {
		b := newBroker(t, "longer")
		b.create(3)
		b.write(before, 40, 20, 10)
		b.drop()
		b.create(3)
		b.write(after, 50, 50, 50)
		v := b.ask(b.checkpoint())
		v.is(t, 1, map[string]string{"source-identity-changed": "its oldest record, 0 of longer/"})
		if v.answer("replay_safe") == "yes" {
			t.Error("a replay is said to be safe")
		}
	})
	t.Run("deleted, and asking does not make it", func(t *testing.T) {
		b := newBroker(t, "deleted")
		v := b.ask(b.checkpoint())
		v.is(t, 1, map[string]string{"source-data-gone": "the source no longer has it"})
		if n := b.partitions(); n != 0 {
			t.Errorf("the topic has %d partitions now", n)
		}
	})
	t.Run("a partition was added", func(t *testing.T) {
		b := newBroker(t, "added")
		b.create(3)
		b.write(before, 40, 20, 10)
		b.grow(4)
		v := b.ask(b.checkpoint())
		v.is(t, 0, nil)
		if got := v.states(); got != "2 complete, 1 complete, 0 complete, 3 joins" {
			t.Error(got)
		}
	})
}

// TestRealKafkaLogin asks over TLS, with a store of certificates that Java made, as several users.
func TestRealKafkaLogin(t *testing.T) {
	b := newBroker(t, "guarded")
	b.create(3)
	b.write(planned.Add(-30*time.Minute), 40, 20, 10)
	b.allow("reader", kmsg.ACLOperationDescribe, kmsg.ACLOperationDescribeConfigs)
	b.allow("half", kmsg.ACLOperationDescribe)
	checkpoint := b.checkpoint()
	tls := "bootstrap.servers=" + os.Getenv("TIDEMARK_TEST_KAFKA_SECURE") + "\nsecurity.protocol=SASL_SSL\n"
	pkcs12 := tls + "ssl.truststore.location=" + os.Getenv("TIDEMARK_TEST_KAFKA_TRUSTED") + "\nssl.truststore.password=" + os.Getenv("TIDEMARK_TEST_KAFKA_PASSWORD") + "\n"
	inPEM := tls + "ssl.truststore.type=PEM\nssl.truststore.location=" + os.Getenv("TIDEMARK_TEST_KAFKA_TRUSTED_PEM") + "\n"
	plain := func(user, password string) string {
		return fmt.Sprintf("sasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=%q password=%q;\n", user, password)
	}
	for _, c := range []struct {
		name, properties string
		status           int
		says             string // in the text of the verdict
	}{
		{"PLAIN, PKCS12", pkcs12 + plain("reader", "reader-secret"), 0, "retention.ms=604800000 (7 days)"},
		{"PLAIN, PEM", inPEM + plain("reader", "reader-secret"), 0, "retention.ms=604800000 (7 days)"},
		{"SCRAM", pkcs12 + "sasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=root password=root-secret;\n", 0, "retention.ms=604800000"},
		{"OAUTHBEARER", pkcs12 + "sasl.mechanism=OAUTHBEARER\nsasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"root\";\n", 0, "retention.ms=604800000"},
		{"without DescribeConfigs", pkcs12 + plain("half", "half-secret"), 0, "the right DescribeConfigs is missing on guarded"},
		{"without Describe", pkcs12 + plain("nobody", "nobody-secret"), 3, "lacks the right Describe"},
		{"a wrong password", pkcs12 + plain("reader", "guessed"), 3, "the brokers rejected the login"},
		{"a certificate that nobody trusts", tls + plain("reader", "reader-secret"), 3, "no trusted authority signed the broker certificate"},
		{"without TLS and login", "bootstrap.servers=" + os.Getenv("TIDEMARK_TEST_KAFKA_SECURE") + "\n", 3, "source 0: "},
		{"TLS where there is none", "bootstrap.servers=" + os.Getenv("TIDEMARK_TEST_KAFKA") + "\nsecurity.protocol=SSL\n", 3, "source 0: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "client.properties")
			if err := os.WriteFile(file, []byte(c.properties), 0o600); err != nil {
				t.Fatal(err)
			}
			status, out, errs := (&broker{t, b.client, b.topic}).run("check", checkpoint, "--kafka-config", file, "--timeout", "40s")
			flat := strings.Join(strings.Fields(out), " ") // lines are wrapped
			if status != c.status || !strings.Contains(flat, c.says) {
				t.Errorf("exit status %d, want %d and %q in\n%s%s", status, c.status, c.says, out, errs)
			}
			if c.status == 3 && strings.Contains(out, "high source-data-gone") {
				t.Errorf("what nobody could see is said to be gone:\n%s", out)
			}
			if strings.Contains(out+errs, "guessed") || strings.Contains(out+errs, "-secret") {
				t.Errorf("a secret is told:\n%s%s", out, errs)
			}
		})
	}
}
