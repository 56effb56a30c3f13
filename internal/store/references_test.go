package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/items"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
)

var numbered = dispatch.ReferenceRule{Pattern: "{år}-{nr:3}", Fill: true}

// referred has the rig's account make references, and returns that of a number.
func (r *rig) referred(t *testing.T) func(n int) string {
	t.Helper()
	r.Account.References = numbered
	if _, err := registry.In(r.s).Accounts.Save(t.Context(), r.Account); err != nil {
		t.Fatal(err)
	}
	year := read[int](t, *r, `SELECT extract(year FROM now() AT TIME ZONE 'Europe/Oslo')::int`)
	return func(n int) string { return numbered.Reference(year, int64(n)) }
}

// begun is a new draft of a shipment.
func (r rig) begun(t *testing.T) dispatch.ItemID {
	t.Helper()
	id, err := items.In(r.s).Drafts.Create(t.Context(), r.Account.ID, r.Actor, uuid.NewString(), dispatch.DraftFields{Title: "Vedtak"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func toOla(reference string) dispatch.Shipment {
	return dispatch.Shipment{Title: "Vedtak", SourceSystem: "Utsending", ExternalReference: reference,
		Recipient: dispatch.Address{Postal: dispatch.PostalAddress{Name: "Ola", Line1: "Storgata 1", PostalCode: "7713", City: "Steinkjer", Country: "Norge"}}}
}

// TestTwoAtOnceGetDifferentReferences: whoever sends at the same time, each shipment has its own number, and those that fail leave no
// gap.
func TestTwoAtOnceGetDifferentReferences(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reference := r.referred(t)
	const n = 12
	var all sync.WaitGroup
	failed := make([]error, 2*n)
	for i := range 2 * n {
		id := r.begun(t)
		all.Go(func() {
			version := 1
			if i%2 == 1 {
				version = 2 // another tab has it otherwise: it is not sent
			}
			failed[i] = items.In(r.s).Drafts.Queue(t.Context(), r.Account, id, r.Actor, version, toOla(""))
		})
	}
	all.Wait()
	for i, err := range failed {
		if i%2 == 0 && err != nil || i%2 == 1 && !errors.Is(err, store.ErrStale) {
			t.Errorf("%d: %v", i, err)
		}
	}
	var want []string
	for i := range n {
		want = append(want, reference(i+1))
	}
	if got := r.references(t, ``); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// references are those of the shipments that are sent, in order.
func (r rig) references(t *testing.T, where string, args ...any) (list []string) {
	t.Helper()
	rows, err := storetest.DB(t, r.url).QueryContext(t.Context(), `
		SELECT h.external_reference FROM shipments h JOIN items it ON it.id = h.item_id WHERE it.state <> 'draft' `+where+` ORDER BY it.job_position, h.external_reference`, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var reference string
		if err := rows.Scan(&reference); err != nil {
			t.Fatal(err)
		}
		list = append(list, reference)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestReferencesAreFilledIn: where none is typed and the account says so; a number that somebody has typed is passed over.
func TestReferencesAreFilledIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reference := r.referred(t)
	queue := func(account dispatch.Account, typed string) {
		t.Helper()
		if err := items.In(r.s).Drafts.Queue(t.Context(), account, r.begun(t), r.Actor, 1, toOla(typed)); err != nil {
			t.Fatal(err)
		}
	}
	silent := r.Account
	silent.References.Fill = false
	queue(r.Account, "Sak 7")
	queue(silent, "")
	queue(r.Account, reference(2))
	queue(r.Account, "")
	queue(r.Account, "")
	want := []string{"", reference(1), reference(2), reference(3), "Sak 7"}
	if got := r.references(t, ``); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	sent, err := items.In(r.s).Shipments.ByID(t.Context(), r.Account.ID, dispatch.ItemID(read[string](t, r, `SELECT item_id::text FROM shipments WHERE external_reference = '`+reference(3)+`'`)))
	if err != nil || sent.ExternalReference != reference(3) {
		t.Errorf("the sealed content has %q, %v", sent.ExternalReference, err)
	}
}

// TestReferenceOfADraft: drawn with the form, once, and not over what is typed.
func TestReferenceOfADraft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reference := r.referred(t)
	make := func(id dispatch.ItemID, version int, typed string) (string, error) {
		d := dispatch.Draft{Item: dispatch.Item{ID: id}, Version: version, Fields: dispatch.DraftFields{Title: "Vedtak", ExternalReference: typed}}
		err := items.In(r.s).Drafts.SaveWithReference(t.Context(), r.Account, &d, r.Actor)
		return d.Fields.ExternalReference, err
	}
	first := r.begun(t)
	if got, err := make(first, 1, " "); err != nil || got != reference(1) {
		t.Errorf("got %q, %v", got, err)
	}
	if d, err := items.In(r.s).Drafts.ByID(t.Context(), r.Account.ID, first, r.Actor.User); err != nil || d.Fields.ExternalReference != reference(1) || d.Version != 2 {
		t.Errorf("kept %q in version %d, %v", d.Fields.ExternalReference, d.Version, err)
	}
	if _, err := make(first, 1, ""); !errors.Is(err, store.ErrStale) {
		t.Errorf("a second click: %v", err)
	}
	if got, err := make(first, 2, "Min egen"); err != nil || got != "Min egen" {
		t.Errorf("over what is typed: %q, %v", got, err)
	}
	if got, err := make(r.begun(t), 1, ""); err != nil || got != reference(2) {
		t.Errorf("the next one: %q, %v", got, err)
	}
	if n := read[int64](t, r, `SELECT last FROM reference_numbers WHERE account_id = '`+string(r.Account.ID)+`'`); n != 2 {
		t.Errorf("%d numbers are given", n)
	}
	r.Account.References = dispatch.ReferenceRule{}
	if got, err := make(r.begun(t), 1, ""); err != nil || got != "" {
		t.Errorf("without a pattern: %q, %v", got, err)
	}
}

// TestReferencesOfAJob: each of a list gets its own, in the list's order, or all the same.
func TestReferencesOfAJob(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reference := r.referred(t)
	send := func(each bool, typed string) []string {
		t.Helper()
		l := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(3))
		l.Fields.ReferenceEach, l.Fields.ExternalReference, l.Content.ExternalReference = each, typed, typed
		r.SendShipments(t, r.s, l)
		r.made(t)
		return r.references(t, `AND it.job_id = $1`, l.Job)
	}
	for _, tt := range []struct {
		each  bool
		typed string
		want  []string
	}{
		{true, "", []string{reference(1), reference(2), reference(3)}},
		{false, "", []string{reference(4), reference(4), reference(4)}},
		{true, "Sak 7", []string{"Sak 7", "Sak 7", "Sak 7"}},
		{true, "", []string{reference(5), reference(6), reference(7)}},
	} {
		if got := send(tt.each, tt.typed); !slices.Equal(got, tt.want) {
			t.Errorf("%t, %q: got %q, want %q", tt.each, tt.typed, got, tt.want)
		}
	}
	if got := fmt.Sprint(read[string](t, r, `SELECT string_agg(DISTINCT account_id::text, ' ') FROM reference_numbers`)); got != string(r.Account.ID) {
		t.Errorf("numbers of %s", got)
	}
}

// TestCopiesHaveTheirOwnReference: whether the original's was made by the button or drawn when it was sent, of one or of a list; what
// somebody typed is copied.
func TestCopiesHaveTheirOwnReference(t *testing.T) {
	t.Parallel()
	for _, fill := range []bool{true, false} {
		t.Run(fmt.Sprintf("filled in: %t", fill), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			ctx, in, reference := t.Context(), items.In(r.s), r.referred(t)
			r.Account.References.Fill = fill
			_, err := registry.In(r.s).Accounts.Save(ctx, r.Account)
			succeed(t, err)
			next := 1
			made := func() string { // by the copy's own means: the button's number at once, or when it is sent
				if fill {
					return ""
				}
				next++
				return reference(next - 1)
			}
			copied := func(of dispatch.ItemID) string {
				t.Helper()
				id, err := in.Shipments.Copy(ctx, r.Account.ID, r.Actor, items.Copy{Of: of, Key: uuid.NewString()})
				succeed(t, err)
				d, err := in.Drafts.ByID(ctx, r.Account.ID, id, r.User)
				succeed(t, err)
				return d.Fields.ExternalReference
			}
			sent := func(typed string) dispatch.ItemID {
				t.Helper()
				id := r.begun(t)
				d := dispatch.Draft{Item: dispatch.Item{ID: id}, Version: 1, Fields: dispatch.DraftFields{Title: "Vedtak", ExternalReference: typed}}
				if typed == "" {
					succeed(t, in.Drafts.SaveWithReference(ctx, r.Account, &d, r.Actor))
					next++
				} else {
					succeed(t, in.Drafts.Save(ctx, r.Account.ID, &d, r.Actor))
				}
				succeed(t, in.Drafts.Queue(ctx, r.Account, id, r.Actor, 2, toOla(d.Fields.ExternalReference)))
				return id
			}
			if got, want := copied(sent("")), made(); got != want {
				t.Errorf("of one made by the button: %q, want %q", got, want)
			}
			if got := copied(sent("Sak 7")); got != "Sak 7" {
				t.Errorf("of one that was typed: %q", got)
			}
			if got := copied(sent(reference(900))); got != reference(900) {
				t.Errorf("of one that nobody has drawn: %q", got)
			}
			l := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(3))
			l.Fields.ReferenceEach = true
			r.SendShipments(t, r.s, l)
			r.made(t)
			next += 3
			one := dispatch.ItemID(read[string](t, r, `SELECT id::text FROM items WHERE job_id = $1 ORDER BY job_position LIMIT 1`, l.Job))
			if got, want := copied(one), made(); got != want {
				t.Errorf("of one of a list: %q, want %q", got, want)
			}
			r.exec(t, `UPDATE items SET state = 'failed', reason_key = 'reason.unreachable' WHERE job_id = $1`, l.Job)
			again, err := in.Repeats.ShipmentsAgain(ctx, r.Account.ID, l.Job, r.Actor, uuid.NewString())
			succeed(t, err)
			if d, err := in.Drafts.ByID(ctx, r.Account.ID, again, r.User); err != nil || d.Fields.ExternalReference != "" || !d.Fields.ReferenceEach {
				t.Errorf("a list again: %q, each %t, %v", d.Fields.ExternalReference, d.Fields.ReferenceEach, err)
			}
			r.Account.References.Fill = true // all the same
			l = r.ShipmentJob(t, r.s, "brev 2", storetest.ShipmentRows(2))
			r.SendShipments(t, r.s, l)
			r.made(t)
			next++
			one = dispatch.ItemID(read[string](t, r, `SELECT id::text FROM items WHERE job_id = $1 ORDER BY job_position LIMIT 1`, l.Job))
			if got, want := copied(one), made(); got != want {
				t.Errorf("of one of a list with the same for all: %q, want %q", got, want)
			}
		})
	}
}

// TestPatternOfAJobIsReadOnce: all of a list have references by the pattern as it was when the list was sent.
func TestPatternOfAJobIsReadOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reference := r.referred(t)
	l := r.ShipmentJob(t, r.s, "brev", storetest.ShipmentRows(3))
	l.Fields.ReferenceEach = true
	r.SendShipments(t, r.s, l)
	r.exec(t, `UPDATE accounts SET reference_pattern = 'Ny-{år}-{nr}' WHERE id = $1`, r.Account.ID)
	r.made(t)
	if got, want := r.references(t, `AND it.job_id = $1`, l.Job), []string{reference(1), reference(2), reference(3)}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAListAgainAsksForApprovalToo: the draft of those that a list did not reach has the list's template.
func TestAListAgainAsksForApprovalToo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	template := r.template(t, choices("Vedtak"))
	_, list := r.lettersOfTemplate(t, template)
	r.exec(t, `UPDATE items SET state = 'failed', reason_key = 'reason.unreachable' WHERE job_id = $1`, list)
	again, err := items.In(r.s).Repeats.ShipmentsAgain(t.Context(), r.Account.ID, list, r.Actor, uuid.NewString())
	succeed(t, err)
	if got := read[string](t, r, `SELECT coalesce(template_id::text, '') FROM shipments WHERE item_id = $1`, again); got != string(template) {
		t.Errorf("its template is %q", got)
	}
}
