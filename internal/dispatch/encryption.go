package dispatch

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"strings"
	"time"
)

// Fields of the service's certificate that problems are tied to.
const (
	FieldServiceCertificate = "tjenestesertifikat"
	FieldKeyTransport       = "nokkeltransport"
)

// KeyTransport is the algorithm that encrypts a file's content key for the service (upstream facts, section 4).
type KeyTransport string

// The algorithms; OAEP unless the service asks for PKCS #1 v1.5.
const (
	TransportOAEP  KeyTransport = "oaep"
	TransportPKCS1 KeyTransport = "pkcs1"
)

// Encryption is the service's certificate and algorithm for encrypting files. Both are public. The zero value cannot
// encrypt.
type Encryption struct {
	Certificate string // of the service, in PEM form; empty: none
	Transport   KeyTransport
}

// X509 returns the parsed certificate; nil when there is none or it cannot be parsed.
func (e Encryption) X509() *x509.Certificate {
	block, _ := pem.Decode([]byte(e.Certificate))
	if block == nil {
		return nil
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return certificate
}

// ServiceCertificate is the part of the service's certificate that is shown.
type ServiceCertificate struct {
	Subject     string
	Issuer      string
	Fingerprint string // SHA-256 of the certificate, in pairs
	ExpiresAt   time.Time
	Bits        int
}

// Shown returns what is shown of the certificate, and whether there is one.
func (e Encryption) Shown() (ServiceCertificate, bool) {
	c := e.X509()
	if c == nil {
		return ServiceCertificate{}, false
	}
	shown := ServiceCertificate{Subject: c.Subject.String(), Issuer: c.Issuer.String(), ExpiresAt: c.NotAfter}
	sum := sha256.Sum256(c.Raw)
	shown.Fingerprint = strings.ToUpper(strings.Join(pairs(hex.EncodeToString(sum[:])), ":"))
	if key, ok := c.PublicKey.(*rsa.PublicKey); ok {
		shown.Bits = key.N.BitLen()
	}
	return shown, true
}

func pairs(s string) []string {
	var all []string
	for len(s) > 1 {
		all, s = append(all, s[:2]), s[2:]
	}
	return all
}

// CertificateExpiring tells in how many days the service's certificate expires, negative if it has, and whether
// that is soon.
func (in Integration) CertificateExpiring(now time.Time) (days int, soon bool) {
	c := in.Encryption.X509()
	if c == nil {
		return 0, false
	}
	left := c.NotAfter.Sub(now)
	if left <= 0 {
		return -1, true
	}
	return DaysUntil(c.NotAfter, now), left <= ExpiryWarning
}

// ParseEncryption parses the service's certificate as an administrator pasted it, for the integration in; others are
// all integrations. The result holds the certificate only, without text around it.
func ParseEncryption(typed string, transport KeyTransport, in Integration, others []Integration, now time.Time) (Encryption, Problems) {
	c, wrong := parseServiceCertificate(typed, now)
	if wrong == "" {
		wrong = in.foreign(c, others)
	}
	var ps Problems
	if wrong != "" {
		ps.add(&Problem{Field: FieldServiceCertificate, Key: wrong})
	}
	if transport != TransportOAEP && transport != TransportPKCS1 {
		ps.add(&Problem{Field: FieldKeyTransport, Key: "problem.key_transport"})
	}
	if len(ps) > 0 {
		return Encryption{}, ps
	}
	return Encryption{string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})), transport}, nil
}

func parseServiceCertificate(typed string, now time.Time) (*x509.Certificate, string) {
	if strings.TrimSpace(typed) == "" {
		return nil, "problem.certificate.empty"
	}
	chain, wrong := parseChain(typed)
	switch {
	case wrong == "problem.certificate.key":
		return nil, "problem.certificate.private"
	case wrong != "":
		return nil, wrong
	case len(chain) > 1:
		return nil, "problem.certificate.several"
	}
	c := chain[0]
	key, isRSA := c.PublicKey.(*rsa.PublicKey)
	switch {
	case !isRSA:
		return nil, "problem.certificate.rsa"
	case key.N.BitLen() < KeyBitsMin:
		return nil, "problem.certificate.short"
	case !now.Before(c.NotAfter):
		return nil, "problem.certificate.expired"
	case now.Before(c.NotBefore):
		return nil, "problem.certificate.early"
	}
	return c, ""
}

// testWord finds the word "test" in the names of a certificate: "Test4 CA 3", "svarut-test", "test.svarut.ks.no".
var testWord = pattern(`(?i)(^|[^\pL])test([^\pL]|$)`)

// foreign returns the problem of a certificate of another environment: an integration there has the same key, or an
// integration in production gets one whose name says test.
//
// Assumption: the service has one key for each environment (Shipment spec, kryptert), and a certificate need not name
// its environment.
func (in Integration) foreign(c *x509.Certificate, others []Integration) string {
	if in.Environment == "" {
		return ""
	}
	for _, o := range others {
		theirs := o.Encryption.X509()
		if o.Environment != "" && o.Environment != in.Environment && theirs != nil && c.PublicKey.(*rsa.PublicKey).Equal(theirs.PublicKey) {
			return "problem.certificate.environment"
		}
	}
	if in.Environment == EnvironmentProduction && (testWord().MatchString(c.Subject.String()) || testWord().MatchString(c.Issuer.String())) {
		return "problem.certificate.test"
	}
	return ""
}

// ValidateEncryption returns the problems that keep the account from encrypting a shipment that asks for it.
func (a Account) ValidateEncryption(s Shipment, now time.Time) Problems {
	switch {
	case !s.Encrypted:
		return nil
	case a.EncryptUntil.IsZero():
		return Problems{{Field: FieldEncrypt, Key: "problem.encrypt.none"}}
	case !now.Before(a.EncryptUntil):
		return Problems{{Field: FieldEncrypt, Key: "problem.encrypt.expired"}}
	case !s.goes(now).Before(a.EncryptUntil):
		return Problems{{Field: FieldEncrypt, Key: "problem.encrypt.expires"}}
	}
	return nil
}
