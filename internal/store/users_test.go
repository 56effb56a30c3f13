package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/registry"
)

func TestLogin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save := func(l store.Login) dispatch.UserID {
		t.Helper()
		id, err := r.s.SaveLogin(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	kari := store.Login{Issuer: "https://login.example", Subject: "kari", Name: "Kari Nordmann"}
	id := save(kari)
	kari.Name = "Kari Hansen"
	if again := save(kari); again != id || read[string](t, r, `SELECT name FROM users WHERE id = $1`, id) != kari.Name {
		t.Errorf("got %s for the second login, want %s under the new name", again, id)
	}
	for _, other := range []store.Login{{Issuer: "https://other.example", Subject: "kari"}, {Issuer: "https://login.example", Subject: "ola"}} {
		if save(other) == id {
			t.Errorf("%+v is the same person", other)
		}
	}
}

func TestUserHasWhatTheClaimsGiveNow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	two := r.other(t)
	for _, m := range []struct {
		claim   string
		account dispatch.AccountID
		role    dispatch.Role
	}{
		{"oppvekst", r.Account.ID, dispatch.RoleCaseworker},
		{"oppvekst", r.Account.ID, dispatch.RoleCaseworker}, // twice does no harm
		{"ledere", r.Account.ID, dispatch.RoleCaseworker},
		{"ledere", r.Account.ID, dispatch.RoleTeamLead},
		{"ledere", two.Account.ID, dispatch.RoleAuditor},
		{"drift", "", dispatch.RoleSystemAdmin},
	} {
		if err := r.s.MapRole(t.Context(), m.claim, m.account, m.role); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []struct {
		account dispatch.AccountID
		role    dispatch.Role
	}{{"", dispatch.RoleCaseworker}, {r.Account.ID, dispatch.RoleSystemAdmin}, {r.Account.ID, "king"}} {
		if err := r.s.MapRole(t.Context(), "feil", m.account, m.role); err == nil {
			t.Errorf("role %q on account %q was taken", m.role, m.account)
		}
	}
	tests := []struct {
		name   string
		claims []string
		on     map[dispatch.AccountID][]dispatch.Role
		system []dispatch.Role
	}{
		{"nothing without claims", nil, nil, nil},
		{"nothing for unknown claims", []string{"Oppvekst", "%", ""}, nil, nil},
		{"one account", []string{"oppvekst", "ukjent"}, map[dispatch.AccountID][]dispatch.Role{r.Account.ID: {dispatch.RoleCaseworker}}, nil},
		{"each role once", []string{"oppvekst", "ledere", "drift"}, map[dispatch.AccountID][]dispatch.Role{
			r.Account.ID: {dispatch.RoleCaseworker, dispatch.RoleTeamLead}, two.Account.ID: {dispatch.RoleAuditor},
		}, []dispatch.Role{dispatch.RoleSystemAdmin}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := r.s.User(t.Context(), r.User, "Kari Nordmann", tt.claims)
			if err != nil || u.ID != r.User || u.Name != "Kari Nordmann" {
				t.Fatalf("got %s, %v", u.ID, err)
			}
			var got map[dispatch.AccountID][]dispatch.Role
			for _, g := range u.Grants {
				if got == nil {
					got = map[dispatch.AccountID][]dispatch.Role{}
				}
				got[g.Account.ID] = append(got[g.Account.ID], g.Role)
			}
			if diff := cmp.Diff(tt.on, got); diff != "" || !slices.Equal(u.System, tt.system) {
				t.Errorf("got system roles %v, grants (-want +got):\n%s", u.System, diff)
			}
		})
	}
}

func TestSaveAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a := r.Account
	a.Name, a.UndoWindow, a.SenderName, a.SourceSystem = "Nytt navn", 90*time.Second, "Kommunen", "Utsending"
	a.OrganizationNumber, a.BillingCode, a.SingleSided, a.Version = "987654325", "4711", true, 1
	if id, err := registry.In(r.s).Accounts.Save(t.Context(), a); err != nil || id != r.Account.ID {
		t.Fatalf("got %s, %v; want the account with that short name", id, err)
	}
	all, err := registry.In(r.s).Accounts.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]dispatch.Account{a}, all); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, slug := range []string{"", "Oppvekst", "opp vekst", "-oppvekst", "a--b", "opp/vekst"} {
		a.Slug = slug
		if _, err := registry.In(r.s).Accounts.Save(t.Context(), a); err == nil {
			t.Errorf("short name %q was taken", slug)
		}
	}
}
