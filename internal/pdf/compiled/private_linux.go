package compiled

import (
	"os"

	"golang.org/x/sys/unix"
)

// private tells whether a directory is ours, and nobody else's.
func private(dir string) bool {
	var s unix.Stat_t
	err := unix.Lstat(dir, &s)
	return err == nil && s.Mode&unix.S_IFMT == unix.S_IFDIR && int(s.Uid) == os.Getuid() && s.Mode&0o077 == 0
}
