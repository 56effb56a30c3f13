package main_test

import (
	"testing"
	"time"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// TestKeeping runs the journeys of people responsible for retention and the event log.
func TestKeeping(t *testing.T) {
	walk(t, []journey{
		{"an auditor reads the event log", readsLog(browsertest.PageOptions{})},
		{"an auditor reads the event log without JavaScript", readsLog(withoutScript)},
		{"a shipment is kept although its time is up", keepsShipment(browsertest.PageOptions{})},
		{"a shipment is kept without JavaScript", keepsShipment(withoutScript)},
		{"an auditor reports on a person", reportsOnPerson(browsertest.PageOptions{})},
		{"an auditor reports on a person without JavaScript", reportsOnPerson(withoutScript)},
	})
}

// readsLog searches the event log for one SMS and verifies the whole log, before and after a line is tampered with.
func readsLog(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		id := s.send(t, s.oppvekst, "kari", toPhone("120", "Til loggen."))
		s.send(t, s.oppvekst, "kari", toPhone("120", "En til."))
		v := s.as(t, b, o, "per")
		v.Go("/admin/logg")
		v.wantHeading("Hendelseslogg")
		v.glance("keeping-log-" + v.mode())
		v.Fill("#fra", "i går en gang")
		v.ClickText("button", "Vis treff")
		v.wantText(".ds-error-summary", "Du må rette én feil først")
		v.glance("keeping-log-problem-" + v.mode())
		v.Go("/admin/logg")
		v.Select("#type", "Sending")
		v.Fill("#id", string(id))
		v.ClickText("button", "Vis treff")
		v.wantText(".listbar", "Viser 1 hendelse")
		v.wantText("main tbody", "Sendte SMS")
		v.wantText("main tbody", "Kari Nordmann")
		v.glance("keeping-log-filtered-" + v.mode())

		v.ClickText("button", "Kontroller loggen")
		v.wantText("#kontroll", "Loggen er slik den ble skrevet.")
		v.glance("keeping-log-whole-" + v.mode())
		s.awaitChain(t)
		if _, err := storetest.DB(t, s.database).Exec(`UPDATE audit_events SET action = 'sms.draft' WHERE action = 'sms.send'`); err != nil {
			t.Fatal(err)
		}
		v.Go("/admin/logg")
		v.ClickText("button", "Kontroller loggen")
		v.wantNone("#kontroll[data-color=success]")
		v.glance("keeping-log-broken-" + v.mode())
	}
}

// awaitChain waits until all lines of the event log are chained.
func (s *stack) awaitChain(t *testing.T) {
	t.Helper()
	db := storetest.DB(t, s.database)
	eventually(t, "the event log is chained", func() bool {
		var whole bool
		err := db.QueryRow(`SELECT NOT EXISTS (SELECT FROM audit_events WHERE action = 'sms.send' AND id NOT IN (SELECT audit_id FROM audit_chain))`).Scan(&whole)
		if err != nil {
			t.Fatal(err)
		}
		return whole
	})
}

// keepsShipment reads the list of tonight's purge, and sets and removes a legal hold on a shipment in it.
func keepsShipment(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newShipmentStack(t)
		s.fillShipments(t, s.user(t, "kari").User, 3, time.Now().AddDate(0, 0, -200))
		nora, ingrid := s.as(t, b, o, "nora"), s.as(t, b, o, "ingrid")
		goes := func(want string) {
			t.Helper()
			nora.Go("/admin/oppbevaring")
			nora.wantHeading("Oppbevaring")
			nora.wantText("main tbody tr:nth-child(2) td:nth-child(3)", want)
		}
		goes("3")
		nora.wantText("main", "Lister som er eksportert til fil, slettes etter 24 timer")
		nora.glance("keeping-retention-" + nora.mode())

		ingrid.Go("/k/oppvekst/forsendelser/" + string(s.anyShipment(t)))
		ingrid.ClickText("summary", "Flere valg")
		ingrid.ClickText("link", "Behold utsendingen")
		ingrid.wantHeading("Behold utsendingen")
		ingrid.Submit("main form")
		ingrid.wantText(".ds-error-summary", "Skriv en begrunnelse.")
		ingrid.glance("keeping-hold-problem-" + ingrid.mode())
		ingrid.Fill("#"+dispatch.FieldPurpose, "Klage til Statsforvalteren")
		ingrid.Submit("main form")
		ingrid.wantText("main .notice", "Ingrid Lunde bestemte")
		ingrid.wantText("main .notice", "Klage til Statsforvalteren")
		ingrid.glance("keeping-held-" + ingrid.mode())
		goes("2")

		ingrid.Fill("#"+dispatch.FieldPurpose, "Saken er avsluttet")
		ingrid.ClickText("button", "La den slettes når tiden er ute")
		ingrid.wantNone("main .notice")
		goes("3")
		if held, released := s.logged(t, "item.hold", "Klage til Statsforvalteren"), s.logged(t, "item.release", "Saken er avsluttet"); held != 1 || released != 1 {
			t.Errorf("the event log has %d and %d lines of it, want one each", held, released)
		}
	}
}

// anyShipment is a shipment of the account's.
func (s *stack) anyShipment(t *testing.T) (id dispatch.ItemID) {
	t.Helper()
	if err := storetest.DB(t, s.database).QueryRow(`SELECT item_id FROM shipments LIMIT 1`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// reportsOnPerson makes a subject access report: items and their readers, without content, for a stated purpose.
func reportsOnPerson(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{})
		m := message{nationalID: nationalID(), text: text("Om deg.")}
		id := s.send(t, s.oppvekst, "kari", m)
		if status, _ := s.caller(t, "kari").post("/k/oppvekst/sms/"+string(id)+"/vis", nil); status != 200 {
			t.Fatalf("the number is not revealed: %d", status)
		}
		v := s.as(t, b, o, "per")
		v.Go("/admin/innsyn")
		v.wantHeading("Innsyn for en person")
		v.Fill("#"+dispatch.FieldSearch, m.nationalID)
		v.ClickText("button", "Vis rapporten")
		v.wantText(".ds-error-summary", "Skriv inn formålet.")
		v.glance("keeping-citizen-problem-" + v.mode())
		v.Fill("#"+dispatch.FieldSearch, m.nationalID)
		v.Fill("#"+dispatch.FieldPurpose, "Krav om innsyn")
		v.ClickText("button", "Vis rapporten")
		v.wantText("#rapport", "Formål: Krav om innsyn")
		v.wantText("main", "Utsendinger til personen (1)")
		v.wantText("main", "Innhold og nummer som er vist (1)")
		v.wantUnseen(m.text)
		v.glance("keeping-citizen-" + v.mode())
		var lines int
		err := storetest.DB(t, s.database).QueryRow(`SELECT count(*) FROM audit_events WHERE details::text LIKE '%Krav om innsyn%'`).Scan(&lines)
		if err != nil || lines != 1 {
			t.Errorf("the event log has %d lines of it, %v", lines, err)
		}
	}
}
