package handlers_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// confirm posts the form of a page that shows what an act would do, with what is typed in it.
func (b *browser) confirm(got answer, typed ...string) answer {
	b.t.Helper()
	form := got.page(b.t).Find(`form[action*="/utvalg/lagre"]`)
	var pairs []string
	hidden := form.Find("input[type=hidden]")
	for i := range hidden.Nodes {
		pairs = append(pairs, hidden.Eq(i).AttrOr("name", ""), hidden.Eq(i).AttrOr("value", ""))
	}
	return b.post(form.AttrOr("action", ""), fields(append(pairs, typed...)...))
}

// finish confirms a bulk act and repeats the request until the act is done: a slow machine needs several.
func (b *browser) finish(asked answer, typed ...string) answer {
	b.t.Helper()
	for {
		done := b.confirm(asked, typed...)
		if !strings.HasPrefix(done.location(), bulkAt+"/") || b.get(done.location()).page(b.t).Find("#utvalg progress").Length() == 0 {
			return done
		}
	}
}

// ticked is the form of a list with some items ticked.
func ticked(act string, ids ...dispatch.ItemID) url.Values {
	form := fields("handling", act)
	for _, id := range ids {
		form.Add("utsending", string(id))
	}
	return form
}

// bulkOf is an act that a person has ordered, and that is done.
func (s *site) bulkOf(t *testing.T, who string) string {
	t.Helper()
	b := s.browser(t, who)
	b.confirm(b.post(bulkAt, ticked("stop", s.queued(t, who, message("Sendt")))))
	var id string
	s.one(t, &id, `SELECT id FROM bulk_acts ORDER BY created_at DESC LIMIT 1`)
	return id
}

const bulkAt = "/k/oppvekst/utvalg"

// TestBulk: an act shows its effect first, and affects only what is chosen, of the account, as it is when it is done.
func TestBulk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	waiting, second := s.queued(t, caseworker, message("Hei")), s.queued(t, caseworker, message("Hei igjen"))
	foreign := s.queued(t, outsider, message("Hemmelig"))
	list := b.get("/k/oppvekst/utsendinger").page(t)
	if n := list.Find("form[data-utvalg] tbody input[name=utsending]").Length(); n != 2 || list.Find(".pick button[name=handling]").Length() < 5 {
		t.Errorf("%d rows can be ticked", n)
	}
	got := b.post(bulkAt, ticked("stop", waiting, foreign, "x", dispatch.ItemID(uuid.NewString())))
	if effect := got.page(t).Find("#virkning").Text(); effect != "Stopp 1 SMS" || strings.Contains(got.body, "Hemmelig") || s.state(t, waiting) != dispatch.StateQueued {
		t.Fatalf("it says %q, or did something", effect)
	}
	done := b.finish(got)
	if done.StatusCode != http.StatusSeeOther || done.location() != "/k/oppvekst/utsendinger" {
		t.Fatalf("got %d to %q", done.StatusCode, done.location())
	}
	if said := flash(b.get(done.location()).page(t)); said != "Én utsending er stoppet." || s.state(t, waiting) != dispatch.StateCancelled || s.state(t, second) != dispatch.StateQueued {
		t.Errorf("it says %q, they are %s and %s", said, s.state(t, waiting), s.state(t, second))
	}
	if state := s.helse.Item(t, s.store, foreign).State; state != dispatch.StateQueued {
		t.Errorf("another account's is %s", state)
	}
	if again := b.finish(got); again.location() != done.location() {
		t.Errorf("a second click leads to %q", again.location())
	}
	if n := s.number(t, `SELECT count(*) FROM bulk_acts`); n != 1 {
		t.Errorf("two clicks ordered %d acts", n)
	}
	t.Run("nothing is chosen", func(t *testing.T) {
		got := b.post(bulkAt+"?kanal=sms", ticked("stop"))
		if said := flash(b.get(got.location()).page(t)); !strings.HasPrefix(said, "Kryss av for minst én") || !strings.HasPrefix(got.location(), "/k/oppvekst/utsendinger") {
			t.Errorf("got %q on %q", said, got.location())
		}
	})
	t.Run("an act that is none", func(t *testing.T) {
		if got := b.post(bulkAt+"/lagre", ticked("delete", second)); got.StatusCode != http.StatusSeeOther || s.state(t, second) != dispatch.StateQueued {
			t.Errorf("got %d", got.StatusCode)
		}
	})
	t.Run("it does not apply any more", func(t *testing.T) {
		got := b.post(bulkAt, ticked("stop", waiting))
		if page := got.page(t); page.Find("#virkning").Text() != "Ingen av de valgte passer" || page.Find("#utenom li").Text() != "1 er stoppet av noen." || page.Find("form .panel-foot button").Length() != 0 {
			t.Errorf("got %q", page.Find("main").Text())
		}
	})
	t.Run("some change between the page and the act", func(t *testing.T) {
		third := s.queued(t, caseworker, message("Tredje"))
		got := b.post(bulkAt, ticked("stop", second, third))
		s.run(t, `UPDATE items SET state = 'accepted', accepted_at = now() WHERE id = $1`, third)
		done := b.finish(got)
		page := b.get(done.location()).page(t)
		if text := page.Find("#utvalg").Text(); !strings.Contains(text, "Én utsending er stoppet.") || !strings.Contains(text, "1 er sendt.") || s.state(t, third) != dispatch.StateAccepted {
			t.Errorf("at %q: %q", done.location(), text)
		}
		for who, want := range map[string]int{teamLead: http.StatusNotFound, auditor: http.StatusForbidden} {
			if got := s.browser(t, who).get(done.location()); got.StatusCode != want {
				t.Errorf("%s sees somebody's act: %d", who, got.StatusCode)
			}
		}
	})
	t.Run("who may only read is offered nothing, and may do nothing", func(t *testing.T) {
		auditing := s.browser(t, auditor)
		if page := auditing.get("/k/oppvekst/utsendinger").page(t); page.Find("input[name=utsending], .pick").Length() != 0 {
			t.Error("an auditor is offered acts")
		}
		if got := auditing.post(bulkAt, ticked("stop", second)); got.StatusCode != http.StatusForbidden {
			t.Errorf("got %d", got.StatusCode)
		}
	})
}

