package v1_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"utsending/internal/clients"
	"utsending/internal/clients/shipmentapi"
	"utsending/internal/clients/shipmentapi/apitest"
	v1 "utsending/internal/clients/shipmentapi/v1"
	"utsending/internal/clients/simulator"
	"utsending/internal/clients/simulator/shipmentv1"
	"utsending/internal/dispatch"
)

func TestTheSimulatorTakesEveryShipment(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		plain, _ := apitest.Shipment()
		organization, nobody := plain, plain
		organization.Recipient.Digital = dispatch.DigitalAddress{OrganizationNumber: "987654329"}
		nobody.Recipient.Digital = dispatch.DigitalAddress{}
		shipments := []dispatch.Shipment{apitest.FullShipment(), plain, organization, nobody, apitest.OddlyNamed()}
		for _, s := range shipments {
			g.sent(t, s, apitest.Repeated)
		}
		g.checkShipments(t, len(shipments))
		for i, got := range g.sim.Shipments() {
			apitest.CheckShipment(t, got, shipments[i])
		}
		if id, err := g.client.Send(t.Context(), shipmentapi.Target{}, plain, apitest.Repeated, nil); err != nil || g.sim.Shipments()[5].ID != id {
			t.Errorf("got id %q without one reserved, error %v, want the one in the books", id, err)
		}
	})
}

// ending is what a submission comes to, and the truth behind it.
type ending struct {
	want   apitest.Result
	booked bool
}

// submissionEndings is the table of docs/delivery.md, Outcomes, for each word that does more than be accepted.
func submissionEndings() map[string]ending {
	uncertain := func(key string, status int, booked bool) ending {
		return ending{apitest.Want(dispatch.OutcomeUncertain, "", "reason."+key, status), booked}
	}
	unavailable := func(key string, status int) ending {
		return ending{want: apitest.Want(dispatch.OutcomeUnavailable, "", "reason."+key, status)}
	}
	duplicate := ending{want: apitest.Want(dispatch.OutcomeRejected, "", "reason.duplicate", 400)}
	all := map[string]ending{
		"[svar tapt]":    uncertain("no_answer", 0, true),
		"[tapt]":         uncertain("no_answer", 0, false),
		"[tapt én gang]": uncertain("no_answer", 0, false),
		"[brutt]":        unavailable("unreachable", 0),
		"[tidlig 503]":   unavailable("busy", 503),
		"[treg]":         uncertain("timeout", 0, true),
		"[html]":         uncertain("not_understood", 200, false),
		"[halvt svar]":   uncertain("not_understood", 200, true),
		"[uten id]":      uncertain("not_understood", 200, false),
		"[nede én gang]": unavailable("busy", 503),
		"[feil én gang]": uncertain("server_error", 500, true),
		"[feil tittel]":  ending{want: apitest.SendTable()[400]},
		"[duplikat]":     duplicate,
		"[gjentagende]":  duplicate,
	}
	for status, want := range apitest.SendTable() {
		all["[feil "+strconv.Itoa(status)+"]"] = ending{want: want}
	}
	return all
}

func TestSubmissionMeetsEveryEnding(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		for _, word := range simulator.Words() {
			t.Run(word.Digits+" "+word.Meaning, func(t *testing.T) {
				t.Parallel()
				want, ok := submissionEndings()[word.Digits]
				if !ok {
					want = ending{apitest.Result{Outcome: dispatch.OutcomeAccepted}, true}
				}
				checkEnding(t, newRig(t, wire, simulator.Options{SlowFor: time.Hour}), word.Digits, want)
			})
		}
	})
}

func checkEnding(t *testing.T, g *rig, word string, want ending) {
	t.Helper()
	ctx, expire := context.WithCancelCause(t.Context())
	defer expire(nil)
	s, content := apitest.Shipment()
	s.Title = word
	ready := func(context.Context) error { return nil }
	switch word {
	case "[brutt]", "[tidlig 503]": // the last byte is surely not there yet
		ready = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		s.Documents[0].Size, content = 64<<20, apitest.Repeated
	case "[treg]": // the deadline passes as soon as the shipment is accepted
		go func() {
			apitest.Eventually(t, "acceptance", func() bool { return len(g.sim.Shipments()) == 1 })
			expire(context.DeadlineExceeded)
		}()
	}
	id, err := g.client.Send(ctx, shipmentapi.Target{Reserved: g.started(t)}, s, content, ready)
	if word == "[tidlig 503]" && clients.AsError(err).HTTPStatus == 0 { // its connection was closed before we read its answer
		want.want = apitest.Want(dispatch.OutcomeUnavailable, "", "reason.unreachable", 0)
	}
	apitest.CheckResult(t, err, want.want)
	if booked := g.sim.Shipments(); (len(booked) == 1) != want.booked || (id != "") != (err == nil) {
		t.Errorf("got id %q, %d shipments accepted, want accepted %t", id, len(booked), want.booked)
	}
	if got := g.calls(shipmentv1.OpSendShipment); got != 1 {
		t.Errorf("got %d submissions, want one", got)
	}
	if got := g.sim.Violations(); got != nil {
		t.Errorf("got violations %q, want none", got)
	}
}

