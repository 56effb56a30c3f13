package notify_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/notify"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// dropping is a mail server that takes a mail and drops the connection at a command, without an answer.
type dropping struct {
	Address string
	at      string // the command; ".": the end of the mail, before it is taken

	mu    sync.Mutex
	taken int
}

func startDropping(t *testing.T, at string) *dropping {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &dropping{Address: l.Addr().String(), at: at}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go d.serve(c)
		}
	}()
	return d
}

func (d *dropping) serve(c net.Conn) {
	defer c.Close()
	say := func(line string) { fmt.Fprint(c, line+"\r\n") }
	say("220 post.fjordvik.example")
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		command, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
		if command == d.at {
			return
		}
		switch command {
		case "EHLO", "HELO":
			say("250 post.fjordvik.example")
		case "DATA":
			say("354 go on")
			for lines.Scan() && lines.Text() != "." {
			}
			if d.at == "." {
				return
			}
			d.mu.Lock()
			d.taken++
			d.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// TestDroppingServer: a mail that the server has taken is not sent again, wherever it drops the connection afterwards; one that it dropped
// before is.
func TestDroppingServer(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]struct {
		state string
		taken int
	}{
		"MAIL": {"waiting", 0}, "RCPT": {"waiting", 0}, "DATA": {"waiting", 0}, ".": {"waiting", 0}, "RSET": {"sent", 1}, "QUIT": {"sent", 1},
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			server := startDropping(t, at)
			n := r.with(t, func(o *notify.Options) {
				m, err := notify.ParseMail("smtp+plain://" + server.Address)
				if err != nil {
					t.Fatal(err)
				}
				m.From, m.Name, m.Site = "utsending@fjordvik.example", "Utsending", "utsending.fjordvik.example"
				o.Mail = m
			})
			if err := registry.In(r.s).Notices.Try(t.Context(), store.Actor{User: r.User}, registry.ChannelOperators); err != nil {
				t.Fatal(err)
			}
			r.exec(t, `UPDATE notices SET next_at = $1, until = $2`, r.now, r.now.Add(3*time.Hour))
			for range 2 {
				n.Pass(t.Context())
				r.now = r.now.Add(10 * time.Minute)
			}
			got := r.read(t, `SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN dropped_at IS NOT NULL THEN 'dropped' ELSE 'waiting' END FROM notices WHERE channel = 'operators'`)
			server.mu.Lock()
			defer server.mu.Unlock()
			if got != want.state || server.taken != want.taken {
				t.Errorf("it is %s and was taken %d times, want %s and %d", got, server.taken, want.state, want.taken)
			}
		})
	}
}

// TestDigestAcrossTheClockChange: on the Monday after the clocks change the digest comes at half past seven by the clock on the wall, once, and new
// is what failed since half past seven on Friday by the clock of then.
func TestDigestAcrossTheClockChange(t *testing.T) {
	t.Parallel()
	for name, day := range map[string]struct{ friday, monday time.Time }{
		"back on 25 October":  {time.Date(2026, 10, 23, 5, 30, 0, 0, time.UTC), time.Date(2026, 10, 26, 6, 30, 0, 0, time.UTC)},
		"forward on 29 March": {time.Date(2026, 3, 27, 6, 30, 0, 0, time.UTC), time.Date(2026, 3, 30, 5, 30, 0, 0, time.UTC)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.now = day.friday
			kari := r.person(t, "kari", r.Account.ID, dispatch.RoleCaseworker, 1)
			r.exec(t, `DELETE FROM notices`)
			ids := make([]dispatch.ItemID, 3)
			for i := range ids {
				ids[i] = r.Queue(t, r.s, storetest.ToPhone("90000100", "Hei Ola"))
			}
			r.exec(t, `UPDATE items SET state = 'rejected', created_by = $1`, kari.User)
			r.exec(t, `UPDATE follow_ups SET since = $1`, day.friday.Add(-time.Minute))
			r.exec(t, `UPDATE follow_ups SET since = $1 WHERE item_id = $2`, day.friday.Add(time.Minute), ids[1])
			r.exec(t, `UPDATE follow_ups SET since = $1 WHERE item_id = $2`, day.monday.Add(-29*time.Hour), ids[2]) // in the night of the change
			r.now = day.monday.Add(-30 * time.Hour)
			r.pass(t, 0)
			r.now = day.monday
			r.pass(t, -time.Minute)
			if got := r.mail.letters(); len(got) > 0 {
				t.Fatalf("too early: %+v", got)
			}
			r.pass(t, time.Minute)
			r.pass(t, time.Hour)
			r.pass(t, time.Hour)
			got := r.mail.letters()
			if len(got) != 1 || !strings.Contains(got[0].Body, "- Nye feil siden forrige arbeidsdag: 2\n") || !strings.Contains(got[0].Body, "i alt: 3\n") {
				t.Errorf("got %+v", got)
			}
		})
	}
}
