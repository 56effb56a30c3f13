package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/storetest"
)

// breakLog makes the event log refuse all lines.
func (s *site) breakLog(t *testing.T) {
	t.Helper()
	s.run(t, `
		CREATE FUNCTION no_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the log takes nothing'; END $$;
		CREATE TRIGGER no_line BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION no_line()`)
}

// everything is all rows that acts may change, as one text.
func (s *site) everything(t *testing.T) string {
	t.Helper()
	var all string
	db := storetest.DB(t, s.database)
	for _, table := range []string{"items", "sms", "shipments", "events", "jobs", "document_chunks", "job_rows", "documents", "searches", "looked_up", "session_lookups", "exports", "holds", "follow_ups"} {
		var rows string
		err := db.QueryRowContext(t.Context(), `SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '') FROM `+table+` t`).Scan(&rows)
		if err != nil {
			t.Fatal(err)
		}
		all += table + ":\n" + rows + "\n"
	}
	return all
}

// TestNothingHappensWithoutItsLine: an act, its answer and its line in the event log are atomic.
func TestNothingHappensWithoutItsLine(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, siteOptions{register: knowing()})
	toPerson := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847800155"}, Text: "Hei der"}
	failed := s.rejected(t, caseworker, toPerson)
	given := s.rejected(t, caseworker, toPerson)
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.gave_up' WHERE id = $1`, given)
	others := s.accepted(t, caseworker, message("Hemmelig beskjed"))
	waiting := s.queued(t, caseworker, message("Venter"))
	shipment := s.shipment(t, caseworker, "Vedtak om skoleskyss")
	s.run(t, `UPDATE items SET state = 'accepted', status = 'IKKE_LEVERT', upstream_id = gen_random_uuid(), accepted_at = now() WHERE id = $1`, shipment)
	draft := s.draft(t, caseworker, message("Utkast"))
	own, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	job := s.jobFor(t, "")
	s.makeItems(t)
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.gave_up' WHERE job_id = $1`, job)
	shipmentsAgain := s.shipmentJobAddress(t, "/k/oppvekst/jobber/:id/brev-igjen")
	own.lookUp(company)
	seen := own.get("/k/oppvekst/sms/" + string(draft) + "/kontroll").seen()
	sms, shipments := "/k/oppvekst/sms/", "/k/oppvekst/forsendelser/"
	s.breakLog(t)
	before := s.everything(t)
	for _, test := range []struct {
		name   string
		b      *browser
		path   string
		form   []string
		hidden string // what must not be shown
	}{
		{"an SMS to the phone that the register gave", own, oppslag + "/sms", nil, theirs[3:]},
		{"a copy of an SMS", own, sms + string(failed) + "/kopier", nil, ""},
		{"a shipment instead of an SMS", own, sms + string(failed) + "/brev", nil, ""},
		{"an SMS instead of a shipment", own, shipments + string(shipment) + "/sms", nil, ""},
		{"a copy of a shipment", own, shipments + string(shipment) + "/kopier", nil, ""},
		{"sending again", own, sms + string(given) + "/send-igjen", nil, ""},
		{"a job again", own, "/k/oppvekst/jobber/" + string(job) + "/igjen", nil, ""},
		{"shipments of a job again", own, shipmentsAgain, nil, ""},
		{"stopping", own, sms + string(waiting) + "/avbryt", nil, ""},
		{"sending", own, sms + string(draft) + "/send", []string{"sett", seen}, ""},
		{"discarding", own, sms + string(draft) + "/forkast", nil, ""},
		{"opening another's", lead, sms + string(others) + "/apne", []string{"begrunnelse", "Gjennomgang av klage"}, "Hemmelig beskjed"},
		{"showing a number", own, sms + string(failed) + "/vis", nil, "12847800155"},
		{"a search for a number", own, "/k/oppvekst/sok-person", []string{"q", "90000123"}, ""},
		{"a search for words", own, "/k/oppvekst/sok", []string{"q", "vedtak"}, ""},
		{"a look-up", own, oppslag, asking(somebody), ""},
		{"an export", own, "/k/oppvekst/eksport", []string{"format", "csv"}, ""},
		{"following up", own, sms + string(failed) + "/fulgt-opp", []string{"ferdig", "true", "begrunnelse", "Ringte mottakeren"}, ""},
		{"keeping", lead, sms + string(failed) + "/behold", []string{"formal", "Klage er til behandling"}, ""},
	} {
		form := fields(append([]string{"nokkel", uuid.NewString()}, test.form...)...)
		got := test.b.post(test.path, form)
		if got.StatusCode != http.StatusInternalServerError {
			t.Errorf("%s: got %d to %q", test.name, got.StatusCode, got.location())
		}
		if test.hidden != "" && strings.Contains(got.body, test.hidden) {
			t.Errorf("%s: it is shown", test.name)
		}
		if after := s.everything(t); after != before {
			t.Errorf("%s: something happened all the same:\n%s", test.name, difference(before, after))
			before = after
		}
	}
	if got := own.get(sms + string(failed)); got.StatusCode != http.StatusInternalServerError || strings.Contains(got.body, "Hei der") {
		t.Errorf("one's own text: got %d", got.StatusCode)
	}
}

