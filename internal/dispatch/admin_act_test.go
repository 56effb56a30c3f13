package dispatch_test

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
)

func TestSecondAdministrator(t *testing.T) {
	t.Parallel()
	for act, want := range map[dispatch.AdminAct]struct{ test, production, unknown bool }{
		dispatch.ActPause: {}, dispatch.ActStop: {}, dispatch.ActWipe: {}, dispatch.ActDisable: {}, dispatch.ActRemoveRight: {}, dispatch.ActRemoveCertificate: {},
		dispatch.ActOpen: {false, true, true}, dispatch.ActDelete: {true, true, true}, dispatch.ActRetention: {true, true, true},
	} {
		got := struct{ test, production, unknown bool }{act.NeedsSecond(dispatch.EnvironmentTest), act.NeedsSecond(dispatch.EnvironmentProduction), act.NeedsSecond("")}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", act, got, want)
		}
	}
}

// TestWhoDecides: another person with the right, as long as it waits; only who asked withdraws.
func TestWhoDecides(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	r := dispatch.ActRequest{Act: dispatch.ActOpen, State: dispatch.ActWaiting, AskedBy: "nora", ExpiresAt: at.Add(dispatch.ActRequestLife)}
	admin := func(id dispatch.UserID) dispatch.User {
		return dispatch.User{ID: id, System: []dispatch.Role{dispatch.RoleSystemAdmin}}
	}
	for _, tt := range []struct {
		name              string
		who               dispatch.User
		after             time.Duration
		decides, withdraw bool
	}{
		{"who asked", admin("nora"), 0, false, true},
		{"another administrator", admin("per"), 0, true, false},
		{"an auditor", dispatch.User{ID: "liv", System: []dispatch.Role{dispatch.RoleAuditor}}, 0, false, false},
		{"another, just in time", admin("per"), dispatch.ActRequestLife - time.Second, true, false},
		{"another, too late", admin("per"), dispatch.ActRequestLife, false, false},
		{"who asked, too late", admin("nora"), dispatch.ActRequestLife, false, false},
	} {
		if d, w := r.MayDecide(tt.who, at.Add(tt.after)), r.MayWithdraw(tt.who, at.Add(tt.after)); d != tt.decides || w != tt.withdraw {
			t.Errorf("%s: decides %v, withdraws %v", tt.name, d, w)
		}
	}
}

func TestShorterRetention(t *testing.T) {
	t.Parallel()
	usual := dispatch.DefaultRetention()
	for text, want := range map[string]bool{"30 90 365 1095 1095": false, "40 90 365 1095 1095": false, "30 89 365 1095 1095": true, "60 300 365 1095 1094": true} {
		if got := dispatch.ParseRetention(text).Shortens(usual); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

// TestRequestedRetention: a request changes its own times alone, while they are as they were and the result holds together.
func TestRequestedRetention(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, before, after, now, want string }{
		{"as it was", "30 90 365 1095 1095", "30 30 365 1095 1095", "30 90 365 1095 1095", "30 30 365 1095 1095"},
		{"another time was changed", "30 90 365 1095 1095", "30 30 365 1095 1095", "45 90 400 1095 1095", "45 30 400 1095 1095"},
		{"its time was changed", "30 90 365 1095 1095", "30 30 365 1095 1095", "30 120 365 1095 1095", ""},
		{"its time is that already", "30 90 365 1095 1095", "30 30 365 1095 1095", "30 30 365 1095 1095", ""},
		{"content would outlive the recipient", "30 90 365 1095 1095", "30 90 100 1095 1095", "30 120 365 1095 1095", ""},
	} {
		r := dispatch.ActRequest{Before: dispatch.ParseRetention(tt.before), After: dispatch.ParseRetention(tt.after)}
		now := dispatch.ParseRetention(tt.now)
		if got, ok := r.Changed(now); ok != (tt.want != "") || ok && got.String() != tt.want || now.String() != tt.now {
			t.Errorf("%s: got %s, %v", tt.name, got, ok)
		}
	}
}
