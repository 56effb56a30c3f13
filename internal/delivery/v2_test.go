package delivery_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"utsending/internal/await"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv2"
	"utsending/internal/delivery"
	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
	"utsending/internal/store/registry"
)

// forSigning has the shipment signed.
func forSigning(s *dispatch.Shipment) {
	s.Documents[0].Sign = true
	s.SignBy, s.SignatureType = time.Now().AddDate(0, 0, 14), dispatch.SignatureAuthenticated
}

func TestShipmentsOverV2(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	t.Run("a shipment is sent to the account and followed until it is read and signed", func(t *testing.T) {
		id := l.send(t, "Vedtak", forSigning)
		it := l.await(t, id, "never read and signed", func(it dispatch.ShipmentItem) bool {
			return it.Status == dispatch.StatusRead && it.SigningStatus == "SIGNERT_AV_MOTTAKER" && len(it.Events) > 0 && len(it.Files) > 0
		})
		if it.Files[0].SHA256 != it.Documents[0].SHA256 || !it.Files[0].Signable || len(it.SigningEvents) == 0 {
			t.Errorf("files %+v, %d events of the signing", it.Files, len(it.SigningEvents))
		}
		booked := l.shipped("Vedtak")
		if len(booked) != 1 || booked[0].Generation != simulator.GenerationV2 || booked[0].AccountID != l.account.ShipmentAccountID ||
			booked[0].ID != it.UpstreamID || booked[0].ExternalReference != string(id) {
			t.Errorf("accepted as %s, booked as %+v", it.UpstreamID, booked)
		}
	})
	t.Run("a status that nobody knows is kept as it is", func(t *testing.T) {
		id := l.send(t, "Vedtak [ny verdi]")
		l.await(t, id, "status not kept", func(it dispatch.ShipmentItem) bool { return it.Status == "NY_VERDI" })
	})
	t.Run("a shipment that the service says no to is rejected", func(t *testing.T) {
		for _, title := range []string{"Vedtak [feil 400]", "Vedtak [feil 422]"} {
			it := l.awaitState(t, l.send(t, title), dispatch.StateRejected)
			if it.Reason.HTTPStatus == 0 || it.Reason.ErrorID == "" || l.sent(title) != 1 {
				t.Errorf("%s: reason %+v, sent %d times", title, it.Reason, l.sent(title))
			}
		}
	})
	l.wantNoBreach(t)
}

func TestV2RefusesOneAccount(t *testing.T) {
	t.Parallel()
	l := newV2Shipments(t, simulator.Options{})
	other := l.colleague(t, "helse")
	l.sim.DenyAccess("", l.account.ShipmentAccountID)
	held := l.send(t, "Vedtak")
	l.await(t, held, "not held", func(it dispatch.ShipmentItem) bool { return it.Block == dispatch.BlockAccount })
	other.awaitState(t, other.send(t, "Vedtak fra helse"), dispatch.StateAccepted)
	if integration, accounts := l.refused(t); integration || accounts != 1 {
		t.Errorf("integration refused: %t, %d accounts; want the one account", integration, accounts)
	}
	l.sim.GrantAccess("", l.account.ShipmentAccountID)
	if _, err := queue.In(l.store).Operations.ClearRefusal(t.Context(), l.account.ShipmentIntegration, l.account.ID, l.sample.Actor); err != nil {
		t.Fatal(err)
	}
	l.awaitState(t, held, dispatch.StateAccepted)
	l.wantNoBreach(t)
}

