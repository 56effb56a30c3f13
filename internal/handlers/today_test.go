package handlers_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
	"utsending/internal/store/storetest"
)

// TestSameDaySamePerson: the review tells what the recipient was sent today: one's own words, of a colleague's only when and from
// whom. It is logged, and counts as a search unless one sends.
func TestSameDaySamePerson(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	review := func(b *browser, number, text string) string {
		_, filled := form(number, text)
		return b.post("/k/oppvekst/sms/ny", fields(filled...)).location()
	}
	kari, lead := s.browser(t, caseworker), s.browser(t, teamLead)
	first := review(kari, "90000123", "Timen er flyttet")
	if got := kari.get(first).page(t).Find("#i-dag").Length(); got != 0 {
		t.Error("something is told before anything was sent")
	}
	if got := kari.send(strings.TrimSuffix(first, "/kontroll")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	wantWords(t, kari.get(review(kari, "+4790000123", "Igjen")), "En SMS som du har laget til mottakeren, skulle gå i dag kl. ", "og venter fortsatt")
	s.run(t, `UPDATE items SET state = 'accepted', accepted_at = now() WHERE state = 'queued'`)
	wantWords(t, kari.get(review(kari, "+4790000123", "Igjen")), "sendte du SMS-en «Timen er flyttet» til mottakeren", "Du kan sende likevel")
	others := lead.get(review(lead, "90000123", "Fra en annen"))
	wantWords(t, others, "sendte Kari Nordmann en SMS til mottakeren")
	if strings.Contains(others.body, "Timen er flyttet") {
		t.Error("a colleague's words are told")
	}
	if got := kari.get(review(kari, "90000124", "En annen")).page(t).Find("#i-dag").Length(); got != 0 {
		t.Error("another recipient's is told")
	}
	_, filled := form("90000130", "Hei fra Fjordvik")
	nextWeek := time.Now().In(dispatch.Oslo).AddDate(0, 0, 8).Format("02.01.2006")
	planned := kari.post("/k/oppvekst/sms/ny", fields(append(filled, "dag", nextWeek, "klokkeslett", "12.00")...)).location()
	if got := kari.send(strings.TrimSuffix(planned, "/kontroll")); got.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d", got.StatusCode)
	}
	again := review(kari, "90000130", "Igjen")
	if got := kari.get(again).page(t).Find("#i-dag").Length(); got != 0 {
		t.Error("what is planned for next week is told as today's")
	}
	if _, err := storetest.DB(t, s.database).Exec(`
		UPDATE items SET due_since = date_trunc('day', now() AT TIME ZONE 'Europe/Oslo') AT TIME ZONE 'Europe/Oslo' + interval '1 day - 1 second' WHERE due_since > now() + interval '7 days'`); err != nil {
		t.Fatal(err)
	}
	wantWords(t, kari.get(again), "SMS-en «Hei fra Fjordvik», som du har laget til mottakeren, skal sendes i dag kl. 23.59.")
	for i := range dispatch.NumbersPerHour {
		kari.get(review(kari, "900010"+string(rune('0'+i/10))+string(rune('0'+i%10)), "Prøver"))
	}
	wantWords(t, kari.get(review(kari, "90000199", "En til")), "Du har spurt om mange nummer den siste timen")
}

// TestApproverIsToldToo: whoever approves reads what the recipient was sent today, as its sender did.
func TestApproverIsToldToo(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.queued(t, caseworker, message("Timen er flyttet"))
	s.run(t, `UPDATE items SET state = 'accepted', accepted_at = now() WHERE state = 'queued'`)
	s.wantsApproval(t, everything)
	_ = s.askFor(t, "/k/oppvekst/sms/"+string(s.draft(t, caseworker, message("Timen er flyttet igjen"))))
	ingrid := s.browser(t, teamLead)
	page := ingrid.get(waiting(t, ingrid))
	wantWords(t, page, "sendte Kari Nordmann en SMS til mottakeren")
	if page.page(t).Find("#i-dag").Length() != 1 || strings.Contains(page.body, "Du kan sende likevel") {
		t.Error("the approver is told that they can send")
	}
}

// TestListToday: the review of a list says how many of it were sent something today, and names those to whom the viewer has.
func TestListToday(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sent := s.queued(t, caseworker, dispatch.SMS{Recipient: dispatch.SMSRecipient{Phone: "90000123"}, Text: "Hei"})
	job := s.smsJobDraft(t)
	review := s.browser(t, caseworker).get("/k/oppvekst/jobber/" + string(job) + "/kontroll").page(t)
	notice := review.Find("#i-dag")
	if text := strings.Join(strings.Fields(notice.Text()), " "); !strings.Contains(text, "Kontoen har i dag noe i kø til 1 av mottakerne på listen. Det er fra deg.") ||
		strings.Contains(text, "90000123") || notice.Find("li a").AttrOr("href", "") != "/k/oppvekst/sms/"+string(sent) {
		t.Errorf("got %q", text)
	}
	one := s.as(t, caseworker).JobDraft(t, s.store, storetest.ListOf([]string{"navn"}, storetest.Row(2, "90000123", "Ola")), items.JobText{Text: "Hei, ((navn))!", Segments: 2})
	wantWords(t, s.browser(t, caseworker).get("/k/oppvekst/jobber/"+string(one)+"/kontroll"), "Kontoen har i dag noe i kø til mottakeren på listen. Det er fra deg.", "Hva kolleger har sendt i dag, sier vi ikke for så korte lister.")
}
