// Package ramdisk finds room in memory for what tests and development write and soon throw away: creating and removing
// files there costs a third of what it costs on a disk. Nothing in production imports it.
package ramdisk

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	mount = "/dev/shm" // Linux; other systems have none
	// enough is the space for the databases and browsers of a whole test run. A container's usual 64 MB are not.
	enough = 3 << 30
	// settled is how long a directory exists before it may count as left behind: its owner has locked it by then.
	settled = time.Minute
)

// Dir is the ramdisk of this machine, empty when there is none with enough room.
func Dir() string {
	var fs syscall.Statfs_t
	if syscall.Statfs(mount, &fs) != nil || uint64(fs.Bavail)*uint64(fs.Bsize) < enough {
		return ""
	}
	return mount
}

// Sweep removes the remains of killed programs from dir: directories that match a pattern and whose lock, a flock on
// the file named locked below them, nobody holds.
func Sweep(dir, pattern, locked string) {
	found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is valid
	for _, left := range found {
		info, err := os.Stat(left)
		if err == nil && time.Since(info.ModTime()) > settled && free(filepath.Join(left, locked)) {
			_ = os.RemoveAll(left) // another process may do the same; what stays is tried again
		}
	}
}

// free reports whether nobody holds the lock of a directory that exists.
func free(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close() // releases the lock
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
