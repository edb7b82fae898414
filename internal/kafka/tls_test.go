package kafka

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"software.sslmate.com/src/go-pkcs12"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	a.cert, a.key = a.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign makes a certificate; the first one signs itself.
func (a *authority) sign(template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template.SerialNumber, template.NotBefore, template.NotAfter = big.NewInt(1), time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	parent, signer := template, key
	if a.cert != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// inPEM is a certificate, and a key where there is one.
func inPEM(t *testing.T, cert *x509.Certificate, key *ecdsa.PrivateKey) string {
	t.Helper()
	text := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
	if key != nil {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		text += string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	}
	return text
}

// property is a text of several lines as one property.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", `\n`) }

// TestTLS are brokers that want a certificate, and who is let in with what.
func TestTLS(t *testing.T) {
	ours, others := newAuthority(t), newAuthority(t)
	broker, brokerKey := ours.sign(&x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})
	elsewhere, elsewhereKey := ours.sign(&x509.Certificate{DNSNames: []string{"broker.example"}})
	me, myKey := ours.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "me"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	clients := x509.NewCertPool()
	clients.AddCert(ours.cert)
	serve := func(cert *x509.Certificate, key *ecdsa.PrivateKey, wants tls.ClientAuthType) *fake {
		c := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: key}}, ClientAuth: wants, ClientCAs: clients}
		f := newFake(t, kfake.TLS(c)).as(kgo.DialTLSConfig(&tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{{Certificate: [][]byte{me.Raw}, PrivateKey: myKey}}}))
		f.create("orders", 1)
		return f
	}
	named, misnamed := serve(broker, brokerKey, tls.NoClientCert), serve(elsewhere, elsewhereKey, tls.NoClientCert)
	strict := serve(broker, brokerKey, tls.RequireAndVerifyClientCert)
	trust, err := pkcs12.Modern.EncodeTrustStore([]*x509.Certificate{ours.cert}, "changeit")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := pkcs12.Modern.Encode(myKey, me, []*x509.Certificate{ours.cert}, "changeit")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"/ca.pem": inPEM(t, ours.cert, nil), "/other.pem": inPEM(t, others.cert, nil), "/trust.jks": string(trust),
		"/me.pem": inPEM(t, me, myKey), "/me.p12": string(keys),
	}
	inline := "ssl.truststore.type=PEM\nssl.truststore.certificates=" + oneLine(files["/ca.pem"]) + "\n"
	myCert, myPrivate, _ := strings.Cut(files["/me.pem"], "-----BEGIN PRIVATE")
	for _, c := range []struct {
		name       string
		f          *fake
		properties string
		want       string // error; "" for none
	}{
		{"PEM in a file", named, "ssl.truststore.type=PEM\nssl.truststore.location=/ca.pem", ""},
		{"PEM in a property", named, inline, ""},
		{"PKCS12 under the name of a JKS", named, "ssl.truststore.location=/trust.jks\nssl.truststore.password=changeit\nssl.truststore.type=JKS", ""},
		{"nobody is trusted", named, "", "no trusted authority signed the broker certificate (ssl.truststore.location names the trusted ones)"},
		{"another is trusted", named, "ssl.truststore.location=/other.pem", "no trusted authority signed the broker certificate (ssl.truststore.location names the trusted ones)"},
		{"another name", misnamed, inline, "the broker certificate is for another name: "},
		{"another name, and names are not compared", misnamed, inline + "ssl.endpoint.identification.algorithm=\n", ""},
		{"names are not compared, and nobody is trusted", misnamed, "ssl.truststore.location=/other.pem\nssl.endpoint.identification.algorithm=\n", "no trusted authority signed the broker certificate"},
		{"a certificate of ours in a file", strict, inline + "ssl.keystore.type=PEM\nssl.keystore.location=/me.pem", ""},
		{"a certificate of ours in properties", strict, inline + "ssl.keystore.type=PEM\nssl.keystore.certificate.chain=" + oneLine(myCert) + "\nssl.keystore.key=" + oneLine("-----BEGIN PRIVATE"+myPrivate), ""},
		{"a certificate of ours in PKCS12", strict, inline + "ssl.keystore.location=/me.p12\nssl.keystore.password=changeit\nssl.key.password=changeit", ""},
		{"none where one is wanted", strict, inline, "the broker rejected the connection: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := newCluster(t, Options{Brokers: c.f.ListenAddrs()}, "security.protocol=SSL\n"+c.properties, files)
			s, _ := c.f.ask(cluster, at(`{"orders":{"0":0}}`))
			switch {
			case c.want == "" && s.Err != nil:
				t.Error(s.Err)
			case c.want != "" && (s.Err == nil || !strings.HasPrefix(s.Err.Error(), c.want)):
				t.Errorf("error %v, want %s", s.Err, c.want)
			}
		})
	}
	s, _ := named.ask(newCluster(t, Options{Brokers: named.ListenAddrs()}, "", nil), at(`{"orders":{"0":0}}`))
	if s.Err == nil || !strings.Contains(s.Err.Error(), "or TLS (security") {
		t.Errorf("brokers with TLS, asked without it: %v", s.Err)
	}
}
