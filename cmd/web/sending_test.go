package main_test

import (
	"net/url"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// sendsBothWays goes from the login to Levert, by phone number and by national identity number.
func sendsBothWays(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{jsonLog: true})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	v.Go("/")
	v.wantHeading("Oversikt")
	v.wantText("main", "Ingenting er sendt ennå.")
	v.glance("overview-empty")
	v.Go("/k/oppvekst/sms")
	v.wantText("main", "Ingen har sendt noe fra denne kontoen ennå.")
	v.glance("list-empty")

	v.ClickText("link", "Ny SMS")
	v.wantHeading("Ny SMS")
	v.glance("new")
	byPhone := toPhone("120", "Timen din er flyttet til fredag kl. 10.")
	v.fill(byPhone)
	v.WaitText("#sms-linje", "1 SMS-del")
	long := byPhone.text + strings.Repeat(" Ta kontakt på telefon hvis det ikke passer.", 4)
	v.Fill("#tekst", long)
	v.WaitText("#sms-linje", "2 SMS-deler")
	v.WaitText("#sms-teller", "2 SMS-deler")
	v.wantText("[data-sms-visning]", long)
	v.wantText("#telefonnummer-s", "Norsk mobilnummer.")
	v.Fill("#tekst", byPhone.text)
	v.WaitText("#sms-linje", "1 SMS-del")
	v.look("new-filled-in")
	v.ClickText("button", "Se over og send")
	v.wantHeading("Se over og send")
	v.wantText("main", strings.ReplaceAll(dispatch.Phone(byPhone.phone).Grouped(), "\u00a0", " "))
	v.wantText(".bubble", byPhone.text)
	v.wantText("main", "Sendes fra kontoen Oppvekst og utdanning.")
	v.glance("review-phone")
	v.ClickText("button", "Send SMS")
	v.awaitTag("Levert")
	v.wantText("[role=status]", "Meldingen er tatt imot for sending") // a reload would have removed it
	v.wantText(".timeline", "Tatt imot av tjenesten")
	v.look("item-delivered")

	byID := message{nationalID: nationalID(), text: text("Brevet ditt er kommet – «hent» det.")}
	v.Go("/k/oppvekst/sms/ny")
	v.fill(byID)
	v.WaitText("#sms-varsel code", "–")
	v.wantText("#fnr-s", "Gyldig fødselsnummer.")
	v.look("new-costly")
	v.ClickText("button", "Se over og send")
	v.wantText("main", strings.ReplaceAll(dispatch.NationalID(byID.nationalID).Grouped(), "\u00a0", " "))
	v.glance("review-national-id")
	v.ClickText("button", "Send SMS")
	v.awaitTag("Levert")
	v.glance("item-national-id")

	v.ClickText("link", "SMS")
	for _, m := range []message{byPhone, byID} {
		v.wantText("tbody", m.text[:40])
		s.wantBooked(t, m, 1)
	}
	if n := v.Count("tbody .ds-tag[data-color=success]"); n != 2 {
		t.Errorf("%d of the list are delivered, want 2", n)
	}
	v.look("list")
	if n := len(s.sim.Books()); n != 2 {
		t.Errorf("the service has accepted %d SMS, want 2", n)
	}
	if got := s.sim.Violations(); len(got) > 0 {
		t.Errorf("the service complains: %q", got)
	}
}

// sendsWithoutScript does the same without script: both number fields are visible, and the page changes when it is reloaded.
func sendsWithoutScript(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{undo: time.Second})
	v := s.drawn(t, b, withoutScript).loggedIn("kari")
	v.Go("/")
	v.ClickText("link", "Ny SMS")
	v.look("new-without-script")
	m := toPhone("120", "Uten skript.")
	v.Fill("#telefonnummer", m.phone)
	v.Fill("#tekst", m.text)
	v.Check("#skjul")
	m.hide = true
	v.ClickText("button", "Se over og send")
	v.wantText("main", "Du kan angre i 1 sekund")
	v.look("review-without-script")
	v.ClickText("button", "Send SMS")
	v.wantText("[role=status]", "Meldingen er tatt imot for sending")
	eventually(t, "the page tells that the SMS is delivered", func() bool {
		if v.Text("#sms .ds-tag") == "Levert" {
			return true
		}
		v.ClickText("link", "Oppdater siden")
		return false
	})
	v.wantText("main", "Teksten er skjult")
	v.wantNone("[data-live] a.no-js:not([hidden])")
	v.look("item-without-script")
	v.ClickText("link", "SMS")
	v.wantUnseen(m.text, m.phone)
	s.wantBooked(t, m, 1)

	v.Click("[popovertarget=menu-bruker]")
	v.ClickText("button", "Logg ut")
	v.wantHeading("Du er logget ut")
}

