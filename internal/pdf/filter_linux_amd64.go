package pdf

import "golang.org/x/sys/unix"

// architecture is whose numbers the filter's system calls have.
const architecture = unix.AUDIT_ARCH_X86_64

// deniedHere is what only this architecture has of calls that reach outside.
func deniedHere() []uint32 {
	return []uint32{
		unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_CREAT, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_LINK,
		unix.SYS_SYMLINK, unix.SYS_MKNOD, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
	}
}

// opening are the calls that open files, and which of their arguments says what for.
func opening() map[uint32]uint32 { return map[uint32]uint32{unix.SYS_OPENAT: 2, unix.SYS_OPEN: 1} }
