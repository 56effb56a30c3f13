package dispatch_test

import (
	"net/netip"
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

func TestParseChat(t *testing.T) {
	t.Parallel()
	const chat = "https://fjordvik.webhook.example.com/workflows/hemmelig?sig=x"
	for name, tt := range map[string]struct {
		address string
		format  dispatch.ChatFormat
		private bool
		want    string // key; empty: it is taken
	}{
		"a webhook":                    {chat, dispatch.ChatCard, false, ""},
		"spaces around it":             {"  " + chat + "\n", dispatch.ChatText, false, ""},
		"a public IP address":          {"https://8.8.8.8/x", dispatch.ChatText, false, ""},
		"a public IPv6 address":        {"https://[2606:4700::1111]/x", dispatch.ChatText, false, ""},
		"nothing":                      {" ", dispatch.ChatText, false, "problem.chat.empty"},
		"too long":                     {chat + strings.Repeat("x", 2000), dispatch.ChatText, false, "problem.chat.long"},
		"http":                         {"http://chat.example.com/x", dispatch.ChatText, false, "problem.chat.address"},
		"another scheme":               {"ftp://chat.example.com/x", dispatch.ChatText, true, "problem.chat.address"},
		"no address":                   {"kanalen vår", dispatch.ChatText, false, "problem.chat.address"},
		"no host":                      {"https:///x", dispatch.ChatText, false, "problem.chat.address"},
		"user and password":            {"https://a:b@chat.example.com/x", dispatch.ChatText, false, "problem.chat.address"},
		"this machine":                 {"https://localhost/x", dispatch.ChatText, false, "problem.chat.private"},
		"this machine with a dot":      {"https://localhost./x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback":                     {"https://127.0.0.1/x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback, short":              {"https://127.1/x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback as one number":       {"https://2130706433/x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback, hexadecimal":        {"https://127.0.0.0x1/x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback of IPv6":             {"https://[::1]/x", dispatch.ChatText, false, "problem.chat.private"},
		"loopback mapped into IPv6":    {"https://[::ffff:127.0.0.1]/x", dispatch.ChatText, false, "problem.chat.private"},
		"an inner network":             {"https://10.1.2.3/x", dispatch.ChatText, false, "problem.chat.private"},
		"the cloud's own address":      {"https://169.254.169.254/x", dispatch.ChatText, false, "problem.chat.private"},
		"an inner name":                {"https://chat/x", dispatch.ChatText, false, "problem.chat.private"},
		"a name kept for inner use":    {"https://chat.kommune.internal/x", dispatch.ChatText, false, "problem.chat.private"},
		"an inner one that is allowed": {"http://chat:8080/x", dispatch.ChatText, true, ""},
		"http to the outside":          {"http://chat.example.com/x", dispatch.ChatText, true, "problem.chat.http"},
		"no known format":              {chat, "xml", false, "problem.chat.format"},
	} {
		got, p := dispatch.ParseChat(tt.address, tt.format, tt.private)
		switch {
		case p == nil && (tt.want != "" || got.Address.Reveal() != strings.TrimSpace(tt.address) || got.Format != tt.format):
			t.Errorf("%s: it is taken as %q, want %q", name, got.Address.Reveal(), tt.want)
		case p != nil && p.Key != tt.want:
			t.Errorf("%s: got %s, want %q", name, p.Key, tt.want)
		}
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for _, inner := range []string{"0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.2", "169.254.1.1", "172.16.0.1", "192.168.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1",
		"fe80::1", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"} {
		if dispatch.PublicAddress(netip.MustParseAddr(inner)) {
			t.Errorf("%s is public", inner)
		}
	}
	for _, public := range []string{"8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111"} {
		if !dispatch.PublicAddress(netip.MustParseAddr(public)) {
			t.Errorf("%s is not public", public)
		}
	}
}

func TestFailingRule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule         dispatch.FailingRule
		made, failed int
		percent      int
		much         bool
	}{
		{dispatch.FailingRule{}, 12, 9, 0, false}, // the installation's
		{dispatch.FailingRule{}, 12, 10, 83, true},
		{dispatch.FailingRule{}, 100, 10, 10, false},
		{dispatch.FailingRule{Least: 2}, 10, 2, 20, true},
		{dispatch.FailingRule{Least: 2}, 11, 2, 18, false},
		{dispatch.FailingRule{Percent: 5}, 100, 9, 0, false},
		{dispatch.FailingRule{Percent: 5}, 100, 10, 10, true},
		{dispatch.FailingRule{Least: 1, Percent: 1}, 100, 1, 1, true},
		{dispatch.FailingRule{Least: 1, Percent: 100}, 2, 1, 50, false},
		{dispatch.FailingRule{Least: 50, Percent: 100}, 50, 50, 100, true},
		{dispatch.FailingRule{Least: 1, Percent: 1}, 10, 0, 0, false},
	} {
		if percent, much := tt.rule.Fails(tt.made, tt.failed); percent != tt.percent || much != tt.much {
			t.Errorf("%+v with %d of %d: got %d, %t", tt.rule, tt.failed, tt.made, percent, much)
		}
	}
	for rule, want := range map[dispatch.FailingRule]string{
		{}: "", {Least: 1, Percent: 100}: "", {Least: 10_000}: "", {Least: -1}: dispatch.FieldFailingLeast + " problem.failing.least", {Least: 10_001}: dispatch.FieldFailingLeast + " problem.failing.least",
		{Percent: -1}: dispatch.FieldFailingPercent + " problem.failing.percent", {Percent: 101}: dispatch.FieldFailingPercent + " problem.failing.percent",
	} {
		wantProblem(t, rule.Validate(), want)
	}
}