// TestBulkOfAWholeList: all of a filter, without what came after its effect was shown.
func TestBulkOfAWholeList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for range 55 {
		s.queued(t, caseworker, message("Hei"))
	}
	other := s.shipment(t, caseworker, "Vedtak")
	got := b.post(bulkAt+"?kanal=sms&gruppe=behandling", fields("handling", "stop", "omfang", "alle"))
	if effect := got.page(t).Find("#virkning").Text(); effect != "Stopp 55 SMS" {
		t.Fatalf("it says %q", effect)
	}
	late := s.queued(t, caseworker, message("For sen"))
	s.run(t, `UPDATE items SET created_at = now() + interval '1 minute' WHERE id = $1`, late)
	s.run(t, `UPDATE listed SET created_at = now() + interval '1 minute' WHERE item_id = $1`, late)
	done := b.finish(got)
	if said := flash(b.get(done.location()).page(t)); said != "55 utsendinger er stoppet." || !strings.HasSuffix(done.location(), "?kanal=sms&gruppe=behandling") {
		t.Errorf("got %q on %q", said, done.location())
	}
	if n := s.number(t, `SELECT count(*) FROM items WHERE id IN ($1, $2) AND state = 'queued'`, late, other); n != 2 {
		t.Errorf("what came later is %s, or what is of another kind was stopped", s.state(t, late))
	}
	export := b.post(bulkAt+"?kanal=sms", fields("handling", "export", "omfang", "alle"))
	if export.location() != "/k/oppvekst/eksport?kanal=sms" {
		t.Errorf("an export of all leads to %q", export.location())
	}
	file := b.confirm(b.post(bulkAt, ticked("export", late, other)), "format", "csv")
	if !strings.HasPrefix(file.location(), "/k/oppvekst/eksport/") {
		t.Errorf("an export of two leads to %q", file.location())
	}
}