func TestSecondSubmissionUnderOneID(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		for status, want := range map[int]apitest.Result{
			200: {Outcome: dispatch.OutcomeAccepted},
			400: apitest.Want(dispatch.OutcomeRejected, "", "reason.duplicate", 400),
			500: apitest.Want(dispatch.OutcomeUncertain, "", "reason.duplicate", 500),
		} {
			t.Run("answered with "+strconv.Itoa(status), func(t *testing.T) {
				t.Parallel()
				g := newRig(t, wire, simulator.Options{RepostStatus: status})
				s, content := apitest.Shipment()
				id := g.sent(t, s, content)
				_, err := g.client.Send(t.Context(), shipmentapi.Target{Reserved: id}, s, content, nil)
				apitest.CheckResult(t, err, want)
			})
		}
	})
}

func TestTooManyAlike(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{RepeatLimit: 2})
		for range 2 {
			if _, err := g.send(t, "Vedtak"); err != nil {
				t.Fatal(err)
			}
		}
		_, err := g.send(t, "Vedtak")
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeRejected, "", "reason.duplicate", 400))
		g.checkShipments(t, 2)
	})
}

func TestNothingIsAcceptedOfWhatIsKeptBack(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		s, _ := apitest.Shipment()
		s.Documents[0].Size = 1 << 20
		for name, tt := range map[string]struct {
			content io.Reader
			ready   error
		}{
			"a content that is short":  {io.LimitReader(apitest.Endless{}, 1<<20-1), nil},
			"a content that is long":   {io.LimitReader(apitest.Endless{}, 1<<20+1), nil},
			"a lease that was lost":    {io.LimitReader(apitest.Endless{}, 1<<20), errors.New("lease lost")},
			"a content that is absent": {strings.NewReader(""), nil},
		} {
			content := func(context.Context, dispatch.Document) (io.ReadCloser, error) { return io.NopCloser(tt.content), nil }
			_, err := g.client.Send(t.Context(), shipmentapi.Target{Reserved: g.started(t)}, s, content, func(context.Context) error { return tt.ready })
			if got := apitest.ResultOf(t, err); got.Outcome != dispatch.OutcomeUnavailable {
				t.Errorf("got %+v for %s, want unavailable", got, name)
			}
		}
		g.sent(t, s, apitest.Repeated)
		if got := g.sim.Shipments(); len(got) != 1 {
			t.Errorf("got %d shipments, want the last one", len(got))
		}
	})
}

func TestAccessToTheService(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		o := options(t, g.url)
		o.Wire, o.Password = wire, "hunter3-hunter3"
		stranger := v1.New(o)
		refused := apitest.Want(dispatch.OutcomeRefused, dispatch.ScopeIntegration, "reason.unauthorized", 401)
		_, err := send(t, stranger)
		apitest.CheckResult(t, err, refused)
		for _, read := range reads {
			apitest.CheckResult(t, read(t, stranger), refused)
		}
		g.sim.SetDown(true)
		_, err = send(t, g.client)
		apitest.CheckResult(t, err, apitest.Want(dispatch.OutcomeUnavailable, "", "reason.busy", http.StatusServiceUnavailable))
		g.sim.SetDown(false)
		if _, err := g.send(t, "Vedtak"); err != nil {
			t.Error(err)
		}
		g.checkShipments(t, 1)
	})
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	eachWire(t, func(t *testing.T, wire shipmentapi.Wire) {
		g := newRig(t, wire, simulator.Options{})
		var senders sync.WaitGroup
		for n := range 30 {
			senders.Go(func() {
				s, _ := apitest.Shipment()
				s.Title, s.Documents[0].Size = fmt.Sprintf("Vedtak %d", n), 64<<10
				if _, err := g.client.Send(t.Context(), shipmentapi.Target{}, s, apitest.Repeated, nil); err != nil {
					t.Errorf("send: %v", err)
				}
			})
		}
		senders.Wait()
		g.checkShipments(t, 30)
	})
}
