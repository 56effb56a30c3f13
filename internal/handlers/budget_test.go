package handlers_test

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
)

// TestBudgetStopsWhatIsSentAgain: one by one and several at once; a lead may where the account says so.
func TestBudgetStopsWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.queued(t, caseworker, message("Hei, Ola."))
	s.run(t, `UPDATE items SET state = 'failed', reason_key = 'reason.unreachable' WHERE id = $1`, id)
	s.run(t, `UPDATE accounts SET price_sms = 40, budget = 39, budget_rule = 'lead' WHERE id = $1`, s.oppvekst.Account.ID)
	kari, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	at := "/k/oppvekst/sms/" + string(id)
	said := func(got answer) string { return flash(kari.get(got.location()).page(t)) }
	if got := said(kari.post(at+"/send-igjen", nil)); !strings.HasPrefix(got, "Budsjettet for denne måneden rekker ikke") || s.state(t, id) != dispatch.StateFailed {
		t.Errorf("one: %q, and it is %s", got, s.state(t, id))
	}
	several := kari.confirm(kari.post(bulkAt, ticked("again", id)))
	if got := kari.get(several.location()).page(t).Find("#utenom").Text(); !strings.Contains(got, "budsjettet rekker ikke") || s.state(t, id) != dispatch.StateFailed {
		t.Errorf("several: %q, and it is %s", got, s.state(t, id))
	}
	lead.post(at+"/send-igjen", nil)
	if s.state(t, id) != dispatch.StateQueued {
		t.Errorf("by a lead: it is %s", s.state(t, id))
	}
}