// TestNothingIsTriedWithoutItsLine: credentials are tested only after the event log has the line.
func TestNothingIsTriedWithoutItsLine(t *testing.T) {
	t.Parallel()
	s, b := newSetup(t)
	id, v1 := s.unused(t, dispatch.IntegrationSMS), s.unused(t, dispatch.IntegrationShipmentV1)
	at := setup + "/" + string(id)
	s.addSet(t, id, "token")
	s.addSet(t, v1, "token")
	waiting := s.addSet(t, id, "another")
	typed := fields("metode", "client_secret", "klient-id", "klienten", "hemmelighet", typedSecret, "integrasjon-id", uuid.NewString(), "integrasjon-passord", typedPassword, "handling", "prov")
	trials := map[string]func() answer{
		"what is in use":   func() answer { return b.post(at+"/prov", fields()) },
		"a set that waits": func() answer { return b.post(at+"/tilgang/"+string(waiting)+"/prov", fields()) },
		"what is typed":    func() answer { return b.post(at+"/tilgang", typed) },
		"another wire's":   func() answer { return b.post(accountSetup+"/oppvekst/bytt/prov", fields("integrasjon", string(v1))) },
	}
	lines := func() int {
		return countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'integration.try'`)
	}
	for name, try := range trials {
		before, tried := lines(), s.services.tries()
		if got := try(); got.StatusCode != http.StatusOK || s.services.tries() == tried || lines() != before+1 {
			t.Errorf("%s: got %d, %d calls with %d lines", name, got.StatusCode, s.services.tries()-tried, lines()-before)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'integration.tried' AND jsonb_typeof(details->'failed') <> 'boolean'`); n > 0 {
		t.Errorf("%d results do not tell whether the trial failed", n)
	}
	s.breakLog(t)
	for name, try := range trials {
		tried := s.services.tries()
		if got := try(); got.StatusCode != http.StatusInternalServerError || s.services.tries() != tried {
			t.Errorf("%s without a log: got %d, %d calls", name, got.StatusCode, s.services.tries()-tried)
		}
	}
}

// difference returns the lines of one text that another lacks.
func difference(before, after string) string {
	had := map[string]bool{}
	for _, line := range strings.Split(before, "\n") {
		had[line] = true
	}
	var fresh []string
	for _, line := range strings.Split(after, "\n") {
		if !had[line] {
			fresh = append(fresh, line)
		}
	}
	return strings.Join(fresh, "\n")
}

// TestNobodyLogsInOrOutWithoutALine: if the event log refuses the line, a login makes no session, and a logout does
// not end it.
func TestNobodyLogsInOrOutWithoutALine(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b, fresh := s.browser(t, caseworker), s.browser(t, nobody)
	s.breakLog(t)
	if got := fresh.loginAt(fresh.get("/logg-inn").location(), caseworker); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("login: got %d", got.StatusCode)
	}
	if got := fresh.get("/k/oppvekst/").StatusCode; got != http.StatusUnauthorized {
		t.Errorf("got %d after a login without a line, want 401", got)
	}
	if got := b.post("/logg-ut", fields()); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("logout: got %d", got.StatusCode)
	}
	if got := b.get("/min-side/visning").StatusCode; got != http.StatusOK {
		t.Errorf("got %d after a logout without a line, want 200", got)
	}
}

// TestOnlyKnownFragmentsExist: a request for an unknown fragment gets the whole page, and a read of content is logged.
func TestOnlyKnownFragmentsExist(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := s.accepted(t, caseworker, message("Hei der"))
	address := "/k/oppvekst/sms/" + string(id)
	reads := func() int {
		return countRows(t, s, `SELECT count(*) FROM audit_events WHERE action = 'item.read'`)
	}
	for _, name := range []string{"x", "forsendelse", "liste", "SMS", "sms-teller", "okt", "sms x", ""} {
		before := reads()
		got := b.get(address, fragment(name)...)
		if strings.Contains(got.body, "Hei der") && reads() != before+1 {
			t.Errorf("%q shows the text, and the log has no read of it", name)
		}
	}
	before := reads()
	if got := b.get(address, fragment("sms")...); got.StatusCode != http.StatusOK || strings.Contains(got.body, "Hei der") || reads() != before {
		t.Errorf("the part itself: got %d, %d reads", got.StatusCode, reads()-before)
	}
	t.Run("nor do they let a session idle on", func(t *testing.T) {
		s.ahead.Store(int64(29 * time.Minute))
		b.get(address, fragment("x")...)
		s.ahead.Store(int64(31 * time.Minute))
		if got := b.get(address).StatusCode; got != http.StatusOK {
			t.Errorf("got %d two minutes after a whole page was asked for", got)
		}
	})
}

