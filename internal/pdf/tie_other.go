//go:build !linux

package pdf

import (
	"os"
	"os/exec"
)

// tie does nothing: only Linux ties a process to its parent. A child that is left behind reads the end of its input, or
// ends by its own clock.
func tie(*exec.Cmd, bool) (isApart bool) { return false }

// reap waits for the child's end. Killing it later is no danger: os.Process remembers that it is gone.
func (p *process) reap() {
	_ = p.cmd.Wait() // how it ended is in ProcessState
	p.mu.Lock()
	p.gone = true
	p.mu.Unlock()
}

func killAll(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // gone already is as good
}

// killedByOthers cannot be told here.
func killedByOthers(*os.ProcessState) bool { return false }
