package seal_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"

	"utsending/internal/seal"
)

// tinks are Tink's own two halves of a key set file.
type tinks struct{ seal, hash *keyset.Handle }

func (ts tinks) aead(t *testing.T) tink.AEAD {
	t.Helper()
	a, err := aead.New(ts.seal)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newTinks are keys that Tink made.
func newTinks(t *testing.T) tinks {
	t.Helper()
	s, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		t.Fatal(err)
	}
	h, err := keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate())
	if err != nil {
		t.Fatal(err)
	}
	return tinks{s, h}
}

// rotated is the set with a key more, in use or not.
func (ts tinks) rotated(t *testing.T, use bool) tinks {
	t.Helper()
	m := keyset.NewManagerFromHandle(ts.seal)
	id, err := m.Add(aead.AES256GCMKeyTemplate())
	if err != nil {
		t.Fatal(err)
	}
	if use {
		err = m.SetPrimary(id)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Handle()
	if err != nil {
		t.Fatal(err)
	}
	return tinks{s, ts.hash}
}

// file writes the keys as Tink does.
func (ts tinks) file(t *testing.T) []byte {
	t.Helper()
	text := func(h *keyset.Handle) json.RawMessage {
		var b bytes.Buffer
		if err := insecurecleartextkeyset.Write(h, keyset.NewJSONWriter(&b)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	file, err := json.Marshal(map[string]json.RawMessage{"seal": text(ts.seal), "hash": text(ts.hash)})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// readTinks reads a file as Tink does.
func readTinks(t *testing.T, file []byte) tinks {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file, &raw); err != nil {
		t.Fatal(err)
	}
	handle := func(text []byte) *keyset.Handle {
		h, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	return tinks{handle(raw["seal"]), handle(raw["hash"])}
}

// TestTinkAgrees: key sets that either made mean the same to both, what either sealed opens with the other, and hashes
// are equal. Installations have files and values of Tink's.
func TestTinkAgrees(t *testing.T) {
	t.Parallel()
	theirs := newTinks(t)
	ours := newFile(t)
	added := step(t, ours, seal.Rotate, seal.RotationAdded)
	used := step(t, added, seal.Rotate, seal.RotationUsed)
	for name, file := range map[string][]byte{
		"Tink's": theirs.file(t), "Tink's, a key added": theirs.rotated(t, false).file(t), "Tink's, that key used": theirs.rotated(t, true).file(t),
		"ours": ours, "ours, a key added": added, "ours, that key used": used, "ours, the older dropped": step(t, used, seal.Drop, seal.RotationNone),
		"Tink's, with a key of ours": step(t, theirs.file(t), seal.Rotate, seal.RotationAdded),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agree(t, parse(t, file), readTinks(t, file))
		})
	}
}

func agree(t *testing.T, ours *seal.Keys, theirs tinks) {
	t.Helper()
	const value = "Timen din er klokka ti"
	if got, err := theirs.aead(t).Decrypt(sealed(t, ours, value), []byte(place)); err != nil || string(got) != value {
		t.Errorf("Tink opens what we sealed as %q, %v", got, err)
	}
	b, err := theirs.aead(t).Encrypt([]byte(value), []byte(place))
	if err != nil || !bytes.HasPrefix(b, ours.Prefix()) {
		t.Fatalf("Tink seals with another key, or not: %v", err)
	}
	if got, err := ours.Open(b, place); err != nil || string(got) != value {
		t.Errorf("we open what Tink sealed as %q, %v", got, err)
	}
	set, err := prf.NewPRFSet(theirs.hash)
	if err != nil {
		t.Fatal(err)
	}
	want, err := set.ComputePrimaryPRF([]byte("phone\x0090000123"), 32)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ours.Hash("phone", "90000123"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("we hash to %x, and Tink to %x, %v", got, want, err)
	}
}
