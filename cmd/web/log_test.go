package main_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"utsending/internal/store/storetest"
)

// line has the fields of every log line.
type line struct {
	Time     time.Time      `json:"time"`
	Level    string         `json:"level"`
	Msg      string         `json:"msg"`
	Version  string         `json:"version"`
	Settings map[string]any `json:"settings"`
}

// wantLogLines checks that every log line is JSON with time, level and message, that some messages come in this order, each with
// the version, and that no secret is logged.
func wantLogLines(t *testing.T, log string, inOrder ...string) []line {
	t.Helper()
	var lines []line
	for _, text := range strings.Split(strings.TrimSpace(log), "\n") {
		var l line
		err := json.Unmarshal([]byte(text), &l)
		if err != nil || l.Time.IsZero() || l.Msg == "" || !slices.Contains([]string{"DEBUG", "INFO", "WARN", "ERROR"}, l.Level) {
			t.Errorf("no line of a log (%v): %s", err, text)
		}
		lines = append(lines, l)
	}
	rest := lines
	for _, msg := range inOrder {
		i := slices.IndexFunc(rest, func(l line) bool { return l.Msg == msg })
		if i < 0 || rest[i].Version == "" {
			t.Errorf("the log does not say %q with a version in its place:\n%s", msg, log)
			return lines
		}
		rest = rest[i+1:]
	}
	for _, secret := range []string{storetest.ClientSecret, "postgres://", "primaryKeyId"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
	return lines
}

// TestLogOfAServer: the log is machine-readable, also when the server cannot start.
func TestLogOfAServer(t *testing.T) {
	t.Parallel()
	t.Run("when it cannot start", func(t *testing.T) {
		t.Parallel()
		_, errs, err := program(map[string]string{"PUBLIC_URL": "x"}, "serve")
		lines := wantLogLines(t, errs, "web ends")
		if err == nil || lines[0].Level != "ERROR" {
			t.Errorf("ends with %v and says %s", err, errs)
		}
	})
	t.Run("when it serves", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, stackOptions{jsonLog: true})
		c := s.caller(t, "kari")
		c.get("/k/oppvekst/sms")
		c.get("/nothing")
		c.uploadPDF(c.draft())
		s.polls(t, s.oppvekst, "kari")
		s.web.stop(t)
		for _, l := range wantLogLines(t, s.web.output(), "starting", "serving", "stopping", "stopped") {
			if l.Msg == "starting" && (l.Settings["delivery_grace"] != "5s" || l.Settings["services"] == nil) {
				t.Errorf("the settings are told as %v", l.Settings)
			}
		}
	})
}