// TestBulkAgain: what certainly did not arrive is sent again, as a copy that replaces it; never what may have been sent, and never twice.
func TestBulkAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	rejected, uncertain := s.rejected(t, caseworker, message("Avvist")), s.uncertain(t, caseworker, message("Kanskje"))
	failed, bad, arrived := s.queued(t, caseworker, message("Ga opp")), s.queued(t, caseworker, message("Ikke levert")), s.queued(t, caseworker, message("Levert"))
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.gave_up' WHERE id = $1`, failed)
	s.run(t, `UPDATE items SET state = 'accepted', status = 'IKKE_LEVERT', upstream_id = $2, accepted_at = now() WHERE id = $1`, bad, uuid.NewString())
	s.run(t, `UPDATE items SET state = 'accepted', status = 'LEVERT', upstream_id = $2, accepted_at = now() WHERE id = $1`, arrived, uuid.NewString())
	letter := s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'accepted', status = 'IKKE_LEVERT', upstream_id = $2, accepted_at = now() WHERE id = $1`, letter, uuid.NewString())
	got := b.post(bulkAt, ticked("again", rejected, uncertain, failed, bad, arrived, letter))
	page := got.page(t)
	if effect, left := page.Find("#virkning").Text(), page.Find("#utenom").Text(); effect != "Send 3 SMS og 1 forsendelse på nytt" || !strings.Contains(left, "1 kan være sendt.") || !strings.Contains(left, "1 er sendt.") {
		t.Fatalf("it says %q and leaves out %q", effect, left)
	}
	const copies = `SELECT count(*) FROM items WHERE origin_kind = 'replaces' AND state IN ('queued', 'accepted')`
	done := b.finish(got, "papir", "true")
	if text := b.get(done.location()).page(t).Find("#utvalg").Text(); !strings.Contains(text, "4 utsendinger sendes på nytt. Slik er det nå: 4 venter.") || strings.Contains(text, "Ferdig") {
		t.Errorf("it came to %q", text)
	}
	if n := s.number(t, copies); n != 3 || s.state(t, failed) != dispatch.StateQueued || s.state(t, uncertain) != dispatch.StateUncertain {
		t.Errorf("%d copies, the failed is %s, the uncertain %s", n, s.state(t, failed), s.state(t, uncertain))
	}
	if n := s.number(t, `SELECT count(*) FROM items n JOIN shipments h ON h.item_id = n.id JOIN documents d ON d.item_id = n.id WHERE n.origin_id = $1 AND n.state = 'queued' AND h.title = 'Vedtak'`, letter); n != 1 {
		t.Errorf("the copy of the letter has %d files", n)
	}
	receipt := b.get(done.location()).page(t)
	if n := receipt.Find("#utvalg tbody a[href]").Length(); n != 4 || receipt.Find("#utenom").Length() != 0 {
		t.Errorf("the receipt leads to %d items: %q", n, receipt.Find("#utvalg").Text())
	}
	undo := fields()
	for _, hidden := range receipt.Find("#angre input").EachIter() {
		undo.Add(hidden.AttrOr("name", ""), hidden.AttrOr("value", ""))
	}
	if effect := b.post(receipt.Find("#angre").AttrOr("action", ""), undo).page(t).Find("#virkning").Text(); effect != "Stopp 3 SMS og 1 forsendelse" {
		t.Errorf("the way to stop them says %q", effect)
	}
	s.run(t, `UPDATE items SET state = 'accepted', status = CASE kind WHEN 'sms' THEN 'LEVERT' ELSE 'SENDT_SDP' END, upstream_id = gen_random_uuid(), accepted_at = now() WHERE origin_kind = 'replaces' AND state = 'queued'`)
	if text := b.get(done.location()).page(t).Find("#utvalg").Text(); !strings.Contains(text, "1 venter, 2 levert eller skrevet ut, 1 underveis.") {
		t.Errorf("after some were delivered: %q", text)
	}
	again := b.post(bulkAt, ticked("again", rejected, bad, letter))
	if left := again.page(t).Find("#utenom").Text(); !strings.Contains(left, "3 er alt erstattet av nye.") {
		t.Errorf("a second time: %q", left)
	}
	forged := b.post(bulkAt+"/lagre", ticked("again", rejected, bad, letter, uncertain))
	if forged.StatusCode != http.StatusOK || s.number(t, copies) != 3 {
		t.Errorf("without the page before: got %d, and there are %d copies", forged.StatusCode, s.number(t, copies))
	}
	t.Run("what would be stopped is left as it is", func(t *testing.T) {
		faulty := s.shipment(t, caseworker, "Med feil")
		s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected' WHERE id = $1`, faulty)
		s.wantsApproval(t, everything)
		done := b.finish(b.post(bulkAt, ticked("again", faulty)))
		if text := b.get(done.location()).page(t).Find("#utvalg").Text(); !strings.Contains(text, "1 må godkjennes av en annen.") {
			t.Errorf("it came to %q", text)
		}
		if n := s.number(t, `SELECT count(*) FROM items WHERE origin_id = $1`, faulty); n != 0 {
			t.Errorf("%d drafts are left of it", n)
		}
	})
}

