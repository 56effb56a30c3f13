package notify_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"utsending/internal/dispatch"
	"utsending/internal/notify"
	"utsending/internal/store"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// TestAlarm: a stopped integration is reported once to everybody concerned, and so is its reopening.
func TestAlarm(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := storetest.NewSample(t, r.s, "helse")
	r.person(t, "leder", r.Account.ID, dispatch.RoleTeamLead, 1)
	r.person(t, "drift", "", dispatch.RoleSystemAdmin, 1)
	r.person(t, "annen-leder", other.Account.ID, dispatch.RoleTeamLead, 1)
	r.person(t, "saksbehandler", r.Account.ID, dispatch.RoleCaseworker, 1)
	r.person(t, "sluttet", r.Account.ID, dispatch.RoleTeamLead, 31)
	deaf := r.person(t, "vil-ikke", r.Account.ID, dispatch.RoleTeamLead, 1)
	if _, err := registry.In(r.s).MailChoices.Save(t.Context(), deaf, registry.MailChoice{Address: "vil-ikke@fjordvik.example", Digest: true}); err != nil {
		t.Fatal(err)
	}
	r.quiet(t)
	r.stop(t)
	if list, err := registry.In(r.s).Alarms.List(t.Context(), r.now); err != nil || len(list) != 1 || !list[0].Lasts() || list[0].Name != r.Integration.Name {
		t.Errorf("before the watch has looked, the page tells %+v, %v", list, err)
	}
	r.pass(t, time.Minute)
	got := r.mail.letters()
	if to := addresses(got); !slices.Equal(to, []string{"drift", "drift", "leder"}) { // the user and the address for operators
		t.Fatalf("told %q", to)
	}
	want := "Utsending: Integrasjonen «" + r.Integration.Name + "» er stoppet"
	if got[2].Subject != want || !strings.Contains(got[2].Body, "https://utsending.fjordvik.example/driftsstatus\n") || !strings.Contains(got[2].Body, "/min-side/varsler\n") ||
		!strings.HasSuffix(got[2].MessageID, "@utsending.fjordvik.example>") {
		t.Errorf("the lead reads %+v, want %q", got[2], want)
	}
	if said := r.chat.texts(); len(said) != 1 || !strings.HasPrefix(said[0], want) {
		t.Errorf("the chat reads %q", said)
	}
	another := r.another(t)
	r.pass(t, time.Minute)
	another.Pass(t.Context())
	if again := r.mail.letters(); len(again) > 0 {
		t.Errorf("told again: %+v", again)
	}
	t.Run("that comes and goes is told once", func(t *testing.T) {
		r.open(t)
		if list, err := registry.In(r.s).Alarms.List(t.Context(), r.now); err != nil || len(list) != 1 || list[0].Lasts() {
			t.Errorf("the page tells %+v, %v", list, err)
		}
		r.pass(t, 5*time.Minute)
		r.stop(t)
		if list, err := registry.In(r.s).Alarms.List(t.Context(), r.now); err != nil || len(list) != 1 || !list[0].Lasts() {
			t.Errorf("the page tells %+v, %v", list, err)
		}
		r.pass(t, time.Minute)
		if again := r.mail.letters(); len(again) > 0 {
			t.Errorf("told again: %+v", again)
		}
	})
	t.Run("is told to be over", func(t *testing.T) {
		r.open(t)
		r.pass(t, time.Minute)
		r.pass(t, dispatch.AlarmRest)
		got := r.mail.letters()
		if to := addresses(got); !slices.Equal(to, []string{"drift", "drift", "leder"}) || !strings.HasSuffix(got[0].Subject, "er åpnet igjen") {
			t.Errorf("told %+v", got)
		}
	})
}

