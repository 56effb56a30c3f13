package dispatch_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utsending/internal/dispatch"
)

var (
	running     = dispatch.Attempt{}
	accepted    = dispatch.Attempt{Outcome: dispatch.OutcomeAccepted}
	rejected    = dispatch.Attempt{Outcome: dispatch.OutcomeRejected}
	unavailable = dispatch.Attempt{Outcome: dispatch.OutcomeUnavailable}
	refused     = dispatch.Attempt{Outcome: dispatch.OutcomeRefused}
	uncertain   = dispatch.Attempt{Outcome: dispatch.OutcomeUncertain}
	foundSent   = dispatch.Attempt{Outcome: dispatch.OutcomeUncertain, Resolution: dispatch.ResolutionSent}
	foundUnsent = dispatch.Attempt{Outcome: dispatch.OutcomeUncertain, Resolution: dispatch.ResolutionNotSent}
)

func TestStateAfter(t *testing.T) {
	t.Parallel()
	type list = []dispatch.Attempt
	tests := map[string]struct {
		attempts list
		want     dispatch.State
	}{
		"nothing tried is queued":                            {nil, dispatch.StateQueued},
		"a running attempt decides nothing":                  {list{running}, dispatch.StateQueued},
		"accepted":                                           {list{accepted}, dispatch.StateAccepted},
		"rejected":                                           {list{rejected}, dispatch.StateRejected},
		"unavailable is queued again":                        {list{unavailable}, dispatch.StateQueued},
		"refused is queued again":                            {list{refused}, dispatch.StateQueued},
		"uncertain":                                          {list{uncertain}, dispatch.StateUncertain},
		"accepted after unavailable":                         {list{unavailable, unavailable, accepted}, dispatch.StateAccepted},
		"accepted stands against a later rejection":          {list{accepted, rejected}, dispatch.StateAccepted},
		"accepted stands against a later uncertain one":      {list{accepted, uncertain}, dispatch.StateAccepted},
		"accepted overrules an earlier uncertain one":        {list{uncertain, accepted}, dispatch.StateAccepted},
		"accepted overrules an earlier rejection":            {list{rejected, accepted}, dispatch.StateAccepted},
		"accepted in the middle":                             {list{uncertain, accepted, unavailable}, dispatch.StateAccepted},
		"uncertain stands against a later rejection":         {list{uncertain, rejected}, dispatch.StateUncertain},
		"uncertain stands against a later unavailable":       {list{uncertain, unavailable}, dispatch.StateUncertain},
		"uncertain stands against a later refusal":           {list{uncertain, refused}, dispatch.StateUncertain},
		"uncertain stands against a running attempt":         {list{uncertain, running}, dispatch.StateUncertain},
		"uncertain after unavailable":                        {list{unavailable, uncertain}, dispatch.StateUncertain},
		"uncertain after a rejection":                        {list{rejected, uncertain}, dispatch.StateUncertain},
		"one of two uncertain ones left open":                {list{foundUnsent, uncertain}, dispatch.StateUncertain},
		"the first of two uncertain ones left open":          {list{uncertain, foundUnsent}, dispatch.StateUncertain},
		"found to be sent counts as accepted":                {list{foundSent}, dispatch.StateAccepted},
		"found to be sent stands against a later rejection":  {list{foundSent, rejected}, dispatch.StateAccepted},
		"found to be sent overrules an open uncertain one":   {list{uncertain, foundSent}, dispatch.StateAccepted},
		"found unsent lets it be tried again":                {list{foundUnsent}, dispatch.StateQueued},
		"found unsent leaves the decision to later attempts": {list{foundUnsent, rejected}, dispatch.StateRejected},
		"found unsent, then accepted":                        {list{foundUnsent, accepted}, dispatch.StateAccepted},
		"the latest decides: rejected":                       {list{unavailable, refused, rejected}, dispatch.StateRejected},
		"the latest decides: unavailable":                    {list{rejected, unavailable}, dispatch.StateQueued},
		"the latest decides: running":                        {list{rejected, running}, dispatch.StateQueued},
		"a resolution means nothing on a rejection": {
			list{{Outcome: dispatch.OutcomeRejected, Resolution: dispatch.ResolutionSent}}, dispatch.StateRejected,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := dispatch.StateAfter(tt.attempts); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestStateAfterKeepsItsPromises(t *testing.T) {
	t.Parallel()
	any := rapid.SampledFrom([]dispatch.Attempt{running, accepted, rejected, unavailable, refused, uncertain, foundSent, foundUnsent})
	rapid.Check(t, func(t *rapid.T) {
		attempts := rapid.SliceOfN(any, 0, 6).Draw(t, "attempts")
		got := dispatch.StateAfter(attempts)
		with := func(a dispatch.Attempt) dispatch.State {
			return dispatch.StateAfter(append(attempts[:len(attempts):len(attempts)], a))
		}
		if with(accepted) != dispatch.StateAccepted {
			t.Fatal("an acceptance was lost")
		}
		for _, a := range []dispatch.Attempt{running, rejected, unavailable, refused} {
			if after := with(a); (got == dispatch.StateAccepted || got == dispatch.StateUncertain) && after != got {
				t.Fatalf("got %s after %s, want %s still", after, a.Outcome, got)
			}
		}
	})
}

func TestOverrules(t *testing.T) {
	t.Parallel()
	all := []dispatch.State{
		dispatch.StateDraft, dispatch.StateQueued, dispatch.StateSending, dispatch.StateAccepted, dispatch.StateRejected,
		dispatch.StateFailed, dispatch.StateUncertain, dispatch.StateCancelled,
	}
	everything := func(dispatch.State, bool) bool { return true }
	proofOnly := func(implied dispatch.State, _ bool) bool { return implied == dispatch.StateAccepted }
	tests := map[string]struct {
		current dispatch.State
		want    func(implied dispatch.State, mine bool) bool
	}{
		"sending is for who holds the lease, but for proof": {dispatch.StateSending, func(implied dispatch.State, mine bool) bool {
			return mine || implied == dispatch.StateAccepted
		}},
		"uncertain gives way to any answer":                        {dispatch.StateUncertain, everything},
		"accepted follows the attempts":                            {dispatch.StateAccepted, everything},
		"queued again by a person gives way to proof alone":        {dispatch.StateQueued, proofOnly},
		"cancelled by a person gives way to proof alone":           {dispatch.StateCancelled, proofOnly},
		"failed gives way to proof alone":                          {dispatch.StateFailed, proofOnly},
		"rejected gives way to proof alone":                        {dispatch.StateRejected, proofOnly},
		"a draft, which nobody can have sent, gives way to proof":  {dispatch.StateDraft, proofOnly},
		"a state that does not exist yet gives way to proof alone": {"paused", proofOnly},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, implied := range all {
				for _, mine := range []bool{true, false} {
					if got, want := dispatch.Overrules(implied, tt.current, mine), tt.want(implied, mine); got != want {
						t.Errorf("got %t for %s, mine %t, want %t", got, implied, mine, want)
					}
				}
			}
		})
	}
}

func TestDecision(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		decision   dispatch.Decision
		known      bool
		resolution dispatch.Resolution
		state      dispatch.State
	}{
		{dispatch.DecisionSent, true, dispatch.ResolutionSent, dispatch.StateAccepted},
		{dispatch.DecisionSendAgain, true, dispatch.ResolutionNotSent, dispatch.StateQueued},
		{dispatch.DecisionDrop, true, dispatch.ResolutionNotSent, dispatch.StateCancelled},
		{"", false, dispatch.ResolutionNotSent, dispatch.StateCancelled},
		{"resend", false, dispatch.ResolutionNotSent, dispatch.StateCancelled},
	} {
		d := tt.decision
		if d.Known() != tt.known || d.Resolution() != tt.resolution || d.State() != tt.state {
			t.Errorf("got %t, %q, %s for %q, want %t, %q, %s", d.Known(), d.Resolution(), d.State(), d, tt.known, tt.resolution, tt.state)
		}
	}
}