// survivesSecondTries double-clicks, reloads and goes back; the SMS is sent once.
func survivesSecondTries(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	m := toPhone("120", "Bare én gang.")
	v.review(s.oppvekst, m)

	v.Back() // the form is left with a draft on the server
	v.wantHeading("Ny SMS")
	v.WaitText(".notice", "Den siste SMS-en du så over, er ikke sendt.")
	v.glance("new-draft-waits")
	v.ClickText("link", "Fortsett på utkastet")
	v.wantText(".bubble", m.text)
	v.ClickText("link", "Endre")
	v.wantHeading("Endre SMS")
	if got := v.Value("#tekst") + v.Value("#telefonnummer"); got != m.text+m.phone {
		t.Errorf("the form holds %q, want what was typed", got)
	}
	v.glance("edit")
	v.ClickText("button", "Se over og send")

	v.ClickText("button", "Send SMS")
	id := v.itemID()
	v.awaitTag("Levert")
	v.Reload()
	v.wantNone("[role=status]")
	v.Back() // to the review page, which redirects to the sent item
	v.wantText("[role=status]", "Denne er allerede tatt imot for sending.")
	if got := v.itemID(); got != id {
		t.Errorf("Back leads to %s, want the item %s", got, id)
	}
	v.glance("item-already-sent")
	for range 2 { // to the form of the draft, and to the first review page
		v.Back()
		if got := v.itemID(); got != id {
			t.Errorf("Back leads to %s, want the item %s", got, id)
		}
	}
	v.Back()
	v.wantHeading("Ny SMS")
	if got := v.Value("#tekst"); got != m.text {
		t.Errorf("the form holds %q, want what was typed", got)
	}
	v.ClickText("button", "Se over og send") // without a recipient, since browsers restore none
	v.wantText(".ds-error-summary", "Skriv inn")
	v.Go("/k/oppvekst/sms/" + string(id) + "/endre")
	v.wantText("[role=status]", "Meldingen er allerede endret eller sendt.")
	v.Go("/k/oppvekst/sms/ny")
	v.wantNone(".notice:not([hidden])")
	s.polls(t, s.oppvekst, "amir")
	s.wantBooked(t, m, 1)
	if n := s.calls(m.phone); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

// survivesManyClicks posts the same form and the same Send many times concurrently, as an impatient user does.
func survivesManyClicks(t *testing.T, _ *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	c := s.caller(t, "kari")
	m := toPhone("120", "Klikk, klikk.")
	form := url.Values{"nokkel": {uuid.NewString()}, "mottaker": {"telefonnummer"}, "telefonnummer": {m.phone}, "tekst": {m.text}}
	reviews := c.postAtOnce(6, "/k/oppvekst/sms/ny", form)
	item := strings.TrimSuffix(reviews[0], "/kontroll")
	for _, to := range reviews {
		if to != reviews[0] || item == to {
			t.Fatalf("the form leads to %q, want one review page", reviews)
		}
	}
	_, review := c.get(reviews[0])
	_, after, _ := strings.Cut(review, `name="sett" value="`)
	seen, _, _ := strings.Cut(after, `"`)
	for _, to := range append(c.postAtOnce(6, item+"/send", url.Values{"sett": {seen}}), c.postAtOnce(3, "/k/oppvekst/sms/ny", form)...) {
		if to != item {
			t.Errorf("leads to %s, want %s", to, item)
		}
	}
	s.await(t, s.oppvekst, dispatch.ItemID(path.Base(item)), dispatch.StateAccepted)
	s.polls(t, s.oppvekst, "amir")
	s.wantBooked(t, m, 1)
}

// stopsWithinTheWindow stops an SMS within the undo window, and makes a new draft from it.
func stopsWithinTheWindow(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{undo: time.Hour}) // longer than any test
	v := s.as(t, b, withoutScript, "kari")
	m := toPhone("120", "Denne angrer jeg på.")
	id := v.send(s.oppvekst, m)
	v.awaitTag("Planlagt")
	v.glance("item-planned")
	v.ClickText("button", "Stopp sendingen")
	v.awaitTag("Stoppet")
	v.wantText("#sms", "Stoppet av Kari Nordmann før den ble sendt.")
	v.glance("item-cancelled")
	if _, err := storetest.DB(t, s.database).ExecContext(t.Context(), `UPDATE items SET due_at = now() - interval '1 minute' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	s.setAccount(t, func(a *dispatch.Account) { a.UndoWindow = time.Second })

	v.ClickText("button", "Lag en ny SMS av denne")
	v.wantHeading("Endre SMS")
	if got := v.Value("#tekst") + v.Value("#telefonnummer"); got != m.text+m.phone {
		t.Errorf("the copy holds %q", got)
	}
	v.ClickText("button", "Se over og send")
	v.ClickText("button", "Send SMS")
	if v.itemID() == id {
		t.Error("the copy is the same item")
	}
	v.awaitTag("Levert") // the undo window of the first one has passed as well
	s.wantBooked(t, m, 1)
	if n := s.calls(m.phone); n != 1 {
		t.Errorf("%d calls, want the copy's alone", n)
	}
	if state := s.item(t, s.oppvekst, id).State; state != dispatch.StateCancelled {
		t.Errorf("the stopped one is %s", state)
	}
}
