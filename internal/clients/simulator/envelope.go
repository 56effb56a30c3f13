package simulator

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"encoding/asn1"
	"errors"
	"io"
	"math/big"
)

// The faults of an encrypted file.
var (
	errEnvelope  = errors.New("a file is not a CMS EnvelopedData with AES-256-CBC")
	errRecipient = errors.New("a file is encrypted for another certificate")
	errDecrypt   = errors.New("a file cannot be decrypted")
	errShort     = errors.New("a file ends too early") // maybe because its sender went away
)

type algorithm struct {
	OID        asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

type keyTransport struct {
	Version   int
	Recipient struct {
		Issuer asn1.RawValue
		Serial *big.Int
	}
	Algorithm    algorithm
	EncryptedKey []byte
}

// ber reads BER (RFC 5652) with definite and indefinite lengths from a stream.
type ber struct {
	*bufio.Reader
}

const indefinite = -1

// head reads the header of a value.
func (r ber) head() (tag byte, length int64, err error) {
	if tag, err = r.ReadByte(); err != nil {
		return 0, 0, err
	}
	first, err := r.ReadByte()
	switch {
	case err != nil:
		return 0, 0, err
	case first == 0x80:
		return tag, indefinite, nil
	case first < 0x80:
		return tag, int64(first), nil
	case first > 0x87:
		return 0, 0, errEnvelope
	}
	for range first & 0x7f {
		b, err := r.ReadByte()
		if err != nil {
			return 0, 0, err
		}
		length = length<<8 | int64(b)
	}
	return tag, length, nil
}

// enter reads the header of a constructed value.
func (r ber) enter(want byte) error {
	tag, _, err := r.head()
	if err == nil && tag != want {
		return errEnvelope
	}
	return err
}

// value reads a whole value of definite length, which must be small.
func (r ber) value(want byte) ([]byte, error) {
	tag, length, err := r.head()
	if err != nil {
		return nil, err
	}
	if tag != want || length < 0 || length > 1<<16 {
		return nil, errEnvelope
	}
	b := make([]byte, length)
	_, err = io.ReadFull(r, b)
	return b, err
}

// open returns a reader that decrypts a file; its errors are the faults.
func (k recipient) open(file io.Reader) (io.Reader, error) {
	r := ber{bufio.NewReaderSize(file, 64<<10)}
	key, err := k.readKey(r)
	if err != nil {
		return nil, err
	}
	iv, err := readContentHead(r)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil || len(key) != 32 || len(iv) != aes.BlockSize {
		return nil, errEnvelope
	}
	pieces := &pieces{ber: r}
	tag, length, err := r.head()
	switch {
	case err != nil:
		return nil, err
	case tag == 0x80 && length >= 0: // not in chunks
		pieces.left, pieces.last = length, true
	case tag != 0xa0:
		return nil, errEnvelope
	}
	return &decrypted{from: pieces, mode: cipher.NewCBCDecrypter(block, iv)}, nil
}

// readKey reads up to the content, and decrypts the content key.
func (k recipient) readKey(r ber) ([]byte, error) {
	if err := r.enter(0x30); err != nil {
		return nil, err
	}
	if oid, err := r.value(asn1.TagOID); err != nil || !bytes.Equal(oid, []byte{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 3}) {
		return nil, errEnvelope
	}
	if err := errors.Join(r.enter(0xa0), r.enter(0x30)); err != nil {
		return nil, errEnvelope
	}
	if version, err := r.value(asn1.TagInteger); err != nil || !bytes.Equal(version, []byte{0}) {
		return nil, errEnvelope
	}
	der, err := r.value(0x31)
	if err != nil {
		return nil, errEnvelope
	}
	var to keyTransport
	if rest, err := asn1.Unmarshal(der, &to); err != nil || len(rest) > 0 {
		return nil, errEnvelope
	}
	if !bytes.Equal(to.Recipient.Issuer.FullBytes, k.certificate.RawIssuer) || to.Recipient.Serial.Cmp(k.certificate.SerialNumber) != 0 {
		return nil, errRecipient
	}
	return k.decryptKey(to)
}

// decryptKey uses the algorithm that the file names.
func (k recipient) decryptKey(to keyTransport) ([]byte, error) {
	var key []byte
	var err error
	switch to.Algorithm.OID.String() {
	case "1.2.840.113549.1.1.1":
		key, err = k.key.Decrypt(nil, to.EncryptedKey, nil) // PKCS #1 v1.5
	case "1.2.840.113549.1.1.7":
		key, err = k.key.Decrypt(nil, to.EncryptedKey, &rsa.OAEPOptions{Hash: crypto.SHA256})
	default:
		return nil, errEnvelope
	}
	if err != nil {
		return nil, errDecrypt
	}
	return key, nil
}

// readContentHead reads up to the encrypted content, and returns its IV.
func readContentHead(r ber) ([]byte, error) {
	if err := r.enter(0x30); err != nil {
		return nil, err
	}
	if _, err := r.value(asn1.TagOID); err != nil {
		return nil, err
	}
	der, err := r.value(0x30)
	if err != nil {
		return nil, err
	}
	var oid asn1.ObjectIdentifier
	var iv []byte
	rest, err := asn1.Unmarshal(der, &oid)
	if err == nil {
		_, err = asn1.Unmarshal(rest, &iv)
	}
	if err != nil || oid.String() != "2.16.840.1.101.3.4.1.42" {
		return nil, errEnvelope
	}
	return iv, nil
}

// pieces joins the octet strings of a content.
type pieces struct {
	ber
	left int64 // of the current octet string
	last bool
}

// Read implements io.Reader.
func (p *pieces) Read(b []byte) (int, error) {
	for p.left == 0 {
		if p.last {
			_, err := io.Copy(io.Discard, p.ber) // the end-of-contents of the values around the content
			return 0, errors.Join(io.EOF, err)
		}
		tag, length, err := p.head()
		switch {
		case err != nil:
			return 0, errShort
		case tag == 0 && length == 0:
			p.last = true
		case tag != asn1.TagOctetString || length < 0:
			return 0, errEnvelope
		default:
			p.left = length
		}
	}
	n, err := p.ber.Read(b[:min(int64(len(b)), p.left)])
	p.left -= int64(n)
	if err == io.EOF {
		err = errShort
	}
	return n, err
}

// decrypted reads a content decrypted. The last block is held back until it is known to be the last, since it holds
// the padding.
type decrypted struct {
	from   io.Reader
	mode   cipher.BlockMode
	buffer [32 << 10]byte
	held   []byte // decrypted, and maybe the last block
	out    []byte
	ended  bool
}

// Read implements io.Reader.
func (d *decrypted) Read(b []byte) (int, error) {
	for len(d.out) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		if err := d.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, d.out)
	d.out = d.out[n:]
	return n, nil
}

func (d *decrypted) next() error {
	n, err := io.ReadFull(d.from, d.buffer[:])
	d.ended = err != nil
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if n%aes.BlockSize != 0 {
		return errEnvelope
	}
	d.mode.CryptBlocks(d.buffer[:n], d.buffer[:n])
	clear := append(d.held, d.buffer[:n]...)
	if !d.ended {
		d.out, d.held = clear[:len(clear)-aes.BlockSize], bytes.Clone(clear[len(clear)-aes.BlockSize:])
		return nil
	}
	d.out, err = unpad(clear)
	return err
}

func unpad(clear []byte) ([]byte, error) {
	if len(clear) == 0 {
		return nil, errEnvelope
	}
	n := int(clear[len(clear)-1])
	if n < 1 || n > aes.BlockSize || !bytes.Equal(clear[len(clear)-n:], bytes.Repeat([]byte{byte(n)}, n)) {
		return nil, errDecrypt
	}
	return clear[:len(clear)-n], nil
}
