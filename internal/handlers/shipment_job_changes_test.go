package handlers_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestShipmentsOfAJobGetAnotherTime: all that wait for their time are moved together, outside the daytime of SMS too.
func TestShipmentsOfAJobGetAnotherTime(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.run(t, `UPDATE accounts SET daytime_from = 60, daytime_to = 61`)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n")
	day := time.Now().In(dispatch.Oslo).AddDate(0, 0, 2).Format("02.01.2006")
	b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending", "dag", day, "klokkeslett", "12.00"))
	b.send(at + "/flere")
	s.makeItems(t)
	job := b.follow(t, at).Request.URL.Path
	page := b.get(job + "/tidspunkt").page(t)
	if page.Find("#dag").AttrOr("value", "") != day || page.Find("#klokkeslett").AttrOr("value", "") != "12.00" || page.Find("#haster").Length() != 0 {
		t.Error("the form does not show the time, and it alone")
	}
	wrong := b.post(job+"/tidspunkt", fields("dag", "22.11.2020", "klokkeslett", "10.00"))
	if got := problems(t, wrong)["dag"]; wrong.StatusCode != http.StatusUnprocessableEntity || got == "" {
		t.Errorf("got %d %q for a time that is over", wrong.StatusCode, got)
	}
	if got := b.post(job+"/tidspunkt", fields("dag", day, "klokkeslett", "13:30")).location(); got != job {
		t.Errorf("got %q", got)
	}
	wantWords(t, b.get(job), "Tidspunktet er endret", "kl. 13.30")
	n := 0
	for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), s.oppvekst.Account.ID, dispatch.JobID(job[strings.LastIndex(job, "/")+1:])) {
		if n++; err != nil {
			t.Fatal(err)
		}
		sent, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, it.ID)
		if got := sent.DueSince.In(dispatch.Oslo).Format("02.01.2006 15.04") + sent.SendAt.In(dispatch.Oslo).Format(" 15.04"); err != nil || got != day+" 13.30 13.30" {
			t.Errorf("a shipment is due %s, %v", got, err)
		}
	}
	if noted := s.audits(t, "job.reschedule"); n != 2 || noted != 1 {
		t.Errorf("%d shipments, %d lines in the event log", n, noted)
	}
}

// TestAnyRowIsCorrected: also one with which nothing is wrong, from the review.
func TestAnyRowIsCorrected(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n")
	if to := b.get(at+"/flere/kontroll").page(t).Find("#rad-3 a").AttrOr("href", ""); to != at+"/flere/feil?rad=3" {
		t.Fatalf("the review leads to %q", to)
	}
	page := b.get(at + "/flere/feil?rad=3").page(t)
	if page.Find("[name=navn-3]").AttrOr("value", "") != "Kari" || page.Find("[name=navn-2]").Length() != 0 {
		t.Error("the form does not show the row, and it alone")
	}
	wrong := b.led(t, b.post(at+"/flere/feil", fields("rad", "3", "en", "ja", "navn-3", "", "adresse1-3", "Storgata 7")))
	if got := problems(t, wrong)["navn-3"]; got == "" {
		t.Errorf("nothing is said of the missing name: %s", wrong.Request.URL)
	}
	if got := b.post(at+"/flere/feil", fields("rad", "3", "en", "ja", "navn-3", "Kari Berg")).location(); got != at+"/flere/kontroll#rad-3" {
		t.Errorf("got %q", got)
	}
	wantWords(t, b.get(at+"/flere/kontroll"), "Raden er lagret", "Kari Berg", "Storgata 7")
	if got := b.get(at + "/flere/feil?rad=9"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a row that is not there: %d", got.StatusCode)
	}
	if got := s.browser(t, teamLead).get(at + "/flere/feil?rad=3"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another person's: %d", got.StatusCode)
	}
}

// TestColumnsFillTitleAndReference: each shipment has its own, also when it is made and in a copy; a row without a value stops
// all, and a field without a column is told.
func TestColumnsFillTitleAndReference(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	at := s.newShipmentList(t, b, "liste", "Fnr;Navn;Adresse;Postnr;Sted;Barn;Saksnr\n12047800155;Ola;Storgata 1;7713;Steinkjer;Siri  ((navn));2026/1\n;Kari;Storgata 2;7713;Steinkjer;;2026/2\n")
	wantWords(t, b.get(at+"/flere"), "((navn)), ((adresse)), ((postnr)), ((sted)), ((barn)), ((saksnr))")
	save := func(version, title string) {
		t.Helper()
		b.post(at, fields("versjon", version, "tittel", title, "referanse", "Sak ((Saksnr))", "avgivende", "Utsending"))
	}
	for i, title := range []string{"Vedtak for ((hund))", "Vedtak for ((fnr))"} {
		save(strconv.Itoa(i+1), title)
		wrong := b.led(t, b.get(at+"/flere/kontroll"))
		if got := problems(t, wrong)["tittel"]; !strings.Contains(got, "Listen har ingen kolonne") {
			t.Errorf("%s: %q", title, got)
		}
	}
	save("3", "Vedtak for (( barn ))")
	wrong := b.follow(t, at+"/flere/kontroll")
	wantWords(t, wrong, "Raden mangler «barn»", "Rad 3")
	file, err := csvRows(b.get(at + "/flere/feil.csv").body)
	if err != nil || len(file) != 2 || file[0][8] != "barn" || file[0][9] != "saksnr" || file[1][9] != "'2026/2" {
		t.Errorf("the file of faulty rows (%v): %q", err, file)
	}
	b.post(at+"/flere/feil", fields("rad", "3", "felt4-3", "Per"))
	wantWords(t, b.get(at+"/flere/kontroll"), "Vedtak for Per", "Referanse Sak 2026/2", "Vedtak for Siri ((navn))", "Send 2 forsendelser")
	b.send(at + "/flere")
	s.makeItems(t)
	job := b.follow(t, at).Request.URL.Path
	s.run(t, `UPDATE items SET state = 'rejected', reason_at = now() WHERE job_id IS NOT NULL`)
	var got []string
	for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), s.oppvekst.Account.ID, dispatch.JobID(job[strings.LastIndex(job, "/")+1:])) {
		if err != nil {
			t.Fatal(err)
		}
		sent, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, it.ID)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, sent.Title+", "+sent.ExternalReference)
		copied := b.get(b.post("/k/oppvekst/forsendelser/"+string(it.ID)+"/kopier", fields("nokkel", uuid.NewString())).location()).page(t)
		if title := copied.Find("#tittel").AttrOr("value", ""); title != sent.Title {
			t.Errorf("the copy has %q, want %q", title, sent.Title)
		}
	}
	if diff := cmp.Diff([]string{"Vedtak for Siri ((navn)), Sak 2026/1", "Vedtak for Per, Sak 2026/2"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestFieldsAreNotSentToOne: a field that nothing fills stops a shipment to one.
func TestFieldsAreNotSentToOne(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	at := "/k/oppvekst/utkast/" + string(draft)
	wrong := b.led(t, b.post(at, typed("tittel", "Vedtak for ((barn))")))
	if got := problems(t, wrong)["tittel"]; wrong.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got, "((barn))") {
		t.Errorf("got %d, %q", wrong.StatusCode, got)
	}
	if got := b.post(at+"/send", fields("versjon", "2")).location(); !strings.Contains(got, "kontrollert") {
		t.Errorf("sending leads to %q", got)
	}
}
