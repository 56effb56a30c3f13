package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"math/big"
	"time"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
)

const (
	encryptMemory = "encrypt-memory"
	// encryptCost is the goal for the time of an encrypted submission compared with an unencrypted one.
	encryptCost = 1.5
)

func encryptTime(o options) string { return fmt.Sprintf("encrypt-%d", o.size/1e6) }

// measureEncrypt submits a stored file encrypted; the reference submits it unencrypted.
func measureEncrypt(ctx context.Context, s *stage) ([]figure, error) {
	stored, err := s.storedFile(ctx)
	if err != nil {
		return nil, err
	}
	sink, err := startServer(ctx, "sink", struct{}{})
	if err != nil {
		return nil, err
	}
	defer sink.stop()
	plain := submitJob{Database: s.database, KeyFile: s.keyFile, Sink: sink.address, Account: s.sample.account.ID, Document: stored}
	sealed := plain
	if sealed.Certificate, err = newCertificate(); err != nil {
		return nil, err
	}
	var mebibytes []float64
	p, err := inTurn(encryptTime(s.o), s.o.runs,
		func() (float64, error) {
			took, err := runChild[spent](ctx, "submit", sealed)
			mebibytes = append(mebibytes, took.MiB)
			return took.Seconds, err
		},
		func() (float64, error) {
			took, err := runChild[spent](ctx, "submit", plain)
			return took.Seconds, err
		})
	if err != nil {
		return nil, err
	}
	return []figure{
		p.figure(encryptTime(s.o), "s", atMost(encryptCost)),
		against(submitLimit, mebibytes).figure(encryptMemory, "MiB", atMost(1)),
	}, nil
}

// newCertificate is that of a service.
func newCertificate() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 4096)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0)}
	return x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
}

// encryption is what a submission is encrypted with; nothing without a certificate.
func (j submitJob) encryption() (shipmentapi.Encryption, error) {
	if len(j.Certificate) == 0 {
		return shipmentapi.Encryption{}, nil
	}
	certificate, err := x509.ParseCertificate(j.Certificate)
	if err != nil {
		return shipmentapi.Encryption{}, err
	}
	envelope, err := cms.New(certificate, cms.OAEP)
	return shipmentapi.Encryption{Envelope: envelope, Until: certificate.NotAfter}, err
}
