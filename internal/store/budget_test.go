package store_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

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
	if err := registry.In(r.s).Accounts.Update(t.Context(), a, r.Actor); err != nil {
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
	all, err := registry.In(r.s).Accounts.List(t.Context())
	i := slices.IndexFunc(all, func(a dispatch.Account) bool { return a.ID == r.Account.ID })
	if err != nil || i < 0 {
		t.Fatalf("no account: %v", err)
	}
	return all[i]
}

func (r rig) spent(t *testing.T, a dispatch.Account) int {
	t.Helper()
	b, err := items.In(r.s).Budgets.Of(t.Context(), a)
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
		return items.In(r.s).SMS.Queue(t.Context(), a, id, r.Seen(t, r.s, id), by)
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
		id, err := items.In(r.s).Drafts.Create(t.Context(), a.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
		if err != nil {
			t.Fatal(err)
		}
		return items.In(r.s).Drafts.Queue(t.Context(), a, id, r.Actor, 1, content)
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
	succeed(t, in.SMS.Queue(t.Context(), a, sms, r.Seen(t, r.s, sms), r.Actor))
	letter, err := in.Drafts.Create(t.Context(), a.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	succeed(t, err)
	succeed(t, in.Drafts.Queue(t.Context(), a, letter, r.Actor, 1, wholeShipment(false)))
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
	succeed(t, in.Decisions.SendAgain(t.Context(), a.ID, letter, r.Actor))
	if got := r.spent(t, a); got != 1500 {
		t.Errorf("a shipment sent again: spent %d, want 1500", got)
	}
	succeed(t, in.Decisions.SendAgain(t.Context(), a.ID, sms, r.Actor))
	if got := r.spent(t, a); got != 1540 {
		t.Errorf("an SMS sent again: spent %d, want 1540", got)
	}
	state(letter, "failed")
	a = r.budgeted(t, a.Prices, dispatch.Budget{Limit: 1539, Rule: dispatch.BudgetLead})
	if err := in.Decisions.SendAgain(t.Context(), a.ID, letter, r.Actor); !errors.Is(err, items.ErrBudget) || r.spent(t, a) != 40 {
		t.Errorf("beyond the budget: %v, spent %d", err, r.spent(t, a))
	}
	succeed(t, in.Decisions.SendAgain(t.Context(), a.ID, letter, lead))

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
	if n, err := in.Decisions.Resolve(t.Context(), a, []dispatch.ItemID{sms, letter}, dispatch.DecisionSendAgain, r.Actor); n != 2 || err != nil {
		t.Fatalf("resolved %d, %v", n, err)
	}
	if got := r.spent(t, a); got != 1540 {
		t.Errorf("sent again after a doubt: spent %d, want 1540", got)
	}
}

// costsAgree compares the kept sums with the costs of the shipments, by month.
func (r rig) costsAgree(t *testing.T) {
	t.Helper()
	if wrong := read[string](t, r, `
		SELECT coalesce(string_agg(format('%s: counted %s, costs %s', month, u.ore, c.ore), '; '), '')
		FROM (SELECT account_id, month, sum(ore) AS ore FROM shipment_usage GROUP BY 1, 2) u
		FULL JOIN (SELECT account_id, month, sum(ore) AS ore FROM shipment_costs GROUP BY 1, 2) c USING (account_id, month)
		WHERE coalesce(u.ore, 0) <> coalesce(c.ore, 0)`); wrong != "" {
		t.Error(wrong)
	}
}

// priced is an account whose shipments cost 400 digitally and 1500 on paper.
func (r rig) priced(t *testing.T) dispatch.Account {
	t.Helper()
	return r.budgeted(t, dispatch.Prices{Digital: dispatch.PriceOf(400), Print: dispatch.PriceOf(1500)}, dispatch.Budget{Limit: 1_000_000, Rule: dispatch.BudgetStop})
}

// letter is a queued shipment of a priced account.
func (r rig) letter(t *testing.T, a dispatch.Account) dispatch.ItemID {
	t.Helper()
	id, err := items.In(r.s).Drafts.Create(t.Context(), a.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{})
	succeed(t, err)
	succeed(t, items.In(r.s).Drafts.Queue(t.Context(), a, id, r.Actor, 1, wholeShipment(false)))
	return id
}

// TestBudgetFollowsShipments: the budget follows the state of each shipment; deleting a sent shipment does not give its cost back.
func TestBudgetFollowsShipments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.priced(t)
	stopped, id := r.letter(t, a), r.letter(t, a)
	became := func(want int, changes string) {
		t.Helper()
		r.exec(t, `UPDATE items SET `+changes+` WHERE id = $1`, id)
		if got := r.spent(t, a); got != want {
			t.Errorf("%s: spent %d, want %d", changes, got, want)
		}
	}
	if got := r.spent(t, a); got != 3000 {
		t.Errorf("queued: spent %d", got)
	}
	succeed(t, stop(r.s, t.Context(), a.ID, stopped, r.Actor))
	became(1500, `state = 'sending', lease_until = now()`)
	became(1500, `state = 'accepted', lease_until = NULL, accepted_at = now(), upstream_id = gen_random_uuid()`)
	became(400, `status = 'LEST', status_at = now()`)
	became(1500, `status = 'PRINTET', status_at = now()`)
	became(1500, `status = 'SOMETHING NEW', status_at = now()`)
	became(1500, `state = 'uncertain', status = '', status_at = NULL, accepted_at = NULL, upstream_id = NULL`)
	became(0, `state = 'failed', reason_key = 'reason.unreachable'`)
	succeed(t, items.In(r.s).Decisions.SendAgain(t.Context(), a.ID, id, r.Actor))
	became(1500, `state = 'sending', lease_until = now()`)
	became(400, `state = 'accepted', lease_until = NULL, accepted_at = now(), status = 'LEST', status_at = now()`)
	r.costsAgree(t)
	r.exec(t, `DELETE FROM items WHERE id = $1`, id)
	if got := r.spent(t, a); got != 400 {
		t.Errorf("deleted: spent %d, want 400", got)
	}
}

// TestBudgetIsReadFast: after many concurrent changes the sum is right and is read from few rows.
func TestBudgetIsReadFast(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.priced(t)
	const letters, changes = 4, 60
	var group errgroup.Group
	for range letters {
		id := r.letter(t, a)
		group.Go(func() error {
			for i := range changes {
				_, err := r.db.ExecContext(t.Context(), `UPDATE items SET state = 'accepted', accepted_at = coalesce(accepted_at, now()), status = $2, status_at = now() WHERE id = $1`,
					id, []dispatch.Status{dispatch.StatusPrinted, dispatch.StatusRead}[i%2])
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	succeed(t, group.Wait())
	r.costsAgree(t)
	if got := r.spent(t, a); got != letters*400 {
		t.Errorf("spent %d, want %d", got, letters*400)
	}
	if n := read[int](t, r, `SELECT count(*) FROM shipment_usage`); n > 128 {
		t.Errorf("%d rows are read after %d changes", n, letters*changes)
	}
}

// TestBudgetOfEarlierRelease: what a release sent that did not count it is counted once, when a later one migrates.
func TestBudgetOfEarlierRelease(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.priced(t)
	r.letter(t, a)
	r.exec(t, `DELETE FROM shipment_usage`)
	for range 2 {
		r.exec(t, `DELETE FROM applied_code`)
		if _, err := storetest.Open(t, storetest.Owner(r.url)).Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.spent(t, a); got != 1500 {
			t.Errorf("spent %d, want 1500", got)
		}
	}
}