// TestConditions: each kind of condition raises one alarm, a deadline one for each of its days.
func TestConditions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	subjects := func() (list []string) {
		for _, l := range r.mail.letters() {
			list = append(list, strings.TrimPrefix(l.Subject, "Utsending: "))
		}
		return list
	}
	name := "«" + r.Integration.Name + "»"
	expect := func(t *testing.T, want ...string) {
		t.Helper()
		if got := subjects(); !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	r.pass(t, time.Minute)
	expect(t)
	r.exec(t, `UPDATE delivery_guard SET paused_at = now()`)
	r.pass(t, time.Minute)
	expect(t, "Levering er satt på pause")
	r.Queue(t, r.s, storetest.ToPhone("90000100", "Hei"))
	r.exec(t, `UPDATE items SET due_at = $1, due_since = $1 WHERE state = 'queued'`, r.now.Add(-time.Hour))
	r.pass(t, time.Minute) // it waits because of the pause
	expect(t)
	r.exec(t, `UPDATE delivery_guard SET paused_at = NULL`)
	r.pass(t, time.Minute)
	expect(t, "Køen for integrasjonen "+name+" står. Den eldste har ventet i 62 minutter.")
	r.exec(t, `DELETE FROM items`)
	r.pass(t, dispatch.AlarmRest+2*time.Minute)
	if got := subjects(); !slices.Contains(got, "Køen for integrasjonen "+name+" går igjen") || !slices.Contains(got, "Levering er startet igjen") || len(got) != 2 {
		t.Errorf("told %q", got)
	}
	y, m, d := r.now.In(dispatch.Oslo).Date()
	end := time.Date(y, m, d+61, 12, 0, 0, 0, dispatch.Oslo) // at noon: summer time moves no day
	r.exec(t, `UPDATE credentials SET expires_at = $1`, end)
	r.exec(t, `INSERT INTO credentials (id, integration_id, state, method, sealed, expires_at) SELECT gen_random_uuid(), $1, 'active', 'client_secret', '\x00', $2
		WHERE NOT EXISTS (SELECT FROM credentials WHERE integration_id = $1)`, r.Integration.ID, end)
	r.pass(t, time.Minute)
	expect(t)
	for _, step := range []struct {
		before time.Duration
		days   string
	}{{60 * 24 * time.Hour, "60"}, {45 * 24 * time.Hour, ""}, {30 * 24 * time.Hour, "30"}, {7 * 24 * time.Hour, "7"}, {24 * time.Hour, "1"}, {-time.Hour, "over"}, {-24 * time.Hour, ""}} {
		r.now = end.Add(-step.before)
		r.pass(t, 0)
		switch step.days {
		case "":
			expect(t)
		case "over":
			expect(t, "Innloggingen til integrasjonen "+name+" er gått ut")
		default:
			expect(t, "Innloggingen til integrasjonen "+name+" går ut. Dager igjen: "+step.days)
		}
	}
}

// TestFailing: an account's team leads are notified when many recent items fail.
func TestFailing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.person(t, "leder", r.Account.ID, dispatch.RoleTeamLead, 1)
	r.now = time.Now()
	r.exec(t, `UPDATE sign_ins SET started_at = now()`)
	r.quiet(t)
	for range 12 {
		r.Queue(t, r.s, storetest.ToPhone("90000100", "Hei"))
	}
	r.exec(t, `UPDATE items SET state = 'rejected' WHERE id IN (SELECT id FROM items ORDER BY id LIMIT 9)`)
	r.pass(t, 6*time.Minute)
	if got := r.mail.letters(); len(got) > 0 {
		t.Errorf("nine failures are told: %+v", got)
	}
	r.exec(t, `UPDATE items SET state = 'rejected' WHERE state = 'queued' AND id IN (SELECT id FROM items WHERE state = 'queued' LIMIT 1)`)
	r.pass(t, 6*time.Minute)
	got := r.mail.letters()
	if to := addresses(got); !slices.Equal(to, []string{"drift", "leder"}) || got[1].Subject != "Utsending: Mye feiler på kontoen «"+r.Account.Name+"». 83 prosent av det som er laget de siste to timene." ||
		!strings.Contains(got[1].Body, "/k/oppvekst/oppfolging\n") {
		t.Errorf("told %+v", got)
	}
}

