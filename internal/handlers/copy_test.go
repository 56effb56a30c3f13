package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// TestCopyShipment: a new draft has all that was chosen and files of its own, is made once, and of one's own shipments only.
func TestCopyShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.shipment(t, caseworker, "Vedtak om skoleskyss")
	s.run(t, `UPDATE items SET state = 'accepted' WHERE id = $1`, sent)
	key := uuid.NewString()
	copyOf := func(who *browser, id dispatch.ItemID) answer {
		return who.post("/k/oppvekst/forsendelser/"+string(id)+"/kopier", fields("nokkel", key))
	}
	first, again := copyOf(b, sent).location(), copyOf(b, sent).location()
	if first != again || !strings.HasPrefix(first, "/k/oppvekst/utkast/") || strings.Contains(strings.Split(first, "?")[0], string(sent)) {
		t.Fatalf("got %q, then %q", first, again)
	}
	page := b.get(first).page(t)
	if got := page.Find("#tittel").AttrOr("value", ""); got != "Vedtak om skoleskyss" {
		t.Errorf("got the title %q", got)
	}
	if got := page.Find(".notice[data-color=warning]").Text(); strings.Contains(got, "ikke kom frem") {
		t.Error("a shipment that was not refused is told to have been")
	}
	id := dispatch.ItemID(strings.TrimPrefix(strings.Split(first, "?")[0], "/k/oppvekst/utkast/"))
	account := s.as(t, caseworker).Account.ID
	files, err := s.store.Documents(t.Context(), account, id)
	if err != nil {
		t.Fatal(err)
	}
	of, err := s.store.Documents(t.Context(), account, sent)
	if err != nil || len(files) != 1 || files[0].SHA256 != of[0].SHA256 || files[0].ID == of[0].ID || files[0].Pages != of[0].Pages {
		t.Errorf("got files %+v, %v; want copies of %+v", files, err, of)
	}
	s.browser(t, teamLead).wantsReason("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", key))
	for _, state := range []string{"queued", "uncertain"} {
		s.run(t, `UPDATE items SET state = $2 WHERE id = $1`, sent, state)
		if got := copyOf(b, sent).location(); got != "/k/oppvekst/forsendelser/"+string(sent) {
			t.Errorf("got %q for one that is %s: it may be on its way", got, state)
		}
	}
	draft, _ := s.listDraft(t, caseworker, "Utkast")
	if got := copyOf(b, draft).StatusCode; got != http.StatusNotFound {
		t.Errorf("got %d for a draft", got)
	}
}

// TestCopyOfARejectedShipment: the page of the draft says that the shipment before it came to nothing, and leads to it.
func TestCopyOfARejectedShipment(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.shipment(t, caseworker, "Vedtak om skoleskyss")
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_status = 400 WHERE id = $1`, sent)
	if got := b.get("/k/oppvekst/forsendelser/" + string(sent)).page(t).Find("form[action$='/kopier'] button").Text(); !strings.Contains(got, "Rett og send på nytt") {
		t.Errorf("the button reads %q", got)
	}
	draft := b.post("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", uuid.NewString())).location()
	page := b.get(draft).page(t)
	if head := page.Find("h1").Text(); head != "Rett og send på nytt: Vedtak om skoleskyss" {
		t.Errorf("the copy is headed %q", head)
	}
	notice := page.Find(".notice[data-color=warning]").First()
	if !strings.Contains(notice.Text(), "ikke kom frem") || notice.Find("a").AttrOr("href", "") != "/k/oppvekst/forsendelser/"+string(sent) {
		t.Errorf("got the notice %q", notice.Text())
	}
}

// TestSecondCopyWarns: where something was sent in place of an item already, its page offers another copy last, and the review of one warns.
func TestSecondCopyWarns(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent, other := s.shipment(t, caseworker, "Vedtak om skoleskyss"), s.shipment(t, caseworker, "Vedtak om skoleskyss")
	page := "/k/oppvekst/forsendelser/" + string(sent)
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_status = 400 WHERE id = $1`, sent)
	draft := b.post(page+"/kopier", fields("nokkel", uuid.NewString())).location()
	if n := b.get(draft + "/kontroll").page(t).Find("#allerede").Length(); n != 0 {
		t.Error("the first copy is said to be the second")
	}
	s.run(t, `UPDATE items SET origin_id = $1, origin_kind = 'replaces' WHERE id = $2`, sent, other)
	if got := b.get(draft+"/kontroll").page(t).Find("#allerede a").AttrOr("href", ""); got != "/k/oppvekst/forsendelser/"+string(other) {
		t.Errorf("the warning leads to %q", got)
	}
	if n := b.get(page).page(t).Find("main form[action$='/kopier'] button:not([data-variant])").Length(); n != 0 {
		t.Error("the main button makes another copy")
	}
	list, _ := s.shipmentJob(t, false)
	s.run(t, `UPDATE items SET origin_id = $1, origin_kind = 'replaces' WHERE id = $2`, sent, list)
	if got := b.get("/k/oppvekst/utkast/"+string(list)+"/flere/kontroll").page(t).Find("#allerede a").AttrOr("href", ""); got != "/k/oppvekst/forsendelser/"+string(other) {
		t.Errorf("the warning of a copy to a list leads to %q", got)
	}
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.gave_up' WHERE id = $1`, sent)
	again := b.post(page+"/send-igjen", fields())
	if n := s.number(t, `SELECT count(*) FROM items WHERE id = $1 AND state = 'failed'`, sent); n != 1 || again.StatusCode != http.StatusSeeOther {
		t.Errorf("what was replaced is sent again: got %d", again.StatusCode)
	}
	to := "/k/oppvekst/utkast/" + string(list) + "/flere"
	if n := b.get(to + "/kontroll").page(t).Find("#allerede input[name=likevel][form=send]").Length(); n != 1 {
		t.Error("a copy to a list has nothing to tick")
	}
	if got := b.send(to); got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find(`.ds-error-summary a[href="#likevel"]`).Length() != 1 {
		t.Errorf("a copy to a list, without a tick: got %d", got.StatusCode)
	}
	if got := b.send(to, "likevel", "true"); got.StatusCode != http.StatusSeeOther {
		t.Errorf("with a tick: got %d", got.StatusCode)
	}
}

