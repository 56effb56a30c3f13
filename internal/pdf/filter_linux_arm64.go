package pdf

import "golang.org/x/sys/unix"

// architecture is whose numbers the filter's system calls have.
const architecture = unix.AUDIT_ARCH_AARCH64

// deniedHere is what only this architecture has of calls that reach outside.
func deniedHere() []uint32 { return nil }

// opening are the calls that open files, and which of their arguments says what for.
func opening() map[uint32]uint32 { return map[uint32]uint32{unix.SYS_OPENAT: 2} }
