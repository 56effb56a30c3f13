package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// nextWorkday is the value of the button for the next working day on a page, which says the same date in words; a button before it
// is the one that Enter presses.
func nextWorkday(t *testing.T, page *goquery.Document) string {
	t.Helper()
	button := page.Find("button[name=virkedag]")
	value := button.AttrOr("value", "")
	at, err := time.ParseInLocation("02.01.2006 15.04", value, dispatch.Oslo)
	if err != nil {
		t.Fatalf("the button has %q: %v", value, err)
	}
	weekdays := []string{"søndag", "mandag", "tirsdag", "onsdag", "torsdag", "fredag", "lørdag"}
	if got := page.Find("#" + button.AttrOr("aria-describedby", "")).Text(); !strings.HasPrefix(got, weekdays[at.Weekday()]+" "+at.Format("2. ")) || !strings.Contains(got, at.Format("2006")) {
		t.Errorf("beside %s stands %q", value, got)
	}
	if got := strings.TrimSpace(button.Text()); got != "Send neste virkedag kl. 08.00" {
		t.Errorf("the button says %q", got)
	}
	if first := button.Closest("form").Find("button[type=submit]").First(); first.AttrOr("name", "") == "virkedag" {
		t.Error("Enter presses the button")
	}
	return value
}

// TestNextWorkday: each form that plans a time has the button, whose time is the one that it shows.
func TestNextWorkday(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	later := time.Now().In(dispatch.Oslo).AddDate(0, 0, 20).Format("02.01.2006")
	planned := func(name, review string) {
		t.Helper()
		if got := b.get(review).page(t).Find("#planlagt").Text(); !strings.Contains(got, "kl. 08.00") {
			t.Errorf("%s: the review says %q", name, got)
		}
	}
	_, filled := form("90000123", "Hei fra Fjordvik")
	value := nextWorkday(t, b.get("/k/oppvekst/sms/ny").page(t))
	day, _, _ := strings.Cut(value, " ")
	review := b.post("/k/oppvekst/sms/ny", fields(append(filled, "virkedag", value, "dag", later, "klokkeslett", "12.00")...)).location()
	planned("an SMS", review)
	if got := b.get(strings.TrimSuffix(review, "kontroll")+"endre").page(t).Find("#dag").AttrOr("value", ""); got != day {
		t.Errorf("the form says %q", got)
	}
	job := newList(t, b, "liste", "Telefon\n90000123\n90000456\n")
	value = nextWorkday(t, b.get(job+"/endre").page(t))
	planned("SMS to many", b.post(job+"/endre", fields("tekst", "Hei", "mate", "traceable", "virkedag", value)).location())

	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted\nOla;Storgata 1;7713;Steinkjer\nKari;Storgata 2;7713;Steinkjer\n")
	value = nextWorkday(t, b.get(at).page(t))
	if got := b.post(at, fields("versjon", "1", "tittel", "Vedtak", "avgivende", "Utsending", "virkedag", value)).location(); got != at+"/flere" {
		t.Errorf("a shipment to many: to %q", got)
	}
	if got := b.get(at).page(t).Find("#klokkeslett").AttrOr("value", ""); got != "08.00" {
		t.Errorf("a shipment to many: the form says %q", got)
	}
	id, _ := s.listDraft(t, caseworker, "Vedtak")
	review = b.post("/k/oppvekst/utkast/"+string(id), typed("neste", "", "virkedag", value)).location()
	planned("a shipment", review)
	item := b.post(strings.Replace(review, "kontroll", "send", 1), fields("versjon", "2")).location()
	if got := b.get(item).page(t).Find("#forsendelse").Text(); !strings.Contains(got, day+" kl. 08.00") {
		t.Errorf("a shipment says %q", got)
	}
	b.post(item+"/tidspunkt", fields("dag", later, "klokkeslett", "12.00"))
	value = nextWorkday(t, b.get(item+"/tidspunkt").page(t))
	if got := b.post(item+"/tidspunkt", fields("dag", later, "klokkeslett", "12.00", "virkedag", value)).location(); got != item {
		t.Errorf("another time: to %q", got)
	}
	if got := b.get(item).page(t).Find("#forsendelse").Text(); !strings.Contains(got, day+" kl. 08.00") {
		t.Errorf("at another time it says %q", got)
	}
}

// TestNextWorkdayThatIsNone: what the button never had is a problem of the day, and nothing is planned.
func TestNextWorkdayThatIsNone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	for _, value := range []string{"tull", "27.11.2020 08.00", "31.02.2027 08.00", " 08.00", "01.01.9999 08.00"} {
		_, filled := form("90000123", "Hei fra Fjordvik")
		got := b.post("/k/oppvekst/sms/ny", fields(append(filled, "virkedag", value)...))
		if got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["dag"] == "" {
			t.Errorf("%q: got %d", value, got.StatusCode)
		}
	}
	if n := countRows(t, s, `SELECT count(*) FROM sms`); n != 0 {
		t.Errorf("%d drafts", n)
	}
}

