package gallery

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/views/admin"
)

var sampleKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil { // the key size is valid
		panic(err)
	}
	return key
})

// encrypting is a shipment integration whose service's certificate expires after a while.
func encrypting(left time.Duration) func(*admin.IntegrationLine) {
	return func(l *admin.IntegrationLine) {
		oldGeneration(l)
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Forsendelsestjenesten", Organization: []string{"Prøve AS"}}, NotAfter: galleryNow.Add(left)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, &sampleKey().PublicKey, sampleKey())
		if err != nil {
			panic(err)
		}
		l.Encryption = dispatch.Encryption{Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), Transport: dispatch.TransportOAEP}
	}
}

// certificateExhibits are an integration with its service's certificate, and every problem of one.
func certificateExhibits() []exhibit {
	const day = 24 * time.Hour
	list := []exhibit{
		{path: "certificate/kept", says: "files can be encrypted", show: integrationPage(encrypting(200*day), func(*admin.IntegrationPage) {})},
		{path: "certificate/ends", says: "the service's certificate ends soon", show: integrationPage(encrypting(12*day), func(p *admin.IntegrationPage) { p.Integration.Encryption.Transport = dispatch.TransportPKCS1 })},
		{path: "certificate/ended", says: "it has ended", show: integrationPage(encrypting(-day), func(*admin.IntegrationPage) {})},
	}
	for _, key := range []string{"empty", "unreadable", "private", "several", "rsa", "short", "expired", "early", "environment", "test"} {
		list = append(list, exhibit{path: "certificate/problem-" + key, says: "refused", show: integrationPage(oldGeneration, func(p *admin.IntegrationPage) {
			p.Problems = dispatch.Problems{{Field: dispatch.FieldServiceCertificate, Key: "problem.certificate." + key}}
		})})
	}
	return append(list, exhibit{path: "certificate/problem-transport", says: "neither of the two ways", show: integrationPage(oldGeneration, func(p *admin.IntegrationPage) {
		p.Problems = dispatch.Problems{{Field: dispatch.FieldKeyTransport, Key: "problem.key_transport"}}
	})})
}
