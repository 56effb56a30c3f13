package follow

import (
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/i18n/i18ntest"
	"utsending/internal/views"
	"utsending/static"
)

// TestListLines: typed text is shown as text in a row, whatever it contains.
func TestListLines(t *testing.T) {
	t.Parallel()
	const hostile = `<script>alert("1")</script> & 'to'`
	at := time.Date(2026, 3, 2, 8, 5, 0, 0, time.UTC)
	files, err := static.Load()
	if err != nil {
		t.Fatal(err)
	}
	page := views.Page{Account: dispatch.Account{Slug: "oppvekst"}, User: dispatch.User{ID: "kari"}, Assets: files, Now: at}
	rows := []dispatch.ListRow{
		{Item: dispatch.Item{ID: "1", Kind: dispatch.KindShipment, State: dispatch.StateAccepted, Status: hostile, Creator: hostile, CreatedAt: at},
			Title: hostile, RecipientName: hostile, ExternalReference: hostile, SigningStatus: hostile},
		{Item: dispatch.Item{ID: "2", Kind: dispatch.KindSMS, State: dispatch.StateAccepted, CreatedBy: "kari", CreatedAt: at}, Text: hostile},
	}
	var b strings.Builder
	if err := (views.ListLines{Page: &page, Rows: rows}).Render(i18ntest.InNorwegian(t), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader("<table><tbody>" + b.String() + "</tbody></table>"))
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Find("script").Length(); n != 0 || doc.Find("tr").Length() != 2 || doc.Find("td").Length() != 12 {
		t.Errorf("%d scripts in:\n%s", n, b.String())
	}
	shipment, message := doc.Find("tr").First(), doc.Find("tr").Last()
	for selector, want := range map[string]string{
		".main-link": hostile, ".cell-main small": "Til " + hostile, ".ds-tag:first-child": hostile, ".ds-tag + .ds-tag": hostile, ".reference": hostile, "td:nth-child(5)": hostile,
		"time": "02.03.2026 kl. 09.05",
	} {
		if got := strings.TrimSpace(shipment.Find(selector).Text()); got != want {
			t.Errorf("%s: got %q, want %q", selector, got, want)
		}
	}
	if got := message.Find(".main-link"); got.Text() != hostile || got.AttrOr("href", "") != "/k/oppvekst/sms/2" {
		t.Errorf("the message is %q at %q", got.Text(), got.AttrOr("href", ""))
	}
	if got := shipment.Find("time").AttrOr("datetime", ""); got != "2026-03-02T09:05:00+01:00" {
		t.Errorf("the time is %q", got)
	}
}
