package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"utsending/internal/clients"
	"utsending/internal/dispatch"
	"utsending/internal/pdf"
	"utsending/internal/seal"
)

const (
	// doctorPatience is the timeout of each connection.
	doctorPatience = 10 * time.Second
	// maxSkew is the tolerated clock skew: Maskinporten refuses a grant that is more than ten seconds off.
	maxSkew = 10 * time.Second
)

// examination is one run of the doctor: a line for each check.
type examination struct {
	config config
	keys   *seal.Keys // nil: cannot be read
	client *http.Client
	out    io.Writer
	wrong  int

	unsettled bool // settings are wrong, so others may seem missing
}

// doctor checks the settings and everything that they refer to, with one line for each check. It changes nothing, and
// prints no secret.
func doctor(ctx context.Context, out io.Writer) error {
	e := &examination{out: out, client: clients.NewHTTPClient()}
	e.settings()
	e.keySet()
	e.publicAddress()
	e.addresses()
	e.proxies()
	e.database(ctx)
	e.login(ctx)
	e.services(ctx)
	e.scanner(ctx)
	e.mail(ctx)
	e.logServer(ctx)
	e.files(ctx)
	e.confinement(ctx)
	if e.wrong > 0 {
		return fmt.Errorf("%d of the checks failed", e.wrong)
	}
	return nil
}

func (e *examination) ok(what, note string) { e.line("ok  ", what, note) }

// skip reports a check that another problem makes impossible.
func (e *examination) skip(what, why string) { e.line("skip", what, why) }

// fail reports a problem and its remedy.
func (e *examination) fail(what, why, cure string) {
	e.wrong++
	e.line("FAIL", what, why+". "+cure)
}

func (e *examination) line(verdict, what, text string) {
	_, _ = fmt.Fprintf(e.out, "%s  %s: %s\n", verdict, what, text) // there is no other place to report it
}

func (e *examination) settings() {
	c, err := readConfig()
	e.config = c
	problems := settingProblems(c, err)
	_ = e.config.Files.into(&e.config) // readable files are used, so that the rest can be checked
	for _, p := range problems {
		e.fail("settings", p.why, p.cure)
	}
	if e.unsettled = len(problems) > 0; !e.unsettled {
		e.ok("settings", "all that is needed is set, and can be understood")
	}
}

func (e *examination) keySet() {
	keys, err := e.config.readKeys()
	switch {
	case errors.Is(err, os.ErrPermission):
		e.fail("key set", "the file may not be read", fmt.Sprintf("Let user %d read %s", os.Getuid(), e.config.KeysetFile))
	case errors.Is(err, os.ErrNotExist):
		e.fail("key set", "there is no file "+e.config.KeysetFile, "Put the key set there, or make the first one with 'web keys new'")
	case err != nil:
		e.fail("key set", err.Error(), "Use the file that 'web keys new' made for this database")
	default:
		e.keys = keys
		e.ok("key set", "can be read")
	}
}

func (e *examination) publicAddress() {
	u, err := url.Parse(e.config.PublicURL)
	switch {
	case err != nil || u.Host == "" || u.Path != "":
		e.skip("public address", "it is not understood")
	case u.Scheme != "https" && (!local(u.Hostname()) || e.production()):
		e.fail("public address", "PUBLIC_URL is "+u.Scheme+"://"+u.Host+", over which browsers keep no login",
			"Serve it over https, by a proxy in front, and set PUBLIC_URL to the https address")
	default:
		e.ok("public address", u.Scheme+"://"+u.Host)
	}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (e *examination) production() bool {
	for _, s := range e.config.Services {
		if s.Environment == dispatch.EnvironmentProduction {
			return true
		}
	}
	return false
}

// addresses checks the addresses on which the process listens.
func (e *examination) addresses() {
	c := e.config
	for name, address := range map[string]string{"ADDR": c.Addr, "METRICS_ADDR": c.MetricsAddr} {
		if _, _, err := net.SplitHostPort(address); err != nil && address != "" {
			e.fail("listening", name+" is no address", "Write it as :8080 or 127.0.0.1:8080")
			return
		}
	}
	if c.Addr == c.MetricsAddr {
		e.fail("listening", "ADDR and METRICS_ADDR are the same", "Give the figures an address of their own, that browsers do not reach")
		return
	}
	e.ok("listening", "pages on "+c.Addr+", figures on "+orNone(c.MetricsAddr))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (e *examination) proxies() {
	u, err := url.Parse(e.config.PublicURL)
	for _, n := range e.config.Proxies {
		if ones, _ := n.Mask.Size(); ones == 0 {
			e.fail("trusted proxies", "TRUSTED_PROXIES holds "+n.String()+": anybody can pretend to come from anywhere",
				"Set it to the networks of your own proxies only")
			return
		}
	}
	if err == nil && u.Scheme == "https" && len(e.config.Proxies) == 0 {
		e.fail("trusted proxies", "browsers come over https, which a proxy in front takes, and no proxy is trusted: the event log would hold its address for everybody's",
			"Set TRUSTED_PROXIES to the network that the proxy calls from")
		return
	}
	e.ok("trusted proxies", fmt.Sprintf("%d networks", len(e.config.Proxies)))
}

func (e *examination) confinement(ctx context.Context) {
	inspector := pdf.New(pdf.Options{})
	if err := inspector.Missing(); err != nil {
		e.fail("uploaded PDFs", "the program that reads them is missing, so that no shipment can be printed: "+err.Error(),
			"Put inspectpdf of the same release beside web")
		return
	}
	kept := inspector.Prepare(ctx)
	c, err := inspector.Confinement(ctx)
	switch {
	case err != nil:
		e.fail("uploaded PDFs", "the program that reads them does not answer or cannot confine itself here: "+err.Error(),
			"Put inspectpdf of the same release beside web, mount /proc, and let the user start processes and set limits")
	default:
		e.ok("uploaded PDFs", "read by a child with limits on memory, time and files")
		e.fences(c)
		e.compiled(kept)
	}
}

// compiled tells whether the PDF engine is compiled once, or by each child.
func (e *examination) compiled(dir string) {
	if dir != "" {
		e.ok("PDF engine: compiled code", "kept in "+dir)
		return
	}
	e.ok("PDF engine: compiled code", "cannot be kept here, so that each check takes seconds more; it takes a /dev/shm or a temporary directory with 32 MB that the user can write")
}

// fences tells which optional protections of the child work here. A missing one is no failure: the limits still
// apply.
func (e *examination) fences(c pdf.Confinement) {
	for _, f := range []struct {
		name      string
		holds     bool
		otherwise string
	}{
		{"filter of system calls", c.Filtered, "refused here; a seccomp profile of the container may change it"},
		{"Landlock", c.Landlocked, "refused here; it takes Linux 5.13 or newer with Landlock on, and a container that lets it through"},
		{"own network", c.Apart, "refused here; it takes user namespaces, which many containers forbid: give the container no way out but to the services"},
	} {
		if f.holds {
			e.ok("PDF child: "+f.name, "holds")
		} else {
			e.ok("PDF child: "+f.name, f.otherwise)
		}
	}
}
