package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"utsending/internal/await"
)

// patience is the timeout of all waits: it detects hanging, however busy the machine is.
const patience = await.Limit

// eventually asks until the answer is yes.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	await.True(t, what, ok)
}

// process is one run of the program. Its output goes to a file.
type process struct {
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended
	err  error         // how it ended
}

var serial atomic.Int64

// startProcess starts the program with only the given environment. It dies with us: the kernel sends Pdeathsig when
// the forking thread ends, so the goroutine stays on its thread until the process is gone.
func startProcess(env []string, args ...string) (*process, error) {
	return startProgram(eitherRelease(), env, args...)
}

// eitherRelease is the path of the program. With FORMER_WEB, the path of a former release, it alternates between both, so that the
// former release runs on our schema, beside ours and after it. `make former` sets it.
func eitherRelease() string {
	if former := os.Getenv("FORMER_WEB"); former != "" && serial.Load()%2 == 1 {
		return former
	}
	return made.web
}

func startProgram(program string, env []string, args ...string) (*process, error) {
	p := &process{done: make(chan struct{})}
	p.log = filepath.Join(made.logs, fmt.Sprintf("web-%03d.log", serial.Add(1)))
	file, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	p.cmd = exec.Command(program, args...)
	p.cmd.Env = append([]string{"GORACE=atexit_sleep_ms=0"}, env...)
	p.cmd.Stdout, p.cmd.Stderr = file, file
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		defer file.Close()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
		}
	}()
	return p, <-started
}

// run starts a test's program and stops it with the test.
func run(t testing.TB, env []string, args ...string) *process {
	t.Helper()
	return runProgram(t, made.web, env, args...)
}

func runProgram(t testing.TB, program string, env []string, args ...string) *process {
	t.Helper()
	p, err := startProgram(program, env, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.stop(t)
		if t.Failed() {
			t.Logf("%s:\n%s", filepath.Base(p.log), p.tail())
		}
	})
	return p
}

// stop stops the process and waits for it. It must end in order.
func (p *process) stop(t testing.TB) {
	t.Helper()
	if p.ended() {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // gone already if this fails
	select {
	case <-p.done:
		if p.err != nil {
			t.Errorf("web ended with %v:\n%s", p.err, p.tail())
		}
	case <-time.After(patience):
		p.kill()
		t.Errorf("web does not end:\n%s", p.tail())
	}
}

// kill kills the process (SIGKILL), like a power cut.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // gone already if this fails
	<-p.done
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// output is the output of the process.
func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (p *process) tail() string {
	text := p.output()
	return text[max(0, len(text)-4000):]
}
