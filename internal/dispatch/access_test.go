package dispatch_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
)

var allRights = []dispatch.Right{
	dispatch.RightSendSMS, dispatch.RightSeeItems, dispatch.RightFollowUp, dispatch.RightReveal, dispatch.RightOperate,
	dispatch.RightAdminister, dispatch.RightSendShipments, dispatch.RightLookup, "", "everything",
}

func TestRightsOfRoles(t *testing.T) {
	t.Parallel()
	sender := []dispatch.Right{
		dispatch.RightSendSMS, dispatch.RightSendShipments, dispatch.RightSeeItems, dispatch.RightFollowUp, dispatch.RightReveal, dispatch.RightLookup,
	}
	tests := map[dispatch.Role]struct {
		known bool
		may   []dispatch.Right
	}{
		dispatch.RoleCaseworker:   {true, sender},
		dispatch.RoleTeamLead:     {true, sender},
		dispatch.RoleAccountAdmin: {true, nil},
		dispatch.RoleSystemAdmin:  {true, []dispatch.Right{dispatch.RightOperate, dispatch.RightAdminister}},
		dispatch.RoleAuditor:      {true, []dispatch.Right{dispatch.RightSeeItems}},
		"":                        {false, nil},
		"janitor":                 {false, nil},
		"Caseworker":              {false, nil},
	}
	for role, tt := range tests {
		t.Run("a "+string(role)+" may what is listed and nothing else", func(t *testing.T) {
			t.Parallel()
			if got := role.Known(); got != tt.known {
				t.Errorf("got known %t, want %t", got, tt.known)
			}
			for _, right := range allRights {
				if got, want := role.Has(right), slices.Contains(tt.may, right); got != want {
					t.Errorf("got %t for %q, want %t", got, right, want)
				}
			}
		})
	}
}

func account(id, slug string) dispatch.Account {
	return dispatch.Account{ID: dispatch.AccountID(id), Slug: slug}
}

// kari sends on one account, reads another, has two roles on a third, and a role that nobody knows on a fourth.
func kari() dispatch.User {
	return dispatch.User{
		Grants: []dispatch.Grant{
			{Account: account("1", "oppvekst"), Role: dispatch.RoleCaseworker},
			{Account: account("2", "helse"), Role: dispatch.RoleAuditor},
			{Account: account("3", "plan"), Role: dispatch.RoleAccountAdmin},
			{Account: account("3", "plan"), Role: dispatch.RoleCaseworker},
			{Account: account("3", "plan"), Role: dispatch.RoleCaseworker},
			{Account: account("4", "skatt"), Role: "janitor"},
		},
	}
}

func TestUserMay(t *testing.T) {
	t.Parallel()
	admin := dispatch.User{System: []dispatch.Role{dispatch.RoleSystemAdmin}}
	everywhere := dispatch.User{System: []dispatch.Role{dispatch.RoleCaseworker}}
	tests := map[string]struct {
		user  dispatch.User
		right dispatch.Right
		on    dispatch.AccountID
		want  bool
	}{
		"a caseworker sends on their account":             {kari(), dispatch.RightSendSMS, "1", true},
		"an auditor does not send":                        {kari(), dispatch.RightSendSMS, "2", false},
		"an auditor sees":                                 {kari(), dispatch.RightSeeItems, "2", true},
		"the wider of two roles counts":                   {kari(), dispatch.RightSendSMS, "3", true},
		"a role that nobody knows gives nothing":          {kari(), dispatch.RightSeeItems, "4", false},
		"another account gives nothing":                   {kari(), dispatch.RightSeeItems, "5", false},
		"no account gives nothing":                        {kari(), dispatch.RightSeeItems, "", false},
		"a caseworker does not operate":                   {kari(), dispatch.RightOperate, "1", false},
		"nobody may anything":                             {dispatch.User{}, dispatch.RightSeeItems, "", false},
		"an administrator does not send":                  {admin, dispatch.RightSendSMS, "1", false},
		"an administrator does not see items":             {admin, dispatch.RightSeeItems, "1", false},
		"a role in the system opens no account by itself": {everywhere, dispatch.RightSendSMS, "1", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.user.May(tt.right, tt.on); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestUserMaySystem(t *testing.T) {
	t.Parallel()
	admin := dispatch.User{System: []dispatch.Role{"janitor", dispatch.RoleSystemAdmin}}
	for _, right := range allRights {
		want := right == dispatch.RightOperate || right == dispatch.RightAdminister
		if got := admin.MaySystem(right); got != want {
			t.Errorf("got %t for %q, want %t", got, right, want)
		}
		if kari().MaySystem(right) || (dispatch.User{}).MaySystem(right) {
			t.Errorf("got %q in the system from a role on an account, want not", right)
		}
	}
	onAccount := dispatch.User{Grants: []dispatch.Grant{{Account: account("1", "oppvekst"), Role: dispatch.RoleSystemAdmin}}}
	if onAccount.MaySystem(dispatch.RightOperate) {
		t.Error("got the whole system from a grant on one account, want not")
	}
}

func TestUserAccounts(t *testing.T) {
	t.Parallel()
	user := kari()
	if got, ok := user.Account("helse"); !ok || got.ID != "2" {
		t.Errorf("got %q, %t, want account 2", got.ID, ok)
	}
	for _, slug := range []string{"", "brann", "Helse"} {
		if got, ok := user.Account(slug); ok {
			t.Errorf("got %q for %q, want none", got.ID, slug)
		}
	}
	var got []dispatch.AccountID
	for _, a := range user.Accounts() {
		got = append(got, a.ID)
	}
	if diff := cmp.Diff(got, []dispatch.AccountID{"1", "2", "3", "4"}); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	if diff := cmp.Diff(user.RolesOn("3"), []dispatch.Role{dispatch.RoleAccountAdmin, dispatch.RoleCaseworker}); diff != "" {
		t.Errorf("got - want +:\n%s", diff)
	}
	if roles := user.RolesOn("5"); roles != nil {
		t.Errorf("got %v on another account, want none", roles)
	}
}

func TestAccountHasSMS(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		account dispatch.Account
		want    bool
	}{
		{dispatch.Account{SMSAccountID: "k", SMSIntegration: "i"}, true},
		{dispatch.Account{SMSAccountID: "k"}, false},
		{dispatch.Account{SMSIntegration: "i"}, false},
		{dispatch.Account{ShipmentAccountID: "k", ShipmentIntegration: "i"}, false},
	} {
		if got := tt.account.HasSMS(); got != tt.want {
			t.Errorf("got %t for %+v, want %t", got, tt.account, tt.want)
		}
	}
}

func TestEventFromService(t *testing.T) {
	t.Parallel()
	if !(dispatch.Event{Kind: dispatch.EventStatus}).FromService() || (dispatch.Event{Kind: dispatch.EventOutcome}).FromService() {
		t.Error("got it wrong: only a status comes from the service")
	}
}
