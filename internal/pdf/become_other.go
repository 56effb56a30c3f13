//go:build !linux

package pdf

import "errors"

// confineProgram refuses: a foreign program is drawn with on Linux only, where it can be confined.
func confineProgram(order, string, Shutter) (Confinement, error) {
	return Confinement{}, errors.New("cannot be confined here")
}

func become([]string) error { return errors.New("cannot be confined here") }
