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

// KeyTransport is how the key of an encrypted file is encrypted for the service (upstream facts, section 4).
type KeyTransport string

// The transports; OAEP unless the service asks for the other.
const (
	TransportOAEP  KeyTransport = "oaep"
	TransportPKCS1 KeyTransport = "pkcs1"
)

// Encryption is what the files of shipments are encrypted with. Both are public. The zero value cannot encrypt.
type Encryption struct {
	Certificate string // of the service, in PEM form; empty: none
	Transport   KeyTransport
}

// X509 returns the certificate; nil when there is none that can be read.
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

// ServiceCertificate is what is shown of the service's certificate.
type ServiceCertificate struct {
	Subject     string
	Issuer      string
	Fingerprint string // SHA-256 of all of it, in pairs
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

// CertificateExpiring tells whether the service's certificate ends soon or has ended, and in how many whole days; below
// zero when it has.
func (in Integration) CertificateExpiring(now time.Time) (days int, soon bool) {
	c := in.Encryption.X509()
	if c == nil {
		return 0, false
	}
	left := c.NotAfter.Sub(now)
	if left <= 0 {
		return -1, true
	}
	return int(left / (24 * time.Hour)), left <= ExpiryWarning
}

// ParseEncryption reads the service's certificate as an administrator pasted it, for the integration in; others are all
// integrations. What comes back holds the certificate only, without words around it.
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

// testWord is how names of certificates say that they are for tests: "Test4 CA 3", "svarut-test", "test.svarut.ks.no".
var testWord = pattern(`(?i)(^|[^\pL])test([^\pL]|$)`)

// foreign tells what shows that a certificate is for another environment than the integration's: an integration of that
// environment has the same key, or production is given one that says that it is for tests.
//
// Assumption: the service has one key for each environment (Shipment spec, kryptert), and nothing in a certificate has to
// tell which.
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

// ValidateEncryption returns what keeps the account from encrypting a shipment that asks for it.
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
