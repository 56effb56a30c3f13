package seal

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// maxSecretFile is the maximum size of a file with a key set or another secret: real ones have some kB.
const maxSecretFile = 1 << 20

// ReadFile reads a key set, or another secret, from a file. A file without end, such as a device, is refused.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxSecretFile:
		return nil, fmt.Errorf("%s: %w", path, errTooLarge)
	}
	return text, nil
}

var errTooLarge = errors.New("larger than 1 MiB, so neither a key set nor a secret")
