package main_test

import (
	"fmt"
	"testing"
	"time"

	"utsending/internal/browsertest"
	"utsending/internal/store/storetest"
)

// clearsFollowUps works through the list of follow-ups: one rejected, one uncertain, and then fifty at once. The team
// lead sees the same numbers, opens one and finds as many rows.
func clearsFollowUps(o browsertest.PageOptions) func(*testing.T, *browsertest.Browser) {
	return func(t *testing.T, b *browsertest.Browser) {
		s := newStack(t, stackOptions{undo: time.Hour})
		s.inState(t, 1, `state = 'rejected', reason_key = 'reason.rejected', reason_at = now()`)
		s.inState(t, 1, `state = 'uncertain', reason_key = 'reason.timeout', reason_at = now()`)
		v := s.as(t, b, o, "kari")
		v.Go("/")
		v.ClickText("link", "Trenger oppfølging")
		v.wantHeading("Trenger oppfølging")
		v.wantText(".nav .count", "2")
		v.glance("follow-ups")

		v.ClickText("link", "Uavklart 1")
		v.Check("[name=utsending]")
		if o.JavaScriptOff {
			v.ClickText("summary", "Handlinger")
		}
		v.ClickText("button", "Avgjør")
		v.wantText("#virkning", "Avgjør 1 SMS")
		v.wantText("#valg", "Ble den likevel sendt før, får mottakeren meldingen mer enn én gang.")
		v.glance("follow-up-decide")
		v.Check("#valg-sent")
		v.ClickText("main button", "Avgjør 1 SMS")
		v.wantBulkDone("/k/oppvekst/oppfolging", "Én utsending er avgjort.")

		v.Go("/k/oppvekst/oppfolging")
		v.ClickText("link", "SMS fra Utsending, 0")
		v.ClickText("link", "Følg opp")
		v.Select("#ansvarlig", "Meg")
		v.Check("#ferdig")
		v.ClickText("button", "Lagre")
		v.wantText(".ds-error-summary", "Skriv hva som er gjort.")
		v.glance("follow-up-problem")
		v.Fill("#begrunnelse", "Ringt mottakeren.")
		v.ClickText("button", "Lagre")
		v.wantText("#sms", "Fulgt opp av Kari Nordmann")

		s.inState(t, 50, `state = 'uncertain', reason_key = 'reason.died', reason_at = now()`)
		v.Go("/k/oppvekst/oppfolging?grunn=uavklart")
		v.wantText(".nav .count", "50")
		v.Check("[name=utsending]")
		if o.JavaScriptOff {
			v.ClickText("summary", "Handlinger")
		}
		v.Check("[name=omfang]")
		v.ClickText("button", "Avgjør")
		v.wantText("#virkning", "Avgjør 50 SMS")
		v.wantText("main", "Vis 40 til")
		v.Check("#valg-drop")
		v.ClickText("main button", "Avgjør 50 SMS")
		v.wantBulkDone("/k/oppvekst/oppfolging", "50 utsendinger er avgjort.")
		v.Go("/k/oppvekst/oppfolging")
		v.wantText("main", "Ingenting trenger oppfølging akkurat nå.")

		lead := s.as(t, b, o, "ingrid")
		lead.Go("/k/oppvekst/ledelse?periode=7") // not today: midnight may pass meanwhile
		lead.wantHeading("Ledelse")
		lead.wantText(".figures", "52")
		lead.glance("lead")
		lead.ClickText(".figures a", "52")
		lead.wantText(".listbar", "Viser 50 SMS")
		lead.glance("lead-list")
		lead.ClickText("a", "Eldre")
		lead.wantText(".listbar", "Viser 2 SMS")
	}
}

// inState stores so many SMS of Kari's and changes their rows.
func (s *stack) inState(t *testing.T, n int, change string) {
	t.Helper()
	db := storetest.DB(t, s.database)
	for i := range n {
		id := s.send(t, s.oppvekst, "kari", message{phone: phone("120"), text: fmt.Sprintf("SMS fra Utsending, %d", i)})
		if _, err := db.ExecContext(t.Context(), `UPDATE items SET `+change+` WHERE id = $1`, id); err != nil {
			t.Fatal(err)
		}
	}
}
