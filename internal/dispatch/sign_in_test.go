package dispatch_test

import (
	"testing"

	"utsending/internal/dispatch"
)

func TestBrowserOf(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]dispatch.Browser{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0": dispatch.BrowserEdge,
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36":                         dispatch.BrowserChrome,
		"Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0":                                                        dispatch.BrowserFirefox,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15":            dispatch.BrowserSafari,
		"Go-http-client/1.1": dispatch.BrowserOther,
		"":                   dispatch.BrowserOther,
	} {
		if got := dispatch.BrowserOf(agent); got != want {
			t.Errorf("%q: got %s, want %s", agent, got, want)
		}
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	account, other := dispatch.Account{ID: "a"}, dispatch.Account{ID: "b"}
	for _, test := range []struct {
		name      string
		grants    []dispatch.Grant
		own, them dispatch.Reach
	}{
		{"nobody", nil, dispatch.ReachNone, dispatch.ReachNone},
		{"a caseworker", []dispatch.Grant{{Account: account, Role: dispatch.RoleCaseworker}}, dispatch.ReachOpen, dispatch.ReachNone},
		{"a team lead", []dispatch.Grant{{Account: account, Role: dispatch.RoleTeamLead}}, dispatch.ReachOpen, dispatch.ReachReason},
		{"an auditor, who once sent", []dispatch.Grant{{Account: account, Role: dispatch.RoleAuditor}}, dispatch.ReachReason, dispatch.ReachReason},
		{"an account administrator, who once sent", []dispatch.Grant{{Account: account, Role: dispatch.RoleAccountAdmin}}, dispatch.ReachNone, dispatch.ReachNone},
		{"a team lead of another account", []dispatch.Grant{{Account: other, Role: dispatch.RoleTeamLead}}, dispatch.ReachNone, dispatch.ReachNone},
	} {
		u := dispatch.User{ID: "kari", Grants: test.grants, System: []dispatch.Role{dispatch.RoleSystemAdmin}}
		own, them := u.Reach(dispatch.Item{AccountID: "a", CreatedBy: "kari"}), u.Reach(dispatch.Item{AccountID: "a", CreatedBy: "amir"})
		if own != test.own || them != test.them {
			t.Errorf("%s: got %q of their own and %q of others', want %q and %q", test.name, own, them, test.own, test.them)
		}
	}
}
