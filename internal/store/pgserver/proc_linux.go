package pgserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dieWithParent makes the kernel stop the server when the thread that started it is gone. SIGQUIT is PostgreSQL's
// immediate shutdown: nothing committed is lost.
func dieWithParent(a *syscall.SysProcAttr) {
	a.Pdeathsig = syscall.SIGQUIT
}

// removeStalePID removes a postmaster.pid whose process is dead, a zombie, or another program with the same number.
// PostgreSQL itself refuses to start, because it cannot tell. It still checks the shared memory of a live postmaster,
// so the worst case is a refusal.
func removeStalePID(data string) {
	file := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if pid, err := strconv.Atoi(line); err == nil && serves(pid, data) {
		return
	}
	_ = os.Remove(file) // if it stays, PostgreSQL reports it
}

// serves tells whether a process may be a postmaster of the data directory, which is its working directory.
func serves(pid int, data string) bool {
	if state := stateOf(pid); state == "" || state == "Z" || state == "X" {
		return false
	}
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return true // of another account: leave it to PostgreSQL
	}
	real, err := filepath.EvalSymlinks(data)
	return err != nil || cwd == real
}

// workingIn lists the processes of a data directory's server: it is their working directory.
func workingIn(data string) (pids []int) {
	real, err := filepath.EvalSymlinks(data)
	if err != nil {
		return nil
	}
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if cwd, err := os.Readlink(link); err != nil || cwd != real {
			continue // gone, a zombie, or somebody else's
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stateOf reads a process's state, "" when it is gone.
func stateOf(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The second field is the program's name in parentheses, with anything in it.
	state, _, _ := strings.Cut(strings.TrimSpace(string(text[bytes.LastIndexByte(text, ')')+1:])), " ")
	return state
}