// TestBulkDoesWhatItShows: the preview leaves out letters whose files are gone, with the reason. Items that it left out are not sent, and their
// histories show no opening of the content.
func TestBulkDoesWhatItShows(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lead := s.browser(t, teamLead)
	turnedDown := func(title string) dispatch.ItemID {
		id := s.shipment(t, caseworker, title)
		s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', created_at = $2 WHERE id = $1`, id, s.now().AddDate(0, 0, -43))
		return id
	}
	whole, bare, without, purged, sign := turnedDown("Hel"), turnedDown("Uten innholdet i filen"), turnedDown("Uten filer"), turnedDown("Uten innhold"), s.shipmentToSign(t, s.now().Add(72*time.Hour))
	s.run(t, `DELETE FROM document_chunks c USING documents d WHERE d.id = c.document_id AND d.item_id = $1`, bare)
	s.run(t, `DELETE FROM documents WHERE item_id = $1`, without)
	s.run(t, `UPDATE shipments SET content = '' WHERE item_id = $1`, purged)
	s.run(t, `UPDATE items SET state = 'rejected', reason_key = 'reason.rejected', status = '' WHERE id = $1`, sign)
	waits := s.queued(t, caseworker, message("Venter"))
	asked := lead.post(bulkAt, ticked("again", whole, bare, without, purged, sign, waits))
	page := asked.page(t)
	if effect := page.Find("#virkning").Text(); effect != "Send 1 forsendelse på nytt" {
		t.Fatalf("it says %q", effect)
	}
	for _, want := range []string{"Filene i 2 er slettet.", "Innholdet i 1 er slettet", "1 må rettes først.", "1 venter på å bli sendt"} {
		if left := page.Find("#utenom").Text(); !strings.Contains(left, want) {
			t.Errorf("%q is not in %q", want, left)
		}
	}
	if old := page.Find("#eldste").Text(); !strings.Contains(old, "Den ble laget for 43 dager siden.") {
		t.Errorf("of the oldest it says %q", old)
	}
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.gave_up' WHERE id = $1`, waits) // it would apply to this one by now
	done := lead.finish(asked, dispatch.FieldReason, "Kari er syk")
	receipt := lead.get(done.location()).page(t)
	if text := receipt.Find("#utvalg").Text(); !strings.Contains(text, "Én utsending sendes på nytt.") || receipt.Find("#utenom, #faerre").Length() != 0 {
		t.Errorf("it came to %q", text)
	}
	if s.state(t, waits) != dispatch.StateFailed {
		t.Error("what was not shown was done")
	}
	if n := s.number(t, `SELECT count(*) FROM events WHERE kind = 'opened' AND item_id <> $1`, whole); n != 0 {
		t.Errorf("%d of those that are left tell of an opening", n)
	}
	t.Run("what changes in between is told", func(t *testing.T) {
		first, second := turnedDown("Den første"), turnedDown("Den andre")
		asked := lead.post(bulkAt, ticked("again", first, second))
		s.run(t, `DELETE FROM documents WHERE item_id = $1`, second)
		done := lead.finish(asked, dispatch.FieldReason, "Kari er syk")
		text := lead.get(done.location()).page(t).Find("#utvalg").Text()
		for _, want := range []string{"Du bekreftet 2. Lagt i kø: 1.", "Filene i 1 er slettet."} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %q", want, text)
			}
		}
	})
	t.Run("a whole list that has more by now is shown again", func(t *testing.T) {
		asked := lead.post(bulkAt+"?arbeidsliste=ja&grunn=stoppet", fields("handling", "again", "omfang", "alle"))
		effect := asked.page(t).Find("#virkning").Text()
		turnedDown("Kom til")
		s.run(t, `UPDATE follow_ups SET since = now() - interval '1 day'`)
		again := lead.confirm(asked, dispatch.FieldReason, "Kari er syk")
		page := again.page(t)
		if again.StatusCode != http.StatusOK || page.Find("#endret").Length() != 1 || page.Find("#virkning").Text() == effect {
			t.Errorf("got %d with %q, after %q", again.StatusCode, page.Find("#virkning").Text(), effect)
		}
	})
}

