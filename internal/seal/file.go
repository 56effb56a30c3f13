package seal

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
)

// keyFile is a key set file: two Tink key sets in their JSON form.
type keyFile struct {
	Seal *keySet `json:"seal"`
	Hash *keySet `json:"hash"`
}

// keySet is a list of keys of one form, oldest first, with the one in use.
type keySet struct {
	Primary uint32 `json:"primaryKeyId"`
	Keys    []key  `json:"key"`
}

type key struct {
	Data   keyData `json:"keyData"`
	Status string  `json:"status"`
	ID     uint32  `json:"keyId"`
	Prefix string  `json:"outputPrefixType"`
}

// keyData holds the key: Value is a Tink message that ends with it.
type keyData struct {
	Type  string `json:"typeUrl"`
	Value []byte `json:"value"`
	Kind  string `json:"keyMaterialType"`
}

// keyBytes is the length of every key, of AES-256 and of HMAC-SHA256.
const keyBytes = 32

const (
	enabled   = "ENABLED"
	symmetric = "SYMMETRIC"
)

// form is the purpose of a set's keys. head precedes the key in its message: field numbers and lengths, and for
// hashes the choice of SHA-256.
type form struct{ url, prefix, head string }

var (
	sealing = form{"type.googleapis.com/google.crypto.tink.AesGcmKey", "TINK", "\x1a\x20"}
	hashing = form{"type.googleapis.com/google.crypto.tink.HmacPrfKey", "RAW", "\x12\x02\x08\x03\x1a\x20"}
)

// New returns a new key set file.
func New() ([]byte, error) {
	f := keyFile{&keySet{}, &keySet{}}
	f.Seal.add(sealing)
	f.Hash.add(hashing)
	f.Seal.Primary, f.Hash.Primary = f.Seal.Keys[0].ID, f.Hash.Keys[0].ID
	return json.MarshalIndent(f, "", "  ")
}

// add generates a key that is not used yet.
func (s *keySet) add(f form) {
	material := make([]byte, keyBytes)
	_, _ = rand.Read(material) // never fails: the program would abort instead
	s.Keys = append(s.Keys, key{
		Data: keyData{f.url, append([]byte(f.head), material...), symmetric}, Status: enabled, ID: s.freeID(), Prefix: f.prefix,
	})
}

// freeID is an unused id in the set: ids identify the keys of sealed values.
func (s keySet) freeID() uint32 {
	for {
		var random [4]byte
		_, _ = rand.Read(random[:]) // as above
		id := binary.BigEndian.Uint32(random[:])
		if _, taken := s.find(id); id != 0 && !taken {
			return id
		}
	}
}

func (s keySet) find(id uint32) (key, bool) {
	at := slices.IndexFunc(s.Keys, func(k key) bool { return k.ID == id })
	if at < 0 {
		return key{}, false
	}
	return s.Keys[at], true
}

// primary is the key in use; read has checked that there is one.
func (s keySet) primary() key {
	k, _ := s.find(s.Primary)
	return k
}

// read parses a key set file, and checks that its keys are complete and of their form.
func read(file []byte) (keyFile, error) {
	var f keyFile
	if err := json.Unmarshal(file, &f); err != nil || f.Seal == nil || f.Hash == nil {
		return f, errors.New("the key set is not one that 'web keys new' makes")
	}
	if !f.Seal.holds(sealing) {
		return f, errors.New("the sealing keys of the key set cannot be read")
	}
	if !f.Hash.holds(hashing) {
		return f, errors.New("the hashing keys of the key set cannot be read")
	}
	return f, nil
}

// holds tells whether all keys have a form and unique ids, and one of them is in use.
func (s keySet) holds(f form) bool {
	ids := map[uint32]bool{}
	for _, k := range s.Keys {
		if ids[k.ID] || !f.fits(k) {
			return false
		}
		ids[k.ID] = true
	}
	return ids[s.Primary]
}

func (f form) fits(k key) bool {
	return k.Data.Type == f.url && k.Data.Kind == symmetric && k.Status == enabled && k.Prefix == f.prefix &&
		bytes.HasPrefix(k.Data.Value, []byte(f.head)) && len(k.Data.Value) == len(f.head)+keyBytes
}

// material is the key itself, if it fits.
func (f form) material(k key) []byte { return k.Data.Value[len(f.head):] }
