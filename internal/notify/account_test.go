package notify_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/notify"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// chatOf gives an account a chat of its own.
func (r *rig) chatOf(t *testing.T, as storetest.Sample) *chat {
	t.Helper()
	c := startChat(t)
	if err := registry.In(r.s).AccountNotices.SaveChat(t.Context(), as.Account.ID, dispatch.Chat{Address: dispatch.Secret(c.URL), Format: dispatch.ChatText}, as.Actor); err != nil {
		t.Fatal(err)
	}
	return c
}

// failing makes items of an account, some of which are rejected.
func (r *rig) failing(t *testing.T, as storetest.Sample, made, failed int) {
	t.Helper()
	for range made {
		as.Queue(t, r.s, storetest.ToPhone("90000100", "Hei"))
	}
	r.exec(t, `UPDATE items SET state = 'rejected' WHERE id IN (SELECT id FROM items WHERE account_id = $1 AND state = 'queued' LIMIT $2)`, as.Account.ID, failed)
}

// TestAccountChat: what fails on an account is told in its own chat in place of the installation's, and in nobody else's.
func TestAccountChat(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	helse, kultur := storetest.NewSample(t, r.s, "helse"), storetest.NewSample(t, r.s, "kultur")
	ours, theirs := r.chatOf(t, r.Sample), r.chatOf(t, helse)
	r.now = time.Now()
	said := func() map[string]int {
		return map[string]int{"oppvekst": len(ours.texts()), "helse": len(theirs.texts()), "all": len(r.chat.texts())}
	}
	expect := func(t *testing.T, oppvekst, helse, all int) {
		t.Helper()
		if got := said(); got["oppvekst"] != oppvekst || got["helse"] != helse || got["all"] != all {
			t.Errorf("told %v, want %d, %d and %d", got, oppvekst, helse, all)
		}
	}
	r.failing(t, r.Sample, 12, 10)
	r.pass(t, 6*time.Minute)
	if texts := ours.texts(); len(texts) != 1 || !strings.Contains(texts[0], "Mye feiler på kontoen «"+r.Account.Name+"»") || !strings.Contains(texts[0], "/k/oppvekst/oppfolging") {
		t.Errorf("told %q", texts)
	}
	expect(t, 0, 0, 0)
	if mails := r.mail.letters(); len(mails) != 1 || mails[0].To != "drift@fjordvik.example" { // operators get every alarm all the same
		t.Errorf("told %+v", mails)
	}
	t.Run("an account without one is told in the installation's", func(t *testing.T) {
		r.failing(t, kultur, 12, 10)
		r.pass(t, 6*time.Minute)
		expect(t, 0, 0, 1)
	})
	t.Run("what concerns an integration is told to all who use it", func(t *testing.T) {
		r.stop(t) // oppvekst's
		r.pass(t, time.Minute)
		expect(t, 1, 0, 1)
		r.exec(t, `UPDATE delivery_guard SET paused_at = now()`)
		r.pass(t, time.Minute)
		expect(t, 1, 1, 1)
	})
	t.Run("a disabled account is told nothing", func(t *testing.T) {
		r.exec(t, `UPDATE accounts SET disabled_at = now() WHERE id = $1`, helse.Account.ID)
		r.exec(t, `DELETE FROM alarms`)
		r.pass(t, time.Minute)
		expect(t, 2, 0, 2)
	})
	t.Run("who opened what a protected person got is told in no chat", func(t *testing.T) {
		r.exec(t, `DELETE FROM alarms`)
		list := []dispatch.Condition{{Kind: dispatch.AlarmProtected, Account: r.Account.ID, Step: "2026-11-26"}}
		if err := registry.In(r.s).Alarms.SeeConditions(t.Context(), []dispatch.AlarmKind{dispatch.AlarmProtected}, list, registry.Channels{Webhook: true}, r.now); err != nil {
			t.Fatal(err)
		}
		if n := r.read(t, `SELECT count(*)::text FROM notices n JOIN alarms a ON a.id = n.alarm_id WHERE a.kind = 'protected'`); n != "0" {
			t.Errorf("%s notices", n)
		}
	})
	t.Run("a chat that was removed meanwhile is told nothing, and nobody waits for it", func(t *testing.T) {
		r.exec(t, `DELETE FROM alarms`)
		list := []dispatch.Condition{{Kind: dispatch.AlarmFailing, Account: r.Account.ID, Figure: 50}}
		if err := registry.In(r.s).Alarms.SeeConditions(t.Context(), []dispatch.AlarmKind{dispatch.AlarmFailing}, list, registry.Channels{Webhook: true}, r.now); err != nil {
			t.Fatal(err)
		}
		if err := registry.In(r.s).AccountNotices.SaveChat(t.Context(), r.Account.ID, dispatch.Chat{}, r.Actor); err != nil {
			t.Fatal(err)
		}
		said() // forgets
		r.pass(t, 0)
		if got := len(ours.texts()); got != 0 || r.read(t, `SELECT count(*)::text FROM notices WHERE channel = 'account' AND dropped_at IS NULL AND sent_at IS NULL`) != "0" {
			t.Errorf("told %d, or a notice waits", got)
		}
	})
}

