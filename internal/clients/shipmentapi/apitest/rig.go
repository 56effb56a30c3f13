// Package apitest is shared by the tests of all generations' clients.
package apitest

import (
	"bufio"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

const (
	ShipmentID = "0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"
	OtherID    = "6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"
	Accepted   = `{"id":"` + ShipmentID + `"}`
)

// Now is the time of every client's clock.
var Now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// serviceCertificate is the certificate of a service that only listens.
var serviceCertificate = sync.OnceValue(func() *x509.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(17), Subject: pkix.Name{CommonName: "Tjenesten"}, NotAfter: Now.AddDate(0, 1, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return certificate
})

// Encryption encrypts for the service.
func Encryption() shipmentapi.Encryption { return encryptionFor(serviceCertificate(), cms.OAEP) }

func encryptionFor(certificate *x509.Certificate, transport cms.Transport) shipmentapi.Encryption {
	envelope, err := cms.New(certificate, transport)
	if err != nil {
		panic(err)
	}
	return shipmentapi.Encryption{Envelope: envelope, Until: certificate.NotAfter}
}

// Handled starts a server with a handler and returns its address.
func Handled(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Connected starts a server that calls each for every connection, and waits for all of them at the end of the test.
func Connected(t *testing.T, each func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			open.Go(func() {
				defer func() { _ = c.Close() }() // the other end may have closed it already
				each(c)
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); open.Wait() })
	return "http://" + l.Addr().String()
}

// ReadRequest reads one request to its last byte; an error if that never came.
func ReadRequest(c net.Conn) error {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

// Result is the classification of a call's error.
type Result struct {
	Outcome dispatch.Outcome
	Scope   dispatch.Scope
	Key     string
	Status  int
}

// Want is an expected result.
func Want(outcome dispatch.Outcome, scope dispatch.Scope, key string, status int) Result {
	return Result{outcome, scope, key, status}
}

// ResultOf requires a *clients.Error.
func ResultOf(t *testing.T, err error) Result {
	t.Helper()
	if err == nil {
		return Result{Outcome: dispatch.OutcomeAccepted}
	}
	var e *clients.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a *clients.Error", err)
	}
	return Result{e.Outcome, e.Scope, e.Key, e.HTTPStatus}
}

// CheckResult requires a result.
func CheckResult(t *testing.T, err error, want Result) {
	t.Helper()
	if got := ResultOf(t, err); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// CheckAnswer requires an answer without an error.
func CheckAnswer[T any](t *testing.T, got T, err error, want T) {
	t.Helper()
	if err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
}
