package main_test

import (
	"bytes"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// deployment runs the program like its container image on this machine: another user, a read-only directory, and only the
// environment of compose.yaml.
type deployment struct {
	image image
	dir   string // root directory of the image
	c     composition
	given map[string]string // contents of .env and secrets/
	swap  map[string]string // settings that must differ here: ports, and simulated services
}

// runsPackaged does what an installation does: migrate, serve, check health, receive a shipment's file, stop.
func runsPackaged(t *testing.T, i image, c composition) {
	s := newShipmentStack(t)
	s.web.stop(t) // only its database and services are needed
	d := deploy(t, s, i, c)

	blank := *d
	empty := blankDatabase(t, s.database)
	blank.given = copyOf(copyOf(d.given, "database_url", byTCP(t, empty)), "database_owner_url", byTCP(t, storetest.Owner(empty)))
	for _, want := range []string{" migrations applied\n", "0 migrations applied\n"} {
		if out, err := blank.run(t, "migrate", c.Services["migrate"].Command...); err != nil || !strings.HasSuffix(out, want) {
			t.Fatalf("migrate ends with %v and says %q, want %q", err, out, want)
		}
	}
	if out, err := d.run(t, "web", d.image.health[1:]...); err == nil {
		t.Errorf("it is healthy before it runs: %s", out)
	}
	web, log := d.start(t, "web", d.image.cmd...)
	eventually(t, "it is healthy", func() bool { _, err := d.run(t, "web", d.image.health[1:]...); return err == nil })
	if out, err := d.run(t, "web", "doctor"); err != nil {
		t.Errorf("the doctor ends with %v and says:\n%s", err, out)
	}
	person := s.caller(t, "kari")
	draft := person.draft()
	person.uploadPDF(draft)
	s.wantDrawn(t, path.Base(draft))
	wantUser(t, web, i)
	d.stop(t, web, c.Services["web"].Grace)
	wantLogLines(t, log.String(), "starting", "serving metrics", "serving", "stopping", "stopped")
	if !strings.Contains(log.String(), `"version":"`+packagedVersion+`"`) || !strings.Contains(log.String(), `"route":"/k/:konto/utkast/:id/dokumenter","status":200`) {
		t.Errorf("the log does not tell the version and the upload:\n%s", log)
	}
	for _, found := range search("the log", moments.ReplaceAllString(log.String(), ""), forbidden.list()) {
		t.Error(found)
	}
}

// wantDrawn checks that the pages of a draft's file were drawn.
func (s *stack) wantDrawn(t *testing.T, draft string) {
	t.Helper()
	files, err := s.store.Documents(t.Context(), s.oppvekst.ID, dispatch.ItemID(draft))
	if err != nil || len(files) != 1 || files[0].Reading == nil || len(files[0].Reading.Ink) != files[0].Pages {
		t.Errorf("the pages were not drawn: %+v, %v", files, err)
	}
}

func deploy(t *testing.T, s *stack, i image, c composition) *deployment {
	t.Helper()
	at, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{image: i, dir: t.TempDir(), c: c, given: map[string]string{
		"SITE": at.Host, "OIDC_ISSUER": s.issuer, "OIDC_CLIENT_ID": storetest.ClientID, "oidc_client_secret": storetest.ClientSecret + "\n",
		"database_url": byTCP(t, s.database) + "\n", "database_owner_url": byTCP(t, storetest.Owner(s.database)), "keys": string(storetest.Keys(t)),
	}, swap: map[string]string{"ADDR": ":" + at.Port(), "METRICS_ADDR": ":" + strconv.Itoa(freePort(t)), "PUBLIC_URL": s.address, "PRESETS": ""}}
	for _, setting := range s.env {
		if name, value, _ := strings.Cut(setting, "="); name == "SERVICES" {
			d.swap[name] = value
		}
	}
	buildPackaged(t, i, d.dir)
	for _, dir := range []string{filepath.Dir(d.dir), d.dir} { // the test's directory is private; in the image everybody may read
		if err := os.Chmod(dir, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) }) // so that it can be removed
	}
	return d
}

// variable is a variable in compose.yaml with its default.
var variable = regexp.MustCompile(`\$\{(\w+)(?:(:[-?])([^}]*))?\}`)

// environment is a service's environment in compose.yaml; secrets are files that only this user may read.
func (d *deployment) environment(t *testing.T, service string) []string {
	t.Helper()
	env := map[string]string{}
	for name, value := range d.c.Services[service].Environment {
		env[name] = variable.ReplaceAllStringFunc(value, func(v string) string {
			parts := variable.FindStringSubmatch(v)
			if given, ok := d.given[parts[1]]; ok {
				return given
			}
			return strings.TrimPrefix(parts[3], ":-")
		})
		if secret, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
			env[name] = d.secret(t, d.given[secret])
		}
	}
	if service == "web" {
		maps.Copy(env, d.swap)
	}
	return list(env)
}

func (d *deployment) secret(t *testing.T, content string) string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "secret")
	if err := os.WriteFile(path, []byte(content), 0o400); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(path, int(d.image.uid), int(d.image.gid)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// command is the program as a container runs it; it may write files no larger than the compiled code of the PDF engine.
func (d *deployment) command(t *testing.T, service string, args ...string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(d.dir, d.image.entrypoint[0])
	cmd := exec.Command("/bin/sh", append([]string{"-c", `ulimit -f 65536 && exec "$0" "$@"`, program}, args...)...)
	cmd.Dir, cmd.Env = d.dir, d.environment(t, service)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: d.image.uid, Gid: d.image.gid}
	}
	return cmd
}

// run runs a command to its end.
func (d *deployment) run(t *testing.T, service string, args ...string) (string, error) {
	t.Helper()
	out, err := d.command(t, service, args...).CombinedOutput()
	return string(out), err
}

// start starts the program, and returns what it writes.
func (d *deployment) start(t *testing.T, service string, args ...string) (*process, *bytes.Buffer) {
	t.Helper()
	p, log := &process{cmd: d.command(t, service, args...), done: make(chan struct{})}, &bytes.Buffer{}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the kernel sends Pdeathsig when this thread ends
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p, log
}

// stop stops the program as the platform does: after the grace period it is killed.
func (d *deployment) stop(t *testing.T, p *process, grace time.Duration) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(grace):
		t.Fatalf("it would have been killed after %s", grace)
	}
	if p.err != nil {
		t.Errorf("it ended with %v", p.err)
	}
}

// wantUser checks the user of a process.
func wantUser(t *testing.T, p *process, i image) {
	t.Helper()
	if os.Getuid() != 0 {
		return // only root can run as another user
	}
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/status")
	if uid := strconv.Itoa(int(i.uid)); err != nil || !strings.Contains(string(status), "\nUid:\t"+uid+"\t"+uid) {
		t.Errorf("it is not a process of user %d (%v)", i.uid, err)
	}
}

// byTCP makes a database on a socket of the test's user reachable by TCP for everybody.
func byTCP(t *testing.T, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	socket := filepath.Join(q.Get("host"), ".s.PGSQL."+q.Get("port"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", socket)
			if err != nil {
				_ = near.Close()
				continue
			}
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
			go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
		}
	}()
	host, port, _ := strings.Cut(listener.Addr().String(), ":")
	q.Set("host", host)
	q.Set("port", port)
	u.RawQuery = q.Encode()
	return u.String()
}
