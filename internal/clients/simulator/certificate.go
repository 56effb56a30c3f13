package simulator

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net/http"
	"sync"
	"time"
)

// certificatePath is where the deployed service publishes its certificate (upstream-facts, section 4).
const certificatePath = "/forsendelse/publickey/hent"

// recipient is the certificate for which files are encrypted, with its key: each simulator has its own, like each
// environment of the service.
type recipient struct {
	certificate *x509.Certificate
	key         *rsa.PrivateKey
}

// sharedKey is the key of all certificates, which differ by serial number: generating one takes most of the time of a
// test that needs it.
var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil { // impossible: the size is valid
		panic(err)
	}
	return key
})

// newRecipient makes a certificate.
func newRecipient() recipient {
	key := sharedKey()
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // never fails since Go 1.24
	template := &x509.Certificate{
		SerialNumber: serial.Add(serial, big.NewInt(1)), Subject: pkix.Name{CommonName: "Simulert forsendelsestjeneste"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(2, 0, 0), KeyUsage: x509.KeyUsageKeyEncipherment,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return recipient{certificate, key}
}

// Certificate is the certificate for which files must be encrypted, in PEM form.
func (s *Simulator) Certificate() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.recipient().certificate.Raw}))
}

func (s *Simulator) registerCertificate() {
	s.Mux.HandleFunc("GET "+certificatePath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write([]byte(s.Certificate())) // the client may have gone
	})
}
