package handlers_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// refused stores a shipment of the caseworker's that the service did not take, and why.
func (s *site) refused(t *testing.T, title string, r dispatch.Result) dispatch.ItemID {
	t.Helper()
	in, err := registry.In(s.store).Integrations.Save(t.Context(), dispatch.Integration{Name: uuid.NewString(), Kind: dispatch.IntegrationShipmentV1, Service: "shipments",
		Parallelism: 4, RatePerSec: 1000}, dispatch.Credentials{ClientID: "a", ClientSecret: "b"})
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, `UPDATE accounts SET shipment_integration_id = $1 WHERE id = $2`, in, s.oppvekst.Account.ID)
	id := s.shipment(t, caseworker, title)
	if _, err := queue.In(s.store).Guards.Check(t.Context(), queue.Witness{}); err != nil {
		t.Fatal(err)
	}
	lanes, err := queue.In(s.store).Claims.Lanes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range lanes {
		if lane.Integration != in {
			continue
		}
		claim, err := queue.In(s.store).Claims.Claim(t.Context(), lane, time.Minute)
		if err != nil || claim == nil || claim.Item != id {
			t.Fatalf("claimed %v, %v; want %s", claim, err, id)
		}
		r.Outcome = dispatch.OutcomeRejected
		if err := queue.In(s.store).Outcomes.Finish(t.Context(), queue.Ended{Claim: claim, Result: r}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	t.Fatal("nothing is due")
	return ""
}

// TestFaultIsMarked: what the service said of a field stands at the field of the new draft until that is changed.
func TestFaultIsMarked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.refused(t, "Vedtak <om> skoleskyss", dispatch.Result{Reason: dispatch.Reason{Key: "reason.rejected"}, Fault: dispatch.Fault{Field: "tittel", Said: "tittel er <b>for</b> lang"}})
	at := "/k/oppvekst/forsendelser/" + string(sent)
	if got := b.get(at).page(t).Find("#forsendelse").Text(); !strings.Contains(got, "tittel er <b>for</b> lang") {
		t.Errorf("its page does not say why: %q", got)
	}
	draft := b.post(at+"/kopier", fields("nokkel", uuid.NewString())).location()
	page := b.get(draft)
	if got := problems(t, page)["tittel"]; !strings.Contains(got, "«tittel er <b>for</b> lang»") {
		t.Errorf("the field says %q", got)
	}
	if doc := page.page(t); doc.Find(".ds-error-summary a[href='#tittel']").Length() != 1 || doc.Find("#tittel[aria-invalid=true]").Length() != 1 {
		t.Error("the field is not marked, or the summary does not lead to it")
	}
	b.post(draft, typed("versjon", "2", "tittel", "Vedtak <om> skoleskyss", "navn", "Kari Nordmann", "neste", "lagre"))
	if got := problems(t, b.get(draft))["tittel"]; got == "" {
		t.Error("it is marked no more, though only another field was changed")
	}
	b.post(draft, typed("versjon", "3", "tittel", "Vedtak", "neste", "lagre"))
	if got := problems(t, b.get(draft)); len(got) != 0 {
		t.Errorf("marked after the change: %v", got)
	}
	if review := b.post(draft, typed("versjon", "4")).location(); !strings.HasSuffix(review, "/kontroll") {
		t.Errorf("got %q, want the review", review)
	}
}

// TestFaultFollowsTheDraft: who is handed a draft sees what the service said was wrong, though the shipment was not theirs.
func TestFaultFollowsTheDraft(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	kari, ingrid := s.browser(t, caseworker), s.browser(t, teamLead)
	s.listDraft(t, teamLead, "Noe annet")
	sent := s.refused(t, "Vedtak", dispatch.Result{Reason: dispatch.Reason{Key: "reason.rejected"}, Fault: dispatch.Fault{Field: "tittel", Said: "tittel er for lang"}})
	draft := kari.post("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", uuid.NewString())).location()
	kari.post(draft+"/overlat", fields("til", string(s.as(t, teamLead).User)))
	if got := problems(t, ingrid.get(draft))["tittel"]; !strings.Contains(got, "tittel er for lang") {
		t.Errorf("the field says %q", got)
	}
	ingrid.post(draft, typed("versjon", "2", "tittel", "Kort", "neste", "lagre"))
	if got := problems(t, ingrid.get(draft)); len(got) != 0 {
		t.Errorf("marked after the change: %v", got)
	}
}

// TestFaultThatNamesNoField stands on top of the draft, in the service's words.
func TestFaultThatNamesNoField(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.refused(t, "Vedtak", dispatch.Result{Reason: dispatch.Reason{Key: "reason.rejected"}, Fault: dispatch.Fault{Said: "Avsenderen er sperret"}})
	draft := b.post("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", uuid.NewString())).location()
	page := b.get(draft)
	if got := page.page(t).Find(".notice[data-color=warning]").First().Text(); !strings.Contains(got, "Avsenderen er sperret") || len(problems(t, page)) != 0 {
		t.Errorf("got the notice %q", got)
	}
}

// TestFaultOfOurRules: what our own rules stop at hand-over is marked as when the form is checked.
func TestFaultOfOurRules(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.refused(t, "Vedtak", dispatch.Result{Reason: dispatch.Reason{Key: "reason.invalid"}})
	draft := b.post("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", uuid.NewString())).location()
	if got := problems(t, b.get(draft)); len(got) != 0 {
		t.Errorf("nothing is wrong now, but marked: %v", got)
	}
	b.post(draft, typed("versjon", "2", "postnummer", "77", "neste", "lagre"))
	if got := problems(t, b.get(draft))["postnummer"]; got == "" {
		t.Error("a postal code of two digits is not marked")
	}
}

// TestProblemsInOrderOfThePage: the summary lists problems in the order of the fields on the page, and a file's problem is not repeated beside the file.
func TestProblemsInOrderOfThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	as := s.as(t, caseworker)
	typed := shipmentForm("")
	typed.Number, typed.PostalCode, typed.BillingCode, typed.Sign = "1204", "77", "a b", true
	id, err := items.In(s.store).Drafts.Create(t.Context(), as.Account.ID, as.Actor, uuid.NewString(), typed)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vedtak.pdf", "faktura.pdf"} {
		_, err := items.In(s.store).Documents.Add(t.Context(), items.Upload{
			Account: as.Account.ID, Item: id, User: as.User, FileName: name, Content: strings.NewReader("Ingen PDF"),
			Inspect: func(context.Context, func() io.Reader, int64) (dispatch.Document, error) {
				return dispatch.Document{MimeType: "text/plain", Found: dispatch.DocumentNotPDF}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	got := s.browser(t, caseworker).get("/k/oppvekst/utkast/" + string(id) + "?kontrollert=ja")
	var places []int
	for _, link := range got.page(t).Find(".ds-error-summary a").EachIter() {
		places = append(places, strings.Index(got.body, ` id="`+strings.TrimPrefix(link.AttrOr("href", ""), "#")+`"`))
	}
	if len(places) < 7 || places[0] < 0 || !slices.IsSorted(places) {
		t.Errorf("the problems lead to %v", places)
	}
	if n := got.page(t).Find(".doc .notice").Length(); n != 0 {
		t.Errorf("%d files say once more what is wrong with them", n)
	}
}
