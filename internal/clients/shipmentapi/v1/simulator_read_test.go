package v1_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"utsending/internal/clients/cms"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

func TestStatusFollowsTheShipment(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		id, err := g.send(t, "Vedtak [lesefrist]")
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range []dispatch.Status{
			dispatch.StatusReceived, dispatch.StatusAccepted, dispatch.StatusNotified, dispatch.StatusSentToPrint, dispatch.StatusPrinted,
		} {
			report := shipmentapi.StatusReport{Status: want, ChangedAt: apitest.Now.Add(time.Duration(n) * apitest.Pace)}
			got, err := g.client.Status(t.Context(), id)
			apitest.CheckAnswer(t, got, err, report)
			all, err := g.client.Statuses(t.Context(), "", []string{id, uuid.NewString()})
			apitest.CheckAnswer(t, all, err, map[string]shipmentapi.StatusReport{id: report})
			g.clock.Advance(apitest.Pace)
		}
		g.checkShipments(t, 1)
	})
}

func TestStatusOfWhatIsNotAccepted(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		known, unknown := newRig(t, wire, simulator.Options{}), newRig(t, wire, simulator.Options{ReservedUnknown: true})
		id := known.started(t)
		got, err := known.client.Status(t.Context(), id)
		apitest.CheckAnswer(t, got, err, shipmentapi.StatusReport{Status: dispatch.StatusReceived, ChangedAt: apitest.Now})
		documents, err := known.client.Documents(t.Context(), id)
		apitest.CheckAnswer(t, documents, err, nil)

		notKnown := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.not_known", 404)
		_, err = unknown.client.Status(t.Context(), unknown.started(t))
		apitest.CheckResult(t, err, notKnown)
		_, err = unknown.client.Documents(t.Context(), unknown.started(t))
		apitest.CheckResult(t, err, notKnown)
	})
}

func TestReadsMeetEveryEnding(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		for title, want := range map[string]struct {
			status dispatch.Status
			failed apitest.Result
		}{
			"[ny verdi]":   {status: "NY_VERDI"},
			"[avvist]":     {status: dispatch.StatusDismissed},
			"[status 404]": {failed: apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.not_known", 404)},
			"[status 500]": {failed: apitest.Want(dispatch.OutcomeUnavailable, "", "reason.server_error", 500)},
		} {
			g := newRig(t, wire, simulator.Options{})
			id, err := g.send(t, title)
			if err != nil {
				t.Fatal(err)
			}
			g.clock.Advance(10 * apitest.Pace)
			got, err := g.client.Status(t.Context(), id)
			if want.status == "" {
				apitest.CheckResult(t, err, want.failed)
			} else if err != nil || got.Status != want.status {
				t.Errorf("got %s, error %v for %s, want %s", got.Status, err, title, want.status)
			}
		}
	})
}

func TestDocumentsAreThoseThatWereSent(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		s := apitest.FullShipment()
		got, err := g.client.Documents(t.Context(), g.sent(t, s, apitest.Repeated))
		var want []shipmentapi.DocumentReport
		for _, d := range s.Documents {
			want = append(want, shipmentapi.DocumentReport{
				FileName: d.FileName, MimeType: d.MimeType, Size: apitest.EncryptionOf(t, g.sim, cms.OAEP).Envelope.Size(d.Size), Type: d.Type, Signable: d.Sign, Sensitive: d.Sensitive, Extra: d.Extra,
			})
		}
		ignored := cmpopts.IgnoreFields(shipmentapi.DocumentReport{}, "SHA256", "DownloadURL", "SigningURL")
		if diff := cmp.Diff(got, want, ignored); err != nil || diff != "" {
			t.Fatalf("got error %v, got - want +:\n%s", err, diff)
		}
		for i, d := range got {
			if d.SHA256 != g.sim.Shipments()[0].Documents[i].SHA256 || d.DownloadURL == "" || (d.SigningURL != "") != d.Signable {
				t.Errorf("got %+v, want the hash and the addresses", d)
			}
		}
	})
}

