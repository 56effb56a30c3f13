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
	if state, _ := stat(pid); state == "" || state == "Z" || state == "X" {
		return false
	}
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return true // of another account: leave it to PostgreSQL
	}
	real, err := filepath.EvalSymlinks(data)
	return err != nil || cwd == real
}

// childrenOf lists the processes that a process has started.
func childrenOf(pid int) []int {
	var children []int
	entries, _ := os.ReadDir("/proc") // without it nobody is found
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if _, parent := stat(child); parent == pid {
			children = append(children, child)
		}
	}
	return children
}

// stat reads a process's state and parent, "" and 0 when it is gone.
func stat(pid int) (state string, parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0
	}
	// The second field is the program's name in parentheses, with anything in it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 2 {
		return "", 0
	}
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}