// TestAccountFailingRule: an account's own limits hold for it, and for no other.
func TestAccountFailingRule(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	helse := storetest.NewSample(t, r.s, "helse")
	r.now = time.Now()
	r.failing(t, r.Sample, 20, 2)
	r.failing(t, helse, 20, 2)
	failing := func() (list []dispatch.AccountID) {
		t.Helper()
		found, err := registry.In(r.s).Alarms.FailingAccounts(t.Context(), r.now)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found {
			list = append(list, c.Account)
		}
		return list
	}
	for _, step := range []struct {
		rule dispatch.FailingRule
		want bool
	}{{dispatch.FailingRule{}, false}, {dispatch.FailingRule{Least: 2}, false}, {dispatch.FailingRule{Least: 2, Percent: 10}, true}, {dispatch.FailingRule{Least: 3, Percent: 10}, false}, {dispatch.FailingRule{Percent: 1}, false}} {
		if err := registry.In(r.s).AccountNotices.SaveFailingRule(t.Context(), r.Account.ID, step.rule, r.Actor); err != nil {
			t.Fatal(err)
		}
		got := failing()
		if step.want && (len(got) != 1 || got[0] != r.Account.ID) || !step.want && len(got) > 0 {
			t.Errorf("%+v: %v fail", step.rule, got)
		}
	}
}

// TestAccountChatInside: what a chat's name leads to is checked when it is called, and redirects are not followed.
func TestAccountChatInside(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.chatOf(t, r.Sample)
	public := r.with(t, func(o *notify.Options) { o.Private = false })
	answer, err := public.TryChat(i18ntest.InNorwegian(t), r.Account)
	if err != nil || answer != (dispatch.ChatAnswer{Fault: dispatch.FaultPrivate}) || len(c.texts()) > 0 {
		t.Errorf("got %+v, %v", answer, err)
	}
	for status, want := range map[int]dispatch.NoticeFault{200: dispatch.FaultNone, 302: dispatch.FaultRefused, 410: dispatch.FaultRefused, 429: dispatch.FaultLater, 500: dispatch.FaultLater} {
		c.mu.Lock()
		c.status = status
		c.mu.Unlock()
		answer, err := r.n.TryChat(i18ntest.InNorwegian(t), r.Account)
		if err != nil || answer.Fault != want || answer.Status != status {
			t.Errorf("%d: got %+v, %v", status, answer, err)
		}
	}
	if got := c.texts(); len(got) != 1 || !strings.Contains(got[0], r.Account.Name) {
		t.Errorf("the chat reads %q", got)
	}
	t.Run("and the notice is given up", func(t *testing.T) {
		list := []dispatch.Condition{{Kind: dispatch.AlarmFailing, Account: r.Account.ID, Figure: 50}}
		if err := registry.In(r.s).Alarms.SeeConditions(t.Context(), []dispatch.AlarmKind{dispatch.AlarmFailing}, list, registry.Channels{}, r.now); err != nil {
			t.Fatal(err)
		}
		public.Pass(t.Context())
		a, err := registry.In(r.s).AccountNotices.Of(t.Context(), r.Account.ID)
		if err != nil || a.Last.Sent || a.Last.Fault != dispatch.FaultPrivate || len(c.texts()) > 0 {
			t.Errorf("got %+v, %v", a.Last, err)
		}
	})
}
