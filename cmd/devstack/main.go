// Command devstack runs everything that a developer needs in one process tree: PostgreSQL, the simulated services, a
// development login, seed data, a mailbox, a gallery of all pages, and the web application itself. It is never part of a
// release.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/whole"
	"utsending/internal/session/devidp"
	"utsending/internal/store/pgserver"
	"utsending/internal/views/gallery"
)

// stack is the configuration. The ports are fixed, so that the login's address, and with it the users' identities,
// are the same after a restart.
type stack struct {
	dir      string // data that survives a restart
	web      string // path of the web program
	port     int
	upstream string // other services than the simulated ones; empty: simulated
	database string // for the server
	owner    string
	sim      *simulator.Simulator // nil: upstream
	mail     string               // address of the SMTP server
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	start := run
	if len(os.Args) == 3 && os.Args[1] == "seed" {
		start = func(ctx context.Context) error { return fill(ctx, os.Args[2]) }
	}
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "devstack:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	s, err := newStack()
	if err != nil {
		return err
	}
	keys, stop, err := s.startDatabase(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if s.upstream == "" {
		s.sim = newServices()
	}
	if err := s.seed(ctx, keys); err != nil {
		return err
	}
	stopLogin, err := s.serveLogin()
	if err != nil {
		return err
	}
	defer stopLogin()
	stopGallery, err := s.serveGallery()
	if err != nil {
		return err
	}
	defer stopGallery()
	mail, stopMailbox, err := s.serveMailbox()
	if err != nil {
		return err
	}
	defer stopMailbox()
	s.mail = mail
	if s.sim != nil {
		stopServices, err := s.serveServices()
		if err != nil {
			return err
		}
		defer stopServices()
	}
	return s.runWeb(ctx)
}

// startDatabase starts the stack's database, and returns the key set file for its data.
func (s *stack) startDatabase(ctx context.Context) (keys string, stop func(), err error) {
	pg, err := pgserver.Start(ctx, pgserver.Options{Dir: filepath.Join(s.dir, "postgresql"), NPMDir: "node_modules"})
	if err != nil {
		return "", nil, err
	}
	s.owner = pg.URL("postgres")
	if s.database, err = as(serverRole, s.owner); err != nil {
		return "", nil, errors.Join(err, pg.Stop())
	}
	if keys, err = s.keys(); err != nil {
		pg.Stop()
		return "", nil, err
	}
	return keys, func() { pg.Stop() }, nil
}

// serverRole is the application's database role: as in production, it does not own the tables.
const serverRole = "utsending_server"

// as returns a database's address with another role.
func as(role, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.User = url.User(role)
	return u.String(), nil
}

func newStack() (*stack, error) {
	s := &stack{dir: ".devstack", port: 8080, upstream: os.Getenv("UPSTREAM")}
	if p := os.Getenv("PORT"); p != "" {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 || n > 65531 {
			return nil, errors.New("PORT must be a number from 1 to 65531")
		}
		s.port = n
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s.web = filepath.Join(filepath.Dir(program), "web")
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return nil, err
	}
	return s, os.MkdirAll(s.dir, 0o755)
}

func (s *stack) address() string      { return "http://localhost:" + strconv.Itoa(s.port) }
func (s *stack) loginAddress() string { return "http://localhost:" + strconv.Itoa(s.port+1) }

func (s *stack) mailboxAddress() string { return "http://localhost:" + strconv.Itoa(s.port+4) }
func (s *stack) galleryAddress() string { return "http://localhost:" + strconv.Itoa(s.port+3) }

// servicesAddress is the base address of the outside services.
func (s *stack) servicesAddress() string {
	if s.upstream != "" {
		return s.upstream
	}
	return "http://127.0.0.1:" + strconv.Itoa(s.port+2)
}

// keys generates the key set at the first start.
func (s *stack) keys() (string, error) {
	path := filepath.Join(s.dir, "keys.json")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, newKeys(path)
}

func (s *stack) serveLogin() (func(), error) {
	key, err := signingKey(filepath.Join(s.dir, "login-key.pem"))
	if err != nil {
		return nil, err
	}
	idp, err := devidp.New(devidp.Options{
		Issuer: s.loginAddress(), Title: "Innlogging for utvikling", People: people(), Key: key,
		Clients: []devidp.Client{{
			ID: clientID, Secret: clientSecret, RedirectURIs: []string{s.address() + "/oidc/retur"},
			PostLogoutRedirectURIs: []string{s.address() + "/logget-ut"}, FrontChannelLogoutURI: s.address() + "/oidc/utlogging",
		}},
	})
	if err != nil {
		return nil, err
	}
	return serve(s.port+1, idp)
}

func newServices() *simulator.Simulator {
	return whole.New(simulator.Options{
		Clients: map[string]string{clientID: clientSecret}, Integrations: map[string]string{integrationID: integrationPassword},
	})
}

func (s *stack) serveServices() (func(), error) {
	stop, err := serve(s.port+2, s.sim)
	if err != nil {
		return nil, err
	}
	return func() { s.sim.Close(); stop() }, nil
}

func (s *stack) serveGallery() (func(), error) {
	g, err := gallery.New()
	if err != nil {
		return nil, err
	}
	return serve(s.port+3, g)
}

// serve listens on the loopback interface only.
func serve(port int, h http.Handler) (func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		return nil, fmt.Errorf("port %d is taken; set PORT to a number with four free ones after it", port)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return func() { _ = server.Close() }, nil
}
