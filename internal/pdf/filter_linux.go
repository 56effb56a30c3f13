//go:build linux && (amd64 || arm64)

package pdf

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dropSystemCalls makes the kernel refuse, to every thread, all system calls but those with which Go computes: so
// nothing can be renamed, removed or signalled either, which takes no descriptor. Where the kernel or a container does
// not let us filter, the limits hold alone.
func dropSystemCalls() error {
	return install(filter(uint32(os.Getpid())))
}

// systemCallsDropped tries a harmless system call that is not allowed.
func systemCallsDropped() bool {
	_, _, errno := unix.RawSyscall(unix.SYS_GETPPID, 0, 0, 0) // cannot fail by itself
	return errno != 0
}

// allowed is what the runtime needs for memory, threads, time and the two pipes, the C library's threads included.
func allowed() []uint32 {
	return []uint32{
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
		unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
		unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME,
		unix.SYS_GETTIMEOFDAY, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
		unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_SCHED_GETAFFINITY,
		unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
	}
}

// Where the kernel puts what a filter looks at.
const (
	atCall          = 0
	atArchitecture  = 4
	atFirstArgument = 16 // its lower half
)

// filter is the program that the kernel runs at each system call. The allowed ones pass; a thread may be started, but
// no process; own threads may be signalled, which is how the runtime interrupts a loop. All else fails with EPERM.
func filter(pid uint32) []unix.SockFilter {
	code := []unix.SockFilter{
		load(atArchitecture), ifEqual(architecture, 1), give(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)),
		load(atCall),
	}
	for _, call := range allowed() {
		code = append(code, unlessEqual(call, 1), give(unix.SECCOMP_RET_ALLOW))
	}
	return append(code,
		// The C library tries clone3 first, whose flags a filter cannot see, and clone when there is none.
		unlessEqual(unix.SYS_CLONE3, 1), give(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)),
		unlessEqual(unix.SYS_CLONE, 3), load(atFirstArgument), unlessSet(unix.CLONE_THREAD, 1), give(unix.SECCOMP_RET_ALLOW),
		load(atCall),
		unlessEqual(unix.SYS_TGKILL, 3), load(atFirstArgument), unlessEqual(pid, 1), give(unix.SECCOMP_RET_ALLOW),
		give(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)),
	)
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// ifEqual skips instructions if the loaded value is this one.
func ifEqual(value uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: skip}
}

// unlessEqual skips instructions unless the loaded value is this one.
func unlessEqual(value uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
}

func unlessSet(bits uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: bits, Jf: skip}
}

func give(result uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
}

// install makes the kernel run a filter for every thread. Where the kernel or a container does
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
