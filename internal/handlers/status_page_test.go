package handlers_test

import (
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestStopWhileItIsSent: the wish to stop an item is kept while a call is under way, and its page says what became of it.
func TestStopWhileItIsSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.queued(t, caseworker, message("Skolen er stengt"))
	s.run(t, `UPDATE items SET state = 'sending', lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute' WHERE id = $1`, id)
	address := "/k/oppvekst/sms/" + string(id)
	if words := b.get(address).page(t).Find(".status form[action$='/avbryt'] button").Text(); strings.TrimSpace(words) != "Stopp hvis den ikke er sendt" {
		t.Errorf("the button says %q", words)
	}
	for range 2 {
		if got := b.post(address+"/avbryt", fields()); got.StatusCode != http.StatusSeeOther {
			t.Fatalf("got %d", got.StatusCode)
		}
		if got := flash(b.get(address).page(t)); got != "Vi stopper den hvis den ikke kom frem til tjenesten." {
			t.Errorf("the page says %q", got)
		}
	}
	wantWords(t, b.get(address), "ba i dag kl.", "Kom den ikke frem, prøver vi ikke igjen.", "Bedt om å stoppe")
	if n := s.audits(t, "item.stop_asked"); n != 1 {
		t.Errorf("the event log has %d lines, want one", n)
	}
	s.run(t, `UPDATE items SET state = 'queued', lease_token = NULL, lease_until = NULL WHERE id = $1`, id)
	if got := s.state(t, id); got != dispatch.StateCancelled {
		t.Fatalf("got %s", got)
	}
	wantWords(t, b.get(address), "Kari Nordmann ba om å stoppe den, og den er ikke sendt.")

	sent := s.queued(t, caseworker, message("En til"))
	s.run(t, `UPDATE items SET state = 'sending', lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute' WHERE id = $1`, sent)
	b.post("/k/oppvekst/sms/"+string(sent)+"/avbryt", fields())
	s.run(t, `UPDATE items SET state = 'accepted', upstream_id = gen_random_uuid(), accepted_at = now(), lease_token = NULL, lease_until = NULL WHERE id = $1`, sent)
	wantWords(t, b.get("/k/oppvekst/sms/"+string(sent)), "men tjenesten hadde allerede tatt imot.")
}

// TestFailedLetter: one act on top, offered to the lead too; nobody is advised to send again what is deleted.
func TestFailedLetter(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.acceptedShipment(t)
	address := "/k/oppvekst/forsendelser/" + string(id)
	s.run(t, `UPDATE items SET status = 'AVVIST', status_at = now(), settled_at = now() WHERE id = $1`, id)
	for _, who := range []string{caseworker, teamLead} {
		filled := s.browser(t, who).get(address).page(t).Find(".status .ds-button:not([data-variant])")
		if filled.Length() != 1 || strings.TrimSpace(filled.Text()) != "Rett og send på nytt" {
			t.Errorf("%s: the filled buttons say %q", who, filled.Text())
		}
	}
	worklist := func() string {
		return s.browser(t, caseworker).get("/k/oppvekst/oppfolging").page(t).Find("tbody").Text()
	}
	if got := worklist(); !strings.Contains(got, "Rett feilen og send på nytt.") {
		t.Errorf("the worklist does not advise: %s", got)
	}
	s.run(t, `UPDATE shipments SET content = '', recipient_name = '', title = '' WHERE item_id = $1`, id) // as the deletion leaves it
	if got := worklist(); !strings.Contains(got, "Noe i det vi sendte, ble ikke godtatt.") || strings.Contains(got, "send på nytt.") {
		t.Errorf("it advises to send again what is deleted: %s", got)
	}
}

// TestFailedSigning: a signing that failed is never beside something green, and a copy says so.
func TestFailedSigning(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.acceptedShipment(t)
	address := "/k/oppvekst/forsendelser/" + string(id)
	s.run(t, `UPDATE items SET status = 'LEST', status_at = now() WHERE id = $1`, id)
	s.run(t, `UPDATE shipments SET sign_by = now() - interval '1 day', signing_status = 'UTLOPT' WHERE item_id = $1`, id)
	b := s.browser(t, caseworker)
	for _, page := range []string{address, "/k/oppvekst/forsendelser"} {
		tags := b.get(page).page(t).Find(".status-now .ds-tag, tbody .ds-tag")
		if tags.Length() != 2 || tags.First().AttrOr("data-color", "") != "danger" || tags.Last().AttrOr("data-color", "") != "neutral" {
			t.Errorf("%s: %d tags, %q first in %s, then %s", page, tags.Length(), tags.First().Text(), tags.First().AttrOr("data-color", ""), tags.Last().AttrOr("data-color", ""))
		}
	}
	draft := b.post(address+"/kopier", fields("nokkel", uuid.NewString())).location()
	wantWords(t, b.get(draft), "Rett og send på nytt:", "Dette er en kopi av en forsendelse som ikke ble signert.", "Fristen for å signere gikk ut.", "Se hva som skjedde")
}