// TestBulkOfColleagues: a copy of what a colleague sent takes the right to open it, and a reason; a stand-in has it while it lasts.
func TestBulkOfColleagues(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.rejected(t, caseworker, message("Avvist"))
	colleague := s.colleague(t)
	if left := colleague.post(bulkAt, ticked("again", id)).page(t).Find("#utenom").Text(); !strings.Contains(left, "du kan ikke åpne innholdet") {
		t.Errorf("without the right: %q", left)
	}
	if got := colleague.post(bulkAt+"/lagre", ticked("again", id)); got.StatusCode != http.StatusOK || s.number(t, `SELECT count(*) FROM bulk_acts`) != 0 {
		t.Errorf("without the right: got %d, and it is ordered", got.StatusCode)
	}
	lead := s.browser(t, teamLead)
	asked := lead.post(bulkAt, ticked("again", id))
	if n := asked.page(t).Find("[name=" + dispatch.FieldReason + "]").Length(); n != 1 {
		t.Fatal("a lead is not asked for a reason")
	}
	without := lead.confirm(asked)
	if without.StatusCode != http.StatusUnprocessableEntity || problems(t, without)[dispatch.FieldReason] == "" {
		t.Errorf("without a reason: got %d", without.StatusCode)
	}
	done := lead.finish(asked, dispatch.FieldReason, "Kari er syk")
	if said := lead.get(done.location()).page(t).Find("#utvalg").Text(); !strings.Contains(said, "Én utsending sendes på nytt.") {
		t.Errorf("with a reason: %q", said)
	}
	if got := s.reasonsOf(t, "item.copied", string(id)); !strings.Contains(got, "Kari er syk") {
		t.Errorf("the event log says %q", got)
	}
	if told := s.browser(t, caseworker).get("/k/oppvekst/sms/" + string(id)).body; !strings.Contains(told, "Kopiert til en ny utsending av en annen") || strings.Contains(told, "Innholdet ble åpnet") {
		t.Error("the history does not say that it was copied, and not opened")
	}
	mine := s.turnedDown(t)
	ola := s.asUser(t, noRights)
	s.run(t, `INSERT INTO absences (account_id, user_id, deputy_id, until, set_by) SELECT $1, u.id, $2, current_date + 3, u.id FROM users u WHERE u.subject = $3`, s.oppvekst.Account.ID, ola.User, caseworker)
	if got := colleague.post(bulkAt, ticked("again", mine)).page(t); got.Find("[name="+dispatch.FieldReason+"]").Length() != 1 {
		t.Errorf("a stand-in is told %q", got.Find("#utenom").Text())
	}
}

