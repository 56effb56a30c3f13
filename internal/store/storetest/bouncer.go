package storetest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"utsending/internal/await"
)

// Bouncer starts a real PgBouncer before a database by Database, and returns the database's address through it. mode is its
// pool_mode. The test is skipped where PgBouncer is not installed.
func Bouncer(t testing.TB, address, mode string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("PgBouncer is missing: apt-get install pgbouncer")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Dir(u.Query().Get("host")) // the pooler of these tests is in the server's own directory
	socket, err := os.Stat(filepath.Join(server, ".s.PGSQL."+u.Query().Get("port")))
	if err != nil {
		t.Fatal(err)
	}
	owner := socket.Sys().(*syscall.Stat_t)
	port := freePort(t)
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\n"+
		"auth_type = trust\nauth_file = users\npool_mode = %s\ndefault_pool_size = 100\nmax_client_conn = 500\n", server, u.Query().Get("port"), port, mode)
	dir, err := os.MkdirTemp("", "bouncer") // a test's own directory is out of reach for the server's user
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for name, content := range map[string]string{"settings": settings, "users": fmt.Sprintf("%q \"\"\n\"postgres\" \"\"\n", serverRole)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-q", "settings")
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 { // which PgBouncer refuses to be
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	await.Seen(t, "PgBouncer listens", func() bool {
		conn, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, func() string {
		text, _ := os.ReadFile(log.Name()) // only told
		return string(text)
	})
	q := u.Query()
	q.Set("host", "127.0.0.1")
	q.Set("port", fmt.Sprint(port))
	u.RawQuery = q.Encode()
	return u.String()
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
