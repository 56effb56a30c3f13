package pdf

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// drawnFiles is how many files a drawing program may have open: its libraries, and fonts.
const drawnFiles = 64

// confineProgram limits the process and what it becomes. A program that starts has to open files, so that more is left to
// it than to our own parser: it can read libraries and fonts (all files, where there is no Landlock), and nothing else
// outside itself. Of what it writes only a page's outermost ink is looked at.
func confineProgram(o order, program string, shut Shutter) (Confinement, error) {
	blameFirst()
	data, err := dataSize()
	if err != nil {
		return Confinement{}, err
	}
	held := Confinement{Landlocked: shut(program)}
	for resource, most := range map[int]uint64{
		unix.RLIMIT_DATA: data + uint64(o.Memory), unix.RLIMIT_CPU: uint64(o.CPU), unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0,
		unix.RLIMIT_NOFILE: drawnFiles,
	} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return held, fmt.Errorf("limit resource %d: %w", resource, err)
		}
	}
	return held, denySystemCalls()
}

// become turns this process into a program with an empty environment.
func become(command []string) error { return unix.Exec(command[0], command, []string{}) }

// install makes the kernel run a filter for every thread, and for what they become. Where the kernel or a container does
// not let us filter, the limits hold alone.
func install(code []unix.SockFilter) error {
	if len(code) == 0 {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("not dumpable: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	unsynced, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(code)
	switch {
	case errno == unix.ENOSYS, errno == unix.EINVAL, errno == unix.EPERM, errno == unix.EACCES:
		return nil
	case errno != 0:
		return fmt.Errorf("filter system calls: %w", errno)
	case unsynced != 0:
		return fmt.Errorf("filter system calls: a thread is left out")
	}
	return nil
}
