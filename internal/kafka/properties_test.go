package kafka

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProperties are lines as java.util.Properties reads them.
func TestProperties(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a=1", "a=1"},
		{"a = 1 \nb:2\nc 3\nd\n", "a=1|b=2|c=3|d="},
		{"# a=1\n! b=2\n\n  \t# c=3\n", ""},
		{"a=1\r\nb=2\rc=3", "a=1|b=2|c=3"},
		{"a=one, \\\n   two, \\\r\n\tthree\nb=4", "a=one, two, three|b=4"},
		{"a=ends\\", "a=ends"},
		{`a=c:\\temp\\`, `a=c:\temp\`},
		{`with\ blank\=sign=\ x`, "with blank=sign= x"},
		{`a=\u00e9\ud83d\ude00\t|`, "a=é😀\t|"},
		{`a=\q\"\é`, `a=q"é`},
		{"a=1\na=2", "a=2"},
		{"a=b=c:d", "a=b=c:d"},
		{"a:= 1", "a== 1"},
		{"\ufeffa=1", "a=1"},
		{"kafka.security.protocol=SSL\nsecurity.protocol=PLAINTEXT", "security.protocol=PLAINTEXT"},
		{"=1", "=1"},
	} {
		p, err := ParseProperties("x", []byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(p.values)) {
			got = append(got, name+"="+p.values[name].text)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
	for text, want := range map[string]string{
		"a=1\nb=\\u12":                     `x:2: four hexadecimal digits must follow \u`,
		"a=\x00":                           "x: this is not a properties file: it contains zero bytes",
		strings.Repeat("a=1\n", SizeLimit): "x: the file has more than 1048576 bytes",
	} {
		if _, err := ParseProperties("x", []byte(text)); fmt.Sprint(err) != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

func FuzzProperties(f *testing.F) {
	f.Add([]byte("a=1\\\n  b\\u00e9"))
	f.Add([]byte(`sasl.jaas.config=x required a="b\"" c='d' e=f;`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseProperties("x", data)
		if err != nil {
			return
		}
		for _, v := range p.values {
			if m, err := parseJAAS(v.text); err == nil && m.class == "" {
				t.Errorf("%q: a module without a class", v.text)
			}
		}
	})
}

// TestJAAS are values of sasl.jaas.config, and what is wrong with others.
func TestJAAS(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`a.b.PlainLoginModule required username="me" password="s;=\"'x";`, `PlainLoginModule map[password:s;="'x username:me]`},
		{`PlainLoginModule Required username='me' password=plain ;`, "PlainLoginModule map[password:plain username:me]"},
		{"IAMLoginModule required;", "IAMLoginModule map[]"},
		{"M required a\n = \"1\"\n\tb=2\n;\n", "M map[a:1 b:2]"},
		{"", "the class of a login module is missing"},
		{"M", "required, after the class is missing"},
		{`M username="x";`, "expected required after the class"},
		{`M required username="x"`, "the semicolon at its end is missing"},
		{`M required username="secret;`, `option "username": the quote at the end of its value is missing`},
		{`M required username;`, `option "username": expected =`},
		{`M required username=;`, `option "username": its value is missing`},
		{`M required a="1"; N required b="2";`, "expected one login module, but more follows after its semicolon"},
		{`M required ="x";`, "the name of an option is missing"},
	} {
		m, err := parseJAAS(c.text)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %v", m.class, m.options)
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestOptions are command lines and files that cannot be used; the words name the line and no secret.
func TestOptions(t *testing.T) {
	files := map[string]string{"/old.jks": "\xfe\xed\xfe\xed\x00\x00\x00\x02", "/text": "hello", "/encrypted.pem": "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "/no.p12": "0\x82"}
	for _, c := range []struct{ name, brokers, text, want string }{
		{"no broker", "", "", "no broker address is given: write HOST:PORT, several with commas"},
		{"no port", "broker", "", `"broker" has no port: write HOST:PORT`},
		{"port out of range", "broker:99999", "", `"broker:99999" has no port: write HOST:PORT`},
		{"a path", "broker:9092/x", "", `"broker:9092/x" is not a broker address: write HOST:PORT`},
		{"credentials", "me:secret@broker:9092", "", "a broker address must not contain credentials: put them in a properties file"},
		{"brokers of the file", "", "bootstrap.servers=PLAINTEXT://a:1, [::1]:2,", ""},
		{"protocol", "a:1", "x=1\nsecurity.protocol=TLS", `client.properties:2: security.protocol: unknown value "TLS"; known are PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL`},
		{"login without protocol", "a:1", `sasl.jaas.config=M required password="secret";`, "client.properties:1: sasl.jaas.config: security.protocol is missing: set SASL_SSL for a login over TLS, or SASL_PLAINTEXT for one without"},
		{"Kerberos", "a:1", "security.protocol=SASL_SSL", "client.properties: sasl.mechanism: GSSAPI (Kerberos), the default, is not supported; supported are PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER, AWS_MSK_IAM"},
		{"mechanism", "a:1", "security.protocol=SASL_SSL\nsasl.mechanism=plain", `client.properties:2: sasl.mechanism: "plain" is not supported; supported are PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER, AWS_MSK_IAM`},
		{"no login", "a:1", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN", `client.properties: sasl.jaas.config: it is missing; it contains the login: …PlainLoginModule required username="…" password="…";`},
		{"another module", "a:1", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=x.ScramLoginModule required password=\"secret\";", `client.properties:3: sasl.jaas.config: sasl.mechanism=PLAIN needs PlainLoginModule, not "ScramLoginModule"`},
		{"no password", "a:1", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=x.PlainLoginModule required username=\"me\";", "client.properties:3: sasl.jaas.config: password is missing"},
		{"a provider", "a:1", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nconfig.providers=file\nsasl.jaas.config=PlainLoginModule required username=me password=\"${file:/x:y}\";",
			`client.properties:4: sasl.jaas.config: option "password" needs config.providers, which is not supported: name a file with the value itself`},
		{"JKS", "a:1", "security.protocol=SSL\nssl.truststore.location=/old.jks\nssl.truststore.password=secret", "client.properties:2: ssl.truststore.location: the store type JKS is not supported: " +
			"convert it to PKCS12 (keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype PKCS12)"},
		{"no store", "a:1", "security.protocol=SSL\nssl.truststore.location=/text", "client.properties:2: ssl.truststore.location: it is neither in PEM form nor a PKCS12 store"},
		{"no file", "a:1", "security.protocol=SSL\nssl.truststore.location=/none", "client.properties:2: ssl.truststore.location: open /none: file does not exist"},
		{"a broken store", "a:1", "security.protocol=SSL\nssl.truststore.location=/no.p12\nssl.truststore.password=secret", "client.properties:2: ssl.truststore.location: the PKCS12 store cannot be read with ssl.truststore.password: "},
		{"an encrypted key", "a:1", "security.protocol=SSL\nssl.keystore.location=/encrypted.pem", "client.properties:2: ssl.keystore.location: the private key is encrypted, which is not supported in PEM form; use a PKCS12 store (openssl pkcs12 -export)"},
		{"identification", "a:1", "security.protocol=SSL\nssl.endpoint.identification.algorithm=none", `client.properties:2: ssl.endpoint.identification.algorithm: unknown value "none"; https, the default, compares the broker name, and an empty value does not`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ParseProperties("client.properties", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Client: p, Now: now, Getenv: os.Getenv, Read: func(name string) ([]byte, error) {
				if data, ok := files[name]; ok {
					return []byte(data), nil
				}
				return nil, fmt.Errorf("open %s: %w", name, os.ErrNotExist)
			}}
			if c.brokers != "" {
				o.Brokers = strings.Split(c.brokers, ",")
			}
			cluster, err := New(o)
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
				t.Errorf("error %v, want %s", err, c.want)
			case c.want == "" && cluster.String() != "a:1,[::1]:2":
				t.Errorf("brokers %s", cluster)
			}
			if strings.Contains(fmt.Sprint(err), "secret") {
				t.Errorf("a secret is told: %v", err)
			}
			if e, ok := errors.AsType[*PropertyError](err); ok && e.File != "client.properties" {
				t.Errorf("file %q", e.File)
			}
		})
	}
}

// TestIgnored lists what a file has beyond what is used.
func TestIgnored(t *testing.T) {
	c := newCluster(t, Options{}, "bootstrap.servers=a:1\ngroup.id=x\nclient.id=y\nkey.deserializer=z\nsecurity.protocol=SSL\nssl.protocol=TLSv1.3\nssl.truststore.type=PEM\n", nil)
	if want := []string{"group.id", "key.deserializer"}; !slices.Equal(c.Ignored(), want) {
		t.Errorf("%q, want %q", c.Ignored(), want)
	}
}
