package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Keys seal personal data and secrets, and make the keyed hashes that exact search uses. The key set lives outside the
// database; without it nothing sealed can be read.
type Keys struct {
	sealer   tink.AEAD
	hasher   *prf.Set
	rotation Rotation
}

// keyFile is the form of a key set file: two Tink key sets in their JSON form.
type keyFile struct {
	Seal json.RawMessage `json:"seal"`
	Hash json.RawMessage `json:"hash"`
}

// GenerateKeys returns a new key set file.
func GenerateKeys() ([]byte, error) {
	var f keyFile
	for _, k := range []struct {
		out    *json.RawMessage
		handle func() (*keyset.Handle, error)
	}{
		{&f.Seal, func() (*keyset.Handle, error) { return keyset.NewHandle(aead.AES256GCMKeyTemplate()) }},
		{&f.Hash, func() (*keyset.Handle, error) { return keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate()) }},
	} {
		h, err := k.handle()
		if err != nil {
			return nil, fmt.Errorf("make a key: %w", err)
		}
		var b bytes.Buffer
		if err := insecurecleartextkeyset.Write(h, keyset.NewJSONWriter(&b)); err != nil {
			return nil, fmt.Errorf("write a key: %w", err)
		}
		*k.out = b.Bytes()
	}
	return json.MarshalIndent(f, "", "  ")
}

// ParseKeys reads a key set file. Its errors never hold key material.
func ParseKeys(file []byte) (*Keys, error) {
	var f keyFile
	if err := json.Unmarshal(file, &f); err != nil || f.Seal == nil || f.Hash == nil {
		return nil, errors.New("the key set is not one that 'web keys new' makes")
	}
	seal, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(f.Seal)))
	if err != nil {
		return nil, errors.New("the sealing keys of the key set cannot be read")
	}
	hash, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(f.Hash)))
	if err != nil {
		return nil, errors.New("the hashing keys of the key set cannot be read")
	}
	k := &Keys{rotation: rotationOf(seal)}
	if k.sealer, err = aead.New(seal); err != nil {
		return nil, fmt.Errorf("sealing keys: %w", err)
	}
	if k.hasher, err = prf.NewPRFSet(hash); err != nil {
		return nil, fmt.Errorf("hashing keys: %w", err)
	}
	return k, nil
}

// seal encrypts a value and binds it to the place it stands in ("sms/<id>/text"): moved elsewhere it does not open.
func (k *Keys) seal(value []byte, place string) ([]byte, error) {
	b, err := k.sealer.Encrypt(value, []byte(place))
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return b, nil
}

// prefix is how every value begins that the key in use has sealed.
func (k *Keys) prefix() ([]byte, error) {
	b, err := k.seal(nil, "")
	if err != nil {
		return nil, err
	}
	return b[:5], nil // Tink: a byte for the form, four for the key's id
}

// open decrypts what seal made for the same place.
func (k *Keys) open(sealed []byte, place string) ([]byte, error) {
	b, err := k.sealer.Decrypt(sealed, []byte(place))
	if err != nil {
		return nil, fmt.Errorf("open what is sealed at %s: %w", place, err)
	}
	return b, nil
}

// hash returns a keyed hash of 32 bytes: equal values of one kind have equal hashes, and nobody without the key can
// try all numbers.
func (k *Keys) hash(kind, value string) ([]byte, error) {
	b, err := k.hasher.ComputePrimaryPRF([]byte(kind+"\x00"+value), 32)
	if err != nil {
		return nil, fmt.Errorf("hash: %w", err)
	}
	return b, nil
}
