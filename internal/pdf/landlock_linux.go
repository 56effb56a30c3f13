package pdf

import (
	"errors"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// shutFiles makes the kernel refuse, to every thread and what it becomes, all files that are not open yet and are not
// left to it by rules, TCP, and what reaches processes outside. Where the kernel is too old for Landlock, or a container
// refuses it, that is no error: the rest holds without.
func shutFiles(left ...landlock.Rule) (holds bool) {
	if err := landlock.V11.BestEffort().Restrict(left...); err != nil {
		return false
	}
	fd, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err == nil {
		_ = unix.Close(fd) // only tried
	}
	return errors.Is(err, unix.EACCES)
}

// leftToDraw is what a program that draws reads as it starts and works: itself, libraries, fonts and their settings. It
// can read these and start from them; a filter of system calls keeps it from starting another process.
func leftToDraw(program string) []landlock.Rule {
	return []landlock.Rule{
		landlock.ROFiles(program, "/etc/ld.so.cache", "/etc/ld.so.preload").IgnoreIfMissing(),
		landlock.RODirs("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/fonts", "/usr/local/share/fonts",
			"/usr/share/poppler", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig").IgnoreIfMissing(),
	}
}
