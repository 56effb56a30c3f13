package pdf

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// tie makes the child a process group of its own that dies with us, and inherits nothing: Go's descriptors are
// close-on-exec, but those that we inherited may not be. (An old kernel cannot change that.) A child that is to be
// apart gets a network namespace of its own, without a loopback address; unless we are root, that requires a user
// namespace too. The child does not start where this is refused.
func tie(cmd *exec.Cmd, apart bool) (isApart bool) {
	_ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNET
	}
	return apart
}

// reap waits for the child's end, and kills what it may have left behind before its process id, which is its group's
// too, can be reused.
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
	_ = p.cmd.Wait() // ProcessState tells how it ended
}

func killAll(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // gone already is as good
}

// killedByOthers tells whether the child was ended by a signal that neither we nor the kernel's limits send.
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
