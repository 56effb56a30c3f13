package delivery_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
)

// sys is the system of our own letters.
const sys = "Utsending"

// wantAdopted waits until a letter is accepted, and expects that it is the only one of its title, sent once.
func (l *letters) wantAdopted(t *testing.T, id dispatch.ItemID, reference string) {
	t.Helper()
	it := l.awaitState(t, id, dispatch.StateAccepted)
	booked := l.shipped(it.Title)
	if len(booked) != 1 || booked[0].ID != it.UpstreamID || booked[0].ExternalReference != reference || l.sent(it.Title) != 1 {
		t.Errorf("accepted as %q, sent %d times, booked as %+v", it.UpstreamID, l.sent(it.Title), booked)
	}
	l.await(t, id, "never read", func(it dispatch.ShipmentItem) bool { return it.Status == dispatch.StatusRead })
}

// wantV2LeftToPerson waits until nothing is going to be looked up any more, and expects one submission.
func (l *letters) wantV2LeftToPerson(t *testing.T, id dispatch.ItemID) {
	t.Helper()
	it := l.await(t, id, "not left to a person", func(it dispatch.ShipmentItem) bool {
		return it.State == dispatch.StateUncertain && it.RecoverAt.IsZero() || it.State == dispatch.StateAccepted
	})
	if it.State != dispatch.StateUncertain || it.UpstreamID != "" || l.sent(it.Title) != 1 {
		t.Errorf("it is %s as %q, sent %d times; want a person to decide", it.State, it.UpstreamID, l.sent(it.Title))
	}
}

func TestV2Recovery(t *testing.T) {
	t.Parallel()
	const lost, cut = "Vedtak [svar tapt]", "Vedtak [tapt]"
	test := func(name string, f func(t *testing.T, l *letters)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newV2Letters(t, simulator.Options{})
			f(t, l)
			l.wantNoBreach(t)
		})
	}
	test("a letter whose answer was lost is found by our own reference", func(t *testing.T, l *letters) {
		id := l.send(t, lost)
		l.wantAdopted(t, id, string(id))
	})
	for name, f := range map[string]simulator.Fault{"no id": simulator.AcceptedNoID, "HTML": simulator.AcceptedHTML, "half an answer": simulator.HalfAnswer} {
		test("a letter that was taken and answered with "+name+" is found", func(t *testing.T, l *letters) {
			l.fault("Vedtak", f)
			id := l.send(t, "Vedtak")
			l.wantAdopted(t, id, string(id))
		})
	}
	for name, f := range map[string]simulator.Fault{"no id": simulator.NoID, "HTML": simulator.HTMLAnswer, "400 and HTML": simulator.HTMLError, "500": http.StatusInternalServerError} {
		test("a letter that was not taken and answered with "+name+" is left to a person", func(t *testing.T, l *letters) {
			l.fault("Vedtak", f)
			l.wantV2LeftToPerson(t, l.send(t, "Vedtak"))
		})
	}
	test("a letter that was cut off is left to a person after the window", func(t *testing.T, l *letters) {
		l.wantV2LeftToPerson(t, l.send(t, cut))
	})
	test("another system's letter with the same reference is not ours", func(t *testing.T, l *letters) {
		l.strange(t, "SAK-1", "Fagsystemet")
		l.wantAdopted(t, l.send(t, lost, filedAs("SAK-1")), "SAK-1")
	})
	test("another system's letter is not taken for one that never arrived", func(t *testing.T, l *letters) {
		l.strange(t, "SAK-1", "Fagsystemet")
		l.wantV2LeftToPerson(t, l.send(t, cut, filedAs("SAK-1")))
	})
	test("of two that may be ours a person picks", func(t *testing.T, l *letters) {
		l.strange(t, "SAK-1", sys)
		l.wantV2LeftToPerson(t, l.send(t, lost, filedAs("SAK-1")))
	})
	test("one that another letter of ours is known by is not taken", func(t *testing.T, l *letters) {
		l.awaitState(t, l.send(t, "Vedtak", filedAs("SAK-1")), dispatch.StateAccepted)
		l.wantV2LeftToPerson(t, l.send(t, cut, filedAs("SAK-1")))
	})
	test("one that another letter of ours is known by over another integration is not taken", func(t *testing.T, l *letters) {
		l.awaitState(t, l.send(t, "Vedtak", filedAs("SAK-1")), dispatch.StateAccepted)
		in := dispatch.Integration{Name: "V2 på nytt", Kind: dispatch.IntegrationShipmentV2, Service: "v2", Parallelism: 4, RatePerSec: 1000}
		l.sendOver(t, l.integration(t, in, v2Credentials()))
		l.wantV2LeftToPerson(t, l.send(t, cut, filedAs("SAK-1")))
	})
	test("while the look-up fails it is looked up again, also after the window", func(t *testing.T, l *letters) {
		l.sim.SetChaos(func(operation, _ string) simulator.Fault {
			if operation == simulator.OpV2ReferencesMetadata {
				return simulator.Status(http.StatusInternalServerError)
			}
			return simulator.NoFault
		})
		id := l.send(t, lost)
		it := l.await(t, id, "not looked up ten times", func(it dispatch.ShipmentItem) bool { // at most four times within the window
			return it.State == dispatch.StateUncertain && (it.RecoverAt.IsZero() || l.calls(simulator.OpV2ReferencesMetadata, "") >= 10)
		})
		if it.RecoverAt.IsZero() {
			t.Error("it is left to a person before the service could be asked")
		}
		l.sim.SetChaos(nil)
		l.wantAdopted(t, id, string(id))
	})
}

