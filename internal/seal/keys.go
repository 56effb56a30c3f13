// Package seal encrypts sensitive values in the database, and makes the keyed hashes for exact search. Values and key
// set files have Tink's formats: a test compares both with Tink, which would cost every process protobuf.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Keys seal personal data and secrets, and hash search keys. The key set is outside the database; without it nothing
// sealed can be read. They are safe for concurrent use.
type Keys struct {
	primary  uint32
	sealers  map[uint32]cipher.AEAD // by key id
	hashKey  []byte
	rotation Rotation
}

// A sealed value begins like Tink's: a format byte and the key id. Nonce, ciphertext and tag follow.
const (
	version     = 1
	prefixBytes = 5
	addedBytes  = 12 + 16 // of a nonce and a tag
)

// ErrSealed deliberately does not tell whether a value's key, place or ciphertext is wrong.
var ErrSealed = errors.New("it is not sealed with these keys for this place")

// Parse reads a key set file. Its errors never hold key material.
func Parse(file []byte) (*Keys, error) {
	f, err := read(file)
	if err != nil {
		return nil, err
	}
	k := &Keys{primary: f.Seal.Primary, sealers: map[uint32]cipher.AEAD{}, rotation: f.Seal.rotation()}
	for _, key := range f.Seal.Keys {
		if k.sealers[key.ID], err = sealer(sealing.material(key)); err != nil {
			return nil, err
		}
	}
	k.hashKey = hashing.material(f.Hash.primary())
	return k, nil
}

func sealer(material []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(material)
	if err != nil {
		return nil, errors.New("a sealing key has another length")
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// Rotation tells how far the rotation of the sealing key is.
func (k *Keys) Rotation() Rotation { return k.rotation }

// Seal encrypts a value and binds it to its place ("sms/<id>/text") as associated data: moved elsewhere it does not
// open. It never fails with local keys; those of a key service could.
func (k *Keys) Seal(value []byte, place string) ([]byte, error) {
	sealed := append(make([]byte, 0, prefixBytes+len(value)+addedBytes), k.Prefix()...)
	return k.sealers[k.primary].Seal(sealed, nil, value, []byte(place)), nil
}

// Prefix is the beginning of every value sealed with the key in use.
func (k *Keys) Prefix() []byte {
	return binary.BigEndian.AppendUint32([]byte{version}, k.primary)
}

// Open decrypts a value that Seal made for the same place.
func (k *Keys) Open(sealed []byte, place string) ([]byte, error) {
	value, err := k.open(sealed, place)
	if err != nil {
		return nil, fmt.Errorf("open what is sealed at %s: %w", place, err)
	}
	return value, nil
}

func (k *Keys) open(sealed []byte, place string) ([]byte, error) {
	if len(sealed) < prefixBytes || sealed[0] != version {
		return nil, ErrSealed
	}
	key, known := k.sealers[binary.BigEndian.Uint32(sealed[1:])]
	if !known {
		return nil, ErrSealed
	}
	value, err := key.Open(nil, nil, sealed[prefixBytes:], []byte(place))
	if err != nil {
		return nil, ErrSealed
	}
	return value, nil
}

// Hash returns a keyed hash of 32 bytes: equal values of one kind have equal hashes, and without the key nobody can
// try all numbers. It fails as Seal does.
func (k *Keys) Hash(kind, value string) ([]byte, error) {
	h := hmac.New(sha256.New, k.hashKey)
	h.Write([]byte(kind + "\x00" + value))
	return h.Sum(nil), nil
}