// TestStreetAddressesAreContent: a street address is shown to the sender, and to others for a reason.
func TestStreetAddressesAreContent(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.shipment(t, caseworker, "Vedtak om skoleskyss") // to Storgata 1
	address := "/k/oppvekst/forsendelser/" + string(id)
	if got := s.browser(t, caseworker).get(address); !strings.Contains(got.body, "Storgata 1") {
		t.Error("who sent it does not see the address")
	}
	for _, who := range []string{teamLead, auditor} {
		b := s.browser(t, who)
		for _, part := range []string{"", "forsendelse"} {
			if got := b.get(address, fragment(part)...); got.StatusCode != http.StatusOK || strings.Contains(got.body, "Storgata") {
				t.Errorf("%s: got %d, and the address on %q", who, got.StatusCode, part)
			}
		}
		if got := b.get(address + "/dokumentasjon"); strings.Contains(got.body, "Storgata") {
			t.Errorf("%s sees the address on the proof", who)
		}
		if got := b.post(address+"/apne", fields("begrunnelse", "Gjennomgang av klage")); !strings.Contains(got.body, "Storgata 1") {
			t.Errorf("%s does not see it with a reason: %d", who, got.StatusCode)
		}
	}
}

// TestReasonsSayWhy: numbers in any spelling are found in a reason, and dots are no reason.
func TestReasonsSayWhy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.accepted(t, caseworker, message("Hemmelig beskjed"))
	b := s.browser(t, teamLead)
	open := func(reason string) answer {
		return b.post("/k/oppvekst/sms/"+string(id)+"/apne", fields("begrunnelse", reason))
	}
	for _, reason := range []string{
		".......", "- - - - -", "aaaaaaa", "!!!!!?", "      .", "😀😀😀😀😀",
		"Gjelder １２８４７８００１５５", "Gjelder 128478\u200b00155", "Gjelder 1\u00ad2\u00ad8\u00ad4\u00ad7\u00ad8\u00ad0\u00ad0\u00ad1\u00ad5\u00ad5", "Gjelder ①②⑧④⑦⑧⓪⓪①⑤⑤",
		"Gjelder 128478–00155", "Gjelder 128478/00155", "Gjelder 128478_00155", "Gjelder 128478\u00a000155", "Gjelder ١٢٨٤٧٨٠٠١٥٥", "Gjelder 𝟏𝟐𝟖𝟒𝟕𝟖𝟎𝟎𝟏𝟓𝟓",
		"Ring 900\u200d00\u200d123",
	} {
		if got := open(reason); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["begrunnelse"] == "" || strings.Contains(got.body, "Hemmelig beskjed") {
			t.Errorf("%q: got %d", reason, got.StatusCode)
		}
	}
	for _, reason := range []string{"Klage fra søker", "Sak 26/1234, innsyn", "Kontroll av § 13-4", "NAV ba om svar"} {
		if got := open(reason); got.StatusCode != http.StatusOK || !strings.Contains(got.body, "Hemmelig beskjed") {
			t.Errorf("%q: got %d: %q", reason, got.StatusCode, problems(t, got))
		}
	}
	note := func(text string) answer {
		return s.browser(t, caseworker).post("/k/oppvekst/sms/"+string(s.rejected(t, caseworker, message("Hei")))+"/fulgt-opp", fields("notat", text))
	}
	if got := note("Gjelder 128478\u200b00281"); got.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a note with a number in disguise: got %d", got.StatusCode)
	}
}

// TestLinesKeepNamesAndLogins: a line keeps the person's name at the time, and which login it was.
func TestLinesKeepNamesAndLogins(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	b.post("/k/oppvekst/sok", fields("q", "vedtak"))
	s.run(t, `UPDATE users SET name = 'Kari Bakken'; UPDATE accounts SET name = 'Ny konto'`)
	line := s.searches(t)[0]
	if line.ActorName != names[caseworker] || line.AccountName != s.oppvekst.Account.Name {
		t.Errorf("the line names %q and %q", line.ActorName, line.AccountName)
	}
	if n := countRows(t, s, `SELECT count(*) FROM audit_events e JOIN sign_ins i ON i.id = e.sign_in_id AND i.user_id = e.actor_id WHERE e.action IN ('list.search', 'session.login')`); n != 2 {
		t.Errorf("%d lines have their login, want 2", n)
	}
}