// TestBulkDrafts: an SMS to those whom shipments did not reach, or who have not signed, is a draft to many.
func TestBulkDrafts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	sign := s.shipmentToSign(t, s.now().Add(72*time.Hour))
	bad := s.shipment(t, caseworker, "Vedtak")
	s.run(t, `UPDATE items SET state = 'accepted', status = 'IKKE_LEVERT', upstream_id = $2, accepted_at = now() WHERE id = $1`, bad, uuid.NewString())
	for act, text := range map[string]string{"remind": "Fristen er ((Frist))", "sms": "Vi har et brev til deg som ikke kom frem"} {
		got := b.post(bulkAt, ticked(act, sign, bad))
		if n := got.page(t).Find("#utenom li").Length(); n != 1 {
			t.Errorf("%s: %d reasons to leave out", act, n)
		}
		draft := b.confirm(got)
		if !strings.HasPrefix(draft.location(), "/k/oppvekst/jobber/") {
			t.Fatalf("%s: got %d to %q", act, draft.StatusCode, draft.location())
		}
		page := b.get(draft.location()).page(t)
		if got := page.Find("textarea[name=tekst]").Text(); !strings.Contains(got, text) || !strings.Contains(page.Find("main").Text(), "Kan sendes til1") || strings.Contains(page.Find("main").Text(), "Listen har ikke feltene") {
			t.Errorf("%s: the draft says %q: %s", act, got, page.Find("main").Text())
		}
		if again := b.confirm(got); again.location() != draft.location() {
			t.Errorf("%s: a second click leads to %q", act, again.location())
		}
	}
}

// TestBulkIsDoneInTheBackground: what a request leaves is done by whoever comes next, and by one only.
func TestBulkIsDoneInTheBackground(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.queued(t, caseworker, message("Hei"))
	asked := b.post(bulkAt, ticked("stop", id))
	done := b.finish(asked)
	s.run(t, `UPDATE items SET state = 'queued', due_at = now() + interval '1 hour', due_since = now() + interval '1 hour' WHERE id = $1`, id)
	s.run(t, `UPDATE bulk_items SET result = ''`)
	s.run(t, `UPDATE bulk_acts SET done_at = NULL, lease_until = now() + interval '1 minute'`)
	held := b.confirm(asked) // somebody else has it
	if !strings.HasPrefix(held.location(), bulkAt+"/") || s.state(t, id) != dispatch.StateQueued {
		t.Fatalf("got %q, and it is %s", held.location(), s.state(t, id))
	}
	page := b.get(held.location()).page(t)
	if after, err := strconv.Atoi(page.Find("#utvalg").AttrOr("data-live-etter", "")); err != nil || after < 1 || !strings.Contains(page.Find("#utvalg").Text(), "0 av 1 er gått gjennom.") {
		t.Errorf("the page says %q", page.Find("#utvalg").Text())
	}
	s.run(t, `UPDATE bulk_acts SET lease_until = now() - interval '1 minute'`) // whoever had it died
	if again := b.finish(asked); again.location() != done.location() || s.state(t, id) != dispatch.StateCancelled {
		t.Errorf("got %q, and it is %s", again.location(), s.state(t, id))
	}
}

// TestBulkOfProtectedPeople: what went to a protected person is not there for those who are not named, ticked or in a whole list.
func TestBulkOfProtectedPeople(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	id := s.queued(t, caseworker, storetest.ToPhone("90000100", "Hemmelig"))
	other := s.queued(t, caseworker, message("Hei"))
	s.protect(t, "15844112349", "90000100")
	if n := b.get("/k/oppvekst/sms").page(t).Find("tbody input[name=utsending]").Length(); n != 1 {
		t.Errorf("%d rows can be ticked", n)
	}
	if effect := b.post(bulkAt, ticked("stop", id, other)).page(t).Find("#virkning").Text(); effect != "Stopp 1 SMS" {
		t.Errorf("ticked: %q", effect)
	}
	b.post(bulkAt+"/lagre", ticked("stop", id))
	b.finish(b.post(bulkAt+"?kanal=sms", fields("handling", "stop", "omfang", "alle")))
	if s.state(t, id) != dispatch.StateQueued || s.state(t, other) != dispatch.StateCancelled {
		t.Errorf("theirs is %s, the other %s", s.state(t, id), s.state(t, other))
	}
	lead.finish(lead.post(bulkAt, ticked("stop", id)))
	if s.state(t, id) != dispatch.StateCancelled {
		t.Errorf("the named could not stop it: %s", s.state(t, id))
	}
}
