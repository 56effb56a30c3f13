package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/lists"
	"utsending/internal/views"
)

// rejected stores an SMS that a person has sent and the service did not take.
func (s *site) rejected(t *testing.T, who string, m dispatch.SMS) dispatch.ItemID {
	t.Helper()
	return s.delivered(t, who, m, dispatch.Result{Outcome: dispatch.OutcomeRejected, Reason: dispatch.Reason{Key: "reason.rejected", HTTPStatus: 400}})
}

// turnedDown is an SMS of the caseworker's that the service did not take, while others wait.
func (s *site) turnedDown(t *testing.T) dispatch.ItemID {
	t.Helper()
	id := s.queued(t, caseworker, message("Ikke tatt imot"))
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE id = $1`, id)
	return id
}

func TestFollowUps(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	page := b.get("/k/oppvekst/oppfolging").page(t)
	if !strings.Contains(page.Find("main").Text(), "Ingenting trenger oppfølging akkurat nå.") || page.Find(".nav .count").Length() != 0 {
		t.Errorf("got %q for an account where nothing is wrong", page.Find("main").Text())
	}
	id := s.rejected(t, caseworker, message("Timen er flyttet"))
	foreign := s.rejected(t, outsider, message("Hemmelig"))
	for range 3 {
		s.uncertain(t, caseworker, message("Kom det frem?"))
	}

	t.Run("are counted, in the navigation too", func(t *testing.T) {
		page := b.get("/k/oppvekst/oppfolging").page(t)
		if got := page.Find(".nav .count [aria-hidden]").Text(); got != "4" {
			t.Errorf("the navigation says %q", got)
		}
		again := b.post("/k/oppvekst/sms/ny", fields("tekst", ""))
		if got := again.page(t).Find(".nav .count [aria-hidden]").Text(); again.StatusCode != http.StatusUnprocessableEntity || got != "4" {
			t.Errorf("beside a form with problems (%d) the navigation says %q", again.StatusCode, got)
		}
		for cause, want := range map[string]int{"": 4, "stoppet": 1, "uavklart": 3, "stille": 0, "hva-som-helst": 4} {
			page := b.get("/k/oppvekst/oppfolging?grunn=" + cause).page(t)
			if got := page.Find("tbody tr").Length(); got != want {
				t.Errorf("%q: %d rows, want %d", cause, got, want)
			}
			if n := page.Find("#oppfolging a[aria-current] b").Text(); n != fmt.Sprint(want) {
				t.Errorf("%q: counted %s, want %d", cause, n, want)
			}
			if strings.Contains(page.Text(), "Hemmelig") {
				t.Error("another account's is there")
			}
		}
	})
	const all = bulkAt + "?arbeidsliste=ja"
	t.Run("show what an act concerns before it is done", func(t *testing.T) {
		got := b.post(all, ticked("done", id, foreign, "x"))
		if got.StatusCode != http.StatusOK || !strings.Contains(got.body, "Marker 1 SMS som fulgt opp") || !strings.Contains(got.body, "Timen er flyttet") {
			t.Fatalf("got %d: %s", got.StatusCode, got.body)
		}
		if s.state(t, id) != dispatch.StateRejected || strings.Contains(got.page(t).Find("tbody").Text(), "Hemmelig") {
			t.Error("something was done, or another account's item is there")
		}
		without := b.confirm(got)
		if without.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(without.body, "Skriv hva som er gjort.") {
			t.Errorf("without a reason: got %d", without.StatusCode)
		}
		numbered := b.confirm(got, "begrunnelse", "Ringte 128478 10082 i dag")
		if numbered.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(problems(t, numbered)["begrunnelse"], "Ikke skriv fødselsnummer") {
			t.Errorf("with a number: got %d, %q", numbered.StatusCode, problems(t, numbered))
		}
		done := b.finish(got, "begrunnelse", "Ringt mottakeren")
		if done.StatusCode != http.StatusSeeOther || done.location() != "/k/oppvekst/oppfolging" {
			t.Errorf("got %d to %q", done.StatusCode, done.location())
		}
		if item := b.get("/k/oppvekst/sms/" + string(id)); !strings.Contains(item.body, "Fulgt opp av Kari Nordmann") || !strings.Contains(item.body, "Ringt mottakeren") {
			t.Error("the item's page does not tell")
		}
		if again := b.finish(got, "begrunnelse", "Igjen"); again.location() != done.location() {
			t.Errorf("a second time: got %d", again.StatusCode)
		}
	})
	t.Run("go to a colleague who works there", func(t *testing.T) {
		s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, s.queued(t, teamLead, message("Fra lederen")))
		one, lead := s.turnedDown(t), s.as(t, teamLead).User
		got := b.post(all, ticked("assign", one))
		if n := got.page(t).Find(`select option[value="` + string(lead) + `"]`).Length(); n != 1 {
			t.Fatal("the colleague is not offered")
		}
		if no := b.confirm(got, "ansvarlig", string(s.as(t, outsider).User)); no.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("somebody else: got %d", no.StatusCode)
		}
		b.finish(got, "ansvarlig", string(lead), "frist", views.TypedDate(s.now().AddDate(0, 0, 5)))
		if f, err := lists.In(s.store).FollowUps.ByID(t.Context(), s.oppvekst.Account.ID, one); err != nil || f.Owner != lead || f.Due.IsZero() {
			t.Errorf("got %+v, %v", f, err)
		}
		b.finish(b.post(all, ticked("done", one)), "begrunnelse", "Ringt")
	})
	t.Run("are decided all at once", func(t *testing.T) {
		got := b.post(all+"&grunn=uavklart", fields("handling", "decide", "omfang", "alle"))
		if !strings.Contains(got.body, "Avgjør 3 SMS") {
			t.Fatalf("got %d: %s", got.StatusCode, got.body)
		}
		if without := b.confirm(got); without.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("without a choice: got %d", without.StatusCode)
		}
		if done := b.finish(got, "valg", "sent"); done.location() != "/k/oppvekst/oppfolging?grunn=uavklart" {
			t.Errorf("leads to %q", done.location())
		}
		if n, err := lists.In(s.store).FollowUps.Badge(t.Context(), s.oppvekst.Account.ID); err != nil || n != 0 {
			t.Errorf("%d are left, %v", n, err)
		}
	})
	t.Run("get an owner, a day and a note on the item's own page", func(t *testing.T) {
		id := s.rejected(t, caseworker, message("En til"))
		address := "/k/oppvekst/sms/" + string(id) + "/fulgt-opp"
		asked := b.get(address).page(t)
		if item := asked.Find(`.head a[href="/k/oppvekst/sms/` + string(id) + `"]`).Text(); item != "En til" {
			t.Errorf("the item is named %q", item)
		}
		if preset := asked.Find(`[name="ansvarlig"] [selected]`).AttrOr("value", ""); preset != "me" {
			t.Errorf("nobody has it, and %q is preset", preset)
		}
		if paper := b.get("/k/oppvekst/sms/" + string(id)).page(t); !strings.HasSuffix(paper.Find(".print-only").Text(), "av Kari Nordmann.") || paper.Find("#oppfolging .no-print a").Length() != 1 {
			t.Error("paper does not tell who printed it, or shows a link")
		}
		if got := b.post(address, fields("ansvarlig", "me", "frist", "i morgen", "notat", "Ring")); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.body, "i morgen") {
			t.Errorf("with a day that is none: got %d", got.StatusCode)
		}
		due := views.TypedDate(s.now().AddDate(0, 0, 5))
		if says := problems(t, b.post(address, fields("ansvarlig", "me", "frist", views.TypedDate(s.now().AddDate(0, 0, -1)))))["frist"]; !strings.HasPrefix(says, "Fristen må være i dag eller senere.") {
			t.Errorf("with a day that is over it says %q", says)
		}
		b.post(address, fields("ansvarlig", "me", "frist", due, "notat", "Ring"))
		list := b.get("/k/oppvekst/oppfolging?hvem=meg").page(t).Find("tbody").Text()
		if !strings.Contains(list, "Kari Nordmann") || !strings.Contains(list, due) || !strings.Contains(list, "Ring") {
			t.Errorf("got %q", list)
		}
		if free := b.get("/k/oppvekst/oppfolging?hvem=ingen").page(t).Find("tbody tr").Length(); free != 0 {
			t.Errorf("%d are nobody's", free)
		}
		wantWords(t, b.get("/k/oppvekst/sms/"+string(id)), "Oppfølging gitt til Kari Nordmann")
		wantWords(t, s.browser(t, systemAdmin).get("/admin/logg"), "Endret oppfølging", "Ansvarlig: Kari Nordmann")
		// The day was not over when it was set. It is Oslo's: the database's day begins an hour or two later.
		over := s.now().AddDate(0, 0, -3)
		s.run(t, `UPDATE follow_ups SET due_on = $2 WHERE item_id = $1`, id, over.Format(time.DateOnly))
		b.post(address, fields("ansvarlig", "nobody", "frist", views.TypedDate(over)))
		wantWords(t, b.get("/k/oppvekst/sms/"+string(id)), "Oppfølging uten ansvarlig")
		b.post(address, fields("ansvarlig", "me", "frist", ""))
		b.post(address, fields("ansvarlig", "keep", "ferdig", "true", "begrunnelse", "Ringt"))
		if f, err := lists.In(s.store).FollowUps.ByID(t.Context(), s.oppvekst.Account.ID, id); err != nil || f.Open() || f.Owner == "" {
			t.Errorf("got %+v, %v", f, err)
		}
	})
	t.Run("can only be read by who sees the items", func(t *testing.T) {
		s.rejected(t, caseworker, message("Noe"))
		page := s.browser(t, auditor).get("/k/oppvekst/oppfolging").page(t)
		if page.Find("tbody tr").Length() != 1 || page.Find("main button, main input[type=checkbox]").Length() != 0 || strings.Contains(page.Text(), "Noe") {
			t.Error("an auditor is offered more than metadata")
		}
	})
	t.Run("are told when the channel sends nothing", func(t *testing.T) {
		s.run(t, `UPDATE integrations SET refused_at = now(), refused_key = 'reason.unauthorized' WHERE id = $1`, s.oppvekst.Integration.ID)
		if got := b.get("/k/oppvekst/oppfolging"); !strings.Contains(got.body, "SMS sendes ikke nå. Tjenesten avviser innloggingen vår.") {
			t.Error("it is not")
		}
	})
}

// TestTakeFollowUp: one click in the row takes what nobody has; whoever is second is told.
func TestTakeFollowUp(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.rejected(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: "90000100"}, Text: "Hei"})
	b, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	const list = "/k/oppvekst/oppfolging"
	if n := lead.get(list).page(t).Find("button[name=ta][value='" + string(id) + "'][form=ta-den]").Length(); n != 1 {
		t.Fatalf("%d buttons take it", n)
	}
	if got := lead.post(list+"/ta", fields("ta", string(id), "hvem", "ingen")); got.location() != list+"?hvem=ingen" {
		t.Errorf("got %d to %q", got.StatusCode, got.location())
	}
	b.post(list+"/ta", fields("ta", string(id)))
	if page := b.get(list); !strings.Contains(page.body, "Noen andre var raskere") {
		t.Error("the second is not told")
	}
	if f, err := lists.In(s.store).FollowUps.ByID(t.Context(), s.oppvekst.Account.ID, id); err != nil || f.Name != "Ingrid Lunde" {
		t.Errorf("it is %+v, %v", f, err)
	}
	if got := b.post(list+"/ta", fields("ta", "x")); got.StatusCode != http.StatusSeeOther {
		t.Errorf("no id: %d", got.StatusCode)
	}
}

// TestNobodyCorrectsWhatIsDeleted: the page of a rejected item does not advise to send it again once its content is deleted.
func TestNobodyCorrectsWhatIsDeleted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sms, shipment := s.turnedDown(t), s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_at = now() WHERE id = $1`, shipment)
	const advice = "send på nytt"
	advises := func(kind string, id dispatch.ItemID) bool {
		page := b.get("/k/oppvekst/" + kind + "/" + string(id)).page(t).Find("main")
		page.Find("button, a").Remove()
		return strings.Contains(page.Text(), advice)
	}
	if !advises("sms", sms) || !advises("forsendelser", shipment) {
		t.Error("what can be corrected is not to be")
	}
	s.run(t, `UPDATE sms SET text = NULL, recipient = NULL WHERE item_id = $1`, sms)
	s.run(t, `UPDATE shipments SET content = '' WHERE item_id = $1`, shipment)
	if advises("sms", sms) || advises("forsendelser", shipment) {
		t.Error("what is deleted is to be corrected")
	}
}
