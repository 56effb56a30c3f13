package pdf

import "golang.org/x/sys/unix"

// architecture is whose numbers the filter's system calls have.
const architecture = unix.AUDIT_ARCH_X86_64
