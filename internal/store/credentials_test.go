package store_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// add stores a set whose client id is its name; it takes over at a time, zero for at once.
func (r rig) add(t *testing.T, name string, switchAt time.Time) dispatch.CredentialID {
	t.Helper()
	id, err := registry.In(r.s).Credentials.Add(t.Context(), r.Integration.ID,
		registry.NewCredentials{Credentials: dispatch.Credentials{Method: dispatch.AuthClientSecret, ClientID: name}, SwitchAt: switchAt}, r.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// switchTo moves the time at which a next set takes over to the past.
func (r rig) switchTo(t *testing.T, next dispatch.CredentialID) {
	t.Helper()
	r.exec(t, `UPDATE credentials SET switch_at = now() WHERE id = $1`, next)
	if err := registry.In(r.s).Credentials.Switch(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// inUse is the name of the current set.
func (r rig) inUse(t *testing.T) string {
	t.Helper()
	return r.usable(t).ClientID
}

func (r rig) usable(t *testing.T) registry.Usable {
	t.Helper()
	u, err := registry.In(r.s).Credentials.InUse(t.Context(), r.Integration.ID)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// states are the states of an integration's sets, newest first.
func (r rig) states(t *testing.T) string {
	t.Helper()
	sets, err := registry.In(r.s).Credentials.Sets(t.Context(), r.Integration.ID)
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, s := range sets {
		states = append(states, string(s.State))
	}
	return strings.Join(states, " ")
}

func (r rig) wantSets(t *testing.T, inUse, states string) {
	t.Helper()
	if gotUse, got := r.inUse(t), r.states(t); gotUse != inUse || got != states {
		t.Errorf("%q is used of %q, want %q of %q", gotUse, got, inUse, states)
	}
}

func TestRotatingCredentials(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	hour := time.Now().Add(time.Hour)
	t.Run("a new set is used at once and the old one kept", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "ny", time.Time{})
		r.wantSets(t, "ny", "active retiring")
	})
	t.Run("a next set waits for its time", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "ny", hour)
		r.wantSets(t, "utsending", "next active")
		u, err := registry.In(r.s).Credentials.InUse(t.Context(), r.Integration.ID)
		if err != nil || u.Until.Sub(hour).Abs() > time.Millisecond {
			t.Errorf("good until %s, %v; want %s", u.Until, err, hour)
		}
		if err := registry.In(r.s).Credentials.Switch(t.Context()); err != nil {
			t.Fatal(err)
		}
		r.wantSets(t, "utsending", "next active")
	})
	t.Run("a set whose time has come is used, before and after somebody writes that down", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "ny", time.Now().Add(-time.Second))
		r.wantSets(t, "ny", "next active")
		var at sync.WaitGroup
		for range 4 { // processes
			at.Go(func() {
				if err := registry.In(r.s).Credentials.Switch(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		at.Wait()
		r.wantSets(t, "ny", "active retiring")
	})
	t.Run("a second next set replaces the first", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "en", hour)
		r.add(t, "to", hour)
		r.wantSets(t, "utsending", "next wiped active")
	})
	t.Run("back to the set before", func(t *testing.T) {
		r := base.other(t)
		first := r.add(t, "en", time.Time{})
		r.add(t, "to", time.Time{})
		if err := registry.In(r.s).Credentials.Activate(t.Context(), r.Integration.ID, first, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.wantSets(t, "en", "retiring active retiring")
		wantErr(t, registry.In(r.s).Credentials.Activate(t.Context(), r.Integration.ID, first, r.Actor), store.ErrChanged)
		r.wantSets(t, "en", "retiring active retiring")
	})
	t.Run("what is wiped is gone for ever, and what is used cannot be", func(t *testing.T) {
		r := base.other(t)
		first := r.add(t, "en", time.Time{})
		second := r.add(t, "to", time.Time{})
		if err := registry.In(r.s).Credentials.Wipe(t.Context(), r.Integration.ID, first, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.wantSets(t, "to", "active wiped retiring")
		wantErr(t, registry.In(r.s).Credentials.Wipe(t.Context(), r.Integration.ID, second, r.Actor), store.ErrChanged)
		wantErr(t, registry.In(r.s).Credentials.Activate(t.Context(), r.Integration.ID, first, r.Actor), store.ErrChanged)
		if n := read[int](t, r, `SELECT count(*) FROM credentials WHERE id = $1 AND sealed IS NULL`, first); n != 1 {
			t.Error("the secret is still there")
		}
		if _, err := registry.In(r.s).Credentials.OfSet(t.Context(), r.Integration.ID, first); err != store.ErrNotFound {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a set of another integration is not found", func(t *testing.T) {
		r, two := base.other(t), base.other(t)
		set := r.add(t, "en", hour)
		wantErr(t, registry.In(two.s).Credentials.Wipe(t.Context(), two.Integration.ID, set, r.Actor), store.ErrChanged)
		wantErr(t, registry.In(two.s).Credentials.Activate(t.Context(), two.Integration.ID, set, r.Actor), store.ErrChanged)
		if _, err := registry.In(two.s).Credentials.OfSet(t.Context(), two.Integration.ID, set); err != store.ErrNotFound {
			t.Errorf("got %v", err)
		}
	})
}

func TestRefusedCredentials(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	refuseUsed := func(t *testing.T, r rig, u registry.Usable) bool {
		t.Helper()
		another, err := registry.In(r.s).Credentials.Refused(t.Context(), r.Integration.ID, u.CredentialUse, dispatch.Reason{Key: "reason.unauthorized", HTTPStatus: 401})
		if err != nil {
			t.Fatal(err)
		}
		return another
	}
	refuse := func(t *testing.T, r rig) bool {
		t.Helper()
		return refuseUsed(t, r, r.usable(t))
	}
	t.Run("without another set nothing changes", func(t *testing.T) {
		r := base.other(t)
		if refuse(t, r) {
			t.Error("there is no other")
		}
		r.wantSets(t, "utsending", "active")
	})
	t.Run("the set before is tried, and when it is refused too, all from the start", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "ny", time.Time{})
		if !refuse(t, r) {
			t.Error("there is another")
		}
		r.wantSets(t, "utsending", "active retiring")
		if refuse(t, r) {
			t.Error("there is no other left")
		}
		r.wantSets(t, "ny", "active retiring")
	})
	t.Run("a next set is tried ahead of its time when all others are refused", func(t *testing.T) {
		r := base.other(t)
		r.add(t, "ny", time.Now().Add(time.Hour))
		if !refuse(t, r) {
			t.Error("there is another")
		}
		r.wantSets(t, "ny", "next active")
	})
	t.Run("what is refused from before the switch is tried again after it", func(t *testing.T) {
		r := base.other(t)
		next := r.add(t, "ny", time.Now().Add(time.Hour))
		refuse(t, r)
		early := r.usable(t) // the next set, which the service does not know yet
		r.switchTo(t, next)
		if !refuseUsed(t, r, early) {
			t.Error("the set that has just taken over was not tried")
		}
		r.wantSets(t, "ny", "active retiring")
	})
	t.Run("activating forgets the refusal", func(t *testing.T) {
		r := base.other(t)
		set := r.add(t, "ny", time.Now().Add(time.Hour))
		refuse(t, r)
		refuse(t, r)
		if err := registry.In(r.s).Credentials.Activate(t.Context(), r.Integration.ID, set, r.Actor); err != nil {
			t.Fatal(err)
		}
		r.wantSets(t, "ny", "active retiring")
	})
}

// TestRefusedOverAChange: a refusal from before the credentials changed does not block the current ones.
func TestRefusedOverAChange(t *testing.T) {
	t.Parallel()
	base := newRig(t)
	for name, change := range map[string]func(*testing.T, rig, dispatch.CredentialID){
		"entered":  func(t *testing.T, r rig, _ dispatch.CredentialID) { r.add(t, "enda en", time.Time{}) },
		"switched": func(t *testing.T, r rig, next dispatch.CredentialID) { r.switchTo(t, next) },
		"activated": func(t *testing.T, r rig, next dispatch.CredentialID) {
			if err := registry.In(r.s).Credentials.Activate(t.Context(), r.Integration.ID, next, r.Actor); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := base.other(t)
			next := r.add(t, "ny", time.Now().Add(time.Hour))
			r.queued(t)
			c := r.claim(t)
			change(t, r, next)
			r.finish(t, c, refused(dispatch.ScopeIntegration))
			again := r.tryClaim(t, r.lane())
			if again == nil {
				t.Fatal("the item waits for a quarter of an hour, though what is used now has not been tried")
			}
			r.finish(t, again, refused(dispatch.ScopeIntegration))
			if r.tryClaim(t, r.lane()) != nil {
				t.Error("the integration is not refused")
			}
		})
	}
}

// TestRefusalGoesOn: a refusal has lasted since its first attempt, also when a person has asked for another in vain, until something
// is taken in between.
func TestRefusalGoesOn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	again := func(t *testing.T) time.Time {
		t.Helper()
		r.finish(t, r.claim(t), refused(dispatch.ScopeIntegration))
		return read[time.Time](t, r, `SELECT refused_at FROM integrations WHERE id = $1`, r.Integration.ID)
	}
	clear := func(t *testing.T) {
		t.Helper()
		if _, err := queue.In(r.s).Operations.ClearRefusal(t.Context(), r.Integration.ID, "", r.Actor); err != nil {
			t.Fatal(err)
		}
	}
	r.queued(t)
	first := again(t)
	clear(t)
	if got := again(t); !got.Equal(first) {
		t.Errorf("it is refused since %s after another attempt, and was since %s", got, first)
	}
	r.exec(t, `UPDATE integrations SET last_success_at = clock_timestamp() WHERE id = $1`, r.Integration.ID)
	clear(t)
	if got := again(t); !got.After(first) {
		t.Errorf("it is refused since %s, though something was taken since", got)
	}
}

