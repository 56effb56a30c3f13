package pdf

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"utsending/internal/pdf/shut"
)

func partsOfSystem() map[string]func() int {
	return map[string]func() int{
		partProbe:   func() int { return probe(func(o order) (Confinement, error) { return confine(o, shut.Files) }) },
		partLimited: func() int { return probe(limitOnly) },
		partLandlocked: func() int {
			return probe(func(order) (Confinement, error) { return Confinement{Landlocked: shut.Files()}, nil })
		},
		partApart:  func() int { return probe(func(order) (Confinement, error) { return Confinement{}, nil }) },
		partForker: fork,
		partParent: beParent,
	}
}

func limitOnly(o order) (Confinement, error) {
	prepareRuntime(o)
	data, err := dataSize()
	if err != nil {
		return Confinement{}, err
	}
	return Confinement{}, setLimits(o, data)
}

// found is what a child saw and what it could do.
type found struct {
	Environment []string
	Directory   string
	Descriptors []string
	OwnGroup    bool
	DeathSignal int
	Done        []string          // of what it tried
	Refused     map[string]string // and why not
}

// probe looks around, confines itself, and tries what it must not. Its arguments are a directory of files, an address,
// and the names of what to try.
func probe(confine func(order) (Confinement, error)) int {
	o, err := receiveOrder(os.Stdin)
	if err != nil {
		return exitRefused
	}
	f := lookAround()
	held, err := confine(o)
	if err != nil {
		return exitRefused
	}
	fmt.Print(held.tell())
	all := attempts(os.Args[2])
	for _, name := range os.Args[4:] {
		if err := all[name](); err != nil {
			f.Refused[name] = err.Error()
		} else {
			f.Done = append(f.Done, name)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(f) // the test misses it
	return 0
}

// A thread that is locked while packages are initialized stays the main goroutine's: the first one, which alone has the death
// signal that lookAround reads.
var _ = lockThread()

func lockThread() bool { runtime.LockOSThread(); return true }

func lookAround() found {
	f := found{Environment: os.Environ(), OwnGroup: unix.Getpgrp() == os.Getpid(), Refused: map[string]string{}}
	f.Directory, _ = os.Getwd() // the test misses it
	for n := range 100 {
		target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", n))
		// The runtime has opened its own, and keeps an eye on the processors it may use.
		if err == nil && !strings.HasPrefix(target, "anon_inode:") && !strings.HasPrefix(target, "/sys/fs/cgroup/") {
			f.Descriptors = append(f.Descriptors, fmt.Sprint(n, " ", strings.TrimRight(target, "[]0123456789")))
		}
	}
	var signal int32
	_ = unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&signal)), 0, 0, 0) // the test misses it
	f.DeathSignal = int(signal)
	return f
}

func attempts(dir string) map[string]func() error {
	file := filepath.Join(dir, "file")
	return map[string]func() error{
		"read a file":           func() error { _, err := os.ReadFile(file); return err },
		"make a file":           func() error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o600) },
		"change a file":         func() error { return os.WriteFile(file, []byte("changed"), 0o600) },
		"list a directory":      func() error { _, err := os.ReadDir(dir); return err },
		"make a pipe":           func() error { _, _, err := os.Pipe(); return err },
		"make a file in memory": func() error { _, err := unix.MemfdCreate("x", 0); return err },
		"connect":               func() error { _, err := net.Dial("tcp", os.Args[3]); return err },
		"listen":                func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"run a program":         func() error { return exec.Command("/bin/true").Run() },
		"raise a limit": func() error {
			return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: 100})
		},
		"empty a file":       func() error { return os.Truncate(file, 0) },
		"rename a file":      func() error { return os.Rename(filepath.Join(dir, "renamed"), filepath.Join(dir, "other")) },
		"remove a file":      func() error { return os.Remove(filepath.Join(dir, "removed")) },
		"make a directory":   func() error { return os.Mkdir(filepath.Join(dir, "directory"), 0o700) },
		"signal the parent":  func() error { return unix.Kill(os.Getppid(), 0) },
		"trace the parent":   func() error { return unix.PtraceAttach(os.Getppid()) },
		"replace itself":     func() error { return unix.Exec("/bin/true", []string{"true"}, nil) },
		"be another account": func() error { return unix.Setuid(12345) },
	}
}

// fork starts a process in our group that would outlive us, writes its number to the file it is told, and hangs.
func fork() int {
	sleeper := exec.Command("/bin/sleep", "60")
	if err := sleeper.Start(); err != nil {
		return exitRefused
	}
	if err := os.WriteFile(os.Args[2], fmt.Append(nil, sleeper.Process.Pid), 0o600); err != nil {
		return exitRefused
	}
	takeFile(acknowledge())
	return hang()
}

// beParent starts a child that would hang, tells its number, and waits to be killed.
func beParent() int {
	p, err := start([]string{os.Args[0], partSilent})
	if err != nil {
		return 1
	}
	fmt.Println(p.cmd.Process.Pid)
	return hang()
}
