package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"utsending/internal/dispatch"
)

// process is a running program that answers on an address.
type process struct {
	cmd   *exec.Cmd
	ready time.Duration // from its start until it reports that it is ready
	ended chan error
	log   string // file with its output
}

// startWeb runs the program as in production. Nothing is due, so it calls no service.
func (s *stage) startWeb(ctx context.Context) (*process, error) {
	return s.startWebAt(ctx, s.address, s.issuer)
}

// startWebAt is startWeb with an address to listen on, and the address of its services.
func (s *stage) startWebAt(ctx context.Context, address, service string) (*process, error) {
	services, err := json.Marshal([]dispatch.Service{
		{Name: smsService, Kind: dispatch.IntegrationSMS, Environment: "test", BaseURL: service, TokenURL: service + "/token"},
		{Name: shipmentService, Kind: dispatch.IntegrationShipmentV1, Environment: "test", BaseURL: service, TokenURL: service + "/token"},
	})
	if err != nil {
		return nil, err
	}
	return s.start(ctx, exec.Command(s.web, "serve"), address, "PUBLIC_URL="+address, "KEYSET_FILE="+s.keyFile, "SERVICES="+string(services),
		"OIDC_ISSUER="+s.issuer, "OIDC_CLIENT_ID="+clientID, "OIDC_CLIENT_SECRET="+clientSecret, "MUNICIPALITY=Fjordvik kommune")
}

func (s *stage) startBare(ctx context.Context) (*process, error) {
	return s.start(ctx, exec.Command(s.bare), s.address)
}

// start runs a program with a minimal environment, and waits until it is ready.
func (s *stage) start(ctx context.Context, cmd *exec.Cmd, address string, environment ...string) (*process, error) {
	log, err := os.CreateTemp(s.dir, filepath.Base(cmd.Path)+"-*.log")
	if err != nil {
		return nil, err
	}
	defer log.Close() // the program has its own copy
	p := &process{cmd: cmd, ended: make(chan error, 1), log: log.Name()}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(environment, "ADDR="+strings.TrimPrefix(address, "http://"), "DATABASE_URL="+s.database, "PATH="+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL} // it dies with us
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- cmd.Wait() }()
	if err := p.awaitReady(ctx, address); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	p.ready = time.Since(began)
	return p, nil
}

// awaitReady polls every millisecond, each time on a new connection.
func (p *process) awaitReady(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/readyz", nil)
		if err != nil {
			return err
		}
		if answer, err := client.Do(req); err == nil {
			_ = answer.Body.Close() // its status is all that is asked for
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w: %s", p.cmd.Path, ctx.Err(), p.tail())
		case err := <-p.ended:
			p.ended <- err
			return fmt.Errorf("%s ended: %w: %s", p.cmd.Path, err, p.tail())
		case <-time.After(time.Millisecond):
		}
	}
}

// stop shuts the program down.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // ended already if this fails
	select {
	case err := <-p.ended:
		if err != nil {
			return fmt.Errorf("%s: %w: %s", p.cmd.Path, err, p.tail())
		}
		return nil
	case <-time.After(30 * time.Second):
		return errors.Join(fmt.Errorf("%s does not stop: %s", p.cmd.Path, p.tail()), p.cmd.Process.Kill())
	}
}

// tail is the end of the program's output.
func (p *process) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}

// MiB is the unit of memory.
const MiB = 1 << 20

// memory reads the current and the peak memory of a process in MiB, from Linux' /proc/<pid>/status.
func memory(pid string) (now, most float64, err error) {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0, 0, err
	}
	read := func(name string) float64 {
		_, rest, _ := bytes.Cut(text, []byte("\n"+name+":"))
		line, _, found := bytes.Cut(rest, []byte(" kB\n"))
		n, e := strconv.Atoi(string(bytes.TrimSpace(line)))
		if e != nil || !found {
			err = fmt.Errorf("%s has no %s", pid, name)
		}
		return float64(n) * 1024 / MiB
	}
	now, most = read("VmRSS"), read("VmHWM")
	return now, most, err
}

func (p *process) memory() (now, most float64, err error) {
	return memory(strconv.Itoa(p.cmd.Process.Pid))
}
