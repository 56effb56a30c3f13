package store_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

// budgeted is the account with prices and a budget.
func (r rig) budgeted(t *testing.T, p dispatch.Prices, b dispatch.Budget) dispatch.Account {
	t.Helper()
	a := r.account(t)
	a.Prices, a.Budget = p, b
	if err := registry.In(r.s).UpdateAccount(t.Context(), a, r.Actor); err != nil {
		t.Fatal(err)
	}
	if a = r.account(t); a.Prices != p || a.Budget != b {
		t.Fatalf("kept %+v and %+v", a.Prices, a.Budget)
	}
	return a
}

// account is the account as it stands.
func (r rig) account(t *testing.T) dispatch.Account {
	t.Helper()
	all, err := registry.In(r.s).Accounts(t.Context())
	i := slices.IndexFunc(all, func(a dispatch.Account) bool { return a.ID == r.Account.ID })
	if err != nil || i < 0 {
		t.Fatalf("no account: %v", err)
	}
	return all[i]
}

func (r rig) spent(t *testing.T, a dispatch.Account) int {
	t.Helper()
	b, err := items.In(r.s).Budget(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return b.Spent
}

// TestBudgetStops: at the account's budget nothing more is sent, but by a lead where the account says so; what was cancelled is
// given back.
func TestBudgetStops(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	prices := dispatch.Prices{SMS: dispatch.PriceOf(40), Digital: dispatch.PriceOf(0)} // zero is a price, none is none
	a := r.budgeted(t, prices, dispatch.Budget{Limit: 100, Rule: dispatch.BudgetLead})
	draft := func() dispatch.ItemID {
		return r.Draft(t, r.s, storetest.ToPhone("90000123", "Hei"))
	}
	send := func(id dispatch.ItemID, lead bool) error {
		by := r.Actor
		by.Lead = lead
		return items.In(r.s).QueueSMS(t.Context(), a, id, r.Seen(t, r.s, id), by)
	}
	first := draft()
	if err := errors.Join(send(first, false), send(draft(), false)); err != nil || r.spent(t, a) != 80 {
		t.Fatalf("got %v, spent %d", err, r.spent(t, a))
	}
	third := draft()
	if err := send(third, false); !errors.Is(err, items.ErrBudget) || r.spent(t, a) != 80 {
		t.Errorf("beyond the budget: got %v, spent %d", err, r.spent(t, a))
	}
	if err := send(third, true); err != nil || r.spent(t, a) != 120 {
		t.Errorf("a lead: got %v, spent %d", err, r.spent(t, a))
	}
	if err := stop(r.s, t.Context(), a.ID, first, r.Actor); err != nil || r.spent(t, a) != 80 {
		t.Errorf("cancelled: got %v, spent %d", err, r.spent(t, a))
	}
	a = r.budgeted(t, dispatch.Prices{}, dispatch.Budget{Limit: 100, Rule: dispatch.BudgetStop})
	if err := send(draft(), false); err != nil {
		t.Errorf("without a price: %v", err)
	}
	a = r.budgeted(t, dispatch.Prices{SMS: dispatch.PriceOf(40)}, dispatch.Budget{Limit: 0, Rule: dispatch.BudgetStop})
	if err := send(draft(), false); err != nil {
		t.Errorf("without a budget: %v", err)
	}
}

// TestBudgetCountsShipments: a shipment counts as paper until it is known to be digital, and a job counts for all before they
// are made, once.
func TestBudgetCountsShipments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.budgeted(t, dispatch.Prices{Digital: dispatch.PriceOf(400), Print: dispatch.PriceOf(1500), Sheet: 100}, dispatch.Budget{Limit: 10_000, Rule: dispatch.BudgetStop})
	content := dispatch.Shipment{Title: "Vedtak", Recipient: dispatch.Address{Postal: dispatch.PostalAddress{Name: "Ola Testesen"}}}
	queue := func() error {
		id, err := items.In(r.s).CreateShipmentDraft(t.Context(), a.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
		if err != nil {
			t.Fatal(err)
		}
		return items.In(r.s).QueueShipment(t.Context(), a, id, r.Actor, 1, content)
	}
	if err := queue(); err != nil || r.spent(t, a) != 1500 {
		t.Fatalf("got %v, spent %d", err, r.spent(t, a))
	}
	r.exec(t, `UPDATE items SET state = 'accepted', status = 'LEST', accepted_at = now(), status_at = now() WHERE account_id = $1`, a.ID)
	if got := r.spent(t, a); got != 400 {
		t.Errorf("read digitally: spent %d, want 400", got)
	}
	r.Account = a
	l := r.ShipmentJob(t, r.s, "%PDF", storetest.ShipmentRows(5))
	r.SendShipments(t, r.s, l)
	want := 400 + 5*(1500+100)
	if got := r.spent(t, a); got != want {
		t.Errorf("before its items are made: spent %d, want %d", got, want)
	}
	r.makeSome(t)
	if got := r.spent(t, a); got != want {
		t.Errorf("when they are made: spent %d, want %d", got, want)
	}
	if err := queue(); err != nil {
		t.Error(err)
	}
	if err := queue(); !errors.Is(err, items.ErrBudget) {
		t.Errorf("beyond the budget: got %v", err)
	}
}

// TestBudgetCountsWhatIsSentAgain: what is sent again after it was not sent costs as much as what is new does, in the month in which it
// is sent again.
func TestBudgetCountsWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	in, lead := items.In(r.s), r.Actor
	lead.Lead = true
	a := r.budgeted(t, dispatch.Prices{SMS: dispatch.PriceOf(40), Digital: dispatch.PriceOf(400), Print: dispatch.PriceOf(1500)}, dispatch.Budget{Limit: 1600, Rule: dispatch.BudgetLead})
	sms := r.Draft(t, r.s, storetest.ToPhone("90000123", "Hei"))
	succeed(t, in.QueueSMS(t.Context(), a, sms, r.Seen(t, r.s, sms), r.Actor))
	letter, err := in.CreateShipmentDraft(t.Context(), a.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	succeed(t, err)
	succeed(t, in.QueueShipment(t.Context(), a, letter, r.Actor, 1, wholeShipment(false)))
	state := func(id dispatch.ItemID, state string) {
		t.Helper()
		r.exec(t, `UPDATE items SET state = $2, reason_key = CASE $2 WHEN 'failed' THEN 'reason.unreachable' ELSE '' END WHERE id = $1`, id, state)
	}
	state(sms, "failed")
	state(letter, "failed")
	r.exec(t, `UPDATE shipments SET cost_month = cost_month - interval '1 month' WHERE item_id = $1`, letter) // it failed last month
	if got := r.spent(t, a); got != 0 {
		t.Fatalf("spent %d before", got)
	}
	succeed(t, in.SendAgain(t.Context(), a.ID, letter, r.Actor))
	if got := r.spent(t, a); got != 1500 {
		t.Errorf("a shipment sent again: spent %d, want 1500", got)
	}
	succeed(t, in.SendAgain(t.Context(), a.ID, sms, r.Actor))
	if got := r.spent(t, a); got != 1540 {
		t.Errorf("an SMS sent again: spent %d, want 1540", got)
	}
	state(letter, "failed")
	a = r.budgeted(t, a.Prices, dispatch.Budget{Limit: 1539, Rule: dispatch.BudgetLead})
	if err := in.SendAgain(t.Context(), a.ID, letter, r.Actor); !errors.Is(err, items.ErrBudget) || r.spent(t, a) != 40 {
		t.Errorf("beyond the budget: %v, spent %d", err, r.spent(t, a))
	}
	succeed(t, in.SendAgain(t.Context(), a.ID, letter, lead))

	uncertain := func(id dispatch.ItemID) {
		t.Helper()
		state(id, "uncertain")
		r.exec(t, `UPDATE shipments SET cost_month = cost_month - interval '1 month' WHERE item_id = $1`, id)
		r.exec(t, `UPDATE sms SET counted_month = counted_month - interval '1 month' WHERE item_id = $1`, id)
	}
	uncertain(sms)
	uncertain(letter)
	r.exec(t, `UPDATE sms_usage SET month = month - interval '1 month'`)
	if got := r.spent(t, a); got != 0 {
		t.Fatalf("in doubt since last month: spent %d", got)
	}
	if n, err := in.Resolve(t.Context(), a, []dispatch.ItemID{sms, letter}, dispatch.DecisionSendAgain, r.Actor); n != 2 || err != nil {
		t.Fatalf("resolved %d, %v", n, err)
	}
	if got := r.spent(t, a); got != 1540 {
		t.Errorf("sent again after a doubt: spent %d, want 1540", got)
	}
}
