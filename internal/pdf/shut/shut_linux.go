package shut

import (
	"errors"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// Files makes the kernel refuse, to every thread, all files that are not open yet, TCP, and what reaches processes outside.
// Where the kernel is too old for Landlock, or a container refuses it, that is no error: the rest holds without.
func Files() (holds bool) {
	if err := landlock.V11.BestEffort().Restrict(); err != nil {
		return false
	}
	fd, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err == nil {
		_ = unix.Close(fd) // only tried
	}
	return errors.Is(err, unix.EACCES)
}