// TestWhichSetWorked: what the service accepts is noted at the set that it was sent with, also within the seconds in which another
// acceptance is not written, and a refusal takes it back.
func TestWhichSetWorked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	worked := func(t *testing.T, want string) {
		t.Helper()
		sets, err := registry.In(r.s).Credentials.Sets(t.Context(), r.Integration.ID)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range sets {
			got = append(got, strconv.FormatBool(!c.WorkedAt.IsZero()))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("got %s, want %s", g, want)
		}
	}
	worked(t, "false")
	r.answers(t, accepted(uuid.NewString()))
	worked(t, "true")
	r.queued(t)
	begun := r.claim(t)
	fresh := r.add(t, "ny", time.Time{})
	r.finish(t, begun, accepted(uuid.NewString())) // with the former one
	worked(t, "false true")
	r.answers(t, accepted(uuid.NewString()))
	worked(t, "true true")
	another, err := registry.In(r.s).Credentials.Refused(t.Context(), r.Integration.ID, r.usable(t).CredentialUse, dispatch.Reason{Key: "reason.unauthorized"})
	if err != nil || !another {
		t.Fatalf("got %t, %v", another, err)
	}
	worked(t, "false true")
	if err := registry.In(r.s).Integrations.SaveTrial(t.Context(), r.Integration.ID, fresh, "", r.Actor); err != nil {
		t.Fatal(err)
	}
	worked(t, "true true")
}

