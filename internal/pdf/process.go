package pdf

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience is the timeout of a write to the child, and startPatience that of its start: without a cache it compiles the engine
// first.
const (
	patience      = 20 * time.Second
	startPatience = 3 * time.Minute
)

// process is one running child.
type process struct {
	cmd  *exec.Cmd
	in   *os.File      // its standard input
	out  *os.File      // its standard output
	line *bufio.Reader // on out
	late atomic.Bool   // killed by a timeout
	done chan struct{} // closed when it is gone and reaped

	held Confinement // its confinement; set by start and instruct

	mu   sync.Mutex
	gone bool // it has ended, and its process id may be reused
}

// start runs the command with nothing of ours but two pipes, in a network namespace of its own if possible.
func start(command []string) (*process, error) {
	if p, err := launch(command, true); err == nil {
		return p, nil
	}
	return launch(command, false)
}

// launch starts the command. Its standard error, which may quote the file, goes nowhere.
func launch(command []string, apart bool) (*process, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p := &process{cmd: exec.Command(command[0], command[1:]...), in: in, out: out, done: make(chan struct{})}
	p.line = bufio.NewReaderSize(out, maxAnswer)
	p.cmd.Stdin, p.cmd.Stdout = theirIn, theirOut
	p.cmd.Env = []string{}
	p.cmd.Dir = "/"
	p.held.Apart = tie(p.cmd, apart)
	err = p.run()
	_, _ = theirIn.Close(), theirOut.Close() // the child has its own copies
	if err != nil {
		_, _ = in.Close(), out.Close() // the child did not start
		return nil, err
	}
	return p, nil
}

// run starts the child from a goroutine that stays on its thread until the child is gone: the kernel ends the child
// when the thread that forked ends, not when the program does.
func (p *process) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.reap()
		}
	}()
	return <-started
}

func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		killAll(p.cmd)
	}
}

// end kills the child, and closes pipes and goroutines.
func (p *process) end() {
	p.kill()
	<-p.done
	_, _ = p.in.Close(), p.out.Close() // read and written only by us
}

// within kills the child when f exceeds its timeout, which makes f return.
func (p *process) within(limit time.Duration, f func() error) error {
	timer := time.AfterFunc(limit, func() {
		p.late.Store(true)
		p.kill()
	})
	defer timer.Stop()
	return f()
}

// instruct sends the order and returns when the child has confined itself.
func (p *process) instruct(o order) error {
	err := p.within(startPatience, func() error {
		if err := o.send(p.in); err != nil {
			return err
		}
		said, err := p.line.ReadSlice('\n')
		if err != nil {
			return err
		}
		return p.held.hear(string(said))
	})
	if err != nil {
		p.kill()
		<-p.done
		return fmt.Errorf("child did not confine itself (%s): %w", p.cmd.ProcessState, err)
	}
	return nil
}

// feed sends the file. Only writing is timed, since a slow r is not the child's fault. If the child stops reading, it
// has answered already, or is dead; answer finds out.
func (p *process) feed(r io.Reader, size int64) error {
	w := &timedWriter{p: p}
	n, err := io.CopyN(w, r, size)
	switch {
	case p.late.Load():
		return errors.New("child does not take the file")
	case w.failed || err == nil:
		return nil
	}
	return fmt.Errorf("read byte %d of %d: %w", n, size, early(err))
}

type timedWriter struct {
	p      *process
	failed bool
}

// Write implements io.Writer.
func (w *timedWriter) Write(b []byte) (n int, err error) {
	err = w.p.within(patience, func() error {
		n, err = w.p.in.Write(b)
		return err
	})
	w.failed = err != nil
	return n, err
}
