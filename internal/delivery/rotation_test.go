package delivery_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
	"utsending/internal/store/storetest"
	"utsending/internal/tier"
)

const (
	nextSecret   = "hemmelighet-to"
	nextPassword = "passord-to"
)

// rotation is an account with SMS and V2 shipments, whose credentials are rotated while two workers send both.
type rotation struct {
	*shipments
	ids  []dispatch.ItemID
	n    int
	sets map[dispatch.IntegrationID]dispatch.CredentialID // those in use before
}

func newRotation(t *testing.T) *rotation {
	t.Helper()
	l := shipmentsTo(t, knowing(simulator.Options{}))
	l.sendOver(t, l.v2(t))
	r := &rotation{shipments: l, sets: map[dispatch.IntegrationID]dispatch.CredentialID{}}
	for _, id := range r.integrations() {
		u, err := registry.In(l.store).Credentials.InUse(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		r.sets[id] = u.ID
	}
	return r
}

func (r *rotation) integrations() []dispatch.IntegrationID {
	return []dispatch.IntegrationID{r.account.SMSIntegration, r.account.ShipmentIntegration}
}

// flow queues SMS, and every eighth time a shipment, with pauses, until the given time.
func (r *rotation) flow(t *testing.T, until func() bool) {
	t.Helper()
	await.True(t, "the flow ends", func() bool {
		r.flowTo(t, r.n+1)
		return until()
	})
}

// flowTo is flow until so many are queued, without pauses.
func (r *rotation) flowTo(t *testing.T, n int) {
	t.Helper()
	for r.n < n {
		r.n++
		r.ids = append(r.ids, r.sample.Queue(t, r.store, storetest.ToPhone(number("020"), text)))
		if r.n%8 == 0 {
			r.ids = append(r.ids, r.send(t, fmt.Sprintf("Vedtak %d", r.n)))
		}
	}
}

// admit makes the service accept the new credentials.
func (r *rotation) admit() {
	r.sim.AddClient(storetest.ClientID, nextSecret)
	r.sim.AddIntegration(integrationID, nextPassword)
}

// rotate gives both integrations credentials that take over at a time.
func (r *rotation) rotate(t *testing.T, at time.Time) {
	t.Helper()
	for _, id := range r.integrations() {
		c := v2Credentials()
		c.ClientSecret, c.IntegrationPassword = nextSecret, nextPassword
		if _, err := registry.In(r.store).Credentials.Add(t.Context(), id, registry.NewCredentials{Credentials: c, SwitchAt: at}, r.sample.Actor); err != nil {
			t.Fatal(err)
		}
	}
}

// revoke ends the old credentials at the service, with all their tokens.
func (r *rotation) revoke() {
	r.sim.RevokeClient(storetest.ClientID, storetest.ClientSecret)
	r.sim.RevokeIntegration(integrationID, integrationPassword)
	r.sim.RevokeTokens()
}

// wipe deletes the old credentials as soon as the new ones have taken over.
func (r *rotation) wipe(t *testing.T) {
	t.Helper()
	await.True(t, "the new sets take over", func() bool {
		return ask[int](t, r.shipments, `SELECT count(*) FROM credentials WHERE state = 'retiring'`) == len(r.sets)
	})
	for id, set := range r.sets {
		if err := registry.In(r.store).Credentials.Wipe(t.Context(), id, set, r.sample.Actor); err != nil {
			t.Fatal(err)
		}
	}
}

// left describes the items that are not accepted, and the state of their integrations and credentials.
const left = `
	SELECT concat_ws(E'\n',
	    (SELECT string_agg(concat_ws(' ', n, kind, state, reason_key, due), E'\n') FROM (
	        SELECT count(*) AS n, kind, state, reason_key, min(due_at) - now() AS due FROM items WHERE state <> 'accepted' GROUP BY kind, state, reason_key) i),
	    (SELECT string_agg(concat_ws(' ', 'integration', id, kind, 'refused', refused_key, refused_at, 'stopped', stopped_at), E'\n') FROM integrations),
	    (SELECT string_agg(concat_ws(' ', 'credentials', integration_id, state, created_at, replaced_at, 'refused', refused_at), E'\n') FROM credentials),
	    (SELECT concat_ws(' ', 'refused accounts', count(*)) FROM account_refusals))`

// wantAllOnce waits until everything is accepted, and expects that the service has each once, and that nothing stays
// refused or stopped.
func (r *rotation) wantAllOnce(t *testing.T) {
	t.Helper()
	await.Seen(t, "everything is accepted", func() bool {
		return ask[int](t, r.shipments, `SELECT count(*) FROM items WHERE state = 'accepted'`) == len(r.ids)
	}, func() string { return ask[string](t, r.shipments, left) })
	seen := map[string]bool{}
	for _, m := range r.sim.Books() {
		seen[m.ID] = true
	}
	for _, s := range r.sim.Shipments() {
		seen[s.ID] = true
	}
	booked := len(r.sim.Books()) + len(r.sim.Shipments())
	known := ask[int](t, r.shipments, `SELECT count(DISTINCT upstream_id) FROM items`)
	if booked != len(r.ids) || len(seen) != booked || known != booked {
		t.Errorf("%d were queued, %d accepted by the service, %d known to us", len(r.ids), booked, known)
	}
	if n := ask[int](t, r.shipments, `SELECT count(*) FROM integrations WHERE refused_at IS NOT NULL OR stopped_at IS NOT NULL`); n != 0 {
		t.Errorf("%d integrations are left refused or stopped", n)
	}
	r.wantNoBreach(t)
}

func TestRotationUnderLoad(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	for name, test := range map[string]struct {
		ends, begins time.Duration // when the service no longer takes the old ones, and begins to take the new ones
	}{
		"the old ones end before the switch":     {-400 * time.Millisecond, -2 * time.Second},
		"the old ones end at the switch":         {0, -2 * time.Second},
		"the old ones end after the switch":      {400 * time.Millisecond, -2 * time.Second},
		"for a moment the service takes neither": {-1500 * time.Millisecond, -time.Second}, // a second, so that a busy machine begins before the switch
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRotation(t)
			r.work(t)
			r.work(t)
			r.flowTo(t, 20)
			at := time.Now().Add(2 * time.Second)
			r.rotate(t, at)
			began := false
			begin := func() {
				if !began && time.Now().After(at.Add(test.begins)) {
					r.admit()
					began = true
				}
			}
			r.flow(t, func() bool { begin(); return time.Now().After(at.Add(test.ends)) })
			r.revoke()
			end := r.n + 30
			r.flow(t, func() bool { begin(); return r.n >= end && time.Now().After(at) })
			r.wipe(t)
			r.flowTo(t, max(r.n+20, 80))
			r.wantAllOnce(t)
			last := r.sim.Shipments()[len(r.sim.Shipments())-1].Credential
			if last.ClientSecret != nextSecret || last.IntegrationPassword != nextPassword {
				t.Error("the last shipment went with the old credentials")
			}
		})
	}
}

// TestWipedWhileInUse rotates credentials at once while a worker still uses the old ones, which are revoked and
// deleted.
func TestWipedWhileInUse(t *testing.T) {
	t.Parallel()
	r := newRotation(t)
	r.work(t)
	r.work(t)
	r.flowTo(t, 24)
	r.wantAllOnce(t) // both workers have clients now
	r.admit()
	r.rotate(t, time.Time{})
	r.wipe(t)
	r.revoke()
	r.flowTo(t, 80)
	r.wantAllOnce(t)
	used := slices.ContainsFunc(r.sim.Shipments(), func(s simulator.Shipment) bool { return s.Credential.IntegrationPassword == nextPassword })
	if !used {
		t.Error("no shipment went with the new credentials")
	}
}
