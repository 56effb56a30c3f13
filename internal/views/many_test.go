package views

import (
	"testing"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
)

// TestManyName: the name of a draft tells how many it can go to now, or that it can go to nobody.
func TestManyName(t *testing.T) {
	t.Parallel()
	three := dispatch.JobList{Read: 3, Valid: 3}
	for _, c := range []struct {
		job           dispatch.Job
		sms, shipment string
	}{
		{dispatch.Job{List: three}, "Skyss", "Skyss – til 3 mottakere"},
		{dispatch.Job{List: three, Again: true}, "Skyss – til 3 som ikke fikk den", "Skyss – til 3 som ikke fikk det"},
		{dispatch.Job{List: three, Again: true, Replaced: 2}, "Skyss – til 1 som ikke fikk den", "Skyss – til 1 som ikke fikk det"},
		{dispatch.Job{List: three, Again: true, Replaced: 3}, "Skyss – ingen er igjen å sende til", "Skyss – ingen er igjen å sende til"},
		{dispatch.Job{List: dispatch.JobList{Read: 3, LeftOut: 3}, Again: true, AllReplaced: true}, "Skyss – ingen er igjen å sende til", "Skyss – ingen er igjen å sende til"},
		{dispatch.Job{List: dispatch.JobList{Read: 3, LeftOut: 3}, Again: true}, "Skyss – alle mottakerne er utelatt", "Skyss – alle mottakerne er utelatt"},
		{dispatch.Job{List: dispatch.JobList{Read: 3}, Again: true}, "Skyss", "Skyss"},
		{dispatch.Job{State: dispatch.JobDone, Recipients: 3, Again: true}, "Skyss – til 3 som ikke fikk den", "Skyss – til 3 som ikke fikk det"},
		{dispatch.Job{State: dispatch.JobDone, Recipients: 3}, "Skyss", "Skyss"},
	} {
		for kind, want := range map[dispatch.Kind]string{dispatch.KindSMS: c.sms, dispatch.KindShipment: c.shipment} {
			j := c.job
			j.Kind = kind
			if j.State == "" {
				j.State = dispatch.JobDraft
			}
			if got := ManyName(i18ntest.InNorwegian(t), "Skyss", j); got != want {
				t.Errorf("%s of %+v: %q, want %q", kind, j.List, got, want)
			}
		}
	}
}
