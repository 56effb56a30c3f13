package pgserver

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestKillTakesTheChildren(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Fast: true})
	if len(workingIn(s.data)) < 2 {
		t.Fatal("found no children")
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if left := workingIn(s.data); len(left) > 0 {
		t.Errorf("%d processes outlived Kill", len(left))
	}
}

// TestSharedMemoryGoesWithTheData: of a server that is killed, nothing is left in /dev/shm when its data directory is removed.
func TestSharedMemoryGoesWithTheData(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Fast: true})
	if segments, err := os.ReadDir(filepath.Join(s.data, "pg_dynshmem")); err != nil || len(segments) == 0 {
		t.Errorf("its shared memory is not in its data directory: %v, %v", segments, err)
	}
}

// helperDir names the data directory to a copy of this test program that is to be killed.
const helperDir = "PGSERVER_TEST_HELPER_DIR"

func TestDiesWithItsParent(t *testing.T) {
	if dir := os.Getenv(helperDir); dir != "" {
		beKilled(dir)
	}
	t.Parallel()
	dir := dataDir(t)
	helper := exec.Command(os.Args[0], "-test.run=^TestDiesWithItsParent$")
	helper.Env = append(os.Environ(), helperDir+"="+dir)
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	var socket string
	var pid int
	if _, err := fmt.Fscan(out, &socket, &pid); err != nil {
		t.Fatalf("helper: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(socket) })
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // killed, as wanted

	s := start(t, Options{Dir: dir, Fast: true}) // may have to wait for the last of the old server
	if state := stateOf(pid); state != "" && state != "Z" {
		t.Errorf("postmaster %d outlived its parent in state %s", pid, state)
	}
	if got := scalar(t, s, "SELECT n FROM kept"); got != "1" {
		t.Errorf("got %s, want what was committed before", got)
	}
}

func beKilled(dir string) {
	s, err := Start(context.Background(), Options{Dir: dir, NPMDir: nodeModules, Fast: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	db, err := sql.Open("postgres", s.URL("postgres"))
	if err == nil {
		_, err = db.Exec("SET synchronous_commit = on; CREATE TABLE kept AS SELECT 1 AS n")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.socket, s.process.cmd.Process.Pid)
	<-time.After(time.Minute) // the test kills us long before
	os.Exit(1)
}
