package handlers_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestDraftsOfSMS: the page of drafts lists one's own SMS too, with a masked recipient, until they are sent.
func TestDraftsOfSMS(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.draft(t, caseworker, message("Timen er flyttet"))
	page := s.browser(t, caseworker).get("/k/oppvekst/utkast").page(t)
	row := page.Find("table tbody tr")
	if got := squeezed(row); row.Length() != 1 || !strings.Contains(got, "Timen er flyttet") || !strings.Contains(got, "123") || strings.Contains(page.Text(), "90000123") {
		t.Errorf("got %q", got)
	}
	if got := row.Find("a").AttrOr("href", ""); got != "/k/oppvekst/sms/"+string(id)+"/kontroll" {
		t.Errorf("it leads to %q", got)
	}
	if got := s.browser(t, teamLead).get("/k/oppvekst/utkast").page(t).Find("table tbody tr").Length(); got != 0 {
		t.Errorf("a colleague sees %d", got)
	}
	s.run(t, `UPDATE items SET state = 'cancelled' WHERE id = $1`, id)
	if got := s.browser(t, caseworker).get("/k/oppvekst/utkast").page(t).Find("table tbody tr").Length(); got != 0 {
		t.Errorf("%d are left after sending", got)
	}
}

// TestReviewOfSMSDoubts: the review says again what the form said in passing: a number with wrong check digits, and words in brackets.
func TestReviewOfSMSDoubts(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	review := func(m dispatch.SMS) string {
		return squeezed(b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, m)) + "/kontroll").page(t).Find("main"))
	}
	got := review(dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847800000"}, Text: "Hei [navn]"})
	for _, want := range []string{"Kontrollsifrene stemmer ikke", "Dette står slik i meldingen: [navn]"} {
		if !strings.Contains(got, want) {
			t.Errorf("the review does not say %q: %s", want, got)
		}
	}
	if got := review(message("Hei Ola")); strings.Contains(got, "stemmer ikke") || strings.Contains(got, "står slik") {
		t.Errorf("a text without faults: %s", got)
	}
}

// TestReviewOfSMSSaysItOnce: the number stands in groups, the number of segments once, and what is said of costly characters is
// true of this message.
func TestReviewOfSMSSaysItOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	long := strings.Repeat("Hei igjen ", 20)
	page := b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, message(long))) + "/kontroll").page(t)
	got := squeezed(page.Find("main"))
	if n := strings.Count(got, "Sendes som") + strings.Count(got, "sendes som"); n != 1 || !strings.Contains(got, "Meldingen sendes som 2 SMS-deler.") {
		t.Errorf("the number of segments stands %d times: %s", n, got)
	}
	if !strings.Contains(got, "Telefonnummer 900 00 123.") {
		t.Errorf("the number is not in groups: %s", got)
	}
	toPerson := dispatch.SMS{Recipient: dispatch.SMSRecipient{NationalID: "12847800281"}, Text: "Hei"}
	if got := squeezed(b.get("/k/oppvekst/sms/" + string(s.draft(t, caseworker, toPerson)) + "/kontroll").page(t).Find("main")); !strings.Contains(got, "fødselsnummer 128478 00281.") {
		t.Errorf("the national id is not in groups: %s", got)
	}
	for name, tt := range map[string]struct {
		text       string
		says, mute []string
	}{
		"an emoji":                  {strings.Repeat("Hei ", 20) + "👍", []string{"67 tegn i stedet for 160", "Emojier og andre tegn"}, []string{"Æ, ø og å"}},
		"an emoji with a selector":  {"Hei ❤️", []string{"70 tegn i stedet for 160", "Emojier"}, []string{"Æ, ø og å"}},
		"a name":                    {"Hei Láilá", []string{"70 tegn i stedet for 160", "Æ, ø og å koster ikke noe ekstra"}, []string{"Emojier"}},
		"a long one with a name":    {long + "Láilá", []string{"67 tegn i stedet for 153"}, []string{"Emojier"}},
		"look-alikes that have one": {"Hei – du", []string{"70 tegn i stedet for 160"}, []string{"Emojier", "Æ, ø og å"}},
	} {
		_, filled := form("90000123", tt.text)
		got := squeezed(b.post("/k/oppvekst/sms/ny", fields(append(filled, "dag", "x")...)).page(t).Find("#sms-varsel"))
		for _, want := range tt.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: does not say %q: %s", name, want, got)
			}
		}
		for _, not := range tt.mute {
			if strings.Contains(got, not) {
				t.Errorf("%s: says %q", name, not)
			}
		}
	}
}

