package main_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patroni is a cluster of two nodes under Patroni, with one etcd, all on loopback.
type patroni struct {
	t     *testing.T
	dir   string
	as    *syscall.Credential // PostgreSQL refuses root; nil: ourselves
	nodes map[string]*patroniNode
}

type patroniNode struct {
	name, config, data string
	port, api          int
	patroni            *exec.Cmd
	crashed            bool
}

// patroniPassword is of the superuser; it lives as long as the test.
const patroniPassword = "synthetic"

// startPatroni starts the cluster from deploy/patroni, and returns when the standby is synchronous.
func startPatroni(t *testing.T) *patroni {
	t.Helper()
	p := &patroni{t: t, dir: t.TempDir(), nodes: map[string]*patroniNode{}}
	for _, program := range []string{"patroni", "patronictl", "etcd"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("Patroni is missing: apt-get install patroni etcd-server")
		}
	}
	p.drop()
	etcd, peers := freePort(t), freePort(t)
	address, peer := fmt.Sprintf("http://127.0.0.1:%d", etcd), fmt.Sprintf("http://127.0.0.1:%d", peers)
	p.background("etcd", "etcd", "--data-dir", filepath.Join(p.dir, "etcd-data"), "--listen-client-urls", address, "--advertise-client-urls", address,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default="+peer)
	for _, name := range []string{"one", "two"} {
		n := &patroniNode{name: name, config: filepath.Join(p.dir, name+".yml"), data: filepath.Join(p.dir, name), port: freePort(t), api: freePort(t)}
		p.nodes[name] = n
		p.configure(n, etcd)
		p.start(n)
		eventually(t, name+" is in the cluster", func() bool { return p.members()[name] == "running" || p.members()[name] == "streaming" })
	}
	p.awaitSynchronous()
	return p
}

// drop has the servers run as another user where we are root.
func (p *patroni) drop() {
	p.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		p.t.Skip("PostgreSQL refuses root, and there is no user postgres")
	}
	uid, _ := strconv.Atoi(u.Uid) // numbers on Linux
	gid, _ := strconv.Atoi(u.Gid)
	p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	for _, dir := range []string{p.dir, filepath.Dir(p.dir)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := os.Chown(p.dir, uid, gid); err != nil {
		p.t.Fatal(err)
	}
}

func (p *patroni) configure(n *patroniNode, etcd int) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "patroni", "patroni.yml"))
	if err != nil {
		p.t.Fatal(err)
	}
	postgres, err := exec.LookPath("postgres")
	if err == nil {
		postgres, err = filepath.EvalSymlinks(postgres)
	}
	if err != nil {
		p.t.Skip("PostgreSQL is missing: apt-get install postgresql")
	}
	values := map[string]string{
		"NAME": n.name, "HOST": "127.0.0.1", "PORT": strconv.Itoa(n.port), "API_PORT": strconv.Itoa(n.api), "ETCD": fmt.Sprintf("127.0.0.1:%d", etcd),
		"DATA": n.data, "BIN": filepath.Dir(postgres), "NETWORK": "127.0.0.1/32", "PASSWORD": patroniPassword, "REPLICATION_PASSWORD": patroniPassword,
		"TTL": "30", "LOOP_WAIT": "10", "RETRY_TIMEOUT": "10",
	}
	if os.Getenv("PATRONI_TRIAL") == "quick" {
		values["TTL"], values["LOOP_WAIT"], values["RETRY_TIMEOUT"] = "20", "5", "5"
	}
	filled := os.Expand(string(text), func(name string) string { return values[name] })
	if err := os.WriteFile(n.config, []byte(filled), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *patroni) start(n *patroniNode) {
	p.t.Helper()
	n.patroni, n.crashed = p.background(n.name, "patroni", n.config), false
}

// background starts a program that dies with us; its output goes to a file. What Patroni starts ends in order with it.
func (p *patroni) background(log, name string, args ...string) *exec.Cmd {
	p.t.Helper()
	file, err := os.OpenFile(filepath.Join(p.dir, log+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: p.as}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // killed on purpose
		_ = file.Close()
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // gone already if this fails
		select {
		case <-ended:
		case <-time.After(patience):
			_ = cmd.Process.Kill()
		}
		if p.t.Failed() {
			text, _ := os.ReadFile(file.Name())
			p.t.Logf("%s:\n%s", log, text[max(0, len(text)-4000):])
		}
	})
	return cmd
}

// crash kills a node as a power cut does: Patroni first, which would start PostgreSQL again.
func (p *patroni) crash(n *patroniNode) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(n.data, "postmaster.pid"))
	if err != nil {
		p.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		p.t.Fatal(err)
	}
	n.crashed = true
	_ = n.patroni.Process.Kill() // its end is noticed by background
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
}

// ctl runs patronictl.
func (p *patroni) ctl(args ...string) (string, error) {
	cmd := exec.Command("patronictl", append([]string{"-c", p.nodes["one"].config}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	return string(out), err
}

// list is what patronictl tells of the members.
func (p *patroni) list() (members []struct{ Member, Role, State string }) {
	out, err := p.ctl("list", "--format", "json", "utsending")
	if err == nil {
		_ = json.Unmarshal([]byte(out), &members) // none yet
	}
	return members
}

func (p *patroni) members() map[string]string {
	states := map[string]string{}
	for _, m := range p.list() {
		states[m.Member] = m.State
	}
	return states
}

// roles are the names of leader and synchronous standby; empty: there is none now.
func (p *patroni) roles() (leader, standby string) {
	for _, m := range p.list() {
		switch {
		case m.Role == "Leader":
			leader = m.Member
		case m.Role == "Sync Standby":
			standby = m.Member
		}
	}
	return leader, standby
}

func (p *patroni) awaitSynchronous() {
	p.t.Helper()
	eventually(p.t, "there is a primary with a synchronous standby", func() bool {
		leader, standby := p.roles()
		return leader != "" && standby != ""
	})
}

// address leads to whichever node is the primary.
func (p *patroni) address() string {
	one, two := p.nodes["one"].port, p.nodes["two"].port
	query := url.Values{"host": {"127.0.0.1,127.0.0.1"}, "port": {fmt.Sprintf("%d,%d", one, two)}, "sslmode": {"disable"}, "target_session_attrs": {"read-write"}}
	return (&url.URL{Scheme: "postgres", User: url.UserPassword("postgres", patroniPassword), Path: "/postgres", RawQuery: query.Encode()}).String()
}
