package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"utsending/internal/dispatch"
	"utsending/internal/store/items"
)

// optionText is the text of a choice.
func optionText(_ int, e *goquery.Selection) string { return words(e.Text()) }

// words are the words of a text with single blanks.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

const bothForms = "Mobil;Fornavn;Målform\n90000101;Kari;bokmål\n90000102;Ola;NN\n90000103;Per;\n90000104;Åse;engelsk\n90000105;Ida;nynorsk\n"

// TestListSaysTheWrittenForm: each gets the text in the form that the list says, and the review says how many do.
func TestListSaysTheWrittenForm(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	by := s.as(t, teamLead)
	id := s.template(t, teamLead, "Møte", "Hei ((Fornavn)), ikke glem møtet.")
	pair := dispatch.TemplateContent{Name: "Møte", Text: "Hei ((Fornavn)), ikke glem møtet.", Nynorsk: "Hei ((fornavn)), ikkje gløym møtet."}
	if err := items.In(s.store).Templates.Change(t.Context(), by.Account.ID, id, by.Actor, 1, pair); err != nil {
		t.Fatal(err)
	}
	job := newList(t, b, "liste", bothForms)
	page := b.get(job + "/endre").page(t)
	if got := page.Find("#mal option").Map(optionText); !slices.Equal(got, []string{"Ingen mal", "Møte – bokmål og nynorsk"}) {
		t.Errorf("the choice is %q", got)
	}
	filled := b.post(job+"/endre", fields("tekst", "", "mate", "traceable", "mal", string(id)+":nb", "mal-hent", "hent")).page(t)
	if text, nynorsk := filled.Find("#tekst").Text(), filled.Find("#nynorsk").Text(); text != pair.Text || nynorsk != pair.Nynorsk {
		t.Fatalf("got %q and %q", text, nynorsk)
	}
	typed := func(pairs ...string) []string {
		return append([]string{"tekst", pair.Text, "nynorsk", pair.Nynorsk, "mate", "traceable", "mal", string(id) + ":nb", "mal-brukt", string(id) + ":nb:2"}, pairs...)
	}
	for name, tt := range map[string]struct {
		form        []string
		field, says string
	}{
		"fast":              {[]string{"tekst", "Hei", "nynorsk", "Hallo", "mate", "fast"}, "nynorsk", "Hurtig sender én tekst til alle."},
		"a field of nobody": {[]string{"tekst", "Hei", "nynorsk", "Hallo ((rom))", "mate", "traceable"}, "nynorsk", "Meldingen har flettefeltet «rom»"},
		"too short":         {[]string{"tekst", "Hei", "nynorsk", "x", "mate", "traceable"}, "nynorsk", "Teksten på nynorsk må ha mellom"},
		"no written form":   {typed("malform", "se"), "malform", "Velg bokmål eller nynorsk."},
	} {
		got := b.post(job+"/endre", fields(tt.form...))
		if said := problems(t, got)[tt.field]; got.StatusCode != http.StatusUnprocessableEntity || !strings.HasPrefix(said, tt.says) {
			t.Errorf("%s: got %d %q", name, got.StatusCode, said)
		}
	}
	counted := b.post(job+"/teller", fields(typed()...), fragment("sms-teller")...).page(t)
	if text, nynorsk := words(counted.Find("#sms-teller").Text()), words(counted.Find("#sms-nynorsk-teller").Text()); !strings.HasPrefix(text, "3 SMS-deler") || !strings.HasPrefix(nynorsk, "2 SMS-deler") {
		t.Errorf("the counters say %q and %q", text, nynorsk)
	}
	b.post(job+"/endre", fields(typed()...))
	review := b.get(job + "/kontroll").page(t)
	if got := words(review.Find("#malformer").Text()); got != "3 får meldingen på bokmål, og 2 på nynorsk. For 2 av dem sier listen ikke målform, og de får bokmål." {
		t.Errorf("the review says %q", got)
	}
	if got := review.Find(".bubble[lang=nn]").First().Text(); !strings.Contains(got, "ikkje gløym") {
		t.Errorf("in nynorsk the review shows %q", got)
	}
	b.post(job+"/endre", fields(typed("malform", "nn")...))
	if got := words(b.get(job + "/kontroll").page(t).Find("#malformer").Text()); got != "1 får meldingen på bokmål, og 4 på nynorsk. For 2 av dem sier listen ikke målform, og de får nynorsk." {
		t.Errorf("with nynorsk for the others the review says %q", got)
	}
	b.send(job)
	s.makeItems(t)
	got := map[string]string{}
	for _, it := range s.oppvekstItems(t) {
		got[it.Recipient.Phone.Reveal()] = it.Text + " " + string(it.Template.Form)
	}
	want := map[string]string{
		"90000101": "Hei Kari, ikke glem møtet. nb", "90000102": "Hei Ola, ikkje gløym møtet. nn", "90000103": "Hei Per, ikkje gløym møtet. nn",
		"90000104": "Hei Åse, ikkje gløym møtet. nn", "90000105": "Hei Ida, ikkje gløym møtet. nn",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantWords(t, b.get(job), "Hei ((Fornavn)), ikke glem møtet.", "Hei ((fornavn)), ikkje gløym møtet.")
	if got := s.browser(t, teamLead).get(job).body; strings.Contains(got, "ikkje gløym") {
		t.Error("a colleague reads the text in nynorsk")
	}

	// A list that does not say it has one text only, and a text in nynorsk that was written before is told of.
	other := newList(t, b, "liste", "Mobil;Fornavn\n90000101;Kari\n")
	if b.get(other+"/endre").page(t).Find("#nynorsk").Length() != 0 {
		t.Error("a list without the column asks for nynorsk")
	}
	wrong := b.post(other+"/endre", fields("tekst", "Hei", "nynorsk", "Hallo", "mate", "traceable"))
	if said := problems(t, wrong)["nynorsk"]; !strings.HasPrefix(said, "Listen sier ikke hvem som skal ha nynorsk.") {
		t.Errorf("got %q", said)
	}
}

// TestListWithoutNynorsk: a list may say the form although there is one text; then nothing is told of forms.
func TestListWithoutNynorsk(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	job := newList(t, b, "liste", bothForms)
	b.post(job+"/endre", fields("tekst", "Hei alle sammen", "nynorsk", " \n ", "mate", "traceable"))
	if page := b.get(job + "/kontroll").page(t); page.Find("#malformer").Length() != 0 {
		t.Error("the review tells of written forms")
	}
	b.send(job)
	s.makeItems(t)
	for _, it := range s.oppvekstItems(t) {
		if it.Text != "Hei alle sammen" {
			t.Errorf("got %q", it.Text)
		}
	}
}

// TestShipmentTitleInTheWrittenForm: one recipient gets the title that is chosen, and each of a list the one that the list says.
func TestShipmentTitleInTheWrittenForm(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	one, _ := s.listDraft(t, caseworker, "Vedtak")
	review := b.post("/k/oppvekst/utkast/"+string(one), typed("tittel-nynorsk", "Vedtak om skuleskyss", "malform", "nn")).location()
	if got := b.get(review).page(t).Find("#dok").Closest("section").Text(); !strings.Contains(got, "Vedtak om skuleskyss") {
		t.Errorf("the review of one says %q", words(got))
	}

	at := s.newShipmentList(t, b, "liste", "Navn;Adresse;Postnr;Sted;Målform\nOla;Storgata 1;7713;Steinkjer;nynorsk\nKari;Storgata 2;7713;Steinkjer;nb\nPer;Storgata 3;7713;Steinkjer;\n")
	titles := []string{"versjon", "1", "tittel", "Vedtak for ((navn))", "tittel-nynorsk", "Vedtak på nynorsk for ((rom))", "avgivende", "Utsending", "neste", "kontroll"}
	b.post(at, fields(titles...))
	wrong := b.get(at + "/flere/kontroll")
	if said := problems(t, wrong)["tittel-nynorsk"]; !strings.Contains(said, "rom") {
		t.Errorf("a field that the list has not: %d %q", wrong.StatusCode, said)
	}
	titles[1], titles[5] = "2", "Vedtak på nynorsk for ((navn))"
	b.post(at, fields(titles...))
	page := b.get(at + "/flere/kontroll").page(t)
	if got := words(page.Find("#malformer").Text()); got != "2 får tittelen på bokmål, og 1 på nynorsk. For 1 av dem sier listen ikke målform, og den får bokmål." {
		t.Errorf("the review says %q", got)
	}
	b.send(at + "/flere")
	s.makeItems(t)
	var got []string
	for it, err := range items.In(s.store).ShipmentJobs.EachShipment(t.Context(), s.oppvekst.Account.ID, dispatch.JobID(strings.TrimPrefix(b.follow(t, at).Request.URL.Path, "/k/oppvekst/jobber/"))) {
		if err != nil {
			t.Fatal(err)
		}
		sent, err := items.In(s.store).Shipments.ByID(t.Context(), s.oppvekst.Account.ID, it.ID)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, sent.Title)
	}
	if want := []string{"Vedtak på nynorsk for Ola", "Vedtak for Kari", "Vedtak for Per"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTemplateOfOneForm: a template may be in nynorsk only; two texts have the same fields.
func TestTemplateOfOneForm(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	made := b.post("/k/oppvekst/maler/ny", templateForm("Påminning", "", "Hei ((fornamn)), møt i morgon.", ""))
	if made.StatusCode != http.StatusSeeOther {
		t.Fatalf("got %d: %v", made.StatusCode, problems(t, made))
	}
	wantWords(t, b.get("/k/oppvekst/maler"), "Påminning", "Hei ((fornamn)), møt i morgon.", "Nynorsk", "Ikke brukt siste tolv måneder")
	choice := s.browser(t, caseworker).get("/k/oppvekst/sms/ny").page(t)
	if got := choice.Find("#mal option").Map(optionText); !slices.Equal(got, []string{"Ingen mal", "Påminning"}) || !strings.HasSuffix(choice.Find("#mal option").Last().AttrOr("value", ""), ":nn") {
		t.Errorf("the choice is %q", got)
	}
	if got := b.post("/k/oppvekst/maler/ny", templateForm("Tom", "", "", "")); got.StatusCode != http.StatusUnprocessableEntity || problems(t, got)["tekst"] == "" {
		t.Errorf("without a text: got %d", got.StatusCode)
	}
	unlike := b.post("/k/oppvekst/maler/ny", templateForm("Ulike", "Hei ((fornavn))", "Hei ((fornamn))", ""))
	if said := problems(t, unlike)["nynorsk"]; unlike.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, "((fornavn))") {
		t.Errorf("with other fields: got %d %q", unlike.StatusCode, said)
	}
}

// TestShipmentTemplateHasBothTitles: they come with the template, and have the same fields.
func TestShipmentTemplateHasBothTitles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, teamLead)
	id, _ := s.listDraft(t, teamLead, "Vedtak")
	draft := "/k/oppvekst/utkast/" + string(id)
	b.post(draft, typed("neste", "mal", "tittel", "Vedtak om ((hva))", "tittel-nynorsk", "Vedtak"))
	refused := b.post(draft+"/mal", fields("nokkel", "0b7d9c2a-68a1-4e5f-9d3c-0d5a4c1f2b3e", "navn", "Vedtak"))
	if said := problems(t, refused)["navn"]; refused.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(said, "((hva))") {
		t.Errorf("with other fields: got %d %q", refused.StatusCode, said)
	}
	b.post(draft, typed("versjon", "2", "neste", "mal", "tittel", "Vedtak om ((hva))", "tittel-nynorsk", "Vedtak om ((hva)) på nynorsk", "malform", "nn"))
	kept := b.post(draft+"/mal", fields("nokkel", "0b7d9c2a-68a1-4e5f-9d3c-0d5a4c1f2b3e", "navn", "Vedtak")).location()
	wantWords(t, b.get(kept), "Vedtak om ((hva)) på nynorsk")
	begun := b.post("/k/oppvekst/forsendelser/ny", fields("nokkel", "1b7d9c2a-68a1-4e5f-9d3c-0d5a4c1f2b3e", "mal", strings.TrimPrefix(kept, "/k/oppvekst/maler/"))).location()
	page := b.get(begun).page(t)
	if got := page.Find("#tittel-nynorsk").AttrOr("value", ""); got != "Vedtak om ((hva)) på nynorsk" || page.Find("#malform option[selected]").AttrOr("value", "") != "nn" {
		t.Errorf("the draft has %q", got)
	}
}

