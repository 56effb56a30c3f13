package cms

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"encoding/asn1"
	"fmt"
	"math/big"
)

// Object identifiers (RFC 5652, RFC 8017, RFC 3565).
var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEnvelopedData = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3}
	oidRSA           = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidOAEP          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 7}
	oidMGF1          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 8}
	oidPSpecified    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 9}
	oidSHA256        = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidAES256CBC     = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}
)

const keySize = 32

type algorithmIdentifier struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type keyTransRecipientInfo struct {
	Version      int // 0: the recipient is identified by issuer and serial number
	Recipient    issuerAndSerial
	Algorithm    algorithmIdentifier
	EncryptedKey []byte
}

// oaepParameters are written out in full: decoders differ in their defaults.
type oaepParameters struct {
	Hash   algorithmIdentifier `asn1:"explicit,tag:0"`
	Mask   algorithmIdentifier `asn1:"explicit,tag:1"`
	Source algorithmIdentifier `asn1:"explicit,tag:2"`
}

// algorithm is the AlgorithmIdentifier of the transport.
func (t Transport) algorithm() (algorithmIdentifier, error) {
	switch t {
	case PKCS1:
		return algorithmIdentifier{oidRSA, asn1.NullRawValue}, nil
	case OAEP, "":
		return oaepAlgorithm()
	}
	return algorithmIdentifier{}, errTransport
}

func oaepAlgorithm() (algorithmIdentifier, error) {
	hash := algorithmIdentifier{oidSHA256, asn1.NullRawValue}
	mask, err := withParameters(oidMGF1, hash)
	if err != nil {
		return mask, err
	}
	source, err := withParameters(oidPSpecified, []byte{})
	if err != nil {
		return source, err
	}
	return withParameters(oidOAEP, oaepParameters{hash, mask, source})
}

func withParameters(oid asn1.ObjectIdentifier, parameters any) (algorithmIdentifier, error) {
	der, err := asn1.Marshal(parameters)
	return algorithmIdentifier{oid, asn1.RawValue{FullBytes: der}}, err
}

// encryptKey encrypts the content key for the recipient.
func (e *Envelope) encryptKey(key []byte) ([]byte, error) {
	if e.transport == PKCS1 {
		// An administrator has chosen it for a service that accepts nothing else. It is unsafe against a decryptor
		// that reveals how decryption failed (padding oracle), and we only encrypt.
		return rsa.EncryptPKCS1v15(rand.Reader, e.key, key) //lint:ignore SA1019 see above
	}
	return rsa.EncryptOAEPWithOptions(rand.Reader, e.key, key, &rsa.OAEPOptions{Hash: crypto.SHA256})
}

// open generates a key and an IV, and returns the bytes before the content.
func (e *Envelope) open() ([]byte, cipher.BlockMode, error) {
	fresh := make([]byte, keySize+blockSize)
	if _, err := rand.Read(fresh); err != nil {
		return nil, nil, err
	}
	key, iv := fresh[:keySize], fresh[keySize:]
	encrypted, err := e.encryptKey(key)
	if err != nil {
		return nil, nil, fmt.Errorf("encrypt the key of a file: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}
	head, err := e.layOut(encrypted, iv)
	return head, cipher.NewCBCEncrypter(block, iv), err
}

// Headers and the end of values of indefinite length.
var (
	sequence = []byte{0x30, 0x80}
	tagged   = []byte{0xa0, 0x80} // [0]
	tail     = make([]byte, 5*2)  // end-of-contents of the five values that are open around the content
)

// layOut writes the bytes before the content. Their length depends on the certificate and the transport only.
func (e *Envelope) layOut(encryptedKey, iv []byte) ([]byte, error) {
	var b bytes.Buffer
	var failed error
	value := func(v any, parameters string) {
		der, err := asn1.MarshalWithParams(v, parameters)
		if err != nil && failed == nil {
			failed = err
		}
		b.Write(der)
	}
	b.Write(sequence) // ContentInfo
	value(oidEnvelopedData, "")
	b.Write(tagged)
	b.Write(sequence) // EnvelopedData
	value(0, "")
	value([]keyTransRecipientInfo{{0, e.recipient, e.algorithm, encryptedKey}}, "set")
	b.Write(sequence) // EncryptedContentInfo
	value(oidData, "")
	content, err := withParameters(oidAES256CBC, iv)
	value(content, "")
	b.Write(tagged) // the content, in chunks
	if err != nil {
		failed = err
	}
	return b.Bytes(), failed
}
