package compose

import (
	"strings"
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestWhatBecameOfAJob: the tag of a finished job tells how many were sent, and how many of them did not arrive.
func TestWhatBecameOfAJob(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for want, c := range map[string]dispatch.JobCounts{
		"Ferdig: 5 sendt, 2 kom ikke frem":                     {dispatch.JobArrived: 3, dispatch.JobNotDelivered: 2},
		"Ferdig: 4 sendt":                                      {dispatch.JobHandedOver: 1, dispatch.JobOnItsWay: 1, dispatch.JobUntracked: 1, dispatch.JobClosed: 1},
		"Ferdig: 1 sendt, 2 ikke sendt, 1 uavklart, 1 stoppet": {dispatch.JobArrived: 1, dispatch.JobNotSent: 2, dispatch.JobUncertain: 1, dispatch.JobCancelled: 1},
		"Ferdig": {},
	} {
		l := ResultLook(ctx, dispatch.Job{Kind: dispatch.KindSMS, State: dispatch.JobDone}, c, lookNow)
		if l.Word != want || (c.Resendable() > 0) != (l.Color == "warning") {
			t.Errorf("got %+v, want %s", l, want)
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
			if got := JobWhy(ctx, j, lookNow); !strings.Contains(got, "vi vet ikke om de ble sendt") {
				t.Errorf("%s, %s: got %q", kind, j.State, got)
			}
		}
	}
}