// rotate gives the account's integration a set of credentials from a time on; zero for at once.
func (l *shipments) rotate(t *testing.T, c dispatch.Credentials, at time.Time) dispatch.CredentialID {
	t.Helper()
	id, err := registry.In(l.store).Credentials.Add(t.Context(), l.account.ShipmentIntegration, registry.NewCredentials{Credentials: c, SwitchAt: at}, l.sample.Actor)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestV2FallsBackToOtherCredentials(t *testing.T) {
	t.Parallel()
	wrong := v2Credentials()
	wrong.IntegrationPassword = "enda ikke godtatt"
	t.Run("a set that is refused is passed over for the one before it", func(t *testing.T) {
		t.Parallel()
		l := newV2Shipments(t, simulator.Options{})
		l.rotate(t, wrong, time.Time{})
		it := l.awaitState(t, l.send(t, "Vedtak"), dispatch.StateAccepted)
		if integration, _ := l.refused(t); integration || len(l.shipped(it.Title)) != 1 {
			t.Errorf("integration refused: %t, booked %d times", integration, len(l.shipped(it.Title)))
		}
		if n := ask[int](t, l, `SELECT count(*) FROM credentials WHERE state = 'active' AND refused_status = 401 AND refused_at IS NOT NULL`); n != 1 {
			t.Errorf("%d sets in use are told to be refused, want one", n)
		}
	})
	t.Run("when none is left the integration is refused, and the shipment waits", func(t *testing.T) {
		t.Parallel()
		l := newV2Shipments(t, simulator.Options{})
		l.rotate(t, wrong, time.Time{})
		l.sim.RevokeIntegration(integrationID, integrationPassword)
		id := l.send(t, "Vedtak")
		l.await(t, id, "not held", func(it dispatch.ShipmentItem) bool { return it.Block == dispatch.BlockRefused })
		l.sim.AddIntegration(integrationID, integrationPassword)
		l.exec(t, `UPDATE integrations SET next_probe_at = now() WHERE refused_at IS NOT NULL`)
		l.awaitState(t, id, dispatch.StateAccepted)                       // one probe tries both sets
		await.True(t, "the integration is refused no more", func() bool { // which is written after the acceptance
			integration, _ := l.refused(t)
			return !integration
		})
	})
	t.Run("a look-up falls back too", func(t *testing.T) {
		t.Parallel()
		l := newV2Shipments(t, simulator.Options{})
		l.sim.SetChaos(func(operation, _ string) simulator.Fault {
			return map[string]simulator.Fault{shipmentv2.OpSend: simulator.LostAfter, shipmentv2.OpReferencesMetadata: http.StatusServiceUnavailable}[operation]
		})
		id := l.send(t, "Vedtak")
		l.awaitState(t, id, dispatch.StateUncertain)
		fresh := v2Credentials()
		fresh.IntegrationPassword = "passord-to"
		l.sim.AddIntegration(integrationID, "passord-to")
		l.rotate(t, fresh, time.Time{}) // the worker goes on with the old set for a while
		l.sim.RevokeIntegration(integrationID, integrationPassword)
		l.sim.SetChaos(nil)
		l.awaitState(t, id, dispatch.StateAccepted)
	})
}

func TestV2ReadsManyStatusesWithOneCall(t *testing.T) {
	t.Parallel()
	l := shipmentsTo(t, knowing(simulator.Options{}))
	l.sendOver(t, l.v2(t))
	l.work(t, func(o *delivery.Options) {
		o.Plan.First, o.Plan.Then = []time.Duration{time.Hour}, time.Hour
	})
	two := []*shipments{l, l.colleague(t, "helse")}
	for i, a := range two {
		for n := range 5 {
			a.awaitState(t, a.send(t, fmt.Sprintf("Vedtak %d-%d", i, n)), dispatch.StateAccepted)
		}
	}
	l.exec(t, `UPDATE items SET next_check_at = now()`)
	await.True(t, "all statuses are read", func() bool { return ask[int](t, l, `SELECT count(*) FROM items WHERE status <> ''`) == 10 })
	asked := map[string]int{}
	for _, c := range l.sim.Calls() {
		if c.Operation == shipmentv2.OpStatuses && c.Status == http.StatusOK {
			asked[c.AccountID]++
		}
	}
	for _, a := range two {
		if asked[a.account.ShipmentAccountID] != 1 {
			t.Errorf("statuses asked for: %v, want once for each account", asked)
		}
	}
	l.wantNoBreach(t)
}
