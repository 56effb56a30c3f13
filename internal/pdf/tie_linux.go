package pdf

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// tie makes the child a group of its own that dies with us, and takes care that it inherits nothing: what Go opens is not
// inheritable, but what whoever started us left open may be. An old kernel cannot change that. A child that is to be apart
// gets a network of its own, without even the machine's own address; for that, whoever is not root needs to be a user of
// its own too. It does not start where this is refused.
func tie(cmd *exec.Cmd, apart bool) (isApart bool) {
	_ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET
	}
	return apart
}

// reap waits for the child's end, and kills what it may have left behind before its number, which is its group's too,
// can become somebody else's.
func (p *process) reap() {
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.mu.Lock()
	killAll(p.cmd)
	p.gone = true
	p.mu.Unlock()
	_ = p.cmd.Wait() // how it ended is in ProcessState
}

func killAll(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // gone already is as good
}

// killedByOthers reports whether a signal ended the child that neither it nor the kernel sends for what it does.
func killedByOthers(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return false
	}
	switch status.Signal() {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT:
		return true
	}
	return false
}
