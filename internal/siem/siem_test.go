package siem_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/siem"
)

// wantAll checks that positions cover from..to in order, each at least once.
func wantAll(t *testing.T, got []int64, from, to int64) {
	t.Helper()
	next := from
	for _, p := range got {
		if p > next {
			t.Errorf("%d comes before %d: %v", p, next, got)
			return
		}
		if p == next {
			next++
		}
	}
	if next != to+1 {
		t.Errorf("the last is %d, want %d: %v", next-1, to, got)
	}
}

// TestForward: whatever way a server fails, it gets the same lines again, and none is lost.
func TestForward(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start  func(*testing.T) *server
		faults map[manner]siem.Fault
	}{
		"syslog": {newSyslog, map[manner]siem.Fault{hangs: siem.FaultTime, drops: siem.FaultConnection, silentEnd: siem.FaultConnection, refuses: siem.FaultTLS}},
		"https": {newHTTPS, map[manner]siem.Fault{hangs: siem.FaultTime, drops: siem.FaultConnection, halfAnswer: siem.FaultConnection, refuses: siem.FaultRefused,
			redirects: siem.FaultRefused, overloaded: siem.FaultLater, login: siem.FaultLogin}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, s := newRig(t), tt.start(t)
			r.write(t, 7)
			f := r.forwarder(t, s, nil)
			f.Pass(t.Context())
			got, _ := s.taken()
			end := r.state(t).Position
			wantAll(t, got, 1, end)
			if int64(len(got)) != end || r.state(t).Waiting != 0 || r.state(t).SentAt == nil {
				t.Fatalf("got %v, %+v", got, r.state(t))
			}
			for m, fault := range tt.faults {
				from := r.state(t).Position + 1
				r.write(t, 5)
				s.behave(m)
				f.Pass(t.Context())
				state := r.state(t)
				if state.Fault != string(fault) || state.Position != from-1 || state.Waiting != 5 || state.Oldest == nil {
					t.Errorf("%s: %+v, want %q and nothing taken", m, state, fault)
				}
				s.behave(takes)
				f.Pass(t.Context())
				if r.state(t).Position != from-1 {
					t.Errorf("%s: it is asked again at once", m)
				}
				r.now = r.now.Add(5 * time.Second)
				f.Pass(t.Context())
				got, _ := s.taken()
				wantAll(t, got, from, from+4)
				if state := r.state(t); state.Fault != "" || state.Waiting != 0 {
					t.Errorf("%s: afterwards %+v", m, state)
				}
			}
		})
	}
}

// TestOnlyIDs: lines hold ids, times and acts in the server's format, and nothing that names a person.
func TestOnlyIDs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write(t, 1)
	for name, s := range map[string]*server{"syslog": newSyslog(t), "https": newHTTPS(t)} {
		if _, err := r.s.DB.Exec(`UPDATE siem_cursor SET position = 0, lease_until = '-infinity'`); err != nil {
			t.Fatal(err)
		}
		r.forwarder(t, s, func(o *siem.Settings) {
			if name == "https" {
				o.Token = "Bearer hemmelig"
			}
		}).Pass(t.Context())
		_, lines := s.taken()
		if len(lines) == 0 {
			t.Fatalf("%s: nothing came", name)
		}
		last := lines[len(lines)-1]
		for _, personal := range []string{"Kari", "ringte", "192.0.2.7", r.Account.Name} {
			if strings.Contains(last, personal) {
				t.Errorf("%s tells %q: %s", name, personal, last)
			}
		}
		if !strings.Contains(last, string(r.User)) || !strings.Contains(last, string(r.Account.ID)) {
			t.Errorf("%s: %s", name, last)
		}
		if name == "https" {
			var values map[string]any
			if err := json.Unmarshal([]byte(last), &values); err != nil || values["action"] != "delivery.pause" || s.auth != "Bearer hemmelig" {
				t.Errorf("%s: %v, authorization %q", last, err, s.auth)
			}
			continue
		}
		if !regexp.MustCompile(`^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z utsending\.example\.no utsending - delivery\.pause \[utsending@32473 position="\d+" hash="[0-9a-f]{64}" id="\d+" action="delivery\.pause" actor="[0-9a-f-]{36}" account="[0-9a-f-]{36}"\]$`).MatchString(last) {
			t.Errorf("no RFC 5424: %s", last)
		}
	}
}

