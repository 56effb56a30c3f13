package store_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

func TestIntegrationsByAdministrators(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	fresh := func(t *testing.T, r rig) dispatch.Integration {
		t.Helper()
		in := dispatch.Integration{Name: "Ny " + slug(), Kind: dispatch.IntegrationSMS, Service: "sms", Environment: dispatch.EnvironmentTest, Parallelism: 4, RatePerSec: 5}
		id, err := registry.In(r.s).Integrations.Create(t.Context(), in, r.Actor)
		if err != nil {
			t.Fatal(err)
		}
		in, err = registry.In(r.s).Integrations.ByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	t.Run("a name is taken once", func(t *testing.T) {
		in := fresh(t, base)
		_, err := registry.In(base.s).Integrations.Create(t.Context(), in, base.Actor)
		wantErr(t, err, store.ErrTaken)
		other := fresh(t, base)
		other.Name = in.Name
		wantErr(t, registry.In(base.s).Integrations.Update(t.Context(), other, base.Actor), store.ErrTaken)
	})
	t.Run("the second of two who save at once is told", func(t *testing.T) {
		in := fresh(t, base)
		in.Parallelism = 9
		if err := registry.In(base.s).Integrations.Update(t.Context(), in, base.Actor); err != nil {
			t.Fatal(err)
		}
		in.Parallelism = 3
		wantErr(t, registry.In(base.s).Integrations.Update(t.Context(), in, base.Actor), store.ErrStale)
		if got, _ := registry.In(base.s).Integrations.ByID(t.Context(), in.ID); got.Parallelism != 9 {
			t.Errorf("got %d at once, want those of the first", got.Parallelism)
		}
	})
	t.Run("one without use can be deleted, one in use cannot", func(t *testing.T) {
		in := fresh(t, base)
		if err := base.deletes(t, in.ID); err != nil {
			t.Error(err)
		}
		if _, err := registry.In(base.s).Integrations.ByID(t.Context(), in.ID); err != store.ErrNotFound {
			t.Errorf("got %v", err)
		}
		wantErr(t, base.deletes(t, base.Integration.ID), registry.ErrInUse)
	})
	t.Run("nor one over which something was sent, or is being sent", func(t *testing.T) {
		sent, sending := base.other(t), base.other(t)
		sent.answers(t, accepted(uuid.NewString()))
		sending.in(t, dispatch.StateSending)
		for _, r := range []rig{sent, sending} {
			r.exec(t, `UPDATE accounts SET sms_integration_id = NULL WHERE id = $1`, r.Account.ID)
			wantErr(t, r.deletes(t, r.Integration.ID), registry.ErrInUse)
		}
	})
}

func TestAccountsByAdministrators(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	account := func(t *testing.T, r rig) dispatch.Account {
		t.Helper()
		all, err := registry.In(r.s).Accounts.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			if a.ID == r.Account.ID {
				return a
			}
		}
		t.Fatal("the account is gone")
		return dispatch.Account{}
	}
	t.Run("a short name is taken once", func(t *testing.T) {
		again := account(t, base)
		again.Name += " igjen"
		wantErr(t, registry.In(base.s).Accounts.Create(t.Context(), again, base.Actor), store.ErrTaken)
	})
	t.Run("of two that get one name at once, one is made", func(t *testing.T) {
		r := base.other(t)
		var made, refused atomic.Int32
		var both sync.WaitGroup
		for _, name := range []string{"Ærlige Øyer", "ærlige øyer"} {
			a := account(t, r)
			both.Go(func() {
				a.Slug, a.Name = "navn-"+uuid.NewString()[:8], name
				switch err := registry.In(r.s).Accounts.Create(t.Context(), a, r.Actor); err {
				case nil:
					made.Add(1)
				case registry.ErrNameTaken:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		both.Wait()
		if made.Load() != 1 || refused.Load() != 1 {
			t.Errorf("%d were made, and %d refused", made.Load(), refused.Load())
		}
		a := account(t, r)
		a.Name = "ÆRLIGE ØYER"
		wantErr(t, registry.In(r.s).Accounts.Update(t.Context(), a, r.Actor), registry.ErrNameTaken)
	})
	t.Run("the second of two who save at once is told", func(t *testing.T) {
		r := base.other(t)
		a := account(t, r)
		a.Name = "Den første"
		if err := registry.In(r.s).Accounts.Update(t.Context(), a, r.Actor); err != nil {
			t.Fatal(err)
		}
		wantErr(t, registry.In(r.s).Accounts.Update(t.Context(), a, r.Actor), store.ErrStale)
		wantErr(t, registry.In(r.s).Accounts.Switch(t.Context(), a, "", r.Actor), store.ErrStale)
		wantErr(t, registry.In(r.s).Accounts.SetDisabled(t.Context(), a, true, r.Actor), store.ErrStale)
	})
	t.Run("what a switch means is told by the shipments that are under way", func(t *testing.T) {
		r := base.other(t)
		const leased = `state = 'sending', lease_token = id, lease_until = now() + interval '1 minute'`
		for _, change := range []string{
			`state = 'queued'`, `state = 'queued'`, `state = 'queued', pinned_integration_id = $2`, leased + `, pinned_integration_id = $2`,
			leased, `state = 'uncertain'`, `state = 'accepted', upstream_id = id, accepted_at = now(), status = 'MOTTATT', status_at = now()`, `state = 'rejected'`,
		} {
			id := r.sentShipment(t, nil)
			change = strings.ReplaceAll(change, "$2", "'"+string(r.integration(t).ID)+"'")
			if _, err := r.db.ExecContext(t.Context(), `UPDATE items SET `+change+` WHERE id = $1`, id); err != nil {
				t.Fatal(err)
			}
		}
		r.queued(t) // an SMS
		got, err := registry.In(r.s).Accounts.SwitchEffect(t.Context(), r.Account.ID)
		if want := (registry.SwitchEffect{Pinned: 2, Free: 2, Uncertain: 1}); err != nil || got != want {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	})
	t.Run("a disabled account sends nothing until it is enabled", func(t *testing.T) {
		r := base.other(t)
		r.queued(t)
		if err := registry.In(r.s).Accounts.SetDisabled(t.Context(), account(t, r), true, r.Actor); err != nil {
			t.Fatal(err)
		}
		if c := r.tryClaim(t, r.lane()); c != nil {
			t.Error("it was claimed")
		}
		if err := registry.In(r.s).Accounts.SetDisabled(t.Context(), account(t, r), false, r.Actor); err != nil {
			t.Fatal(err)
		}
		if c := r.tryClaim(t, r.lane()); c == nil {
			t.Error("it was not claimed")
		}
	})
}

func TestRoleMappings(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second := registry.RoleMapping{Claim: "it", Role: dispatch.RoleSystemAdmin}, registry.RoleMapping{Claim: "drift", Role: dispatch.RoleSystemAdmin}
	worker := registry.RoleMapping{Claim: "skole", Account: r.Account.ID, Role: dispatch.RoleCaseworker}
	for _, m := range []registry.RoleMapping{first, second, worker} {
		if err := registry.In(r.s).Roles.AddMapping(t.Context(), m, r.Actor); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, registry.In(r.s).Roles.AddMapping(t.Context(), worker, r.Actor), store.ErrTaken)
	if err := registry.In(r.s).Roles.RemoveMapping(t.Context(), first, r.Actor); err != nil {
		t.Fatal(err)
	}
	wantErr(t, registry.In(r.s).Roles.RemoveMapping(t.Context(), second, r.Actor), registry.ErrInUse) // nobody could mend it afterwards
	if err := registry.In(r.s).Roles.RemoveMapping(t.Context(), worker, r.Actor); err != nil {
		t.Fatal(err)
	}
	list, err := registry.In(r.s).Roles.Mappings(t.Context())
	if err == nil && len(list) == 1 {
		second.ID = list[0].ID
	}
	if err != nil || len(list) != 1 || list[0] != second {
		t.Errorf("got %v, %v; want the last administrator", list, err)
	}
}

// deletes deletes an integration, as an approval does.
func (r rig) deletes(t *testing.T, id dispatch.IntegrationID) error {
	t.Helper()
	return r.s.InTx(t.Context(), func(tx *sqlx.Tx) error { return registry.In(r.s).Integrations.Delete(t.Context(), tx, id, r.Actor) })
}
