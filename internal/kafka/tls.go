package kafka

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// settings reads the properties of a client, and the files that they name.
type settings struct {
	*Properties
	read    func(name string) ([]byte, error)
	getenv  func(string) string
	now     func() time.Time
	profile string // of the AWS settings
}

// tls returns how connections are secured.
func (s *settings) tls() (*tls.Config, error) {
	roots, err := s.trusted()
	if err != nil {
		return nil, err
	}
	c := tlsWith(roots)
	if c.Certificates, err = s.ownCertificate(); err != nil {
		return nil, err
	}
	for _, name := range []string{"ssl.protocol", "ssl.enabled.protocols", "ssl.cipher.suites", "ssl.provider",
		"ssl.keymanager.algorithm", "ssl.trustmanager.algorithm"} {
		s.has(name) // what Go's TLS decides by itself
	}
	const identification = "ssl.endpoint.identification.algorithm"
	switch algorithm := s.get(identification); {
	case s.has(identification) && algorithm == "":
		withoutNames(c)
	case algorithm != "" && !strings.EqualFold(algorithm, "https"):
		return nil, s.errorf(identification, "unknown value %.20q; https, the default, compares the broker name, and an empty value does not", algorithm)
	}
	return c, nil
}

// tlsWith returns TLS with these authorities.
func tlsWith(roots *x509.CertPool) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
}

// withoutNames has the chain of a certificate verified, and not the name in it.
func withoutNames(c *tls.Config) {
	c.InsecureSkipVerify = true // VerifyConnection does it
	c.VerifyConnection = func(state tls.ConnectionState) error {
		o := x509.VerifyOptions{Roots: c.RootCAs, Intermediates: x509.NewCertPool()}
		for _, cert := range state.PeerCertificates[1:] {
			o.Intermediates.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(o)
		return err
	}
}

// trusted returns the authorities whose certificates are accepted; nil for those of the machine.
func (s *settings) trusted() (*x509.CertPool, error) {
	const inline, location = "ssl.truststore.certificates", "ssl.truststore.location"
	password := s.get("ssl.truststore.password")
	kind := strings.ToUpper(s.get("ssl.truststore.type"))
	name, data := inline, []byte(s.get(inline))
	if len(data) == 0 {
		if s.get(location) == "" {
			return nil, nil
		}
		var err error
		if name, data, err = s.file(location); err != nil {
			return nil, err
		}
	}
	pool := x509.NewCertPool()
	switch form := formOf(data, kind); form {
	case "PEM":
		if !pool.AppendCertsFromPEM(data) {
			return nil, s.errorf(name, "it contains no certificate in PEM form")
		}
	case "PKCS12":
		certs, err := pkcs12.DecodeTrustStore(data, password)
		if err != nil {
			return nil, s.errorf(name, "the PKCS12 store cannot be read with ssl.truststore.password: %v", err)
		}
		for _, cert := range certs {
			pool.AddCert(cert)
		}
	default:
		return nil, s.errorf(name, "%s", noStore(form))
	}
	return pool, nil
}

// ownCertificate returns the certificate with which this client proves who it is; none where none is given.
func (s *settings) ownCertificate() ([]tls.Certificate, error) {
	const chain, key, location = "ssl.keystore.certificate.chain", "ssl.keystore.key", "ssl.keystore.location"
	password, keyPassword := s.get("ssl.keystore.password"), s.get("ssl.key.password")
	kind := strings.ToUpper(s.get("ssl.keystore.type"))
	if s.get(chain) != "" || s.get(key) != "" {
		return pair(s, key, []byte(s.get(chain)), []byte(s.get(key)))
	}
	if s.get(location) == "" {
		return nil, nil
	}
	name, data, err := s.file(location)
	if err != nil {
		return nil, err
	}
	switch form := formOf(data, kind); form {
	case "PEM":
		return pair(s, name, data, data)
	case "PKCS12":
		private, leaf, others, err := pkcs12.DecodeChain(data, password)
		if err != nil && keyPassword != "" && keyPassword != password {
			private, leaf, others, err = pkcs12.DecodeChain(data, keyPassword)
		}
		if err != nil {
			return nil, s.errorf(name, "the PKCS12 store cannot be read with ssl.keystore.password: %v", err)
		}
		c := tls.Certificate{PrivateKey: private, Leaf: leaf, Certificate: [][]byte{leaf.Raw}}
		for _, cert := range others {
			c.Certificate = append(c.Certificate, cert.Raw)
		}
		return []tls.Certificate{c}, nil
	default:
		return nil, s.errorf(name, "%s", noStore(form))
	}
}

// pair joins a certificate and its key.
func pair(s *settings, name string, chain, key []byte) ([]tls.Certificate, error) {
	for block, rest := pem.Decode(key); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "ENCRYPTED PRIVATE KEY" || block.Headers["DEK-Info"] != "" {
			return nil, s.errorf(name, "the private key is encrypted, which is not supported in PEM form; use a PKCS12 store (openssl pkcs12 -export)")
		}
	}
	c, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, s.errorf(name, "%v", errors.New(strings.TrimPrefix(err.Error(), "tls: ")))
	}
	return []tls.Certificate{c}, nil
}

// formOf tells the form of a store by its bytes: since Java 9 a file named .jks is a PKCS12 store, and Java reads
// either under either type.
func formOf(data []byte, declared string) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xfe, 0xed, 0xfe, 0xed}):
		return "JKS"
	case bytes.HasPrefix(data, []byte{0xce, 0xce, 0xce, 0xce}):
		return "JCEKS"
	case bytes.Contains(data, []byte("-----BEGIN ")):
		return "PEM"
	case bytes.HasPrefix(data, []byte{0x30}):
		return "PKCS12"
	}
	return declared
}

func noStore(form string) string {
	if form == "JKS" || form == "JCEKS" {
		return "the store type " + form + " is not supported: convert it to PKCS12 (keytool -importkeystore -srckeystore OLD -destkeystore NEW.p12 -deststoretype PKCS12)"
	}
	return "it is neither in PEM form nor a PKCS12 store"
}

// file reads the file that a property names.
func (s *settings) file(property string) (name string, data []byte, err error) {
	data, err = s.read(s.get(property))
	if err != nil {
		return "", nil, s.errorf(property, "%v", err)
	}
	return property, data, nil
}

// tlsWords says what a failed handshake means.
func tlsWords(err error) (string, bool) {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "no trusted authority signed the broker certificate (ssl.truststore.location names the trusted ones)", true
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		return fmt.Sprintf("the broker certificate is for another name: %v", e), true
	}
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok {
		return fmt.Sprintf("the broker certificate is not valid: %v", e), true
	}
	if _, alert, ok := strings.Cut(err.Error(), "remote error: tls: "); ok { // its type is not exported
		return "the broker rejected the connection: " + alert + " (ssl.keystore.location names the client certificate)", true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "the broker does not use TLS on this port (security.protocol sets TLS)", true
	}
	return "", false
}