// TestTemplateUseIsTold: how many items were made with a template, by months, without drafts.
func TestTemplateUseIsTold(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.browser(t, caseworker)
	id := string(s.template(t, teamLead, "Møte", "Hei, ikke glem møtet."))
	job := newList(t, b, "liste", "Mobil\n90000101\n90000102\n90000103\n")
	b.post(job+"/endre", fields("tekst", "Hei, ikke glem møtet.", "mate", "traceable", "mal", id+":nb", "mal-brukt", id+":nb:1"))
	_, pairs := form("90000123", "Hei, ikke glem møtet.")
	b.post("/k/oppvekst/sms/ny", fields(append(pairs, "mal", id+":nb", "mal-brukt", id+":nb:1")...))
	wantWords(t, b.get("/k/oppvekst/maler"), "Ikke brukt siste tolv måneder")
	b.send(job)
	s.makeItems(t)
	now := time.Now().In(dispatch.Oslo)
	wantWords(t, b.get("/k/oppvekst/maler"), "3 utsendinger siste tolv måneder", "Sist "+now.Format("02.01.2006"))
	if got := words(b.get("/k/oppvekst/maler/" + id).page(t).Find("#brukt").Closest("section").Find("tbody").Text()); !strings.HasSuffix(got, now.Format("2006")+"3") {
		t.Errorf("its page says %q", got)
	}
	if got := s.browser(t, outsider).get("/k/helse/maler").body; strings.Contains(got, "3 utsendinger") {
		t.Error("another account reads it")
	}
}