// TestFaultyServer: notices wait while a server fails temporarily, and end when it refuses for good.
func TestFaultyServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	hangs := make(chan struct{})
	t.Cleanup(func() { close(hangs) })
	fault := func() string {
		return r.read(t, `SELECT fault FROM notices WHERE channel = 'operators' ORDER BY created_at DESC LIMIT 1`)
	}
	state := func() string {
		return r.read(t, `SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN dropped_at IS NOT NULL THEN 'dropped' ELSE 'waiting' END FROM notices WHERE channel = 'operators' ORDER BY created_at DESC LIMIT 1`)
	}
	for _, tt := range []struct {
		name, fault, state string
		server             func()
	}{
		{"asks to come later", "later", "waiting", func() { r.mail.refuses = &smtp.SMTPError{Code: 451, Message: "later"} }},
		{"refuses", "refused", "dropped", func() { r.mail.refuses = &smtp.SMTPError{Code: 550, Message: "no such user drift@fjordvik.example"} }},
		{"refuses what it has read", "refused", "dropped", func() { r.mail.refuses, r.mail.after = nil, &smtp.SMTPError{Code: 554, Message: "spam"} }},
		{"takes it", "", "sent", func() { r.mail.after = nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r.exec(t, `DELETE FROM notices`)
			r.mail.set(tt.server)
			if err := registry.In(r.s).Notices.Try(t.Context(), store.Actor{User: r.User}, registry.ChannelOperators); err != nil {
				t.Fatal(err)
			}
			r.exec(t, `UPDATE notices SET next_at = $1, until = $2`, r.now, r.now.Add(3*time.Hour))
			r.pass(t, 0)
			if fault() != tt.fault || state() != tt.state {
				t.Errorf("it is %s with fault %q, want %s with %q", state(), fault(), tt.state, tt.fault)
			}
		})
	}
	t.Run("hangs, and is asked again a minute later", func(t *testing.T) {
		r.exec(t, `DELETE FROM notices`)
		if err := registry.In(r.s).Notices.Try(t.Context(), store.Actor{User: r.User}, registry.ChannelOperators); err != nil {
			t.Fatal(err)
		}
		r.exec(t, `UPDATE notices SET next_at = $1, until = $2`, r.now, r.now.Add(3*time.Hour))
		r.mail.set(func() { r.mail.hangs = hangs })
		impatient := r.impatient(t)
		impatient.Pass(t.Context())
		if fault() != "time" || state() != "waiting" {
			t.Errorf("it is %s with fault %q", state(), fault())
		}
		r.mail.set(func() { r.mail.hangs = nil })
		r.pass(t, 30*time.Second)
		if state() != "waiting" {
			t.Error("it was not left alone")
		}
		r.pass(t, time.Minute)
		if state() != "sent" {
			t.Errorf("it is %s", state())
		}
	})
	t.Run("that is gone ends the day's news", func(t *testing.T) {
		r.exec(t, `DELETE FROM notices`)
		if err := registry.In(r.s).Notices.Try(t.Context(), store.Actor{User: r.User}, registry.ChannelOperators); err != nil {
			t.Fatal(err)
		}
		r.exec(t, `UPDATE notices SET next_at = $1, until = $1`, r.now)
		r.pass(t, 2*time.Hour)
		if state() != "dropped" {
			t.Errorf("it is %s", state())
		}
	})
}

// impatient is a notifier with short timeouts.
func (r *rig) impatient(t *testing.T) *notify.Notifier {
	t.Helper()
	return r.with(t, func(o *notify.Options) { o.SendTime = 200 * time.Millisecond })
}

// TestDigest: on the morning of a working day each user gets one digest of open follow-ups, or none if there are none.
func TestDigest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.person(t, "tom", r.Account.ID, dispatch.RoleCaseworker, 1)
	kari := r.person(t, "kari", r.Account.ID, dispatch.RoleCaseworker, 1)
	r.quiet(t)
	ids := make([]dispatch.ItemID, 4)
	for i := range ids {
		ids[i] = r.Queue(t, r.s, storetest.ToPhone("90000100", "Hei Ola"))
	}
	r.exec(t, `UPDATE items SET state = 'rejected'`)
	r.exec(t, `UPDATE follow_ups SET since = $1`, r.now.Add(-time.Hour))
	r.exec(t, `UPDATE items SET created_by = $1 WHERE id <> $2`, kari.User, ids[3])
	r.exec(t, `UPDATE follow_ups SET since = $1 WHERE item_id = $2`, r.now.AddDate(0, 0, -9), ids[0])
	r.exec(t, `UPDATE follow_ups SET owner_id = $1, due_on = '2026-11-26' WHERE item_id = $2`, kari.User, ids[3]) // taken from a colleague
	r.exec(t, `UPDATE follow_ups SET owner_id = $1 WHERE item_id = $2`, r.User, ids[1])                           // taken by a colleague
	r.pass(t, 29*time.Minute)
	if got := r.mail.letters(); len(got) > 0 {
		t.Fatalf("too early: %+v", got)
	}
	r.pass(t, time.Minute)
	another := r.another(t)
	another.Pass(t.Context())
	r.pass(t, time.Minute)
	got := r.mail.letters()
	if len(got) != 1 || got[0].To != "kari@fjordvik.example" || got[0].Subject != "Utsending: 3 å følge opp" {
		t.Fatalf("got %+v", got)
	}
	want := r.Account.Name + ":\n- Nye feil siden forrige arbeidsdag: 1\n- Med frist i dag eller før: 1\n- Å følge opp i alt: 3\nhttps://utsending.fjordvik.example/k/oppvekst/oppfolging\n\n" +
		"Du får dette fordi du har valgt det. Endre det her:\nhttps://utsending.fjordvik.example/min-side/varsler\n"
	if got[0].Body != want {
		t.Errorf("got\n%s\nwant\n%s", got[0].Body, want)
	}
	for _, personal := range []string{"Ola", "90000100", "Hei", string(ids[0])} {
		if strings.Contains(got[0].Body+got[0].Subject, personal) {
			t.Errorf("the mail tells %s", personal)
		}
	}
	for name, day := range map[string]time.Time{"Saturday": morning.AddDate(0, 0, 2), "Christmas Day": time.Date(2026, 12, 25, 7, 0, 0, 0, time.UTC)} {
		r.now = day.Add(2 * time.Hour)
		r.pass(t, 0)
		if got := r.mail.letters(); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	t.Run("stops with the role", func(t *testing.T) {
		r.now = time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)
		r.exec(t, `DELETE FROM role_mappings WHERE claim_value = 'kari'`)
		r.pass(t, 0)
		if got := r.mail.letters(); len(got) > 0 {
			t.Errorf("got %+v", got)
		}
	})
}

