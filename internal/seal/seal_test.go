package seal_test

import (
	"bytes"
	"strings"
	"testing"

	"utsending/internal/seal"
)

const place = "sms/0192f0c1/text"

// newFile is a new key set file.
func newFile(t *testing.T) []byte {
	t.Helper()
	file, err := seal.New()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func parse(t *testing.T, file []byte) *seal.Keys {
	t.Helper()
	k, err := seal.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sealed(t *testing.T, k *seal.Keys, value string) []byte {
	t.Helper()
	b, err := k.Seal([]byte(value), place)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// step takes a step of a rotation, and sees how far it came.
func step(t *testing.T, file []byte, change func([]byte) ([]byte, error), want seal.Rotation) []byte {
	t.Helper()
	changed, err := change(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := seal.RotationOf(changed); err != nil || got != want || parse(t, changed).Rotation() != want || want.Over() != (want == seal.RotationNone) {
		t.Fatalf("it came to %q, %v; want %q", got, err, want)
	}
	return changed
}

func TestSeal(t *testing.T) {
	t.Parallel()
	k := parse(t, newFile(t))
	for _, value := range []string{"", "a", "Timen din er klokka ti", strings.Repeat("å", 1<<20)} {
		one, two := sealed(t, k, value), sealed(t, k, value)
		if bytes.Equal(one, two) || len(value) > 8 && bytes.Contains(one, []byte(value)) || !bytes.HasPrefix(one, k.Prefix()) {
			t.Errorf("%d bytes sealed twice are the same, show, or begin otherwise", len(value))
		}
		if got, err := k.Open(one, place); err != nil || string(got) != value {
			t.Errorf("%d bytes opened: %d bytes, %v", len(value), len(got), err)
		}
	}
}

// TestWhatDoesNotOpen: a value that was changed, cut, moved, or sealed by others.
func TestWhatDoesNotOpen(t *testing.T) {
	t.Parallel()
	k := parse(t, newFile(t))
	whole := sealed(t, k, "hemmelig")
	wrong := map[string][]byte{
		"nothing": nil, "a byte": whole[:1], "its beginning": whole[:5], "no tag": whole[:17], "one byte less": whole[:len(whole)-1],
		"one byte more": append(bytes.Clone(whole), 0), "another's": sealed(t, parse(t, newFile(t)), "hemmelig"),
	}
	for at := range whole {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		wrong["another byte at "+string(rune('A'+at))] = changed
	}
	for name, value := range wrong {
		if got, err := k.Open(value, place); err == nil || strings.Contains(err.Error(), "hemmelig") {
			t.Errorf("%s opened as %q, %v", name, got, err)
		}
	}
	if _, err := k.Open(whole, "sms/0192f0c1/recipient"); err == nil || !strings.Contains(err.Error(), "recipient") {
		t.Errorf("moved it opened, or the error does not say where it stood: %v", err)
	}
}

func TestHash(t *testing.T) {
	t.Parallel()
	k := parse(t, newFile(t))
	hash := func(k *seal.Keys, kind, value string) string {
		h, err := k.Hash(kind, value)
		if err != nil || len(h) != 32 {
			t.Fatalf("got %d bytes, %v", len(h), err)
		}
		return string(h)
	}
	one := hash(k, "phone", "90000123")
	if hash(k, "phone", "90000123") != one {
		t.Error("the same value has another hash")
	}
	for name, other := range map[string]string{
		"another value": hash(k, "phone", "90000124"), "another kind": hash(k, "phone2", "90000123"), "another key": hash(parse(t, newFile(t)), "phone", "90000123"),
		"a kind that ends elsewhere": hash(k, "phone9", "0000123"),
	} {
		if other == one {
			t.Errorf("%s has the same hash", name)
		}
	}
}

// TestRotation: at each step what was sealed before opens, until the key has gone that sealed it.
func TestRotation(t *testing.T) {
	t.Parallel()
	first := newFile(t)
	old := sealed(t, parse(t, first), "hemmelig")
	added := step(t, first, seal.Rotate, seal.RotationAdded)
	if !bytes.HasPrefix(sealed(t, parse(t, added), ""), parse(t, first).Prefix()) {
		t.Error("the key that was added is used already")
	}
	used := step(t, added, seal.Rotate, seal.RotationUsed)
	dropped := step(t, used, seal.Drop, seal.RotationNone)
	fresh := sealed(t, parse(t, used), "hemmelig")
	for name, file := range map[string][]byte{"added": added, "used": used} {
		k := parse(t, file)
		for which, value := range map[string][]byte{"before": old, "with the newest": fresh} {
			if got, err := k.Open(value, place); err != nil || string(got) != "hemmelig" {
				t.Errorf("%s: what was sealed %s does not open: %v", name, which, err)
			}
		}
	}
	if _, err := parse(t, dropped).Open(old, place); err == nil {
		t.Error("a key that was dropped opens still")
	}
	if got, err := parse(t, dropped).Open(fresh, place); err != nil || string(got) != "hemmelig" {
		t.Errorf("the key in use does not open: %v", err)
	}
	for name, refused := range map[string]func() ([]byte, error){
		"the only key was dropped":    func() ([]byte, error) { return seal.Drop(first) },
		"the key in use was dropped":  func() ([]byte, error) { return seal.Drop(added) },
		"a file that is none is read": func() ([]byte, error) { return seal.Rotate([]byte("{}")) },
	} {
		if _, err := refused(); err == nil {
			t.Error(name)
		}
	}
}

// TestFilesThatAreNone: each is refused, in words that hold nothing of it.
func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()
	good := string(newFile(t))
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("the file has no %s", from)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, file := range map[string]string{
		"nothing": "", "an empty object": "{}", "a list": "[]", "no object": "c2VjcmV0", "half of one": good[:len(good)/2],
		"two halves of nothing": `{"seal":{},"hash":{}}`, "half a set": `{"seal":{"primaryKeyId":1}}`,
		"keys that are text": `{"seal":{"key":"c2VjcmV0"},"hash":{"key":"c2VjcmV0"}}`,
		"no keys":            `{"seal":{"primaryKeyId":1,"key":[]},"hash":{"primaryKeyId":1,"key":[]}}`,
		"another kind":       swap("AesGcmKey", "AesGcmSivKey"), "a key that is off": swap("ENABLED", "DISABLED"), "another prefix": swap("TINK", "RAW"),
		"a public key": swap("SYMMETRIC", "ASYMMETRIC_PUBLIC"), "a shorter key": swap(`"value": "Gi`, `"value": "Gh`), "another hash": swap(`"EgIIAxog`, `"EgIIBBog`),
		"none in use": swap(`"primaryKeyId": `, `"primaryKeyId": 1`), "no base64": swap(`"value": "Gi`, `"value": "!i`),
	} {
		_, err := seal.Parse([]byte(file))
		if _, again := seal.Rotate([]byte(file)); again == nil {
			t.Errorf("%s: took a step of a rotation", name)
		}
		if err == nil || strings.Contains(err.Error(), "c2Vj") || strings.Contains(err.Error(), "Gi") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
