// Package firefox drives Firefox over WebDriver BiDi, so that main journeys run in a second browser too. It is no dependency: tests
// are skipped, with the reason, where it is not installed.
package firefox

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// limit is how long one step may take: it detects hanging, it does not measure.
const limit = 100 * time.Second

// names are searched for in PATH.
var names = []string{"firefox-esr", "firefox"}

// listening is what Firefox says when it can be driven.
var listening = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// preferences keep Firefox from asking the network for anything but pages, and from asking the user.
const preferences = `user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("browser.region.network.url", "");
user_pref("browser.topsites.contile.enabled", false);
`

// Open starts Firefox with a page of its own and returns that; it ends with the test. The test is skipped where there is no
// Firefox. Starting it takes about six seconds of processor time.
func Open(t *testing.T) *Page {
	t.Helper()
	program := find()
	if program == "" {
		t.Skip("Firefox is not installed (apt-get install firefox-esr)")
	}
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--remote-allow-origins", origin, "--profile", profile)
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_CRASHREPORTER_DISABLE=1")
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatalf("start Firefox: %v", err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				address <- m[1]
			}
		}
	}()
	select {
	case at := <-address:
		p := &Page{t: t}
		if err := p.begin(at + "/session"); err != nil {
			t.Fatalf("talk to Firefox: %v", err)
		}
		return p
	case <-time.After(limit):
		t.Fatal("Firefox does not say where it listens")
	}
	return nil
}

// find is the program; empty: there is none.
func find() string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// begin opens the session, and a page in it.
func (p *Page) begin(address string) error {
	var err error
	if p.wire, err = dial(address); err != nil {
		return err
	}
	p.t.Cleanup(p.wire.close)
	if err := p.wire.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil); err != nil {
		return err
	}
	var made struct {
		Context string `json:"context"`
	}
	if err := p.wire.call("browsingContext.create", map[string]any{"type": "tab"}, &made); err != nil {
		return err
	}
	p.context = made.Context
	p.wire.heard = p.hear
	events := []string{"browsingContext.navigationStarted", "browsingContext.load", "browsingContext.navigationFailed", "browsingContext.fragmentNavigated", "network.beforeRequestSent", "log.entryAdded"}
	if err := p.wire.call("session.subscribe", map[string]any{"events": events}, nil); err != nil {
		return fmt.Errorf("subscribe: %w", err)
	}
	return p.wire.call("browsingContext.setViewport", map[string]any{"context": p.context, "viewport": map[string]int{"width": 1440, "height": 900}}, nil)
}