// TestSecondCopyIsMeant: the second copy of what did not arrive is sent only where its sender has ticked that the recipient is to get both.
func TestSecondCopyIsMeant(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	letter, sms := s.shipment(t, caseworker, "Vedtak om skoleskyss"), s.rejected(t, caseworker, message("Timen er flyttet"))
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_status = 400 WHERE id = $1`, letter)
	for name, of := range map[string]string{"a shipment": "/k/oppvekst/forsendelser/" + string(letter), "an SMS": "/k/oppvekst/sms/" + string(sms)} {
		t.Run(name, func(t *testing.T) {
			copied := func() string {
				return strings.TrimSuffix(b.post(of+"/kopier", fields("nokkel", uuid.NewString())).location(), "/endre")
			}
			send := func(draft string, more ...string) answer {
				review := b.get(draft + "/kontroll")
				version := review.page(t).Find("#send [name=versjon]").AttrOr("value", "")
				return b.post(draft+"/send", fields(append([]string{"versjon", version, "sett", review.seen()}, more...)...))
			}
			first := copied()
			if again := copied(); again != first {
				t.Errorf("while it is a draft, another is made: %s", again)
			}
			if got := send(first); got.StatusCode != http.StatusSeeOther {
				t.Fatalf("the first copy: got %d", got.StatusCode)
			}
			second := copied()
			page := b.get(second + "/kontroll").page(t)
			if page.Find("#allerede input[name=likevel][form=send]").Length() != 1 || strings.Contains(page.Find("#i-dag").Text(), "Du kan sende likevel.") {
				t.Error("there is nothing to tick, or it says that nothing is needed")
			}
			got := send(second)
			if got.StatusCode != http.StatusUnprocessableEntity || got.page(t).Find(`.ds-error-summary a[href="#likevel"]`).Length() != 1 || got.page(t).Find("#likevel[aria-invalid=true]").Length() != 1 {
				t.Errorf("the second copy, without a tick: got %d", got.StatusCode)
			}
			if got := send(second, "likevel", "true"); got.StatusCode != http.StatusSeeOther {
				t.Errorf("with a tick: got %d", got.StatusCode)
			}
		})
	}
}

// TestCopyOfWhatIsGone: where the form and the files of the original are not stored, the copy has what the shipment itself tells, and
// says that files are missing.
func TestCopyOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	to := shipmentForm("Vedtak om skoleskyss")
	to.BillingCode = "1234"
	content, _ := to.Parse(dispatch.V1, nil, s.now())
	filled := false
	err := items.In(s.store).Filler.Fill(t.Context(), s.oppvekst.Account.ID, func() (items.Filled, bool) {
		more := !filled
		filled = true
		return items.Filled{At: s.now(), By: s.as(t, caseworker).User, State: dispatch.StateAccepted, Status: dispatch.StatusDismissed, Shipment: &content}, more
	})
	if err != nil {
		t.Fatal(err)
	}
	var sent string
	s.one(t, &sent, `SELECT item_id FROM shipments WHERE title = 'Vedtak om skoleskyss'`)
	draft := b.post("/k/oppvekst/forsendelser/"+sent+"/kopier", fields("nokkel", uuid.NewString())).location()
	page := b.get(draft).page(t)
	for field, want := range map[string]string{dispatch.FieldName: "Ola Nordmann", dispatch.FieldRecipientNumber: "12047800155", dispatch.FieldPostalCode: "7713",
		dispatch.FieldTitle: "Vedtak om skoleskyss", dispatch.FieldSourceSystem: "Utsending", dispatch.FieldBillingCode: "1234"} {
		if got := held(page, field); got != want {
			t.Errorf("%s holds %q, want %q", field, got, want)
		}
	}
	if says := page.Find("#uten-filer").Text(); !strings.Contains(says, "Last dem opp på nytt") || page.Find(".ds-error-summary").Length() != 0 {
		t.Errorf("the page says %q", says)
	}
}

// TestHalfACopyCannotBeSent: a process that dies while it copies the files of a shipment leaves a draft that names nobody: one
// with the recipient, and without some of the files, would look ready.
func TestHalfACopyCannotBeSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	of := s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'accepted' WHERE id = $1`, of)
	s.run(t, `CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the process dies here'; END $$`)
	s.run(t, `CREATE TRIGGER no_file BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION dies()`)
	s.run(t, `CREATE TRIGGER no_discard BEFORE DELETE ON items FOR EACH ROW EXECUTE FUNCTION dies()`)
	key := uuid.NewString()
	if got := b.post("/k/oppvekst/forsendelser/"+string(of)+"/kopier", fields("nokkel", key)); got.StatusCode != http.StatusInternalServerError {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	var half string
	s.one(t, &half, `SELECT id FROM items WHERE state = 'draft'`)
	page := b.get("/k/oppvekst/utkast/" + half).page(t)
	if name, number := held(page, dispatch.FieldName), held(page, dispatch.FieldRecipientNumber); name != "" || number != "" {
		t.Errorf("half a copy goes to %q, %q", name, number)
	}
	s.run(t, `DROP TRIGGER no_file ON documents`)
	if got := b.post("/k/oppvekst/forsendelser/"+string(of)+"/kopier", fields("nokkel", key)).location(); got != "/k/oppvekst/utkast/"+half {
		t.Fatalf("the same form leads to %q", got)
	}
	page = b.get("/k/oppvekst/utkast/" + half).page(t)
	if name := held(page, dispatch.FieldName); name != "Ola Nordmann" || len(s.filesOf(t, dispatch.ItemID(half))) != 1 {
		t.Errorf("posted again, it goes to %q with %d files", name, len(s.filesOf(t, dispatch.ItemID(half))))
	}
}