// TestHolidayIsTold: a holiday that is chosen by hand is told by its name and not refused, unless the account sends on working days
// only: then an SMS waits, and what is urgent does not.
func TestHolidayIsTold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	now := time.Now().In(dispatch.Oslo)
	christmas := time.Date(now.Year(), 12, 25, 12, 0, 0, 0, dispatch.Oslo)
	if !christmas.After(now) {
		christmas = christmas.AddDate(1, 0, 0)
	}
	const told = "er 1. juledag, og ikke en virkedag."
	says := func(pairs ...string) string {
		t.Helper()
		_, filled := form("90000123", "Hei fra Fjordvik")
		review := b.post("/k/oppvekst/sms/ny", fields(append(append(filled, "dag", christmas.Format("02.01.2006"), "klokkeslett", "12.00"), pairs...)...)).location()
		return strings.Join(strings.Fields(b.get(review).page(t).Find("#planlagt").Text()), " ")
	}
	if got := says(); !strings.Contains(got, "25. desember") || !strings.Contains(got, told) || strings.Contains(got, "Kontoen sender") {
		t.Errorf("the review says %q", got)
	}
	item := s.planned(t, b, "dag", christmas.Format("02.01.2006"), "klokkeslett", "12.00")
	if got := b.get(item).page(t).Find("main").Text(); !strings.Contains(got, told) {
		t.Error("the page of a shipment does not tell")
	}
	if got := s.settings(t, "virkedager", "true"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	if page := s.browser(t, accountAdmin).get("/k/oppvekst/innstillinger").page(t); page.Find("#virkedager[checked]").Length() != 1 {
		t.Error("the settings do not show it")
	}
	if got := b.get("/k/oppvekst/sms/ny").page(t).Find("form").Text(); !strings.Contains(got, "Kontoen sender SMS på virkedager.") {
		t.Error("the form does not tell")
	}
	if got := says(); !strings.Contains(got, "kl. 08.00") || !strings.Contains(got, told) || !strings.Contains(got, "Kontoen sender SMS på virkedager, og derfor") {
		t.Errorf("with working days only the review says %q", got)
	}
	if got := says("haster", "true"); !strings.Contains(got, "25. desember") || !strings.Contains(got, "kl. 12.00") || strings.Contains(got, "Kontoen sender") {
		t.Errorf("of an urgent one the review says %q", got)
	}
	s.settings(t, "virkedager", "true", "sendes-fra", "08.00", "sendes-til", "16.00")
	if got := says(); !strings.Contains(got, "kl. 08.00") || !strings.Contains(got, "på virkedager mellom kl. 08.00 og 16.00, og derfor") {
		t.Errorf("with hours the review says %q", got)
	}
	accounts, err := registry.In(s.store).Accounts.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if want := a.ID == s.oppvekst.Account.ID; a.Daytime.Workdays != want {
			t.Errorf("%s has working days only: %t", a.Slug, a.Daytime.Workdays)
		}
	}
}

// TestPagesTellWhenItGoes: where the account waits for a working day the pages of an SMS and of a job tell that time, and the chosen
// one beside it. The button of letters knows nothing of the hours of SMS.
func TestPagesTellWhenItGoes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	if got := s.settings(t, "virkedager", "true", "sendes-fra", "10.00", "sendes-til", "16.00"); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the account: got %d", got.StatusCode)
	}
	b := s.browser(t, caseworker)
	saturday := time.Now().In(dispatch.Oslo).AddDate(0, 0, 7)
	for saturday.Weekday() != time.Saturday {
		saturday = saturday.AddDate(0, 0, 1)
	}
	due := saturday.AddDate(0, 0, 1)
	for !dispatch.Workday(due) {
		due = due.AddDate(0, 0, 1)
	}
	chosen := []string{"dag", saturday.Format("02.01.2006"), "klokkeslett", "12.00"}
	tells := func(name string, main *goquery.Selection) {
		t.Helper()
		if got := main.Find("time[datetime*='" + due.Format("2006-01-02") + "']").Text(); !strings.Contains(got, due.Format("02.01.2006")+" kl. 10.00") {
			t.Errorf("%s: the time is %q, want that of %s", name, got, due)
		}
		if got := strings.Join(strings.Fields(main.Text()), " "); !strings.Contains(got, "Valgt tid: "+saturday.Format("02.01.2006")+" kl. 12.00") || !strings.Contains(got, "en virkedag.") {
			t.Errorf("%s does not tell the chosen time", name)
		}
	}
	_, filled := form("90000123", "Hei fra Fjordvik")
	review := b.post("/k/oppvekst/sms/ny", fields(append(filled, chosen...)...)).location()
	item := b.send(strings.TrimSuffix(review, "/kontroll")).location()
	tells("an SMS", b.get(item).page(t).Find("main"))
	job := newList(t, b, "liste", "Telefon\n90000123\n90000456\n")
	b.post(job+"/endre", fields(append([]string{"tekst", "Hei", "mate", "traceable"}, chosen...)...))
	if got := b.send(job); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("the job is not sent: %d", got.StatusCode)
	}
	tells("SMS to many", b.get(job).page(t).Find("main"))

	if got := strings.TrimSpace(b.get("/k/oppvekst/sms/ny").page(t).Find("button[name=virkedag]").Text()); got != "Send neste virkedag kl. 10.00" {
		t.Errorf("the button of an SMS says %q", got)
	}
	draft, _ := s.listDraft(t, caseworker, "Vedtak")
	nextWorkday(t, b.get("/k/oppvekst/utkast/"+string(draft)).page(t))
	shipment := s.planned(t, b, "dag", saturday.Format("02.01.2006"), "klokkeslett", "12.00")
	nextWorkday(t, b.get(shipment+"/tidspunkt").page(t))
	if got := b.get(shipment).page(t).Find("main").Text(); strings.Contains(got, "Valgt tid") || !strings.Contains(got, saturday.Format("02.01.2006")+" kl. 12.00") {
		t.Error("a shipment goes when it is chosen to")
	}
}
