package follow

import (
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/i18n"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
)

// TestReceiptOfSendingAgain: it is done only when all is sent, tells what became of all, and refreshes itself until then, but not for ever.
func TestReceiptOfSendingAgain(t *testing.T) {
	t.Parallel()
	ctx := i18ntest.InNorwegian(t)
	for name, tt := range map[string]struct {
		groups        map[dispatch.JobGroup]int
		waiting       int
		ago           time.Duration
		heading, says string
		live          bool
	}{
		"all wait":            {map[dispatch.JobGroup]int{dispatch.JobWaiting: 12}, 12, 0, "Sendes", "12 utsendinger sendes på nytt. Slik er det nå: 12 venter.", true},
		"some are sent":       {map[dispatch.JobGroup]int{dispatch.JobWaiting: 2, dispatch.JobSending: 1, dispatch.JobHandedOver: 9}, 2, 0, "Sendes", "12 utsendinger sendes på nytt. Slik er det nå: 3 venter, 9 overlevert.", true},
		"some have failed":    {map[dispatch.JobGroup]int{dispatch.JobWaiting: 2, dispatch.JobArrived: 7, dispatch.JobNotSent: 3}, 2, 0, "Sendes", "Slik er det nå: 2 venter, 7 levert eller skrevet ut, 3 kunne ikke sendes.", true},
		"all have ended":      {map[dispatch.JobGroup]int{dispatch.JobHandedOver: 7, dispatch.JobNotDelivered: 1, dispatch.JobNotSent: 3, dispatch.JobUncertain: 1}, 0, 0, "Ferdig", "Slik er det nå: 7 overlevert, 1 kom ikke frem, 3 kunne ikke sendes, 1 uavklart.", false},
		"some did not arrive": {map[dispatch.JobGroup]int{dispatch.JobArrived: 1, dispatch.JobNotDelivered: 1}, 0, 0, "Ferdig", "Slik er det nå: 1 levert eller skrevet ut, 1 kom ikke frem.", false},
		"underway":            {map[dispatch.JobGroup]int{dispatch.JobOnItsWay: 2, dispatch.JobUntracked: 1, dispatch.JobHandedOver: 9}, 0, 0, "Ferdig", "Slik er det nå: 2 underveis, 10 overlevert.", false},
		"long after":          {map[dispatch.JobGroup]int{dispatch.JobWaiting: 12}, 12, time.Hour, "Sendes", "12 utsendinger sendes på nytt. Slik er det nå: 12 venter.", false},
		"more than it reads":  {nil, 5, 0, "Sendes", "12 utsendinger sendes på nytt.", true},
	} {
		p := BulkDonePage{Page: views.Page{Now: lookNow}, Groups: tt.groups, Waiting: make([]dispatch.ItemID, tt.waiting),
			Bulk: dispatch.Bulk{Act: dispatch.BulkAgain, Total: 12, Done: true, CreatedAt: lookNow.Add(-tt.ago), Results: map[dispatch.BulkResult]int{dispatch.BulkDid: 12}}}
		if heading, says := i18n.T(ctx, p.title()), p.result(ctx); heading != tt.heading || says != tt.says || (p.liveAfter() != "") != tt.live {
			t.Errorf("%s: got %q, %q, live %q", name, heading, says, p.liveAfter())
		}
	}
}
