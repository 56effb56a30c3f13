package shut

import (
	"errors"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// Files makes the kernel refuse, to every thread and what it becomes, all files that are not open yet, TCP, and what
// reaches processes outside. A program that the process is to become, empty for none, is left what it reads to start and
// to draw. Where the kernel is too old for Landlock, or a container refuses it, that is no error: the rest holds without.
func Files(program string) (holds bool) {
	var left []landlock.Rule
	if program != "" {
		left = toDraw(program)
	}
	if err := landlock.V11.BestEffort().Restrict(left...); err != nil {
		return false
	}
	fd, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err == nil {
		_ = unix.Close(fd) // only tried
	}
	return errors.Is(err, unix.EACCES)
}

// toDraw is what a program that draws reads as it starts and works: itself, libraries, fonts and their settings. It can
// read these and start from them; a filter of system calls keeps it from starting another process.
func toDraw(program string) []landlock.Rule {
	return []landlock.Rule{
		landlock.ROFiles(program, "/etc/ld.so.cache", "/etc/ld.so.preload").IgnoreIfMissing(),
		landlock.RODirs("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/fonts", "/usr/local/share/fonts",
			"/usr/share/poppler", "/usr/share/fontconfig", "/etc/fonts", "/var/cache/fontconfig").IgnoreIfMissing(),
	}
}