// TestForgottenAddress: the address of a user who no longer logs in is deleted.
func TestForgottenAddress(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.person(t, "sluttet", r.Account.ID, dispatch.RoleTeamLead, 91)
	r.person(t, "borte", r.Account.ID, dispatch.RoleTeamLead, 89)
	r.pass(t, 0)
	if got := r.read(t, `SELECT string_agg(u.name, ' ') FROM mail_choices m JOIN users u ON u.id = m.user_id`); got != "borte" {
		t.Errorf("addresses are kept of %s", got)
	}
}

// TestFaultyChat: the webhook's address is a secret that no fault tells.
func TestFaultyChat(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for status, want := range map[int]string{200: "", 302: "refused", 404: "refused", 429: "later", 503: "later"} {
		r.exec(t, `DELETE FROM notices`)
		r.chat.mu.Lock()
		r.chat.status = status
		r.chat.mu.Unlock()
		if err := registry.In(r.s).Notices.Try(t.Context(), store.Actor{User: r.User}, registry.ChannelWebhook); err != nil {
			t.Fatal(err)
		}
		r.exec(t, `UPDATE notices SET next_at = $1, until = $2`, r.now, r.now.Add(3*time.Hour))
		r.pass(t, 0)
		if got := r.read(t, `SELECT fault FROM notices`); got != want {
			t.Errorf("%d: fault %q, want %q", status, got, want)
		}
	}
}

func TestParseMail(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"smtp://post.example.no": "smtp://post.example.no:587", "smtps://utsending@post.example.no": "smtps://post.example.no:465", "smtp+plain://10.0.0.5:2525": "smtp+plain://10.0.0.5:2525",
		"post.example.no:25": "", "http://post.example.no": "", "smtp://": "", "smtp://u:hemmelig@post.example.no": "", "smtp://post.example.no:0": "", "smtp://post.example.no/x": "",
	} {
		m, err := notify.ParseMail(address)
		got := ""
		if err == nil {
			got = m.String()
		}
		if got != want {
			t.Errorf("%s: %q, %v, want %q", address, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hemmelig") {
			t.Error("the error tells the password")
		}
	}
}

// TestAlarmEnds: an alarm ends when its condition does, not when the watch looks next.
func TestAlarmEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.exec(t, `UPDATE delivery_guard SET paused_at = now()`)
	r.exec(t, `UPDATE integrations SET stopped_at = now(), refused_at = now() WHERE id = $1`, r.Integration.ID)
	r.pass(t, time.Minute)
	r.exec(t, `UPDATE alarms SET began_at = now() - interval '2 hours', seen_at = now() - interval '1 hour'`)
	r.exec(t, `UPDATE delivery_guard SET paused_at = NULL`)
	r.exec(t, `UPDATE integrations SET stopped_at = NULL, refused_at = NULL WHERE id = $1`, r.Integration.ID)
	list, err := registry.In(r.s).Alarms.List(t.Context(), r.now)
	if err != nil || len(list) != 3 {
		t.Fatalf("got %+v, %v", list, err)
	}
	for _, a := range list {
		if a.Lasts() || a.Ended.Sub(a.Began) < 110*time.Minute {
			t.Errorf("%s lasted from %s to %s", a.Kind, a.Began, a.Ended)
		}
	}
}

// TestAlarmBeginsWithItsCondition: an alarm began when its condition did, not when the watch saw it.
func TestAlarmBeginsWithItsCondition(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.exec(t, `UPDATE integrations SET refused_at = $2 WHERE id = $1`, r.Integration.ID, r.now.Add(-50*time.Second))
	began := func(t *testing.T) time.Time {
		t.Helper()
		list, err := registry.In(r.s).Alarms.List(t.Context(), r.now)
		if err != nil || len(list) != 1 {
			t.Fatalf("got %+v, %v", list, err)
		}
		return list[0].Began
	}
	unseen := began(t)
	r.pass(t, time.Minute)
	if seen := began(t); !seen.Equal(unseen) {
		t.Errorf("it began %s before the watch looked, and %s after", unseen, seen)
	}
}