// TestOneAtATime: one of several processes forwards; when it dies, another continues at the cursor.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	r, s := newRig(t), newHTTPS(t)
	r.write(t, 20)
	one, others := r.forwarder(t, s, nil), []*siem.Forwarder{r.forwarder(t, s, nil), r.forwarder(t, s, nil)}
	one.Pass(t.Context())
	got, _ := s.taken()
	end := r.state(t).Position
	if int64(len(got)) != end {
		t.Fatalf("got %v", got)
	}
	r.write(t, 5)
	var wg sync.WaitGroup
	for _, f := range others {
		wg.Go(func() { f.Pass(t.Context()) })
	}
	wg.Wait()
	if got, _ := s.taken(); len(got) != 0 {
		t.Errorf("others hand over within the lease: %v", got)
	}
	r.now = r.now.Add(2 * time.Minute)
	for _, f := range others {
		wg.Go(func() { f.Pass(t.Context()) })
	}
	wg.Wait()
	got, _ = s.taken()
	if !slices.Equal(got, []int64{end + 1, end + 2, end + 3, end + 4, end + 5}) {
		t.Errorf("got %v, want each once", got)
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	for before, want := range map[int]time.Duration{0: 5 * time.Second, 1: 10 * time.Second, 5: 160 * time.Second, 7: 10 * time.Minute, 500: 10 * time.Minute} {
		if got := siem.Pause(before); got != want {
			t.Errorf("after %d: %s, want %s", before, got, want)
		}
	}
}

func TestParseServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		settings siem.Settings
		want     string // empty: an error
	}{
		"syslog":                  {siem.Settings{Address: "syslog+tls://logg.example.no"}, "syslog+tls://logg.example.no:6514"},
		"https":                   {siem.Settings{Address: "https://logg.example.no/inn?kilde=1", Token: "Bearer x"}, "https://logg.example.no"},
		"unencrypted":             {siem.Settings{Address: "http://logg.example.no"}, ""},
		"unencrypted syslog":      {siem.Settings{Address: "syslog://logg.example.no:514"}, ""},
		"a password in it":        {siem.Settings{Address: "https://u:hemmelig@logg.example.no"}, ""},
		"syslog with a token":     {siem.Settings{Address: "syslog+tls://logg.example.no", Token: "hemmelig"}, ""},
		"no address":              {siem.Settings{Token: "hemmelig"}, ""},
		"a CA that is none":       {siem.Settings{Address: "https://logg.example.no", CA: "hemmelig"}, ""},
		"a certificate alone":     {siem.Settings{Address: "https://logg.example.no", Certificate: "x"}, ""},
		"a certificate, no PEM":   {siem.Settings{Address: "https://logg.example.no", Certificate: "x", Key: "hemmelig"}, ""},
		"syslog with a directory": {siem.Settings{Address: "syslog+tls://logg.example.no/x"}, ""},
	} {
		s, err := siem.ParseServer(tt.settings)
		if (err == nil) != (tt.want != "") || err == nil && s.String() != tt.want {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
		if err != nil && strings.Contains(err.Error(), "hemmelig") {
			t.Errorf("%s: the error tells a secret", name)
		}
	}
	if s, err := siem.ParseServer(siem.Settings{}); s != nil || err != nil {
		t.Errorf("none: got %v, %v", s, err)
	}
}

// TestReach: the connection is tried and nothing sent; an untrusted certificate is refused.
func TestReach(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*server{"syslog": newSyslog(t), "https": newHTTPS(t)} {
		to, err := siem.ParseServer(siem.Settings{Address: s.address, CA: s.ca})
		if err != nil {
			t.Fatal(err)
		}
		if fault := to.Reach(t.Context()); fault != siem.FaultNone {
			t.Errorf("%s: %q", name, fault)
		}
		if got, _ := s.taken(); len(got) > 0 {
			t.Errorf("%s: %v was handed over", name, got)
		}
		stranger, err := siem.ParseServer(siem.Settings{Address: s.address})
		if err != nil {
			t.Fatal(err)
		}
		if fault := stranger.Reach(t.Context()); fault != siem.FaultTLS {
			t.Errorf("%s of strangers: %q", name, fault)
		}
	}
}
