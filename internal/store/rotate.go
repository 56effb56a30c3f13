package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// Rotation is how far a key set has come from one sealing key to the next.
type Rotation string

// The steps of a rotation. Every process must know a key before any seals with it, so it is added first, and used when
// all have it.
const (
	RotationNone  Rotation = ""      // one key
	RotationAdded Rotation = "added" // a key is known, and not used yet
	RotationUsed  Rotation = "used"  // the newest key is used; older ones open what is not sealed anew yet
)

// ErrUnused says that a key set holds no older key that could go.
var ErrUnused = errors.New("the key set has no older key")

// RotationOf tells how far a key set file has come.
func RotationOf(file []byte) (Rotation, error) {
	_, seal, err := readSeal(file)
	if err != nil {
		return RotationNone, err
	}
	return rotationOf(seal), nil
}

func rotationOf(seal *keyset.Handle) Rotation {
	switch newest := seal.Len() - 1; {
	case newest == 0:
		return RotationNone
	case newestID(seal) == seal.KeysetInfo().GetPrimaryKeyId():
		return RotationUsed
	}
	return RotationAdded
}

// RotateKeys takes the next step with a key set file, and returns the file after it: it adds a sealing key, or begins to
// use the one that was added. The keys of hashes stay as they are: what they made cannot be made anew.
func RotateKeys(file []byte) ([]byte, error) {
	return withSeal(file, func(m *keyset.Manager, seal *keyset.Handle) error {
		if rotationOf(seal) == RotationAdded {
			return m.SetPrimary(newestID(seal))
		}
		_, err := m.Add(aead.AES256GCMKeyTemplate())
		return err
	})
}

// DropKeys takes all sealing keys but the one in use out of a key set file. What they sealed is lost: see SealedBefore.
func DropKeys(file []byte) ([]byte, error) {
	return withSeal(file, func(m *keyset.Manager, seal *keyset.Handle) error {
		if rotationOf(seal) != RotationUsed {
			return ErrUnused
		}
		for _, key := range seal.KeysetInfo().GetKeyInfo() {
			if id := key.GetKeyId(); id != newestID(seal) {
				if err := m.Delete(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func newestID(seal *keyset.Handle) uint32 {
	keys := seal.KeysetInfo().GetKeyInfo()
	return keys[len(keys)-1].GetKeyId()
}

func readSeal(file []byte) (keyFile, *keyset.Handle, error) {
	var f keyFile
	if _, err := ParseKeys(file); err != nil {
		return f, nil, err
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return f, nil, errors.New("the key set cannot be read")
	}
	seal, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(f.Seal)))
	return f, seal, err
}

// withSeal changes the sealing keys of a file.
func withSeal(file []byte, change func(*keyset.Manager, *keyset.Handle) error) ([]byte, error) {
	f, seal, err := readSeal(file)
	if err != nil {
		return nil, err
	}
	m := keyset.NewManagerFromHandle(seal)
	if err := change(m, seal); err != nil {
		return nil, fmt.Errorf("change the key set: %w", err)
	}
	changed, err := m.Handle()
	if err != nil {
		return nil, fmt.Errorf("change the key set: %w", err)
	}
	var b bytes.Buffer
	if err := insecurecleartextkeyset.Write(changed, keyset.NewJSONWriter(&b)); err != nil {
		return nil, fmt.Errorf("write a key: %w", err)
	}
	f.Seal = b.Bytes()
	return json.MarshalIndent(f, "", "  ")
}
