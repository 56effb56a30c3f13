package shipmentapi_test

import (
	"bufio"
	"context"
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
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/dispatch"
)

const (
	shipmentID = "0d9f1f0e-0c5b-4c58-8d8e-7d7d2a7f6a01"
	otherID    = "6f1c2c9e-6d0a-4b43-9a77-0f6a5f0d2b11"
	accepted   = `{"id":"` + shipmentID + `"}`
)

// now is what the clock of every client says.
var now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// options are those of a client of the service at an address.
func options(t *testing.T, url string) shipmentapi.Options {
	t.Helper()
	client := clients.NewHTTPClient()
	t.Cleanup(client.CloseIdleConnections)
	return shipmentapi.Options{
		BaseURL: url, HTTP: client, User: "avsender", Password: "hunter2-hunter2",
		Now: func() time.Time { return now }, Encryption: encryption(),
	}
}

// serviceCertificate is that of a service that only listens.
var serviceCertificate = sync.OnceValue(func() *x509.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(17), Subject: pkix.Name{CommonName: "Tjenesten"}, NotAfter: now.AddDate(0, 1, 0)}
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

// encryption encrypts for the service.
func encryption() shipmentapi.Encryption { return encryptionFor(serviceCertificate(), cms.OAEP) }

func encryptionFor(certificate *x509.Certificate, transport cms.Transport) shipmentapi.Encryption {
	envelope, err := cms.New(certificate, transport)
	if err != nil {
		panic(err)
	}
	return shipmentapi.Encryption{Envelope: envelope, Until: certificate.NotAfter}
}

func newClient(t *testing.T, url string) *shipmentapi.V1 {
	t.Helper()
	return shipmentapi.NewV1(options(t, url))
}

// handled serves with an ordinary handler and returns the address.
func handled(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// answering is a client of a service that always gives the same answer, after the request.
func answering(t *testing.T, status int, body string) *shipmentapi.V1 {
	t.Helper()
	return newClient(t, handled(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
}

// connected serves each connection with a function, and waits for all of them at the end of the test.
func connected(t *testing.T, each func(net.Conn)) string {
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

// readRequest reads one request to its last byte; the error tells that it never came.
func readRequest(c net.Conn) error {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

// letter is a valid shipment of one document, with its content.
func letter() (dispatch.Shipment, shipmentapi.Content) {
	return letterOf("%PDF-1.7 brev")
}

func letterOf(content string) (dispatch.Shipment, shipmentapi.Content) {
	s := dispatch.Shipment{
		Recipient: dispatch.Address{
			Postal:  dispatch.PostalAddress{Name: "Kari Prøve", Line1: "Prøveveien 1", PostalCode: "0123", City: "Oslo", Country: "Norge"},
			Digital: dispatch.DigitalAddress{NationalID: "02813299900"},
		},
		SourceSystem: "Utsending",
		Title:        "Vedtak",
		Documents:    []dispatch.Document{pdf("brev.pdf", content)},
	}
	return s, texts(map[string]string{"brev.pdf": content})
}

func pdf(name, content string) dispatch.Document {
	return dispatch.Document{ID: dispatch.DocumentID(name), FileName: name, MimeType: dispatch.MimePDF, Size: int64(len(content)), Pages: 1}
}

// texts is content by file name.
func texts(byName map[string]string) shipmentapi.Content {
	return func(_ context.Context, d dispatch.Document) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(byName[d.FileName])), nil
	}
}

func send(t *testing.T, c *shipmentapi.V1) (string, error) {
	t.Helper()
	s, content := letter()
	return c.Send(t.Context(), shipmentapi.Target{Reserved: shipmentID}, s, content, nil)
}

// result is what a call came to.
type result struct {
	outcome dispatch.Outcome
	scope   dispatch.Scope
	key     string
	status  int
}

// resultOf demands that an error is one of ours; no error is accepted.
func resultOf(t *testing.T, err error) result {
	t.Helper()
	if err == nil {
		return result{outcome: dispatch.OutcomeAccepted}
	}
	var e *clients.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a *clients.Error", err)
	}
	return result{e.Outcome, e.Scope, e.Key, e.HTTPStatus}
}

func checkResult(t *testing.T, err error, want result) {
	t.Helper()
	if got := resultOf(t, err); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
