package siem

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"utsending/internal/store/registry"
)

// message is RFC 5424's, with one element of structured data and no text.
var message = regexp.MustCompile(`^<(\d{1,3})>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([!-~]{1,255}) utsending - ([!-~]{1,32}) \[utsending@32473((?: [!-~]+="(?:[^"\\\]]|\\["\\\]])*")*)\]$`)

var param = regexp.MustCompile(`(?s) ([!-~]+?)="((?:[^"\\\]]|\\["\\\]])*)"`)

// FuzzSyslog: any line of the log is one valid message, from which its values are read as they were.
func FuzzSyslog(f *testing.F) {
	for _, seed := range []string{"", "item.sent", `a"b\c]d`, "æøå", "a b\nc", "<13>1 - - -", "\xff\x00", "\u2028]"} {
		f.Add("sms.queued", seed, "7d2f", int64(17), int64(1_700_000_000))
		f.Add(seed, "a", seed, int64(-1), int64(0))
	}
	f.Fuzz(func(t *testing.T, action, actor, object string, id, seconds int64) {
		e := registry.LogEvent{Position: id, ID: id, Action: action, Actor: actor, Object: object, Account: object, At: time.Unix(max(0, seconds%250_000_000_000), 0)}
		line := syslogLine(e, actor)
		m := message.FindStringSubmatch(line)
		if m == nil || !utf8.ValidString(line) {
			t.Fatalf("%q is no message", line)
		}
		got := map[string]string{}
		for _, p := range param.FindAllStringSubmatch(m[5], -1) {
			got[p[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\]`, `]`).Replace(p[2])
		}
		want := 2 // position and id are always there
		for name, value := range map[string]string{"action": action, "actor": actor, "object": object, "account": object} {
			if value != "" {
				want++
			}
			if clean := strings.ToValidUTF8(value, "\ufffd"); got[name] != clean {
				t.Fatalf("%s is %q, want %q: %q", name, got[name], clean, line)
			}
		}
		if len(got) != want {
			t.Fatalf("got %d values, want %d: %q", len(got), want, line)
		}
	})
}
