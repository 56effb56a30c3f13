package pgserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq" // the driver that asks whether the server answers
)

const (
	// startLimit covers crash recovery of a large development database.
	startLimit = 5 * time.Minute
	// takenLimit is how long a start waits for a dying server to let go of the data directory.
	takenLimit = 10 * time.Second
	pollEvery  = 10 * time.Millisecond
)

// errTaken says that another postmaster, or what is left of one, holds the data directory.
var errTaken = errors.New("data directory is taken")

// process is one life of the server.
type process struct {
	cmd  *exec.Cmd
	data string        // directory
	done chan struct{} // closed when the process is gone and reaped
	log  tail
}

// launch starts the server. A server that was killed lets go of the data directory only when it and its children are
// reaped, so a taken directory is tried again for a while.
func (s *Server) launch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	giveUp := time.Now().Add(takenLimit)
	for {
		removeStalePID(s.data)
		err := s.launchOnce(ctx)
		if !errors.Is(err, errTaken) || time.Now().After(giveUp) {
			return err
		}
		if err := wait(ctx, 10*pollEvery); err != nil {
			return fmt.Errorf("start PostgreSQL: %w", err)
		}
	}
}

func (s *Server) launchOnce(ctx context.Context) error {
	p, err := s.spawn()
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := s.awaitAnswer(ctx, p); err != nil {
		return errors.Join(err, p.kill())
	}
	s.process = p
	return nil
}

// spawn starts the process from a goroutine that stays on its thread until the server is gone: the kernel sends
// Pdeathsig when the thread that forked ends, not when the program does.
func (s *Server) spawn() (*process, error) {
	p := &process{data: s.data, done: make(chan struct{})}
	p.cmd = exec.Command(filepath.Join(s.bin, "postgres"), s.arguments()...)
	s.asServer(p.cmd)
	p.cmd.SysProcAttr.Setpgid = true // Ctrl-C in a terminal is for us; we stop the server after the last query
	dieWithParent(p.cmd.SysProcAttr)
	out := io.Writer(&p.log)
	if s.o.Log != nil {
		out = io.MultiWriter(&p.log, s.o.Log)
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.WaitDelay = time.Second // a child that outlives the server holds its end of the log
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // how it ended is in the log
		}
	}()
	return p, <-started
}

func (s *Server) arguments() []string {
	args := []string{"-D", s.data, "-k", s.socket, "-p", port}
	settings := []string{"listen_addresses=", "unix_socket_permissions=0700", "timezone=UTC", "log_timezone=UTC", "lc_messages=C"}
	connections := "200"
	if s.o.Fast {
		connections = "500" // several test programs share one
		// Nothing lasts long enough to be vacuumed, replicated or worth compiling.
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0", "autovacuum=off", "jit=off", "max_wal_size=4GB", "checkpoint_timeout=1h")
		// Shared memory in the data directory, which is removed also after Kill: segments in /dev/shm would be left there.
		settings = append(settings, "dynamic_shared_memory_type=mmap")
		// Planning takes longer than reading. Plans made while tables were small are kept, so they must not read whole tables.
		settings = append(settings, "plan_cache_mode=force_generic_plan", "enable_seqscan=off", "max_parallel_workers_per_gather=0")
	}
	if s.o.Archive {
		// Another name first: a file that is there is whole.
		settings = append(settings, "archive_mode=on", fmt.Sprintf(`archive_command=mkdir -p "%[1]s" && cp "%%p" "%[1]s/%%f.part" && mv "%[1]s/%%f.part" "%[1]s/%%f"`, s.archive()))
	}
	settings = append(settings, "max_connections="+connections)
	for _, setting := range append(settings, s.o.Settings...) {
		args = append(args, "-c", setting)
	}
	return args
}

// asServer makes a command run as the server's account, from a directory that every account may enter, in English,
// and without PGDATA and its kin from our own environment.
func (s *Server) asServer(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account.credential()}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PG") && !strings.HasPrefix(v, "LC_") && !strings.HasPrefix(v, "LANG") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, "LC_ALL=C"), s.o.Env...)
}

// awaitAnswer returns when the server answers a query, or tells why it never will.
func (s *Server) awaitAnswer(ctx context.Context, p *process) error {
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer db.Close()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		if p.exited(pollEvery) {
			return p.failure(s.data)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("start PostgreSQL: %w, last answer: %w, log: %s", ctx.Err(), err, p.log.String())
		}
	}
}

// failure reads from the log why the server ended.
func (p *process) failure(data string) error {
	log := p.log.String()
	if strings.Contains(log, `lock file "postmaster.pid" already exists`) ||
		strings.Contains(log, "pre-existing shared memory block") {
		return fmt.Errorf("start PostgreSQL: %w: %s is served by another server, stop that one", errTaken, data)
	}
	return fmt.Errorf("start PostgreSQL: it ended at once: %s", strings.TrimSpace(log))
}

func (p *process) signal(sig syscall.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// exited reports whether the process ends within the limit.
func (p *process) exited(limit time.Duration) bool {
	select {
	case <-p.done:
		return true
	default:
	}
	select {
	case <-p.done:
		return true
	case <-time.After(limit):
		return false
	}
}

// kill ends the postmaster, and then its children until none is left: one that it had just started could go on for a while, and
// no server starts beside it.
func (p *process) kill() error {
	if p.exited(0) {
		return nil
	}
	if err := p.signal(syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill PostgreSQL: %w", err)
	}
	if !p.exited(startLimit) {
		return fmt.Errorf("kill PostgreSQL: process %d does not go away", p.cmd.Process.Pid)
	}
	giveUp := time.Now().Add(startLimit)
	for left := workingIn(p.data); len(left) > 0; left = workingIn(p.data) {
		if time.Now().After(giveUp) {
			return fmt.Errorf("kill PostgreSQL: processes %d do not go away", left)
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // gone already is as good
		}
		time.Sleep(pollEvery)
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
