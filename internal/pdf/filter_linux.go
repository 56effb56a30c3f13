//go:build linux && (amd64 || arm64)

package pdf

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropSystemCalls makes the kernel refuse, to every thread, all system calls but those with which Go computes: so
// nothing can be renamed, removed or signalled either, which takes no descriptor. Where the kernel or a container does
// not let us filter, the limits hold alone.
func dropSystemCalls() error {
	return install(filter(uint32(os.Getpid())))
}

// systemCallsDropped tries one that is harmless and not allowed.
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
	argument        = 8  // from one to the next
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

// denySystemCalls makes the kernel refuse what reaches outside a program that only reads files and writes to its pipe. It
// is a list of what is refused, since a foreign program's wants are not ours to know: sockets, other processes, and
// every change to files.
func denySystemCalls() error {
	code := []unix.SockFilter{
		load(atArchitecture), ifEqual(architecture, 1), give(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)),
		load(atCall),
	}
	for _, call := range denied() {
		code = append(code, unlessEqual(call, 1), give(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
	}
	for _, call := range []uint32{unix.SYS_CLONE3, unix.SYS_OPENAT2} { // whose arguments a filter cannot see; older ones take their place
		code = append(code, unlessEqual(call, 1), give(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
	}
	code = append(code,
		unlessEqual(unix.SYS_CLONE, 3), load(atFirstArgument), ifSet(unix.CLONE_THREAD, 1), give(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)),
		load(atCall))
	for call, flags := range opening() {
		code = append(code,
			unlessEqual(call, 3), load(atFirstArgument+flags*argument), unlessSet(writing, 1), give(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)),
			load(atCall))
	}
	return install(append(code, give(unix.SECCOMP_RET_ALLOW)))
}

// writing are the flags with which a file is opened to be changed.
const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

// denied is what both architectures have of calls that reach outside.
func denied() []uint32 {
	return append([]uint32{
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
		unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
		unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
		unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_MKDIRAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKNODAT,
		unix.SYS_FCHMODAT, unix.SYS_FCHMOD, unix.SYS_FCHOWNAT, unix.SYS_FCHOWN, unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_UTIMENSAT,
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
		unix.SYS_SETRLIMIT, unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_IO_URING_SETUP, unix.SYS_IO_SETUP, unix.SYS_MEMFD_CREATE, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_EXECVEAT,
		unix.SYS_REBOOT, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_SETPGID, unix.SYS_SETSID,
	}, deniedHere()...)
}

// ifSet skips instructions if one of these bits of the loaded value is set.
func ifSet(bits uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: bits, Jt: skip}
}
