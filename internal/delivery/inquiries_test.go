package delivery_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"utsending/internal/clients/simulator"
	"utsending/internal/dispatch"
	"utsending/internal/upstream"
)

// TestInquiries: what pages ask the service about, over both generations.
func TestInquiries(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) *letters{
		"V1": func(t *testing.T) *letters { return newLetters(t, simulator.Options{}) },
		"V2": func(t *testing.T) *letters { return newV2Letters(t, simulator.Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := start(t)
			l.account.ShipmentKind = map[string]dispatch.IntegrationKind{"V1": dispatch.IntegrationShipmentV1, "V2": dispatch.IntegrationShipmentV2}[name]
			sv := upstream.New(l.store, l.services())
			l.asksAboutReceivers(t, sv)
			it, over := l.marksRead(t, sv)
			l.deletesDocuments(t, sv, it, over)
			l.wantNoBreach(t)
		})
	}
}

func (l *letters) asksAboutReceivers(t *testing.T, sv *upstream.Clients) {
	t.Helper()
	if types := sv.Types(t.Context(), l.account); !slices.Contains(types, "Byggesøknad") {
		t.Errorf("got types %q", types)
	}
	for filter, want := range map[dispatch.ReceiverFilter]int{
		{}: 4, {OrganizationNumber: "987654325"}: 3, {OrganizationNumber: "974760673"}: 0, {Type: "Byggesøknad"}: 2, {Level: 4}: 2,
		{OrganizationNumber: "987654325", Type: "Byggesøknad", Level: 4}: 1,
	} {
		got, failure := sv.Receivers(t.Context(), l.account, filter)
		if failure.Key != "" || len(got) != want {
			t.Errorf("%+v: got %d, %q; want %d", filter, len(got), failure.Key, want)
		}
	}
	got, _ := sv.Receivers(t.Context(), l.account, dispatch.ReceiverFilter{Type: "Delingssøknad"})
	if want := (dispatch.Receiver{OrganizationNumber: "812345672", Type: "Delingssøknad", System: "Acos WebSak", SystemID: "7f1c0001-0000-4000-8000-000000000004", Level: 3}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v", got)
	}
}

func (l *letters) marksRead(t *testing.T, sv *upstream.Clients) (dispatch.ShipmentItem, dispatch.IntegrationID) {
	t.Helper()
	id := l.send(t, "Vedtak", func(s *dispatch.Shipment) { s.ExternalReference = "2026/12" })
	it := l.await(t, id, "handed over", func(it dispatch.ShipmentItem) bool { return it.UpstreamID != "" })
	reference := map[bool]string{false: "2026/12", true: string(id)}[l.account.ShipmentKind == dispatch.IntegrationShipmentV2] // what went out as such
	matches, failure := sv.ByReference(t.Context(), l.account, reference)
	if failure.Key != "" || len(matches) != 1 || matches[0].ID != it.UpstreamID {
		t.Errorf("got %+v, %q", matches, failure.Key)
	}
	if none, failure := sv.ByReference(t.Context(), l.account, "2026/13"); failure.Key != "" || len(none) > 0 {
		t.Errorf("got %+v, %q of a reference that nothing has", none, failure.Key)
	}
	over, err := l.store.SentOver(t.Context(), l.account.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	reading := dispatch.ReadElsewhere{NationalID: "12847812345", System: "Arkivet", At: time.Now().Truncate(time.Minute)}
	if failure := sv.MarkRead(t.Context(), over, it.UpstreamID, reading); failure.Key != "" {
		t.Fatalf("got %q", failure.Key)
	}
	told := l.shipped("Vedtak")[0]
	if told.ReadBy != "12847812345" || told.ReadSystem != "Arkivet" || !told.ReadAt.Equal(reading.At) {
		t.Errorf("the service was told %q, %q, %v", told.ReadBy, told.ReadSystem, told.ReadAt)
	}
	if failure := sv.MarkRead(t.Context(), over, uuid.NewString(), reading); failure.Key != "reason.not_known" {
		t.Errorf("got %q of a shipment that is not there", failure.Key)
	}
	return it, over
}

// deletesDocuments: V2 deletes what it is asked to, as often as it is asked; V1 is not asked.
func (l *letters) deletesDocuments(t *testing.T, sv *upstream.Clients, it dispatch.ShipmentItem, over dispatch.IntegrationID) {
	t.Helper()
	if it.Over != l.account.ShipmentKind {
		t.Errorf("it was accepted over %q, want %q", it.Over, l.account.ShipmentKind)
	}
	if it.Over == dispatch.IntegrationShipmentV1 {
		if failure := sv.DeleteDocuments(t.Context(), over, it.UpstreamID, dispatch.DeletedAll); failure.Key == "" || len(it.Deletions()) > 0 {
			t.Errorf("got %q and %v over V1", failure.Key, it.Deletions())
		}
		return
	}
	for _, which := range []dispatch.Deletion{dispatch.DeletedOriginals, dispatch.DeletedAll, dispatch.DeletedAll} {
		failure := sv.DeleteDocuments(t.Context(), over, it.UpstreamID, which)
		want := map[dispatch.Deletion]string{dispatch.DeletedOriginals: "ORIGINALDOKUMENTER", dispatch.DeletedAll: "ALLE"}[which]
		if got := l.shipped("Vedtak")[0]; failure.Key != "" || !got.FilesDeleted || got.DeletedHow != want {
			t.Errorf("%s: got %q, the service deleted %q", which, failure.Key, got.DeletedHow)
		}
	}
	if failure := sv.DeleteDocuments(t.Context(), over, uuid.NewString(), dispatch.DeletedAll); failure.Key != "reason.not_known" {
		t.Errorf("got %q of a shipment that is not there", failure.Key)
	}
	if failure := sv.DeleteDocuments(t.Context(), over, it.UpstreamID, dispatch.DeletedNone); failure.Key == "" {
		t.Error("nothing was deleted, and nothing said")
	}
}

// TestInquiriesWithoutAService: a question that cannot be asked says why, marks nothing, and is not asked all the time.
func TestInquiriesWithoutAService(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 10)
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(away.Close)
	l := lettersTo(t, simulator.Options{})
	l.url = away.URL
	l.sendOver(t, l.v1(t))
	sv := upstream.New(l.store, l.services())
	if _, failure := sv.Receivers(t.Context(), l.account, dispatch.ReceiverFilter{}); failure.Key != "reason.busy" {
		t.Errorf("got %q", failure.Key)
	}
	before := len(asked)
	for range 3 {
		if types := sv.Types(t.Context(), l.account); len(types) > 0 {
			t.Errorf("got %q", types)
		}
	}
	if got := len(asked) - before; got != 1 {
		t.Errorf("the service was asked for types %d times, want once", got)
	}
	if integration, accounts := l.refused(t); integration || accounts > 0 {
		t.Error("a question has marked the integration")
	}
	if err := l.store.StopIntegration(t.Context(), l.account.ShipmentIntegration, l.sample.Actor, "Kari"); err != nil {
		t.Fatal(err)
	}
	if _, failure := sv.ByReference(t.Context(), l.account, "2026/12"); failure.Key != "reason.stopped" {
		t.Errorf("got %q of a stopped integration", failure.Key)
	}
	l.account.ShipmentIntegration = ""
	if failure := sv.MarkRead(context.WithoutCancel(t.Context()), "", uuid.NewString(), dispatch.ReadElsewhere{}); failure.Key != "reason.integration_unreadable" {
		t.Errorf("got %q without an integration", failure.Key)
	}
}