func TestRetryWait(t *testing.T) {
	t.Parallel()
	const middle = 0.5
	for n, want := range map[int]time.Duration{
		-1: time.Second, 0: time.Second, 1: time.Second, 2: 16 * time.Second, 3: 81 * time.Second, 4: 256 * time.Second,
		5: 625 * time.Second, 7: 2401 * time.Second,
	} {
		if got := dispatch.RetryWait(n, middle); got.Round(time.Millisecond) != want {
			t.Errorf("got %s after %d, want %s", got, n, want)
		}
	}
	if got, want := dispatch.RetryWait(2, 0), 14400*time.Millisecond; got.Round(time.Millisecond) != want {
		t.Errorf("got %s at the least jitter, want %s", got, want)
	}
	if got, want := dispatch.RetryWait(2, 1), 17600*time.Millisecond; got.Round(time.Millisecond) != want {
		t.Errorf("got %s at the most jitter, want %s", got, want)
	}
}

func TestRetryWaitLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(-2, 20), rapid.IntRange(20, math.MaxInt-1)).Draw(t, "n")
		jitter := rapid.Float64Range(0, 1).Draw(t, "jitter")
		got := dispatch.RetryWait(n, jitter)
		if got <= 0 || got > time.Hour {
			t.Fatalf("got %s, want at most an hour", got)
		}
		if next := dispatch.RetryWait(n+1, jitter); next < got {
			t.Fatalf("got %s after %s, want growth", next, got)
		}
		if n >= 8 && got < 45*time.Minute {
			t.Fatalf("got %s after %d attempts, want nearly an hour", got, n)
		}
	})
	if a, b := dispatch.RetryWait(100, 0), dispatch.RetryWait(100, 1); a == b {
		t.Errorf("got %s twice, want jitter at the limit too", a)
	}
}
