package handlers_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// settings gives the account oppvekst its SMS settings, as an administrator's form does.
func (s *site) settings(t *testing.T, pairs ...string) *answer {
	t.Helper()
	b := s.browser(t, systemAdmin)
	const at = "/admin/kontoer/oppvekst"
	page := b.get(at).page(t)
	form := fields(pairs...)
	for _, name := range []string{"versjon", "navn", "angre", "sms-konto-id", "avsender", "avgivende-system"} {
		form.Set(name, page.Find("[name="+name+"]").First().AttrOr("value", ""))
	}
	form.Set("sms-integrasjon", string(s.oppvekst.Integration.ID))
	got := b.post(at, form)
	return &got
}

func TestReplacingLookalikes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "«Hei» – til Láilá …")
	page := b.post("/k/oppvekst/sms/ny", fields(append(filled, "bytt", "true", "skjul", "true", "dag", "24.12.2036")...))
	if page.StatusCode != http.StatusOK {
		t.Fatalf("got %d, want the form", page.StatusCode)
	}
	doc := page.page(t)
	if got := strings.TrimPrefix(doc.Find("#tekst").Text(), "\n"); got != `"Hei" - til Láilá ...` {
		t.Errorf("the text is %q", got)
	}
	if doc.Find("#telefonnummer").AttrOr("value", "") != "90000123" || doc.Find("#skjul[checked]").Length() != 1 || doc.Find("#dag").AttrOr("value", "") != "24.12.2036" {
		t.Error("the rest of the form is not as typed")
	}
	if got := doc.Find("#sms-varsel code").Text(); got != "á" || doc.Find("[data-sms-bytt]").Length() != 0 {
		t.Errorf("still costly: %q", got)
	}
	if got := b.get("/k/oppvekst/sms/ny").page(t).Find("main").Text(); strings.Contains(got, "Den siste SMS-en du så over, er ikke sendt") {
		t.Error("a draft was stored")
	}
	t.Run("on a draft that is changed", func(t *testing.T) {
		at := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, message("Hei – du"))) + "/endre"
		_, again := form("90000123", "Hei – du")
		got := b.post(at, fields(append(again, "bytt", "true")...)).page(t)
		if text := strings.TrimPrefix(got.Find("#tekst").Text(), "\n"); text != "Hei - du" || got.Find("form[data-sms]").AttrOr("action", "") != at {
			t.Errorf("got %q on a form to %q", text, got.Find("form[data-sms]").AttrOr("action", ""))
		}
	})
}

func TestWarningsNeverStop(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if got := s.settings(t, "ord", "rus\n\nPsykisk helse"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	b := s.browser(t, caseworker)
	const text = "Møte om RUS. Nummeret er 128478 00028. Se skole.example.no."
	part := b.post("/k/oppvekst/sms/teller", fields("tekst", text), fragment("sms-teller")...).page(t).Find("#sms-advarsler")
	if got := part.Find("li").Length(); got != 4 || strings.Contains(part.Text(), "00028") {
		t.Errorf("got %d warnings: %q", got, part.Text())
	}
	_, filled := form("90000123", text)
	review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	if got := b.get(review).page(t).Find("#sms-advarsler li").Length(); got != 4 {
		t.Errorf("got %d warnings on the review", got)
	}
	if got := b.send(strings.TrimSuffix(review, "/kontroll")).StatusCode; got != http.StatusSeeOther {
		t.Errorf("sending: got %d", got)
	}
	if _, hidden := b.post("/k/oppvekst/sms/teller", fields("tekst", "Hilsen Fjordvik kommune"), fragment("sms-teller")...).page(t).Find("#sms-advarsler").Attr("hidden"); !hidden {
		t.Error("a text without anything is warned about")
	}
}

// TestUndoIsCountedDown: who has just sent sees how long it can be undone, and the button that does it.
func TestUndoIsCountedDown(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	a := s.oppvekst.Account
	a.UndoWindow = time.Minute
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "Hei fra Fjordvik")
	draft := strings.TrimSuffix(b.post("/k/oppvekst/sms/ny", fields(filled...)).location(), "/kontroll")
	page := b.get(b.send(draft).location()).page(t).Find("#sms")
	left, err := strconv.Atoi(page.Find("[data-nedtelling]").AttrOr("data-nedtelling", ""))
	if tag := strings.TrimSpace(page.Find(".ds-tag").Text()); err != nil || left < 1 || left > 60 || tag != "Sendes straks" {
		t.Errorf("the page says %q and counts %d (%v)", tag, left, err)
	}
	if got := page.Find("form[action$='/avbryt'] button").Text(); got != "Angre" {
		t.Errorf("the button says %q", got)
	}
}

func TestPlannedSMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	tomorrow := time.Now().In(dispatch.Oslo).AddDate(0, 0, 1)
	day := tomorrow.Format("02.01.2006")
	_, filled := form("90000123", "Hei fra Fjordvik")
	review := b.post("/k/oppvekst/sms/ny", fields(append(filled, "dag", day, "klokkeslett", "12.00")...)).location()
	if got := b.get(review).page(t).Find("#planlagt").Text(); !strings.Contains(got, "kl. 12.00") {
		t.Errorf("the review says %q", got)
	}
	item := b.send(strings.TrimSuffix(review, "/kontroll")).location()
	if got := b.get(item).page(t).Find("#sms .ds-tag").Text(); strings.TrimSpace(got) != "Planlagt" {
		t.Errorf("got %q", got)
	}
	id := dispatch.ItemID(item[strings.LastIndex(item, "/")+1:])
	due := func() string {
		return s.oppvekst.Item(t, s.store, id).DueSince.In(dispatch.Oslo).Format("02.01.2006 15.04")
	}
	if got := due(); got != day+" 12.00" {
		t.Errorf("due %s", got)
	}
	t.Run("gets another time", func(t *testing.T) {
		page := b.get(item + "/tidspunkt").page(t)
		if page.Find("#dag").AttrOr("value", "") != day || page.Find("#klokkeslett").AttrOr("value", "") != "12.00" {
			t.Error("the form does not show the time")
		}
		wrong := b.post(item+"/tidspunkt", fields("dag", day, "klokkeslett", "25"))
		if got := problems(t, wrong)["klokkeslett"]; wrong.StatusCode != http.StatusUnprocessableEntity || got == "" {
			t.Errorf("got %d %q", wrong.StatusCode, got)
		}
		if got := b.post(item+"/tidspunkt", fields("dag", day, "klokkeslett", "13:30")).location(); got != item || due() != day+" 13.30" {
			t.Errorf("got %q, due %s", got, due())
		}
		if got := flash(b.get(item).page(t)); got != "Tidspunktet er endret" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("is stopped", func(t *testing.T) {
		b.post(item+"/avbryt", fields())
		if got := s.state(t, id); got != dispatch.StateCancelled {
			t.Errorf("got %s", got)
		}
		if got := b.get(item + "/tidspunkt").location(); got != item {
			t.Errorf("its time leads to %q", got)
		}
	})
	t.Run("whose time passes as a draft is not sent", func(t *testing.T) {
		m := message("Hei")
		m.SendAt = time.Now().Add(-time.Minute)
		at := "/k/oppvekst/sms/" + string(s.draft(t, caseworker, m))
		if got := b.post(at+"/send", fields()).location(); got != at+"/endre" {
			t.Errorf("got %q", got)
		}
		if got := problems(t, b.get(at+"/endre"))["dag"]; !strings.HasPrefix(got, "Tidspunktet er passert.") {
			t.Errorf("got %q", got)
		}
	})
}

func TestDaytimeIsToldOnReview(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	from := time.Now().In(dispatch.Oslo).Add(12 * time.Hour)
	open, closed := from.Format("15.04"), from.Add(time.Minute).Format("15.04")
	if closed == "00.00" {
		closed = "24.00"
	}
	if got := s.settings(t, "sendes-fra", open, "sendes-til", closed); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	b := s.browser(t, caseworker)
	_, filled := form("90000123", "Hei fra Fjordvik")
	review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	if got := b.get(review).page(t).Find("#planlagt").Text(); !strings.Contains(got, "Kontoen sender SMS mellom kl. "+open) {
		t.Errorf("the review says %q", got)
	}
	_, urgent := form("90000123", "Hei fra Fjordvik")
	review = b.post("/k/oppvekst/sms/ny", fields(append(urgent, "haster", "true")...)).location()
	if n := b.get(review).page(t).Find("#planlagt").Length(); n != 0 {
		t.Error("the urgent one is planned")
	}
}

func TestQuotaStopsSending(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if got := s.settings(t, "grense", "2"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	b := s.browser(t, caseworker)
	send := func(text string) (string, answer) {
		_, filled := form("90000123", text)
		review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
		return review, b.send(strings.TrimSuffix(review, "/kontroll"))
	}
	if _, got := send("Hei"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the first: got %d", got.StatusCode)
	}
	if got := b.get("/k/oppvekst/sms/ny").page(t).Find("#sms-teller").Text(); !strings.Contains(got, "1 av 2 SMS-deler brukt") {
		t.Errorf("the form says %q", got)
	}
	review, stopped := send(strings.Repeat("x", 161))
	if got := problems(t, stopped)["kvote"]; stopped.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got, "En administrator kan heve grensen.") {
		t.Fatalf("got %d %q", stopped.StatusCode, got)
	}
	if got := b.get(review).page(t).Find("#kvote").Text(); !strings.Contains(got, "1 av 2") {
		t.Errorf("the review says %q", got)
	}
	s.settings(t, "grense", "3")
	if got := b.send(strings.TrimSuffix(review, "/kontroll")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("after the limit was raised: got %d", got.StatusCode)
	}
}

// TestCostBeforeSending: the form and the review say what an SMS costs and what is left of the budget; where the account asks for
// a lead, a caseworker is stopped and a lead is not.
func TestCostBeforeSending(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if got := s.settings(t, "pris-sms", "0,45", "budsjett", "1", "budsjett-regel", "lead"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	send := func(b *browser, text string) (string, answer) {
		_, filled := form("90000123", text)
		review := b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
		return review, b.send(strings.TrimSuffix(review, "/kontroll"))
	}
	b := s.browser(t, caseworker)
	wantWords(t, b.post("/k/oppvekst/sms/teller", fields("tekst", strings.Repeat("x", 161)), fragment("sms-teller")...), "Pris 0,90 kr", "0,00 kr av 1,00 kr brukt", "lite igjen")
	review, got := send(b, strings.Repeat("x", 161))
	if got.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s: got %d", review, got.StatusCode)
	}
	review, got = send(b, "Hei")
	if says := problems(t, got)["kostnad"]; got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(says, "teamleder") {
		t.Errorf("got %d %q", got.StatusCode, says)
	}
	wantWords(t, b.get(review), "Pris etter kontoens priser: 0,45 kr", "0,90 kr av budsjettet på 1,00 kr", "Bare en teamleder kan sende")
	if _, got := send(s.browser(t, teamLead), "Hei"); got.StatusCode != http.StatusSeeOther {
		t.Errorf("a lead: got %d", got.StatusCode)
	}
	s.settings(t, "pris-sms", "0", "budsjett", "1", "budsjett-regel", "stop")
	if _, got := send(b, "Hei"); got.StatusCode != http.StatusSeeOther {
		t.Errorf("an SMS that costs nothing: got %d", got.StatusCode)
	}
	wantWords(t, b.get("/k/oppvekst/sms/ny"), "Pris 0,00 kr")
	if got := s.settings(t, "budsjett", "mye"); problems(t, *got)["budsjett"] == "" {
		t.Error("a budget that is no number is kept")
	}
}

func TestAccountSMSSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, test := range []struct {
		field string
		form  []string
	}{
		{"sendes-fra", []string{"sendes-fra", "08.00"}}, {"sendes-fra", []string{"sendes-fra", "20.00", "sendes-til", "08.00"}},
		{"sendes-fra", []string{"sendes-fra", "x", "sendes-til", "08.00"}}, {"sendes-fra", []string{"sendes-til", "0"}},
		{"grense", []string{"grense", "0"}}, {"grense", []string{"grense", "-5"}}, {"grense", []string{"grense", "mange"}},
		{"ord", []string{"ord", strings.Repeat("x", 61)}},
	} {
		got := s.settings(t, test.form...)
		if says := problems(t, *got)[test.field]; got.StatusCode != http.StatusUnprocessableEntity || says == "" {
			t.Errorf("%q: got %d %q", test.form, got.StatusCode, says)
		}
	}
	s.settings(t, "grense", "10 000", "sendes-fra", "8", "sendes-til", "24", "ord", "rus\r\n rus \r\nA+")
	page := s.browser(t, systemAdmin).get("/admin/kontoer/oppvekst").page(t)
	for field, want := range map[string]string{"grense": "10000", "sendes-fra": "08.00", "sendes-til": "24.00"} {
		if got := page.Find("#"+field).AttrOr("value", ""); got != want {
			t.Errorf("%s: got %q, want %q", field, got, want)
		}
	}
	if got := strings.TrimPrefix(page.Find("#ord").Text(), "\n"); got != "rus\nA+" {
		t.Errorf("got words %q", got)
	}
}