func TestV2RecoveryGoesByTheTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		earlier time.Duration
		want    func(l *letters, t *testing.T, id dispatch.ItemID)
	}{
		"a letter of our own name from long before is not the one": {6 * time.Minute, func(l *letters, t *testing.T, id dispatch.ItemID) { l.wantAdopted(t, id, "SAK-1") }},
		"a letter from shortly before may be the one":              {4 * time.Minute, func(l *letters, t *testing.T, id dispatch.ItemID) { l.wantV2LeftToPerson(t, id) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var behind atomic.Int64 // how far the service's clock is behind
			l := newV2Letters(t, simulator.Options{Now: func() time.Time { return time.Now().Add(-time.Duration(behind.Load())) }})
			behind.Store(int64(test.earlier))
			l.strange(t, "SAK-1", sys)
			behind.Store(0)
			test.want(l, t, l.send(t, "Vedtak [svar tapt]", filedAs("SAK-1")))
		})
	}
}

func TestLettersWithOneReferenceGoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	many := func(t *testing.T, l *letters, titles ...string) []dispatch.ItemID {
		t.Helper()
		var ids []dispatch.ItemID
		for _, title := range titles {
			ids = append(ids, l.send(t, title, filedAs("SAK-1")))
		}
		return ids
	}
	t.Run("over two workers", func(t *testing.T) {
		t.Parallel()
		l := lettersTo(t, knowing(simulator.Options{SlowFor: 150 * time.Millisecond}))
		l.sendOver(t, l.v2(t))
		ids := many(t, l, "A [treg]", "B [treg]", "C [treg]", "D [treg]", "E [treg]", "F [treg]")
		l.work(t)
		l.work(t)
		for _, id := range ids {
			it := l.awaitState(t, id, dispatch.StateAccepted)
			if l.sent(it.Title) != 1 || len(l.shipped(it.Title)) != 1 {
				t.Errorf("%s: sent %d times", it.Title, l.sent(it.Title))
			}
		}
		if n := l.sends.together(); n != 1 {
			t.Errorf("%d were under way together", n)
		}
	})
	t.Run("while the fate of one is not known the other waits", func(t *testing.T) {
		t.Parallel()
		l := newV2Letters(t, simulator.Options{})
		first := many(t, l, "Først [tapt]")[0]
		l.awaitState(t, first, dispatch.StateUncertain)
		second := many(t, l, "Så")[0]
		l.wantV2LeftToPerson(t, first)
		if it := l.item(t, second); it.State != dispatch.StateQueued || l.sent("Så") != 0 {
			t.Errorf("the other is %s, sent %d times", it.State, l.sent("Så"))
		}
		if n, err := l.store.Resolve(t.Context(), l.account, []dispatch.ItemID{first}, dispatch.DecisionSent, l.sample.Actor); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		l.awaitState(t, second, dispatch.StateAccepted)
	})
	t.Run("both get through when one is found", func(t *testing.T) {
		t.Parallel()
		l := newV2Letters(t, simulator.Options{})
		for _, id := range many(t, l, "Først [svar tapt]", "Så [svar tapt]") {
			l.wantAdopted(t, id, "SAK-1")
		}
		l.wantNoBreach(t)
	})
}
