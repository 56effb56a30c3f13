package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/handlers"
	"utsending/internal/store/registry"
)

// chat is a chat's webhook that answers what it is told to.
type chat struct {
	url string

	mu     sync.Mutex
	status int
	answer string
	said   []string
}

func startChat(t *testing.T) *chat {
	t.Helper()
	c := &chat{status: http.StatusOK, answer: "ok"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			Text string `json:"text"`
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if json.NewDecoder(r.Body).Decode(&m) == nil {
			c.said = append(c.said, m.Text)
		}
		w.WriteHeader(c.status)
		_, _ = w.Write([]byte(c.answer))
	}))
	t.Cleanup(server.Close)
	c.url = server.URL + "/services/hemmelig"
	return c
}

// TestAccountAlarms: an account's administrator, and the system's, set when much fails and the account's own chat, which is a secret.
func TestAccountAlarms(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for name, at := range map[string]struct{ who, path string }{
		"the account's administrator": {accountAdmin, "/k/oppvekst/innstillinger/varsler"},
		"the system's administrator":  {systemAdmin, "/admin/kontoer/oppvekst/varsler"},
	} {
		t.Run(name, func(t *testing.T) {
			s.accountAlarms(t, s.browser(t, at.who), at.path)
		})
	}
	if got, err := registry.In(s.store).AccountNotices.Of(t.Context(), s.helse.Account.ID); err != nil || got != (registry.AccountAlarms{}) {
		t.Errorf("the other account says %+v, %v", got, err)
	}
}

func (s *site) accountAlarms(t *testing.T, b *browser, path string) {
	t.Helper()
	stored := func() registry.AccountAlarms {
		t.Helper()
		a, err := registry.In(s.store).AccountNotices.Of(t.Context(), s.oppvekst.Account.ID)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for typed, field := range map[[2]string]string{
		{"0", ""}: dispatch.FieldFailingLeast, {"mange", ""}: dispatch.FieldFailingLeast, {"10001", ""}: dispatch.FieldFailingLeast,
		{"", "101"}: dispatch.FieldFailingPercent, {"", "-1"}: dispatch.FieldFailingPercent,
	} {
		form := fields(dispatch.FieldFailingLeast, typed[0], dispatch.FieldFailingPercent, typed[1])
		got := b.post(path+"/feil", form)
		if got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)[field] == "" {
			t.Errorf("%q answers %d with %v", typed, got.StatusCode, problems(t, got))
		}
		typedStill(t, got, form, dispatch.FieldFailingLeast, dispatch.FieldFailingPercent)
	}
	if got := b.post(path+"/feil", fields(dispatch.FieldFailingLeast, " 3 ", dispatch.FieldFailingPercent, "")); got.location() != path {
		t.Fatalf("limits: got %d", got.StatusCode)
	}
	if got := stored(); got.Failing != (dispatch.FailingRule{Least: 3}) || got.Chat {
		t.Errorf("stored %+v", got)
	}
	if got := formOf(b.get(path).page(t), path+"/feil"); got[dispatch.FieldFailingLeast] != "3" || got[dispatch.FieldFailingPercent] != "" {
		t.Errorf("the form shows %v", got)
	}

	c := startChat(t)
	for typed, key := range map[string]string{"": "Skriv adressen", "kanalen": "https://", "ftp://chat.example.com/x": "https://"} {
		got := b.post(path+"/chat", fields(dispatch.FieldChat, typed, dispatch.FieldChatFormat, "text"))
		if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(problems(t, got)[dispatch.FieldChat], key) {
			t.Errorf("%q answers %d with %v", typed, got.StatusCode, problems(t, got))
		}
	}
	if got := b.post(path+"/prov", fields()); got.location() != path { // there is none
		t.Errorf("a trial without a chat answers %d", got.StatusCode)
	}
	if got := b.post(path+"/chat", fields(dispatch.FieldChat, c.url, dispatch.FieldChatFormat, "text")); got.location() != path {
		t.Fatalf("chat: got %d", got.StatusCode)
	}
	if got := stored(); !got.Chat || got.Failing.Least != 3 {
		t.Errorf("stored %+v", got)
	}
	if page := b.get(path); strings.Contains(page.body, "hemmelig\"") || strings.Contains(page.body, c.url) {
		t.Error("the address is shown again")
	}

	got := b.post(path+"/prov", fields())
	if text := got.page(t).Find(".ds-alert").Text(); got.StatusCode != http.StatusOK || !strings.Contains(text, "Chatten tok imot prøvemeldingen") || !strings.Contains(text, "200") || !strings.Contains(text, "ok") {
		t.Errorf("got %d with %q", got.StatusCode, text)
	}
	c.mu.Lock()
	if len(c.said) != 1 || !strings.Contains(c.said[0], s.oppvekst.Account.Name) {
		t.Errorf("the chat reads %q", c.said)
	}
	c.status, c.answer = http.StatusGone, "channel_is_archived\x00<b>"
	c.mu.Unlock()
	got = b.post(path+"/prov", fields())
	if text := got.page(t).Find(".ds-alert").Text(); !strings.Contains(text, "kom ikke frem") || !strings.Contains(text, "410") || !strings.Contains(text, "channel_is_archived<b>") {
		t.Errorf("got %d with %q", got.StatusCode, text)
	}
	if line := s.auditDetails(t, "account_setup.chat_tried"); !strings.Contains(line, "410") || !strings.Contains(line, "refused") || strings.Contains(line, "hemmelig") {
		t.Errorf("the log says %s", line)
	}

	s.ahead.Store(int64(11 * time.Minute))
	if got := b.post(path+"/chat", fields("fjern", "true")); got.StatusCode != http.StatusForbidden || !stored().Chat {
		t.Errorf("an old login answers %d", got.StatusCode)
	}
	if page := b.get(path).page(t); page.Find("#"+dispatch.FieldChat).Length() != 0 || page.Find("#"+dispatch.FieldFailingLeast).Length() != 1 {
		t.Error("an old login sees the form of the secret, or not that of the limits")
	}
	s.ahead.Store(0)
	if got := b.post(path+"/chat", fields("fjern", "true")); got.location() != path || stored().Chat {
		t.Errorf("removing answers %d", got.StatusCode)
	}
	var stands string
	s.one(t, &stands, `SELECT (SELECT string_agg(details::text, ' ') FROM audit_events) || (SELECT string_agg(a::text, ' ') FROM account_alarms a)`)
	if strings.Contains(stands, "hemmelig") {
		t.Error("the database tells the address")
	}
	if strings.Contains(s.log.String(), "services/hemmelig") {
		t.Error("the server's log tells the address")
	}
}

// TestAccountChatInside: an account's chat is outside the installation's networks, unless the installation says otherwise.
func TestAccountChatInside(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{app: func(o handlers.Options) http.Handler {
		o.PrivateChats = false
		return handlers.New(o)
	}})
	b := s.browser(t, systemAdmin)
	for _, inside := range []string{"https://localhost/x", "https://10.0.0.5/x", "https://[::1]/x", "https://intranett/x"} {
		got := b.post("/admin/kontoer/oppvekst/varsler/chat", fields(dispatch.FieldChat, inside, dispatch.FieldChatFormat, "card"))
		if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(problems(t, got)[dispatch.FieldChat], "indre nett") {
			t.Errorf("%s answers %d with %v", inside, got.StatusCode, problems(t, got))
		}
	}
}
