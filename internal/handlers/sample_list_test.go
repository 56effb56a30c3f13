package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/recipients"
)

// TestSampleLists: the lists that people begin from are read without a fault, and lead where the page says.
func TestSampleLists(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	page := b.get("/k/oppvekst/sms/ny/flere").page(t)
	at := page.Find("a[download]").AttrOr("href", "")
	got := b.get(at)
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.body, "\ufeffFødselsnummer;") {
		t.Fatalf("%s: got %d and %.30q", at, got.StatusCode, got.body)
	}
	draft := b.get(newList(t, b, "fil", "fil:"+got.body) + "/endre").page(t)
	if got := draft.Find("main dl.meta dd").Map(func(_ int, dd *goquery.Selection) string { return dd.Text() }); !slices.Equal(got[:2], []string{"2", "2"}) {
		t.Errorf("of the two rows the page says %q", got)
	}
	letters := strings.NewReader(b.get("/k/oppvekst/lister/eksempel-brev.csv").body)
	list, err := recipients.OpenShipments(letters, letters.Size())
	if err != nil || len(list.Reading().Shipment) < 5 {
		t.Errorf("of a shipment: %v", err)
	}
	if got := b.get("/k/oppvekst/lister/noe.csv"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another file: got %d", got.StatusCode)
	}
}
