package upstream_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/queue"
)

// TestInquiries: what pages ask the service about, over both generations.
func TestInquiries(t *testing.T) {
	t.Parallel()
	for _, kind := range []dispatch.IntegrationKind{dispatch.IntegrationShipmentV1, dispatch.IntegrationShipmentV2} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			over := r.over(t, kind)
			r.asksAboutReceivers(t)
			id := r.marksRead(t, over)
			r.deletesDocuments(t, id, over)
		})
	}
}

func (r *rig) asksAboutReceivers(t *testing.T) {
	t.Helper()
	if types := r.clients.Types(t.Context(), r.Account); !slices.Contains(types, "Byggesøknad") {
		t.Errorf("got types %q", types)
	}
	for filter, want := range map[dispatch.ReceiverFilter]int{
		{}: 4, {OrganizationNumber: "987654325"}: 3, {OrganizationNumber: "974760673"}: 0, {Type: "Byggesøknad"}: 2, {Level: 4}: 2,
		{OrganizationNumber: "987654325", Type: "Byggesøknad", Level: 4}: 1,
	} {
		got, failure := r.clients.Receivers(t.Context(), r.Account, filter)
		if failure.Key != "" || len(got) != want {
			t.Errorf("%+v: got %d, %q; want %d", filter, len(got), failure.Key, want)
		}
	}
	got, _ := r.clients.Receivers(t.Context(), r.Account, dispatch.ReceiverFilter{Type: "Delingssøknad"})
	if want := (dispatch.Receiver{OrganizationNumber: "812345672", Type: "Delingssøknad", System: "Acos WebSak", SystemID: "7f1c0001-0000-4000-8000-000000000004", Level: 3}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}
}

// marksRead returns the service's id of the shipment that it marks as read.
func (r *rig) marksRead(t *testing.T, over dispatch.IntegrationID) string {
	t.Helper()
	id := r.send(t, "Vedtak", "2026/12")
	matches, failure := r.clients.ByReference(t.Context(), r.Account, "2026/12")
	if failure.Key != "" || len(matches) != 1 || matches[0].ID != id {
		t.Errorf("got %+v, %q", matches, failure.Key)
	}
	if none, failure := r.clients.ByReference(t.Context(), r.Account, "2026/13"); failure.Key != "" || len(none) > 0 {
		t.Errorf("got %+v, %q of a reference that nothing has", none, failure.Key)
	}
	reading := dispatch.ReadElsewhere{NationalID: "12847812345", System: "Arkivet", At: time.Now().Truncate(time.Minute)}
	if failure := r.clients.MarkRead(t.Context(), over, id, reading); failure.Key != "" {
		t.Fatalf("got %q", failure.Key)
	}
	told := r.shipped(t)
	if told.ReadBy != "12847812345" || told.ReadSystem != "Arkivet" || !told.ReadAt.Equal(reading.At) {
		t.Errorf("the service was told %q, %q, %v", told.ReadBy, told.ReadSystem, told.ReadAt)
	}
	if failure := r.clients.MarkRead(t.Context(), over, uuid.NewString(), reading); failure.Key != "reason.not_known" {
		t.Errorf("got %q of a shipment that is not there", failure.Key)
	}
	return id
}

// deletesDocuments: V2 deletes what it is asked to, as often as it is asked; V1 is not asked.
func (r *rig) deletesDocuments(t *testing.T, id string, over dispatch.IntegrationID) {
	t.Helper()
	if r.Account.ShipmentKind == dispatch.IntegrationShipmentV1 {
		if failure := r.clients.DeleteDocuments(t.Context(), over, id, dispatch.DeletedAll); failure.Key == "" {
			t.Error("V1 is asked to delete")
		}
		return
	}
	for _, which := range []dispatch.Deletion{dispatch.DeletedOriginals, dispatch.DeletedAll, dispatch.DeletedAll} {
		failure := r.clients.DeleteDocuments(t.Context(), over, id, which)
		want := map[dispatch.Deletion]string{dispatch.DeletedOriginals: "ORIGINALDOKUMENTER", dispatch.DeletedAll: "ALLE"}[which]
		if got := r.shipped(t); failure.Key != "" || !got.FilesDeleted || got.DeletedHow != want {
			t.Errorf("%s: got %q, the service deleted %q", which, failure.Key, got.DeletedHow)
		}
	}
	if failure := r.clients.DeleteDocuments(t.Context(), over, uuid.NewString(), dispatch.DeletedAll); failure.Key != "reason.not_known" {
		t.Errorf("got %q of a shipment that is not there", failure.Key)
	}
	if failure := r.clients.DeleteDocuments(t.Context(), over, id, dispatch.DeletedNone); failure.Key == "" {
		t.Error("nothing was deleted, and nothing said")
	}
}

// TestInquiriesWithoutAService: a question that cannot be asked says why, marks nothing, and is not asked all the time.
func TestInquiriesWithoutAService(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	r := newRig(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked <- struct{}{}
			w.WriteHeader(http.StatusServiceUnavailable)
		})
	})
	r.over(t, dispatch.IntegrationShipmentV1)
	before := r.marks(t)
	if _, failure := r.clients.Receivers(t.Context(), r.Account, dispatch.ReceiverFilter{}); failure.Key != "reason.busy" {
		t.Errorf("got %q", failure.Key)
	}
	calls := len(asked)
	for range 3 {
		if types := r.clients.Types(t.Context(), r.Account); len(types) > 0 {
			t.Errorf("got %q", types)
		}
	}
	if got := len(asked) - calls; got != 1 {
		t.Errorf("the service was asked for types %d times, want once", got)
	}
	if r.marks(t) != before {
		t.Error("a question has marked the integration")
	}
	if err := queue.In(r.store).Operations.StopIntegration(t.Context(), r.Account.ShipmentIntegration, r.Actor, "Kari"); err != nil {
		t.Fatal(err)
	}
	if _, failure := r.clients.ByReference(t.Context(), r.Account, "2026/12"); failure.Key != "reason.stopped" {
		t.Errorf("got %q of a stopped integration", failure.Key)
	}
	r.Account.ShipmentIntegration = ""
	if failure := r.clients.MarkRead(context.WithoutCancel(t.Context()), "", uuid.NewString(), dispatch.ReadElsewhere{}); failure.Key != "reason.integration_unreadable" {
		t.Errorf("got %q without an integration", failure.Key)
	}
}