// TestUnsignedIsReplaced: a shipment that nobody signed is settled once a replacement has been sent. Sending a second replacement asks first.
func TestUnsignedIsReplaced(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.shipmentToSign(t, s.now().Add(72*time.Hour))
	const accepted = `UPDATE items SET state = 'accepted', accepted_at = now(), status = 'LEST', status_at = now(), upstream_id = gen_random_uuid() WHERE id = $1`
	s.run(t, accepted, id)
	s.run(t, `UPDATE shipments SET signing_status = 'UTLOPT', signing_at = now() WHERE item_id = $1`, id)
	b := s.browser(t, caseworker)
	address := "/k/oppvekst/forsendelser/" + string(id)
	const advice, worklist = "Send på nytt hvis signaturen fortsatt trengs.", "/k/oppvekst/oppfolging"
	wantWords(t, b.get(address), advice)
	wantWords(t, b.get(worklist), "Avtale")
	copied := func() string { return b.post(address+"/kopier", fields("nokkel", uuid.NewString())).location() }
	draft := copied()
	wantWords(t, b.get(address), "Du har et utkast som skal sendes i stedet")
	if text := b.get(draft + "/kontroll").page(t).Find("main").Text(); strings.Contains(text, "skal erstatte") {
		t.Errorf("nothing has been sent in its place: %q", text)
	}
	s.run(t, accepted, path.Base(draft))
	wantWords(t, b.get(address), "Laget i stedet: forsendelse fra")
	former, err := items.In(s.store).Origins.Relatives(t.Context(), s.oppvekst.Account.ID, dispatch.ItemID(path.Base(draft)))
	if err != nil || len(former) != 1 || former[0].ID != id || former[0].Signing != "UTLOPT" {
		t.Errorf("the new one does not know what became of the former: %+v, %v", former, err)
	}
	if text := b.get(address).page(t).Find("main").Text(); strings.Contains(text, advice) {
		t.Error("it advises to send again what has been sent again")
	}
	if text := b.get(worklist).page(t).Find("main").Text(); strings.Contains(text, "Avtale") {
		t.Errorf("the worklist says %q", text)
	}
	wantWords(t, b.get(copied()+"/kontroll"), "Noe er allerede laget i stedet for den som denne skal erstatte.")
}

// TestTimelineOfOneOrigin: a choice in the address shows the lines of one origin, and the part that refreshes itself keeps it.
func TestTimelineOfOneOrigin(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	address := "/k/oppvekst/sms/" + string(s.accepted(t, caseworker, message("Hei")))
	page := b.get(address + "?kilde=personer").page(t)
	if got := page.Find(".timeline").Text(); strings.Contains(got, "Tatt imot av tjenesten") || !strings.Contains(got, "Lagt i kø for sending") {
		t.Errorf("the timeline says %q", got)
	}
	if got := page.Find("#sms").AttrOr("data-live", ""); got != address+"?kilde=personer" {
		t.Errorf("it refreshes itself from %q", got)
	}
	if got := b.get(address + "?kilde=noe").page(t).Find(".timeline").Text(); !strings.Contains(got, "Tatt imot av tjenesten") {
		t.Errorf("an unknown origin hides %q", got)
	}
}

// TestWrongRecipient: what can still be stopped, and how.
func TestWrongRecipient(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.queued(t, caseworker, message("Til feil nummer"))
	got := b.get("/k/oppvekst/sms/" + string(id) + "/feil-mottaker")
	wantWords(t, got, "Feil mottaker?", "Den er ikke sendt ennå.")
	if got.page(t).Find("form[action$='/avbryt']").Length() != 1 {
		t.Error("it cannot be stopped there")
	}
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, id)
	again := s.queued(t, caseworker, message("Til feil nummer"))
	s.run(t, `UPDATE items SET origin_id = $2, origin_kind = 'replaces' WHERE id = $1`, again, id)
	if text := b.get("/k/oppvekst/sms/" + string(id) + "/feil-mottaker").page(t).Find("main").Text(); !strings.Contains(text, "En ny er laget i stedet.") || !strings.Contains(text, "Laget i stedet: SMS fra") || strings.Contains(text, "ikke noe å stoppe") {
		t.Errorf("of what was sent again it says %q", text)
	}
	letter := s.acceptedShipment(t)
	s.run(t, `UPDATE items SET status = 'SENDT_PRINT', status_at = now() WHERE id = $1`, letter)
	wantWords(t, b.get("/k/oppvekst/forsendelser/"+string(letter)+"/feil-mottaker"), "Trykkeriet må kontaktes først.")
	if got := b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, message("Utkast"))) + "/feil-mottaker"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a draft has one: %d", got.StatusCode)
	}
}
