package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"utsending/internal/dispatch"
)

// runWeb runs the web application like a release, until it or ctx ends.
func (s *stack) runWeb(ctx context.Context) error {
	environment, err := s.environment()
	if err != nil {
		return err
	}
	web := exec.Command(s.web, "serve")
	web.Env = append(os.Environ(), environment...)
	web.Stdout, web.Stderr = os.Stdout, os.Stderr
	// In a process group of its own: Ctrl-C reaches it through us, in order, and it never outlives us.
	web.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := web.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(s.web), err)
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Wait() }()
	ready := make(chan bool, 1)
	go func() { ready <- s.awaitReady(ctx) }()
	for {
		select {
		case err := <-ended:
			return fmt.Errorf("web ended: %w", err)
		case ok := <-ready:
			if ok {
				s.tellReady()
			}
		case <-ctx.Done():
			_ = web.Process.Signal(syscall.SIGTERM) // fails if it has ended
			<-ended
			return nil
		}
	}
}

func (s *stack) environment() ([]string, error) {
	base := s.servicesAddress()
	services, err := json.Marshal([]dispatch.Service{
		{Name: serviceName, Kind: dispatch.IntegrationSMS, Environment: "test", BaseURL: base, TokenURL: base + "/token"},
		{Name: shipmentServiceName, Kind: dispatch.IntegrationShipmentV1, Environment: "test", BaseURL: base, TokenURL: base + "/token"},
		{Name: shipmentV2ServiceName, Kind: dispatch.IntegrationShipmentV2, Environment: "test", BaseURL: base, TokenURL: base + "/token", Audience: base + "/"},
		{Name: shipmentV3ServiceName, Kind: dispatch.IntegrationShipmentV3, Environment: "test", BaseURL: base, TokenURL: base + "/token", Audience: base + "/"},
	})
	return []string{
		fmt.Sprintf("ADDR=127.0.0.1:%d", s.port), "PUBLIC_URL=" + s.address(), "DATABASE_URL=" + s.database, "DATABASE_OWNER_URL=" + s.owner,
		"KEYSET_FILE=" + filepath.Join(s.dir, "keys.json"), "SERVICES=" + string(services), "MUNICIPALITY=Fjordvik kommune",
		"CONTACT_SUPPORT=it-hjelp@fjordvik.example", "CONTACT_PRIVACY=personvernombud@fjordvik.example",
		"OIDC_ISSUER=" + s.loginAddress(), "OIDC_CLIENT_ID=" + clientID, "OIDC_CLIENT_SECRET=" + clientSecret,
		"MAIL_SERVER=smtp+plain://" + s.mail, "MAIL_FROM=utsending@fjordvik.example", "MAIL_DOMAINS=fjordvik.example", "MAIL_OPERATORS=drift@fjordvik.example",
		"ALARM_WEBHOOK=" + s.mailboxAddress(), "ACCOUNT_WEBHOOKS_PRIVATE=true", "LOG_FORMAT=text", "REFRESH_ON_VIEW=5s",
	}, err
}

// awaitReady polls until the application is ready.
func (s *stack) awaitReady(ctx context.Context) bool {
	for ctx.Err() == nil {
		if answer, err := http.Get(s.address() + "/readyz"); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return true
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

func (s *stack) tellReady() {
	var b strings.Builder
	fmt.Fprintf(&b, "\nUtsending is ready: %s\n\nThese fictional people can log in:\n", s.address())
	for _, p := range everybody {
		fmt.Fprintf(&b, "  %-15s %s\n", p.name, p.shown)
	}
	fmt.Fprintf(&b, "\nEvery page in every state: %s\nMailbox, of addresses at fjordvik.example: %s\nServices: %s. Data is kept in .devstack ('make clean' removes it). Ctrl-C stops everything.\n\n", s.galleryAddress(), s.mailboxAddress(), s.servicesAddress())
	fmt.Print(b.String())
}
