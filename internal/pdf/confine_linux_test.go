package pdf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"utsending/internal/await"
	"utsending/internal/pdf/pdftest"
)

func TestConfinesTheChild(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("system calls are filtered on two architectures only")
	}
	dir := sampleDir(t)
	tried := slices.Sorted(maps.Keys(attempts(dir)))
	inheritable(t)
	got, _ := runProbe(t, partProbe, dir, tried)
	want := found{
		Environment: []string{},
		Directory:   "/",
		Descriptors: []string{"0 pipe:", "1 pipe:", "2 /dev/null"},
		OwnGroup:    true,
		DeathSignal: int(unix.SIGKILL),
		Refused:     got.Refused,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(got.Refused) != len(tried) {
		t.Errorf("%d of %d attempts were refused", len(got.Refused), len(tried))
	}
	untouched(t, dir)
}

// Operations that need a new descriptor are refused by the resource limits too, without the seccomp filter.
func TestConfinesTheChildWithoutAFilter(t *testing.T) {
	t.Parallel()
	tried := []string{"read a file", "make a file", "change a file", "list a directory", "make a pipe",
		"make a file in memory", "connect", "listen", "run a program"}
	dir := sampleDir(t)
	if got, _ := runProbe(t, partLimited, dir, tried); len(got.Done) > 0 {
		t.Errorf("could %q", got.Done)
	}
	untouched(t, dir)
}

// Each of the two confinements that a kernel may lack suffices without the other.
func TestLandlockAloneClosesFiles(t *testing.T) {
	t.Parallel()
	tried := []string{"read a file", "make a file", "change a file", "list a directory", "empty a file", "rename a file", "remove a file",
		"make a directory", "run a program", "replace itself", "trace the parent"}
	dir := sampleDir(t)
	got, held := runProbe(t, partLandlocked, dir, tried)
	if known := kernelHasLandlock(); held.Landlocked != known {
		t.Fatalf("the kernel has Landlock: %t, the child holds %+v", known, held)
	} else if !known {
		t.Skip("this kernel, or the container, has no Landlock")
	}
	if len(got.Done) > 0 {
		t.Errorf("could %q", got.Done)
	}
	untouched(t, dir)
}

func TestNetworkOfItsOwnLeadsNowhere(t *testing.T) {
	t.Parallel()
	got, held := runProbe(t, partApart, sampleDir(t), []string{"connect"})
	if gives := kernelSetsApart(); held.Apart != gives {
		t.Fatalf("the kernel gives networks: %t, the child holds %+v", gives, held)
	} else if !gives {
		t.Skip("this kernel, or the container, gives a child no network of its own")
	}
	if len(got.Done) > 0 {
		t.Errorf("could %q", got.Done)
	}
}

func kernelHasLandlock() bool {
	const version = 1 // LANDLOCK_CREATE_RULESET_VERSION
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	return errno == 0 && abi > 0
}

func kernelSetsApart() bool {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNET}
	return cmd.Run() == nil
}

// Where the process may not create a network namespace, the child starts without one.
func TestStartsWithoutANetworkOfItsOwn(t *testing.T) {
	t.Parallel()
	p, err := launch([]string{child(t, partReal, Options{}).Command[0], partStuffed}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	if err := p.instruct(order{Memory: defaultMaxFile, CPU: 20, Size: 1}); err != nil || p.held.Apart {
		t.Errorf("holds %+v, %v", p.held, err)
	}
}

// inheritable opens a descriptor as a parent may have leaked it: one that children inherit.
func inheritable(t *testing.T) {
	t.Helper()
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
}

func sampleDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"file", "renamed", "removed"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("original"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func untouched(t *testing.T, dir string) {
	t.Helper()
	names := []string(nil)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"file", "removed", "renamed"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("directory holds %q, %v, want %q", names, err, want)
	}
	if content, err := os.ReadFile(filepath.Join(dir, "file")); string(content) != "original" {
		t.Errorf("file holds %q, %v", content, err)
	}
}

func runProbe(t *testing.T, part, dir string, try []string) (found, Confinement) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	command := append(child(t, part, Options{}).Command, dir, listener.Addr().String())
	p, err := start(append(command, try...))
	if err != nil {
		t.Fatal(err)
	}
	defer p.end()
	if err := p.instruct(order{Memory: defaultMaxFile, CPU: 20, Size: 1}); err != nil {
		t.Fatal(err)
	}
	line, err := p.line.ReadBytes('\n')
	if err != nil {
		t.Fatalf("probe ended: %v", err)
	}
	var f found
	if err := json.Unmarshal(line, &f); err != nil {
		t.Fatal(err)
	}
	return f, p.held
}

func TestLeavesNoProcessBehind(t *testing.T) {
	t.Parallel()
	t.Run("that the child has started", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "pid")
		var text []byte
		for timeout := 200 * time.Millisecond; len(text) == 0 && timeout < time.Minute; timeout *= 2 { // on a busy machine, the child may be ended before it has started one
			o := child(t, partForker, Options{Timeout: timeout})
			o.Command = append(o.Command, file)
			if got := inspect(t, New(o), pdftest.Make(1)); got.Problem != ProblemTooSlow {
				t.Fatalf("got %+v, want too slow", got)
			}
			var err error
			if text, err = os.ReadFile(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		awaitDeath(t, string(text))
	})
	t.Run("when it is killed itself", func(t *testing.T) {
		t.Parallel()
		parent := exec.Command(child(t, "", Options{}).Command[0], partParent)
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		var pid string
		if _, err := fmt.Fscan(out, &pid); err != nil {
			t.Fatal(err)
		}
		if err := parent.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = parent.Wait() // killed, as wanted
		awaitDeath(t, pid)
	})
}

// awaitDeath returns when a process is gone or only waits to be reaped.
func awaitDeath(t *testing.T, pid string) {
	t.Helper()
	if _, err := strconv.Atoi(pid); err != nil {
		t.Fatal(err)
	}
	await.True(t, "process "+pid+" is dead", func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || bytes.Contains(stat, []byte(") Z ")) || bytes.Contains(stat, []byte(") X "))
	})
}