func TestHistories(t *testing.T) {
	t.Parallel()
	for title, end := range map[string]dispatch.SigningStatus{
		"Avtale":                     dispatch.SigningDone,
		"Avtale [avviser signering]": dispatch.SigningRefusedByRecipient,
		"Avtale [avvist signering]":  dispatch.SigningRefusedByService,
		"Avtale [utløper]":           dispatch.SigningExpired,
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
				g := newRig(t, wire, simulator.Options{})
				s, content := apitest.Shipment()
				s.Title = title
				apitest.SignBy(apitest.Now.Add(48 * time.Hour))(&s)
				id := g.sent(t, s, content)
				g.clock.Advance(10 * apitest.Pace)

				signing, err := g.client.SigningHistory(t.Context(), id)
				if err != nil || len(signing) == 0 || signing[len(signing)-1].Status != end {
					t.Fatalf("got %+v, error %v, want it to end with %s", signing, err, end)
				}
				checkSigning(t, signing)
				events, err := g.client.History(t.Context(), id)
				if err != nil || len(events) < 4 || !events[0].At.Equal(apitest.Now) || events[0].Text != "Mottatt, og tildelt forsendelse-id" {
					t.Errorf("got %+v, error %v, want a history from %s", events, err, apitest.Now)
				}
			})
		})
	}
}

// checkSigning demands that all but the last line wait, and that each has a time and a text.
func checkSigning(t *testing.T, all []shipmentapi.SigningEvent) {
	t.Helper()
	for i, e := range all {
		if e.At.Before(apitest.Now) || e.At.After(apitest.Now.Add(10*apitest.Pace)) || e.Text == "" || i < len(all)-1 && e.Status != dispatch.SigningWaiting {
			t.Errorf("got %+v, want a line of the log", e)
		}
	}
}

func TestMarkReadReachesTheService(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		id, err := g.send(t, "Vedtak")
		if err != nil {
			t.Fatal(err)
		}
		at := apitest.Now.Add(-time.Hour)
		if err := g.client.MarkRead(t.Context(), id, shipmentapi.Reading{NationalID: "02813299900", System: "Fagsystem", At: at}); err != nil {
			t.Fatal(err)
		}
		if got := g.sim.Shipments()[0]; got.ReadBy != "02813299900" || got.ReadSystem != "Fagsystem" || !got.ReadAt.Equal(at) {
			t.Errorf("got %+v, want it read", got)
		}
		got, err := g.client.Status(t.Context(), id)
		apitest.CheckAnswer(t, got, err, shipmentapi.StatusReport{Status: dispatch.StatusRead, ChangedAt: apitest.Now})
		g.checkShipments(t, 1)
	})
}

func TestLookups(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		if types, err := g.client.Types(t.Context()); err != nil || !slices.Contains(types, "Byggesøknad") {
			t.Errorf("got types %q, error %v, want Byggesøknad among them", types, err)
		}
		all, err := g.client.Receivers(t.Context(), shipmentapi.ReceiverFilter{})
		if err != nil || len(all) < 2 || slices.ContainsFunc(all, func(r shipmentapi.Receiver) bool {
			return len(r.OrganizationNumber) != 9 || r.Type == "" || r.System == "" || r.SystemID == "" || r.Level < 3
		}) {
			t.Errorf("got %+v, error %v, want receivers with all fields", all, err)
		}
		filter := shipmentapi.ReceiverFilter{OrganizationNumber: all[0].OrganizationNumber, Type: all[0].Type, Level: all[0].Level}
		filtered, err := g.client.Receivers(t.Context(), filter)
		apitest.CheckAnswer(t, filtered, err, all[:1])
		of, err := g.client.ReceiversOf(t.Context(), all[0].OrganizationNumber)
		apitest.CheckAnswer(t, of, err, slices.DeleteFunc(slices.Clone(all), func(r shipmentapi.Receiver) bool {
			return r.OrganizationNumber != all[0].OrganizationNumber
		}))
		g.checkShipments(t, 0)
	})
}

func TestReferencesAreFound(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		for _, reference := range []string{"17", "sak 2026/17", "a%2Fb", "æ?ø#å;,+&=", "...", strings.Repeat("x", 100)} {
			s, content := apitest.Shipment()
			s.Title, s.ExternalReference = reference, reference
			id := g.sent(t, s, content)
			got, err := g.client.ByExternalReference(t.Context(), "", reference)
			if err != nil || !slices.Equal(got, []shipmentapi.Match{{ID: id}}) {
				t.Errorf("got %v, error %v for %q, want %s", got, err, reference, id)
			}
		}
		got, err := g.client.ByExternalReference(t.Context(), "", "ukjent")
		apitest.CheckAnswer(t, got, err, nil)
	})
}
