package seal

import (
	"encoding/json"
	"errors"
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

// Over tells that no change of keys is under way.
func (r Rotation) Over() bool { return r == RotationNone }

// ErrUnused says that a key set holds no older key that could go.
var ErrUnused = errors.New("the key set has no older key")

// RotationOf tells how far a key set file has come.
func RotationOf(file []byte) (Rotation, error) {
	f, err := read(file)
	if err != nil {
		return RotationNone, err
	}
	return f.Seal.rotation(), nil
}

func (s keySet) rotation() Rotation {
	switch {
	case len(s.Keys) < 2:
		return RotationNone
	case s.newest().ID == s.Primary:
		return RotationUsed
	}
	return RotationAdded
}

func (s keySet) newest() key { return s.Keys[len(s.Keys)-1] }

// Rotate takes the next step with a key set file, and returns the file after it: it adds a sealing key, or begins to
// use the one that was added. The keys of hashes stay as they are: what they made cannot be made anew.
func Rotate(file []byte) ([]byte, error) {
	f, err := read(file)
	if err != nil {
		return nil, err
	}
	if f.Seal.rotation() == RotationAdded {
		f.Seal.Primary = f.Seal.newest().ID
	} else {
		f.Seal.add(sealing)
	}
	return json.MarshalIndent(f, "", "  ")
}

// Drop takes all sealing keys but the one in use out of a key set file. What they sealed is lost: the store tells whether
// anything still is.
func Drop(file []byte) ([]byte, error) {
	f, err := read(file)
	if err != nil {
		return nil, err
	}
	if f.Seal.rotation() != RotationUsed {
		return nil, ErrUnused
	}
	f.Seal.Keys = []key{f.Seal.newest()}
	return json.MarshalIndent(f, "", "  ")
}
