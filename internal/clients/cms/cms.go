// Package cms encrypts outgoing files, each as a CMS EnvelopedData for one certificate (RFC 5652; upstream facts,
// section 4): AES-256-CBC for the content, RSA for its key. A file is encrypted while it is streamed, in constant
// memory, and the encrypted size is known in advance.
//
// The encoding is BER with indefinite lengths and chunked content, as written by the service's own client library and
// by `openssl cms -stream`.
package cms

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"errors"
	"io"
)

// Transport is the algorithm that encrypts the content key.
type Transport string

// The algorithms; the zero value is OAEP.
const (
	// OAEP is RSAES-OAEP with SHA-256, also in its mask generation.
	OAEP Transport = "oaep"
	// PKCS1 is RSAES-PKCS1-v1_5, which older samples of the service use.
	PKCS1 Transport = "pkcs1"
)

var (
	errNotRSA    = errors.New("the certificate's key is not RSA")
	errTransport = errors.New("unknown key transport")
)

// Envelope encrypts files for one certificate. It is safe for concurrent use.
type Envelope struct {
	transport Transport
	key       *rsa.PublicKey
	recipient issuerAndSerial
	algorithm algorithmIdentifier // of the key's encryption
	head      int                 // length of everything before the content
}

// New returns an envelope for a certificate. The caller must check that the certificate is valid.
func New(certificate *x509.Certificate, transport Transport) (*Envelope, error) {
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, errNotRSA
	}
	algorithm, err := transport.algorithm()
	if err != nil {
		return nil, err
	}
	e := &Envelope{transport: transport, key: key, algorithm: algorithm}
	e.recipient = issuerAndSerial{Issuer: asn1.RawValue{FullBytes: certificate.RawIssuer}, Serial: certificate.SerialNumber}
	head, err := e.layOut(make([]byte, key.Size()), make([]byte, blockSize))
	e.head = len(head)
	return e, err
}

// Size is the encrypted size of a file.
func (e *Envelope) Size(clear int64) int64 {
	sealed := (clear/blockSize + 1) * blockSize // padding is at least one byte
	size := int64(e.head) + sealed/pieceSize*int64(pieceRoom+pieceSize) + int64(len(tail))
	if rest := int(sealed % pieceSize); rest > 0 {
		size += int64(len(pieceHead(rest)) + rest)
	}
	return size
}

// Seal returns a reader of the encrypted file, with a key of its own. Closing it closes the file.
func (e *Envelope) Seal(file io.ReadCloser) (io.ReadCloser, error) {
	head, mode, err := e.open()
	if err != nil {
		return nil, err
	}
	return &sealed{file: file, mode: mode, out: head, buffer: make([]byte, pieceRoom+pieceSize)}, nil
}