// TestDraftWhoseOriginCannotBeRead: an error is no proof that the shipment before came to something.
func TestDraftWhoseOriginCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sent := s.shipment(t, caseworker, "Vedtak om skoleskyss")
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', reason_status = 400 WHERE id = $1`, sent)
	draft := b.post("/k/oppvekst/forsendelser/"+string(sent)+"/kopier", fields("nokkel", uuid.NewString())).location()
	s.run(t, `UPDATE shipments SET content = 'broken' WHERE item_id = $1`, sent)
	if got := b.get(draft); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("got %d, as if there had been nothing wrong", got.StatusCode)
	}
}

// TestHalfAShipmentToManyCannotBeSent: a process that dies while it makes the draft to those who were not reached leaves a shipment
// without a title, not one that looks ready for whoever stood in its form.
func TestHalfAShipmentToManyCannotBeSent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	again := s.shipmentJobAddress(t, "/k/oppvekst/jobber/:id/brev-igjen")
	s.run(t, `CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the process dies here'; END $$`)
	s.run(t, `CREATE TRIGGER no_rows BEFORE INSERT ON job_rows FOR EACH ROW EXECUTE FUNCTION dies()`)
	s.run(t, `CREATE TRIGGER no_discard BEFORE DELETE ON items FOR EACH ROW EXECUTE FUNCTION dies()`)
	key := uuid.NewString()
	if got := b.post(again, fields("nokkel", key)); got.StatusCode != http.StatusInternalServerError {
		t.Fatalf("got %d to %q", got.StatusCode, got.location())
	}
	var half, state string
	s.one(t, &half, `SELECT id FROM items WHERE state = 'draft' ORDER BY created_at DESC LIMIT 1`)
	b.send("/k/oppvekst/utkast/"+half, "likevel", "true")
	if s.one(t, &state, `SELECT state FROM items WHERE id = $1`, half); state != "draft" {
		t.Fatalf("half a draft is %s", state)
	}
	if title := b.get("/k/oppvekst/utkast/"+half).page(t).Find("#tittel").AttrOr("value", ""); title != "" {
		t.Errorf("half a draft has the title %q", title)
	}
	s.run(t, `DROP TRIGGER no_rows ON job_rows`)
	if got := b.post(again, fields("nokkel", key)).location(); !strings.HasPrefix(got, "/k/oppvekst/utkast/"+half) {
		t.Fatalf("the same form leads to %q", got)
	}
	var rows int
	s.one(t, &rows, `SELECT count(*) FROM job_rows r JOIN jobs j ON j.id = r.job_id WHERE j.draft_id = $1`, half)
	title := b.get("/k/oppvekst/utkast/"+half).page(t).Find("#tittel").AttrOr("value", "")
	if title != "Vedtak" || rows != 1 || len(s.filesOf(t, dispatch.ItemID(half))) != 1 {
		t.Errorf("posted again, it is %q to %d with %d files", title, rows, len(s.filesOf(t, dispatch.ItemID(half))))
	}
}
