package main_test

import (
	"strings"
	"testing"
	"time"

	"utsending/internal/browsertest"
	"utsending/internal/dispatch"
	"utsending/internal/store/registry"
)

// setAccount changes an account's settings for SMS, as an administrator does.
func (s *stack) setAccount(t *testing.T, change func(*dispatch.Account)) {
	t.Helper()
	change(&s.oppvekst)
	if _, err := registry.In(s.store).Accounts.Save(t.Context(), s.oppvekst); err != nil {
		t.Fatal(err)
	}
}

// plansAhead writes a needlessly expensive text, is warned, lowers the price with a button, plans the SMS for tomorrow, changes its
// time, and sends it now.
func plansAhead(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{undo: time.Second})
	s.setAccount(t, func(a *dispatch.Account) { a.WatchWords, a.SMSLimit = "rus", 5 })
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	m := toPhone("120", "Møte om rus – «ta med» legitimasjon. Se skole.example.no/mote for mer. "+strings.Repeat("Vi ses i morgen. ", 4))
	v.Go("/k/oppvekst/sms/ny")
	v.fill(m)
	v.WaitText("#sms-linje", "3 SMS-deler")
	v.WaitText("#sms-linje", "for å komme ned i 2 SMS-deler.")
	v.WaitText("#sms-varsel", "i stedet for 1.")
	v.WaitText("#sms-advarsler", "rus")
	v.wantText("#sms-visning", "Fra Fjordvik")
	if n := v.Count("#sms-visning mark"); n != 3 {
		t.Errorf("%d places are marked in the preview, want 3", n)
	}
	if n := v.Count("#sms-visning .part-begins"); n != 2 {
		t.Errorf("%d parts begin in the preview, want 2", n)
	}
	v.look("new-dear")
	v.ClickText("button", "Bytt til vanlige tegn")
	m.text = strings.TrimSpace(strings.NewReplacer("–", "-", "«", `"`, "»", `"`).Replace(m.text))
	v.WaitText("#sms-linje", "1 SMS-del")
	if got := strings.TrimSpace(v.Value("#tekst")); got != m.text {
		t.Errorf("the text is %q", got)
	}
	v.Fill("#tekst", m.text)
	v.WaitText("#sms-linje", "1 SMS-del")
	tomorrow := time.Now().In(dispatch.Oslo).AddDate(0, 0, 1).Format("02.01.2006")
	v.Click("details.plain:has(#dag) summary")
	v.Fill("#dag", tomorrow)
	v.Fill("#klokkeslett", "12.00")
	v.look("new-planned")
	v.ClickText("button", "Se over og send")
	v.wantText("#planlagt", "kl. 12.00")
	v.wantText("#kvote", "0 av 5 SMS-deler")
	v.glance("review-planned")
	v.ClickText("button", "Send SMS")
	v.awaitTag("Planlagt")
	v.glance("item-planned-tomorrow")
	v.movesTime(tomorrow, "#sms", "item-time")
	v.awaitTag("Levert")
	s.wantBooked(t, m, 1)
}

// replacesWithoutScript presses the same button without script: the form is shown again.
func replacesWithoutScript(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	v.Go("/k/oppvekst/sms/ny")
	v.Fill("#telefonnummer", "123") // a problem shows the form again, with the analysis of the text
	v.Fill("#tekst", "Vi ses – i morgen")
	v.ClickText("button", "Se over og send")
	v.wantText("#sms-varsel", "tankestrek")
	v.ClickText("button", "Bytt til vanlige tegn")
	v.wantHeading("Ny SMS")
	if got := v.Value("#tekst") + v.Value("#telefonnummer"); got != "Vi ses - i morgen123" {
		t.Errorf("the form holds %q", got)
	}
	v.glance("new-replaced-without-script")
}

// movesTime moves an SMS planned for noon tomorrow to half past one, and then sends it at once.
func (v *visitor) movesTime(tomorrow, part, look string) {
	v.t.Helper()
	v.ClickText("link", "Endre tidspunktet")
	v.wantHeading("Endre tidspunktet")
	if got := v.Value("#dag") + " " + v.Value("#klokkeslett"); got != tomorrow+" 12.00" {
		v.t.Errorf("the form holds %q", got)
	}
	v.glance(look)
	v.Fill("#klokkeslett", "13.30")
	v.ClickText("button", "Lagre tidspunktet")
	v.wantText("[role=status]", "Tidspunktet er endret")
	v.wantText(part, "kl. 13.30")
	v.ClickText("link", "Endre tidspunktet")
	v.Fill("#dag", "")
	v.Fill("#klokkeslett", "")
	v.ClickText("button", "Lagre tidspunktet")
}
