package compose

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestWhatBecameOfAJob: the tag of a finished job tells how many were sent, and how many of them did not arrive.
func TestWhatBecameOfAJob(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, tt := range []struct {
		want string
		ago  time.Duration // since it ended
		c    dispatch.JobCounts
	}{
		{"Ferdig: 3 kom frem, 2 kom ikke frem", time.Hour, dispatch.JobCounts{dispatch.JobArrived: 3, dispatch.JobNotDelivered: 2}},
		{"Sendt: 1 kom frem, 3 venter på endelig status", time.Hour, dispatch.JobCounts{dispatch.JobArrived: 1, dispatch.JobHandedOver: 2, dispatch.JobOnItsWay: 1}},
		{"Sendt: 4 venter på endelig status", time.Hour, dispatch.JobCounts{dispatch.JobHandedOver: 4}},
		{"Ferdig: 1 kom frem, 3 uten endelig status", 31 * 24 * time.Hour, dispatch.JobCounts{dispatch.JobArrived: 1, dispatch.JobHandedOver: 2, dispatch.JobOnItsWay: 1}},
		{"Ferdig: 2 sendt", time.Hour, dispatch.JobCounts{dispatch.JobUntracked: 1, dispatch.JobClosed: 1}},
		{"Ferdig: 1 kom frem, 2 kunne ikke sendes, 1 uavklart, 1 stoppet", time.Hour, dispatch.JobCounts{dispatch.JobArrived: 1, dispatch.JobNotSent: 2, dispatch.JobUncertain: 1, dispatch.JobCancelled: 1}},
		{"Ferdig", time.Hour, dispatch.JobCounts{}},
	} {
		l := ResultLook(ctx, dispatch.Job{Kind: dispatch.KindSMS, State: dispatch.JobDone, DoneAt: lookNow.Add(-tt.ago)}, tt.c, lookNow)
		if l.Word != tt.want || (tt.c.Resendable() > 0) != (l.Color == "warning") {
			t.Errorf("got %+v, want %s", l, tt.want)
		}
	}
	if l := ResultLook(ctx, dispatch.Job{State: dispatch.JobRunning}, dispatch.JobCounts{dispatch.JobArrived: 3}, lookNow); l.Word != "Sendes" {
		t.Errorf("one that is not over says %q", l.Word)
	}
}

// TestUncertainJobIsNotDone: a job with uncertain items is not shown as done.
func TestUncertainJobIsNotDone(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for _, kind := range dispatch.Kinds {
		j := dispatch.Job{Kind: kind, State: dispatch.JobDone, Uncertain: true}
		if l := jobLook(ctx, j, lookNow); l.Word != "Uavklart" || l.Color == "success" {
			t.Errorf("%s: got %+v", kind, l)
		}
		for _, j.State = range []dispatch.JobState{dispatch.JobDone, dispatch.JobStopped} {
			one, two := JobWhy(ctx, j, dispatch.JobCounts{dispatch.JobUncertain: 1}, lookNow), JobWhy(ctx, j, dispatch.JobCounts{dispatch.JobUncertain: 2}, lookNow)
			if !strings.Contains(one, " ble sendt") || strings.Contains(one, " de ble sendt") || !strings.Contains(two, "vi vet ikke om de ble sendt") || !strings.Contains(two, "2 ") {
				t.Errorf("%s, %s: got %q and %q", kind, j.State, one, two)
			}
		}
	}
}

// TestHeldJobSaysOneThing: a job whose account cannot send says so in tag and sentence, and counts no seconds; a time of its own comes first.
func TestHeldJobSaysOneThing(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for name, tt := range map[string]struct {
		due       time.Duration
		block     dispatch.Block
		tag, says string
		left      bool
	}{
		"just sent":          {40 * time.Second, dispatch.BlockNone, "Sendes straks", "starter", true},
		"just sent and held": {40 * time.Second, dispatch.BlockRefused, "Venter på integrasjonen", "Kontoen kan ikke sende akkurat nå", false},
		"due and held":       {-time.Minute, dispatch.BlockStopped, "Venter på integrasjonen", "Kontoen kan ikke sende akkurat nå", false},
		"planned and held":   {30 * time.Hour, dispatch.BlockRefused, "Planlagt", "starter", false},
		"being sent":         {-time.Minute, dispatch.BlockNone, "Sendes", "én etter én", false},
	} {
		j := dispatch.Job{Kind: dispatch.KindSMS, State: dispatch.JobRunning, DueAt: lookNow.Add(tt.due), Block: tt.block}
		if l := ResultLook(ctx, j, nil, lookNow); l.Word != tt.tag || JobSecondsLeft(j, lookNow) > 0 != tt.left {
			t.Errorf("%s: got %+v, %d seconds left", name, l, JobSecondsLeft(j, lookNow))
		}
		if got := JobWhy(ctx, j, nil, lookNow); !strings.Contains(got, tt.says) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestJobThatWasSentAgain: the page leads to each draft to those whom it did not reach.
func TestJobThatWasSentAgain(t *testing.T) {
	t.Parallel()
	p := JobPage{Successors: []dispatch.Successor{{ID: "a", Draft: true, N: 3}, {ID: "sent", N: 4}, {ID: "b", Draft: true, N: 1}}}
	if got := p.Drafts(); len(got) != 2 || got[0].ID != "a" || got[1].ID != "b" {
		t.Errorf("leads to %+v", got)
	}
}
