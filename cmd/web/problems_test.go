package main_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"utsending/internal/browsertest"
)

// problem is a form that must be refused: its values, the field of the problem, and the message.
type problem struct {
	typed message
	field string
	says  string
}

func problems(good message) []problem {
	private("4120567")
	private("22345678")
	long := good.text + strings.Repeat("a", 1601-len([]rune(good.text)))
	return []problem{
		{message{phone: good.phone, text: "H"}, "#tekst", "Meldingen må ha mellom 2 og 1 600 tegn. Den har 1."},
		{message{phone: good.phone, text: long}, "#tekst", "Meldingen må ha mellom 2 og 1 600 tegn. Den har 1 601."},
		{message{phone: "4120567", text: good.text}, "#telefonnummer", "Telefonnummeret må ha minst åtte siffer."},
		{message{phone: "22 34 56 78", text: good.text}, "#telefonnummer", "Norske mobilnummer begynner med 4 eller 9."},
		{message{nationalID: nationalID()[:10], text: good.text}, "#fnr", "Fødselsnummer skal ha 11 siffer. Du har skrevet 10."},
		{message{nationalID: nationalID()[:9] + "AB", text: good.text}, "#fnr", "Fødselsnummer skal bare ha siffer."},
	}
}

// correctsProblems makes every mistake of the form, corrects it, and sends one SMS in the end.
func correctsProblems(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, browsertest.PageOptions{}, "kari")
	good := toPhone("120", "Alt er i orden.")
	v.Go("/k/oppvekst/sms/ny")
	for _, p := range problems(good) {
		v.fill(p.typed)
		v.ClickText("button", "Se over og send")
		v.wantProblem(p)
	}
	v.look("new-problem")
	v.fill(message{nationalID: "1", text: "H"})
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary h2", "Du må rette to feil før du kan sende")
	v.look("new-two-problems")
	v.fill(good)
	v.fillNumber("#telefonnummer", good.phone) // and so leaves the text, which is no longer known to be wrong
	eventually(t, "the message at the text is gone", func() bool { return v.Count("#tekst[aria-invalid=true], #tekst-s[data-niva]:not([hidden])") == 0 })
	v.ClickText("button", "Se over og send")
	v.ClickText("button", "Send SMS")
	v.awaitTag("Levert")
	if n := len(s.sim.Books()); n != 1 {
		t.Errorf("the service has accepted %d SMS, want 1", n)
	}
	s.wantBooked(t, good, 1)
}

// wantProblem checks the answer to a form with one problem: the summary has the focus and links to the field, and all
// values are as typed.
func (v *visitor) wantProblem(p problem) {
	v.t.Helper()
	v.WaitText(".ds-error-summary", p.says)
	v.wantText(".ds-error-summary h2", "Du må rette én feil før du kan sende")
	if !strings.HasPrefix(v.Title(), "Feil: ") {
		v.t.Errorf("the title is %q", v.Title())
	}
	if v.Count(".ds-error-summary:focus") != 1 {
		v.t.Errorf("%s has the keyboard, not the summary", v.FocusedSelector())
	}
	v.Click(".ds-error-summary a")
	if got := v.FocusedSelector(); got != p.field {
		v.t.Errorf("%q leads to %s, want %s", p.says, got, p.field)
	}
	v.wantText(p.field+"-s", p.says)
	if v.Count(p.field+"[aria-invalid=true]") != 1 {
		v.t.Errorf("%s is not marked as invalid", p.field)
	}
	v.wantTyped(p.typed)
	v.Go("#hoved") // scrolls up again, out of the sticky header
}

// wantTyped checks that the form holds a message as typed.
func (v *visitor) wantTyped(m message) {
	v.t.Helper()
	for field, want := range map[string]string{"#tekst": m.text, "#telefonnummer": m.phone, "#fnr": m.nationalID} {
		if want == "" {
			continue
		}
		if got := v.Value(field); got != want {
			v.t.Errorf("%s holds %q, want %q", field, got, want)
		}
	}
}

// choosesOneRecipient fills in both recipients, which is possible only without script.
func choosesOneRecipient(t *testing.T, b *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	v := s.as(t, b, withoutScript, "kari")
	m := toPhone("120", "Til den ene.")
	id := nationalID()
	v.Go("/k/oppvekst/sms/ny")
	v.Fill("#fnr", id)
	v.Fill("#telefonnummer", m.phone)
	v.Fill("#tekst", m.text)
	v.ClickText("button", "Se over og send")
	v.wantText(".ds-error-summary", "Velg enten fødselsnummer eller telefonnummer.")
	v.wantTyped(message{nationalID: id, phone: m.phone, text: m.text})
	v.glance("new-both-recipients")
	v.Click(".ds-error-summary a")
	if got := v.FocusedSelector(); got != "#mottaker" {
		t.Errorf("the problem leads to %s", got)
	}
	v.Fill("#fnr", "")
	v.ClickText("button", "Se over og send")
	v.ClickText("button", "Send SMS")
	s.await(t, s.oppvekst, v.itemID(), "accepted")
	s.wantBooked(t, m, 1)
}

// answersProblems checks the same answers without a browser: the status tells that nothing was stored.
func answersProblems(t *testing.T, _ *browsertest.Browser) {
	s := newStack(t, stackOptions{})
	c := s.caller(t, "kari")
	good := toPhone("120", "Alt er i orden.")
	for _, p := range problems(good) {
		form := url.Values{"mottaker": {"fnr"}, "fnr": {p.typed.nationalID}, "tekst": {p.typed.text}}
		if p.typed.phone != "" {
			form = url.Values{"mottaker": {"telefonnummer"}, "telefonnummer": {p.typed.phone}, "tekst": {p.typed.text}}
		}
		status, body := c.post("/k/oppvekst/sms/ny", form)
		if status != http.StatusUnprocessableEntity || !strings.Contains(strings.ReplaceAll(body, "\u00a0", " "), p.says) {
			t.Errorf("%s: answered with %d", p.says, status)
		}
	}
	_, body := c.get("/k/oppvekst/sms")
	if !strings.Contains(body, "Ingen har sendt noe fra denne kontoen ennå.") {
		t.Error("something was stored")
	}
}
