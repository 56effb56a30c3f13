package seal

import (
	"encoding/json"
	"errors"
)

// Rotation is the progress from one sealing key to the next.
type Rotation string

// The steps of a rotation. Every process must know a key before any seals with it, so it is first added, and used
// when all have it.
const (
	RotationNone  Rotation = ""      // one key
	RotationAdded Rotation = "added" // the newest key is known, and not used yet
	RotationUsed  Rotation = "used"  // the newest key is used; older ones open values that are not resealed yet
)

// Over tells that no rotation is in progress.
func (r Rotation) Over() bool { return r == RotationNone }

// ErrUnused says that a key set has no older key to drop.
var ErrUnused = errors.New("the key set has no older key")

// RotationOf tells how far a key set file's rotation is.
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

// Rotate takes the next step of a rotation, and returns the new file: it adds a sealing key, or begins to use the
// added one. Hash keys stay: hashes cannot be recomputed.
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

// Drop removes all sealing keys except the one in use from a key set file. Values sealed with them are lost: the
// store tells whether there are any.
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