// TestReviewOfManyShowsEachOnce: where all get the same message it is shown once, and the longest one is not shown twice.
func TestReviewOfManyShowsEachOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	bubbles := func(text string) (n int) {
		job := newList(t, b, "liste", "Mobil;Navn\n90000101;Kari\n90000102;Ola-Kristian\n90000103;Per")
		b.post(job+"/endre", fields("tekst", text, "mate", "traceable"))
		return b.get(job + "/kontroll").page(t).Find("main .bubble").Length()
	}
	if n := bubbles("Hei på deg"); n != 1 {
		t.Errorf("the same message stands %d times", n)
	}
	if n := bubbles("Hei ((Navn))"); n != 3 {
		t.Errorf("three messages stand %d times", n)
	}
}

// TestListsHaveDraftsToMany: drafts and what waits for its time count and show the viewer's own drafts of SMS to many, which are no items.
func TestListsHaveDraftsToMany(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	as := s.as(t, caseworker)
	id := as.JobDraft(t, s.store, storetest.ListOf(nil, storetest.Row(1, "90000123")), items.JobText{Text: "SFO er stengt", Segments: 1})
	s.draft(t, caseworker, message("Timen er flyttet"))
	b := s.browser(t, caseworker)
	for _, list := range []string{"/k/oppvekst/utsendinger?gruppe=planlagt", "/k/oppvekst/sms?gruppe=planlagt"} {
		got := b.get(list)
		wantWords(t, got, "Utkast og planlagt 2", "Du har 1 utkast til SMS til flere", "SFO er stengt", "Timen er flyttet", "I tillegg: 1 utkast til SMS til flere, over")
		if at := got.page(t).Find("section[aria-labelledby=utkast-til-flere] li a").AttrOr("href", ""); at != "/k/oppvekst/jobber/"+string(id) {
			t.Errorf("%s: the draft leads to %q", list, at)
		}
	}
	for who, got := range map[string]answer{
		"shipments":    b.get("/k/oppvekst/forsendelser?gruppe=planlagt"),
		"other groups": b.get("/k/oppvekst/utsendinger"),
		"a colleague":  s.browser(t, teamLead).get("/k/oppvekst/utsendinger?gruppe=planlagt"),
	} {
		if strings.Contains(got.body, "SFO er stengt") {
			t.Errorf("%s show it", who)
		}
	}
	if heading := b.get("/k/oppvekst/utkast").page(t).Find("#masseutsendinger").Text(); heading != "SMS til flere" {
		t.Errorf("Utkast has them under %q, where shipments to several stand elsewhere", heading)
	}
	s.run(t, `DELETE FROM items WHERE state = 'draft'`)
	wantWords(t, b.get("/k/oppvekst/utsendinger?gruppe=planlagt"), "Utkast og planlagt 1", "Ingen andre utkast")
	if n := b.get("/k/oppvekst/utsendinger?gruppe=planlagt").page(t).Find("#begynt").Length(); n != 0 {
		t.Error("it tells of an SMS that nobody has begun")
	}
	if _, err := items.In(s.store).Forms.Save(t.Context(), as.Account.ID, as.User, items.Unfinished{ID: uuid.Must(uuid.NewV7()).String(), Fields: "tekst=Hei"}); err != nil {
		t.Fatal(err)
	}
	wantWords(t, b.get("/k/oppvekst/utsendinger?gruppe=planlagt"), "Du har begynt på 1 SMS som du ikke har sett over ennå. Den er ikke talt med her.")
}