// TestTrialsOfSets: each set keeps its last trial, one in reserve too, and after a trial in vain the next acceptance says that the set in
// use works. The log has a line when another set takes over because the service refuses one.
func TestTrialsOfSets(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reserve := r.usable(t).ID
	used := r.add(t, "ny", time.Time{})
	reg := registry.In(r.s)
	healths := func(want ...dispatch.IntegrationState) {
		t.Helper()
		sets, err := reg.Credentials.Sets(t.Context(), r.Integration.ID)
		if err != nil {
			t.Fatal(err)
		}
		var got []dispatch.IntegrationState
		for _, c := range sets { // newest first
			got = append(got, c.Health())
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	try := func(save func(context.Context, dispatch.IntegrationID, dispatch.CredentialID, dispatch.TrialStep, store.Actor) error, set dispatch.CredentialID, failed dispatch.TrialStep) {
		t.Helper()
		if err := save(t.Context(), r.Integration.ID, set, failed, r.Actor); err != nil {
			t.Fatal(err)
		}
	}
	healths(dispatch.IntegrationUntried, dispatch.IntegrationUntried)
	r.answers(t, accepted(uuid.NewString()))
	try(reg.Integrations.SaveTrial, used, dispatch.TrialToken)
	try(reg.Integrations.SaveSpareTrial, reserve, "")
	healths(dispatch.IntegrationFailed, dispatch.IntegrationWorking)
	r.answers(t, accepted(uuid.NewString())) // within seconds of the one before
	healths(dispatch.IntegrationWorking, dispatch.IntegrationWorking)
	try(reg.Integrations.SaveSpareTrial, reserve, dispatch.TrialToken)
	healths(dispatch.IntegrationWorking, dispatch.IntegrationFailed)
	for range 2 { // one line, however often it is refused meanwhile
		if another, err := reg.Credentials.Refused(t.Context(), r.Integration.ID, r.usable(t).CredentialUse, dispatch.Reason{Key: "reason.unauthorized"}); err != nil {
			t.Fatal(another, err)
		}
	}
	var lines int
	if err := r.s.DB.GetContext(t.Context(), &lines, `SELECT count(*) FROM audit_events WHERE action = 'integration.credentials.refused' AND details->>'credentials' = $1`, used); err != nil || lines != 1 {
		t.Errorf("%d lines, %v", lines, err)
	}
}
